"""Scores and choices where heads have given up blocks of rows of their own choice. Plain torch, on any device.

Rows, windows and blocks keep the numbers that they had in the whole text. A window is there as long as a row of it is,
and stands for all of its rows as before. What `block_scores` says holds of the windows and blocks that are left:
normalisers are sums over them, the best are chosen among them, and a block's score is the largest of the windows that
are left of those that overlap it, which are all.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from kernels.block_scores import COARSE, Blocks, Normaliser
from kernels.block_scores.cpu import HELD

BEYOND = 1 << 40
"""The number of what stands in a window's place, where other heads have more."""


@dataclass(frozen=True)
class Left:
    """Numbers int64: of fine windows [Hkv, n1] and of coarse ones [Hkv, n2], BEYOND wherever a head has none; of blocks
    [Hkv, N], ascending, of each head as many."""

    fine: Tensor
    coarse: Tensor
    blocks: Tensor


def scores(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, left: Left, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    """As `block_scores.scores`, of the blocks that are left -> fp32 [B, Hkv, T, N].

    k1 [B, Hkv, n1, D] and k2 [B, Hkv, n2, D] are the means of the windows that `left` numbers. rows [T] are counted in
    the whole text.
    """
    found = [some for _, some in _tiles(q, k1, k2, rows, left, blocks, scale, normaliser)]
    return torch.cat(found, 2)


def choose(
    q: Tensor, k1: Tensor, k2: Tensor, at: int, left: Left, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    """As `block_scores.choose`, but which of the blocks that are left, counted from 0 -> int32 [B, Hkv, T, M]. `at` is
    counted in the whole text. Blocks that are always chosen must be left."""
    rows = torch.arange(at, at + q.shape[2], device=q.device)
    tiles = _tiles(q, k1, k2, rows, left, blocks, scale, normaliser)
    return torch.cat([best(some, own, left.blocks, blocks) for own, some in tiles], 2)


def best(scores: Tensor, rows: Tensor, numbers: Tensor, blocks: Blocks) -> Tensor:
    """The choice by scores [B, Hkv, T, N] of blocks `numbers` [Hkv, N] -> int32 [B, Hkv, T, M] among them, ascending,
    -1 behind a query's last."""
    number, own = numbers[:, None], rows[:, None] // blocks.block
    always = (number < blocks.initial) | (number > own - blocks.local)
    scores = scores.masked_fill(always, torch.inf).masked_fill(number > own, -torch.inf)
    order = scores.sort(stable=True, dim=-1, descending=True).indices[..., : blocks.count]
    count = scores.shape[3]
    there = (number <= own).expand_as(scores).gather(-1, order)
    order = order.masked_fill(~there, count).sort(-1).values
    return order.masked_fill(order == count, -1).int()


def _tiles(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, left: Left, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows [t] with the scores of their queries [B, Hkv, t, N]: some at a time, so that memory is bounded."""
    if blocks.pooling != "largest":
        raise ValueError("blocks are given up where the largest score counts")
    kv_heads, tokens = k1.shape[1], q.shape[2]
    over, place = _overlapping(left, blocks), left.blocks.shape[1]
    each = max(1, HELD // max(1, q.shape[0] * q.shape[1] * max(k1.shape[2], over.shape[1])))
    for first in range(0, tokens, each):
        own = rows[first : first + each]
        some = q[:, :, first : first + each].float().unflatten(1, (kv_heads, -1)).transpose(2, 3)  # [B, Hkv, t, G, D]
        windows = functional.pad(_windows(some, k1, k2, own, left, blocks, scale, normaliser), (0, 1))
        at = over[None, :, None].expand(*windows.shape[:3], -1)
        yield own, windows.gather(-1, at).unflatten(-1, (place, -1)).amax(-1)


def _windows(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, left: Left, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    """P of the fine windows [B, Hkv, t, n1]; 0 of those that a query does not see."""
    z, seen = _products(q, k1, left.fine, rows, blocks.kernel, blocks.stride, scale)
    over = z
    if normaliser == "coarse":
        over, _ = _products(q, k2, left.coarse, rows, COARSE * blocks.kernel, COARSE * blocks.stride, scale)
    if not over.shape[-1]:
        return torch.zeros_like(z[:, :, :, 0])
    log_sum = torch.logsumexp(over, -1, keepdim=True)
    return (z - log_sum.masked_fill(log_sum == -torch.inf, torch.inf)).exp().sum(3).masked_fill(~seen, 0.0)


def _products(
    q: Tensor, means: Tensor, numbers: Tensor, rows: Tensor, kernel: int, stride: int, scale: float
) -> tuple[Tensor, Tensor]:
    """q [B, Hkv, t, G, D] with windows [B, Hkv, t, G, n], -inf where one is not seen, and which are [Hkv, t, n]."""
    z = torch.matmul(q.flatten(2, 3) * scale, means.float().transpose(2, 3)).unflatten(2, q.shape[2:4])
    seen = numbers[:, None] * stride + kernel - 1 <= rows[:, None]
    return z.masked_fill(~seen[:, :, None], -torch.inf), seen


def _overlapping(left: Left, blocks: Blocks) -> Tensor:
    """Places of the fine windows that overlap each block, n1 where there is none: int64 [Hkv, N * windows]."""
    offsets = torch.arange(-1, blocks.windows, device=left.blocks.device)
    wanted = (left.blocks[..., None] * blocks.windows + offsets).flatten(1)
    count = left.fine.shape[1]
    if not count:
        return torch.zeros_like(wanted)
    ordered, order = left.fine.sort(dim=1)
    place = torch.searchsorted(ordered, wanted).clamp(max=count - 1)
    return torch.where(ordered.gather(1, place) == wanted, order.gather(1, place), count)
