"""The compiled form for CPUs: every value is fetched and stored once, wherever its row lies."""

import torch
from torch import Tensor

from kernels.native import library
from kernels.row_bytes import cpu

_library = library()
BITS = {torch.bfloat16: 16, torch.float32: 32}
LANES = 16


def pack(x: Tensor) -> tuple[Tensor, Tensor]:
    if x.shape[-1] % LANES or x.dtype not in BITS:
        return cpu.pack(x)
    if x.dim() > 4 or x.stride(-1) != 1:
        x = x.contiguous()
    packed = torch.empty(x.shape, dtype=torch.int8)
    scales = torch.empty(x.shape[:-1])
    at = _strided(x, x.dim() - 1)
    _library.pack_rows(
        *(BITS[x.dtype], x.data_ptr(), *at, x.shape[-1]),
        *(packed.data_ptr(), scales.data_ptr(), torch.get_num_threads()),
    )
    return packed, scales


def unpack(rows: Tensor, scales: Tensor, dtype: torch.dtype) -> Tensor:
    if rows.shape[-1] % LANES or dtype not in BITS:
        return cpu.unpack(rows, scales, dtype)
    if rows.dim() > 4 or rows.stride(-1) != 1:
        rows, scales = rows.contiguous(), scales.contiguous()
    out = torch.empty(rows.shape, dtype=dtype)
    at = _strided(rows, rows.dim() - 1)
    scales_at = _strided(scales, scales.dim())[3:]
    _library.unpack_rows(
        *(BITS[dtype], rows.data_ptr(), *at, rows.shape[-1]),
        *(scales.data_ptr(), *scales_at, out.data_ptr(), torch.get_num_threads()),
    )
    return out


def _strided(x: Tensor, places: int) -> tuple[int, ...]:
    """Sizes and strides of the first `places` dimensions of x, as three of each."""
    if places > 3:  # contiguous, then
        rows = x.shape[:places].numel()
        return 1, 1, rows, 0, 0, x.stride(places - 1)
    missing = 3 - places
    return (*(1,) * missing, *x.shape[:places], *(0,) * missing, *x.stride()[:places])
