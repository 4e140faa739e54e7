"""Plain torch, the form for any device: what it does is a product of a `stride`-th of the size of attention's, in which
the groups of keys are a view of the rows where these lie one behind the other."""

import torch
from torch import Tensor
from torch.nn import functional

from kernels.block_choice import Choice, tiles

SCORES = 2**24
"""Held at once, at most, or those of one tile."""


def masses(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    batch, heads, tokens, _ = q.shape
    group, block = heads // k.shape[1], choice.block
    count = (at + tokens - 1) // block + 1
    found = torch.zeros(batch, heads, tiles(at, tokens, block), count, device=q.device)
    each = max(1, SCORES * choice.stride**2 // (block * count * block))  # tiles at once
    for b in range(batch):
        for h in range(k.shape[1]):
            keys, rest = _grouped(k[b, h, : at + tokens], choice.stride)
            for head in range(h * group, (h + 1) * group):
                for first in range(0, found.shape[2], each):
                    start = max(0, (at // block + first) * block - at)
                    end = min(tokens, (at // block + first + each) * block - at)
                    some = found[b, head, first : first + each]
                    _some(some, q[b, head, start:end], keys, rest, at + start, choice, scale)
    if choice.shared:
        found = found.unflatten(1, (-1, group)).sum(2)
    return found / found.sum(-1, keepdim=True)


def _grouped(k: Tensor, size: int) -> tuple[Tensor, Tensor | None]:
    """Keys [S, D] by groups [S // size, size * D], and the last group that is not whole, with zeros."""
    whole = k.shape[0] // size
    rest = k[whole * size :]
    keys = k[: whole * size].reshape(whole, size * k.shape[1])
    return keys, functional.pad(rest, (0, 0, 0, size - len(rest))).reshape(1, -1) if len(rest) else None


def _some(found: Tensor, q: Tensor, keys: Tensor, rest: Tensor | None, at: int, choice: Choice, scale: float) -> None:
    """Adds to `found` [tiles, N] the masses for queries [T, D] of these tiles, the first of them row `at`."""
    size, block = choice.stride, choice.block
    rows = at + len(q)
    before, behind = at % size, -rows % size
    groups = (functional.pad(q, (0, 0, before, behind)) if before or behind else q).unflatten(0, (-1, size))
    groups = groups.flip(1).flatten(1)  # [G, size * D]
    first, last = at // size, (rows - 1) // size  # groups of the text
    seen = min(len(keys), last + 1)
    per_block = block // size
    scores = torch.full((len(groups), (last // per_block + 1) * per_block), -torch.inf, device=q.device)
    scores[:, :seen] = (groups @ keys[:seen].T).float()
    if rest is not None and last >= seen:
        scores[:, seen : seen + 1] = (groups @ rest.T).float()
    numbers = torch.arange(first, last + 1, device=q.device)
    own = torch.arange(first, scores.shape[1], device=q.device)
    scores[:, first:].masked_fill_(own > numbers[:, None], -torch.inf)
    weights = torch.softmax(scores.mul_(scale / size), -1).unflatten(1, (-1, per_block)).sum(-1)  # [G, N]
    found[:, : weights.shape[1]].index_add_(0, numbers // per_block - first // per_block, weights)


def choose(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    return best(masses(q, k, at, choice, scale), at // choice.block, choice)


def best(found: Tensor, first: int, choice: Choice) -> Tensor:
    """The choice by the masses [B, H, tiles, N]; `first`: the number of the first tile."""
    count = found.shape[3]
    numbers = torch.arange(count, device=found.device)
    own = first + torch.arange(found.shape[2], device=found.device)[:, None]  # [tiles, 1]
    forced, there = (numbers == 0) | (numbers == own), numbers <= own  # [tiles, N]
    if choice.threshold >= 1:
        wanted = there.expand(found.shape)
    else:
        # The forced come first, as more than all of a tile; the others in the order of their mass
        order = (
            torch.where(forced, 2.0, found).masked_fill(~there, -1.0).sort(dim=-1, descending=True, stable=True).indices
        )
        sorted_masses = found.gather(-1, order)
        before = sorted_masses.cumsum(-1) - sorted_masses
        taken = (before < choice.threshold) | forced.expand(found.shape).gather(-1, order)
        wanted = torch.zeros_like(taken).scatter(-1, order, taken) & there
    listed = torch.where(wanted, numbers.int(), count)
    most = int(wanted.sum(-1).max())
    listed = listed.sort(-1).values[..., :most]
    return torch.where(listed < count, listed, -1).int()
