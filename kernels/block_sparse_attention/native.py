"""The compiled form for CPUs, over rows in bf16 where the processor multiplies tiles of it; all else is the plain
form's."""

from torch import Tensor

from kernels.block_sparse_attention import cpu
from kernels.native import library, sparse
from kernels.row import Place

library()  # raises Unavailable, and so another form is taken


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    by_head = chosen.shape[1] != k.shape[1]
    if isinstance(at, Tensor) or by_head or not sparse.fits(q, k, v) or block not in sparse.BLOCKS or scale <= 0:
        return cpu.read(q, k, v, chosen, at, block, scale)
    return sparse.attend_chosen(q, k, v, chosen, at, block, scale)


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    return read(q[:, :, None].to(k.dtype), k, v, chosen[:, :, None], at, block, scale)[:, :, 0].to(q.dtype)
