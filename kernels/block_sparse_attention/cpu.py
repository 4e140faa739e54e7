"""Plain torch, on any device: the chosen rows of some queries are gathered at a time."""

from functools import partial

import torch
from torch import Tensor

from kernels.block_sparse_attention import plain
from kernels.row import Place

GATHERED = 1 << 25
"""Elements of keys, and as many of values, that are gathered at once: as fp32, 128 MiB each."""


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    tokens, width = q.shape[2:]
    out = torch.empty_like(q)
    each = max(1, GATHERED // (chosen.shape[3] * block * width))
    choices = chosen.shape[1]
    group, apart = q.shape[1] // choices, choices // k.shape[1]
    for b in range(q.shape[0]):
        for c in range(choices):
            heads, h = slice(c * group, (c + 1) * group), c // apart
            for first in range(0, tokens, each):
                own = slice(first, min(first + each, tokens))
                queries = q[b, heads, own].transpose(0, 1)  # [t, G, D]
                part = _some(queries, k[b, h], v[b, h], chosen[b, c, own].long(), at + first, block, scale)
                out[b, heads, own] = part.transpose(0, 1)
    return out


def _some(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    """q [t, G, D], k and v [S, D], chosen [t, M] -> [t, G, D]."""
    tokens = q.shape[0]
    rows = (chosen[..., None] * block + torch.arange(block, device=q.device)).flatten(1)  # [t, M * block]
    own = (torch.arange(tokens, device=q.device) + at)[:, None]
    unseen = (rows < 0) | (rows > own)
    # Rows that are not seen need not be numbers: the query's own, which is always seen, stands in for them
    rows = torch.where(unseen, own, rows).flatten()
    keys, values = (held.index_select(0, rows).unflatten(0, (tokens, -1)).float() for held in (k, v))
    scores = torch.bmm(q.float(), keys.transpose(1, 2)).mul_(scale).masked_fill_(unseen[:, None], -torch.inf)
    return torch.bmm(torch.softmax(scores, -1), values).to(q.dtype)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    return read(q[:, :, None], k, v, chosen[:, :, None], at, block, scale)[:, :, 0]


def read_tiles(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    """Tile by tile: its blocks are gathered once for all of its queries."""
    batch, heads, tokens, width = q.shape
    out = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    lists, first = chosen.shape[1], at // block
    group, shared = heads // lists, lists // k.shape[1]  # query heads a list, lists a key head
    offsets = torch.arange(block, device=q.device)
    for b in range(batch):
        for number in range(lists):
            h, own_heads = number // shared, slice(number * group, (number + 1) * group)
            for tile in range(chosen.shape[2]):
                start, end = max(0, (first + tile) * block - at), min(tokens, (first + tile + 1) * block - at)
                numbers = chosen[b, number, tile].long()
                rows = (numbers[numbers >= 0][:, None] * block + offsets).flatten()
                rows = rows[rows < at + end]
                own = torch.arange(at + start, at + end, device=q.device)
                keys, values = (held[b, h].index_select(0, rows).float() for held in (k, v))
                scores = torch.matmul(q[b, own_heads, start:end].float(), keys.T).mul_(scale)  # [G, t, rows]
                scores.masked_fill_(rows > own[:, None], -torch.inf)
                out[b, own_heads, start:end] = torch.matmul(scores.softmax(-1), values).to(q.dtype)
    return out


read_tiles_bytes = partial(plain.read_tiles_bytes, read_tiles)
