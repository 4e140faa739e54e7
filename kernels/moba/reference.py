"""The definition, query by query in fp32. Never optimised."""

import torch
from torch import Tensor

from kernels.block_sparse_attention.reference import read, write

__all__ = ["best", "choose", "means", "read", "scores", "write"]


def means(k: Tensor, block: int) -> Tensor:
    found = torch.zeros((*k.shape[:2], k.shape[2] // block, k.shape[3]), device=k.device)
    for n in range(k.shape[2] // block):
        found[:, :, n] = k[:, :, n * block : (n + 1) * block].float().mean(2)
    return found


def choose(q: Tensor, means: Tensor, at: int, block: int, count: int) -> Tensor:
    return best(scores(q, means, at, block), at, block, count)


def scores(q: Tensor, means: Tensor, at: int, block: int) -> Tensor:
    """Gates of every block up to the last query's -> fp32 [B, Hq, T, N]: inf of a query's own, -inf beyond it."""
    batch, heads, tokens, _ = q.shape
    group = heads // means.shape[1]
    found = torch.full((batch, heads, tokens, (at + tokens - 1) // block + 1), -torch.inf, device=q.device)
    for b in range(batch):
        for h in range(heads):
            for t in range(tokens):
                own = (at + t) // block
                for n in range(own):
                    found[b, h, t, n] = q[b, h, t].float() @ means[b, h // group, n]
                found[b, h, t, own] = torch.inf
    return found


def best(scores: Tensor, at: int, block: int, count: int) -> Tensor:
    """The choice by these scores -> int32 [B, Hq, T, M]."""
    chosen = torch.full((*scores.shape[:3], min(count, scores.shape[3])), -1, dtype=torch.int32, device=scores.device)
    for b, h, t in torch.cartesian_prod(*(torch.arange(size) for size in chosen.shape[:3])).tolist():
        own = (at + t) // block
        gates = scores[b, h, t].tolist()
        order = sorted(range(own + 1), key=lambda n: (-gates[n], n))
        numbers = sorted(order[:count])
        chosen[b, h, t, : len(numbers)] = torch.tensor(numbers, dtype=torch.int32)
    return chosen
