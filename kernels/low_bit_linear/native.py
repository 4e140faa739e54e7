"""The compiled form for CPUs: the weight is dequantised in one pass, for torch's product."""

import torch
from torch import Tensor

from kernels.low_bit_linear import cpu
from kernels.low_bit_linear.cpu import PRODUCTS
from kernels.native import library

__all__ = ["PRODUCTS", "dequantized", "read"]

BITS = {torch.bfloat16: 16, torch.float32: 32}
LANES = 16

_dequantize = library().dequantize


def read(x: Tensor, values: Tensor, scales: Tensor, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    return cpu.by_tiles(lambda own: dequantized(values[own], scales[own]), x, values.shape, bias, onto)


def dequantized(values: Tensor, scales: Tensor) -> Tensor:
    """[N, K] in the dtype of the scales."""
    rows, columns = values.shape
    if columns % LANES or scales.dtype not in BITS or not values.is_contiguous():
        return cpu.dequantized(values, scales)
    y = scales.new_empty(rows, columns)
    _dequantize(
        *(BITS[scales.dtype], values.data_ptr(), scales.data_ptr(), rows, columns),
        *(y.data_ptr(), torch.get_num_threads()),
    )
    return y
