"""The definition, query by query in fp32. Never optimised."""

import torch
from torch import Tensor

from kernels.block_scores import COARSE, Blocks, Normaliser


def compress(k: Tensor, first: int, kernel: int, stride: int) -> Tensor:
    whole = max(0, (k.shape[2] - kernel) // stride + 1)
    means = torch.zeros((*k.shape[:2], max(0, whole - first), k.shape[3]), dtype=k.dtype, device=k.device)
    for j in range(first, whole):
        means[:, :, j - first] = k[:, :, j * stride : j * stride + kernel].float().mean(2).to(k.dtype)
    return means


def scores(q: Tensor, k1: Tensor, k2: Tensor, at: int, blocks: Blocks, scale: float, normaliser: Normaliser) -> Tensor:
    """Of every block up to the last query's -> fp32 [B, Hkv, T, N]: inf for those always chosen, -inf beyond a query's
    own."""
    batch, heads, tokens, _ = q.shape
    kv_heads = k1.shape[1]
    group = heads // kv_heads
    found = torch.full((batch, kv_heads, tokens, (at + tokens - 1) // blocks.block + 1), -torch.inf, device=q.device)
    for b in range(batch):
        for h in range(kv_heads):
            for t in range(tokens):
                queries = q[b, h * group : (h + 1) * group, t].float()
                windows = _windows(queries, k1[b, h].float(), k2[b, h].float(), at + t, blocks, scale, normaliser)
                own = (at + t) // blocks.block
                for n in range(own + 1):
                    if n < blocks.initial or n > own - blocks.local:
                        found[b, h, t, n] = torch.inf
                        continue
                    first = -(-(n * blocks.block - blocks.kernel + 1) // blocks.stride)  # that overlaps the block
                    over = range(max(0, first), min((n + 1) * blocks.block // blocks.stride, len(windows)))
                    if blocks.pooling == "largest":
                        found[b, h, t, n] = max(windows[j] for j in over)
                    else:
                        found[b, h, t, n] = sum(windows[j] * _strides(j, n, blocks) for j in over)
    return found


def _strides(window: int, block: int, blocks: Blocks) -> int:
    """Of a window, those that lie in a block."""
    first = max(window * blocks.stride, block * blocks.block)
    return (min(window * blocks.stride + blocks.kernel, (block + 1) * blocks.block) - first) // blocks.stride


def _windows(
    q: Tensor, k1: Tensor, k2: Tensor, row: int, blocks: Blocks, scale: float, normaliser: Normaliser
) -> list[float]:
    """P of the windows of one query: q [G, D], k1 [n1, D], k2 [n2, D] -> n1 of them."""
    z = scale * (q @ k1[: _seen(row, blocks.kernel, blocks.stride)].T)  # [G, seen]
    over = z
    if normaliser == "coarse":
        over = scale * (q @ k2[: _seen(row, COARSE * blocks.kernel, COARSE * blocks.stride)].T)
    windows = torch.zeros(k1.shape[0], device=q.device)
    if over.shape[1]:
        windows[: z.shape[1]] = torch.exp(z - torch.logsumexp(over, 1, keepdim=True)).sum(0)
    return windows.tolist()


def _seen(row: int, kernel: int, stride: int) -> int:
    """Windows that lie wholly at or before a row."""
    return max(0, (row + 1 - kernel) // stride + 1)


def choose(q: Tensor, k1: Tensor, k2: Tensor, at: int, blocks: Blocks, scale: float, normaliser: Normaliser) -> Tensor:
    return best(scores(q, k1, k2, at, blocks, scale, normaliser), at, blocks)


def best(found: Tensor, at: int, blocks: Blocks) -> Tensor:
    """The choice by what `scores` found."""
    chosen = torch.full((*found.shape[:3], min(blocks.count, found.shape[3])), -1, dtype=torch.int32)
    for b, h, t in torch.cartesian_prod(*(torch.arange(size) for size in found.shape[:3])).tolist():
        visible = found[b, h, t, : (at + t) // blocks.block + 1].tolist()
        numbers = sorted(range(len(visible)), key=lambda n: (-visible[n], n))[: blocks.count]
        chosen[b, h, t, : len(numbers)] = torch.tensor(sorted(numbers), dtype=torch.int32)
    return chosen.to(found.device)
