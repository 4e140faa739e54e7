"""Plain torch, on any device: scores of a tile of queries at a time, so that memory does not grow with their number."""

import torch
from torch import Tensor
from torch.nn import functional

from kernels.block_scores import COARSE, Blocks, Normaliser
from kernels.row import Place

HELD = 1 << 24
"""Scores of windows that are held at once: as fp32, 64 MiB."""


def compress(k: Tensor, first: int, kernel: int, stride: int) -> Tensor:
    count = max(0, (k.shape[2] - kernel) // stride + 1 - first)
    if count == 0:
        return k.new_empty(*k.shape[:2], 0, k.shape[3])
    parts = count + kernel // stride - 1
    rows = k[:, :, first * stride : (first + parts) * stride].unflatten(2, (parts, stride))
    # Row after row rather than by `sum`, whose order depends on the shape
    added = rows[:, :, :, 0].float()
    for row in range(1, stride):
        added = added + rows[:, :, :, row]
    means = added[:, :, :count]
    for part in range(1, kernel // stride):
        means = means + added[:, :, part : part + count]
    return (means / kernel).to(k.dtype)


def scores(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    batch, heads, tokens, _ = q.shape
    kv_heads, group = k1.shape[1], heads // k1.shape[1]
    count = int(rows[-1]) // blocks.block + 1
    found = q.new_zeros(batch, kv_heads, tokens, count, dtype=torch.float32)
    each = _each(batch * heads * count * blocks.windows)
    for first in range(0, tokens, each):
        last = min(first + each, tokens)
        queries = q[:, :, first:last].float().unflatten(1, (kv_heads, group)).transpose(2, 3)  # [B, Hkv, t, G, D]
        own = rows[first:last]
        some = _scores(queries, k1, k2, own, int(own[-1]), blocks, scale, normaliser)
        found[:, :, first:last, : some.shape[3]] = some
    return found


def choose(
    q: Tensor, k1: Tensor, k2: Tensor, at: Place, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    batch, heads, tokens, _ = q.shape
    kv_heads, group = k1.shape[1], heads // k1.shape[1]
    most = blocks.last(at, tokens, k1) // blocks.block + 1
    chosen = torch.full((batch, kv_heads, tokens, min(blocks.count, most)), -1, dtype=torch.int32, device=q.device)
    each = _each(batch * heads * most * blocks.windows)
    for first in range(0, tokens, each):
        last = min(first + each, tokens)
        queries = q[:, :, first:last].float().unflatten(1, (kv_heads, group)).transpose(2, 3)  # [B, Hkv, t, G, D]
        rows = torch.arange(first, last, device=q.device) + at
        found = _scores(queries, k1, k2, rows, blocks.last(at, last, k1), blocks, scale, normaliser)
        numbers = _best(found, rows, blocks)
        chosen[:, :, first:last, : numbers.shape[3]] = numbers
    return chosen


def _each(scores: int) -> int:
    """Queries that are taken at once, when each has so many scores."""
    return max(1, HELD // max(1, scores))


def _scores(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, last: int, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    """Of every block up to that of row `last`, beyond which no query is -> fp32 [B, Hkv, t, N]."""
    z, seen = _products(q, k1, rows, last, blocks.kernel, blocks.stride, scale)
    over = z
    if normaliser == "coarse":
        over, _ = _products(q, k2, rows, last, COARSE * blocks.kernel, COARSE * blocks.stride, scale)
    if over.shape[-1]:
        log_sum = torch.logsumexp(over, -1, keepdim=True)
        z = z.sub_(log_sum.masked_fill_(log_sum == -torch.inf, torch.inf)).exp_()
    else:
        z = torch.zeros_like(z)
    windows = z.sum(3).masked_fill_(~seen, 0.0)  # [B, Hkv, t, windows]
    count = last // blocks.block + 1
    # One more before the first, and zeros up to the end of the last block
    windows = functional.pad(windows, (1, count * blocks.windows - windows.shape[-1]))
    windows = windows.unfold(-1, blocks.windows + 1, blocks.windows)
    if blocks.pooling == "largest":
        return windows.amax(-1)
    strides = torch.full((blocks.windows + 1,), 2.0, device=q.device)  # of each window in the block
    strides[0] = strides[-1] = 1.0
    return (windows * strides).sum(-1)


def _products(
    q: Tensor, means: Tensor, rows: Tensor, last: int, kernel: int, stride: int, scale: float
) -> tuple[Tensor, Tensor]:
    """q [B, Hkv, t, G, D] with the windows that row `last` sees [B, Hkv, t, G, n], -inf where one is not seen, and
    which are, [t, n]."""
    means = means[:, :, : max(0, (last + 1 - kernel) // stride + 1)].float()
    count = means.shape[2]
    z = torch.matmul(q.flatten(2, 3) * scale, means.transpose(2, 3)).unflatten(2, q.shape[2:4])
    seen = torch.arange(count, device=q.device) * stride + kernel - 1 <= rows[:, None]
    return z.masked_fill_(~seen[:, None], -torch.inf), seen


def _best(scores: Tensor, rows: Tensor, blocks: Blocks) -> Tensor:
    """Scores [B, Hkv, t, N] of the queries of these rows [t] -> chosen [B, Hkv, t, `count` or N]."""
    own = rows[:, None] // blocks.block
    number = torch.arange(scores.shape[3], device=scores.device)
    scores = scores.masked_fill((number < blocks.initial) | (number > own - blocks.local), torch.inf)
    scores = scores.masked_fill(number > own, -torch.inf)
    order = scores.sort(stable=True, dim=-1, descending=True).indices[..., : blocks.count]
    order = order.masked_fill(order > own, scores.shape[3]).sort(-1).values
    return order.masked_fill(order == scores.shape[3], -1).int()
