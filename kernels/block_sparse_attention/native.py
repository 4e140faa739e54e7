"""The compiled form for CPUs, over rows in bf16 where the processor multiplies tiles of it; all else is the plain
form's."""

from torch import Tensor

from kernels.block_sparse_attention import cpu
from kernels.native import attend, library, sparse
from kernels.row import Place

TILE = 128
"""Rows of a block, and of a tile of queries, that `read_tiles` takes."""
WIDEST = 256
"""Query heads that share a choice, at most."""

library()  # raises Unavailable, and so another form is taken


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    by_head = chosen.shape[1] != k.shape[1]
    if isinstance(at, Tensor) or by_head or not sparse.fits(q, k, v) or block not in sparse.BLOCKS or scale <= 0:
        return cpu.read(q, k, v, chosen, at, block, scale)
    return sparse.attend_chosen(q, k, v, chosen, at, block, scale)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    return read(q[:, :, None].to(k.dtype), k, v, chosen[:, :, None], at, block, scale)[:, :, 0].to(q.dtype)


def read_tiles(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    if not attend.fits(q, k, v) or not _tiled(q, chosen, block, scale):
        return cpu.read_tiles(q, k, v, chosen, at, block, scale)
    return attend.attend_tiles(q, attend.rows(k, v), chosen, at, k.shape[1], scale)


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
    if not attend.fits(q) or not _tiled(q, chosen, block, scale):
        return cpu.read_tiles_bytes(q, k, k_scales, v, v_scales, chosen, at, block, scale)
    return attend.attend_tiles(q, attend.rows(k, v, k_scales, v_scales), chosen, at, k.shape[1], scale)


def _tiled(q: Tensor, chosen: Tensor, block: int, scale: float) -> bool:
    return block == TILE and scale > 0 and q.shape[1] <= WIDEST * chosen.shape[1]
