"""The definition, head by head in fp32: rows of blocks that were not chosen, and those after a query, weigh nothing."""

import torch
from torch import Tensor

from kernels.full_attention.reference import read_head
from kernels.row import Place


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    at = int(at)
    batch, heads, tokens, _ = q.shape
    group, sharing = heads // k.shape[1], heads // chosen.shape[1]
    rows = torch.arange(at + tokens, device=q.device)
    earlier = rows <= rows[at:, None]  # [T, S]
    out = torch.zeros(q.shape, dtype=torch.float32, device=q.device)
    for b in range(batch):
        for h in range(heads):
            seen = (rows // block == chosen[b, h // sharing, :, :, None]).any(1) & earlier  # [T, S]
            keys, values = (x[b, h // group, : at + tokens] for x in (k, v))
            out[b, h] = read_head(q[b, h], keys, values, seen, scale)
    return out.to(q.dtype)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    return read(q[:, :, None], k, v, chosen[:, :, None], at, block, scale)[:, :, 0]


def read_tiles(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    group = q.shape[1] // k.shape[1]
    tile = (at + torch.arange(q.shape[2], device=q.device)) // block - at // block
    every = chosen.repeat_interleave(q.shape[1] // chosen.shape[1], 1)[:, :, tile]  # [B, Hq, T, M]
    keys, values = (rows.repeat_interleave(group, 1) for rows in (k, v))
    return read(q, keys, values, every, at, block, scale)


def read_tiles_bytes(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    chosen: Tensor,
    at: int,
    block: int,
    scale: float,
) -> Tensor:
    k, v = ((rows.float() * scales[..., None]).to(q.dtype) for rows, scales in ((k, k_scales), (v, v_scales)))
    return read_tiles(q, k, v, chosen, at, block, scale)
