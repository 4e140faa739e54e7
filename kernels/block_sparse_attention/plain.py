"""What is made of other parts, for forms that have those and nothing faster."""

from collections.abc import Callable

from torch import Tensor

from kernels import row_bytes

Tiles = Callable[[Tensor, Tensor, Tensor, Tensor, int, int, float], Tensor]


def read_tiles_bytes(
    read_tiles: Tiles,
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
    """As `block_sparse_attention.read_tiles_bytes`, over all rows unpacked: a piece looks at most of them."""
    k, v = row_bytes.unpack(k, k_scales, q.dtype), row_bytes.unpack(v, v_scales, q.dtype)
    return read_tiles(q, k, v, chosen, at, block, scale)
