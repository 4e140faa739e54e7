"""The compiled form for CPUs: the weight is dequantised in one pass, for torch's product."""

import torch
from torch import Tensor

from kernels.group_linear import cpu
from kernels.group_linear.cpu import PRODUCTS
from kernels.group_linear.packing import Groups
from kernels.low_bit_linear.cpu import by_tiles
from kernels.native import library

__all__ = ["PRODUCTS", "dequantized", "read"]

BITS = {torch.bfloat16: 16, torch.float32: 32}

_dequantize = library().dequantize_groups


def read(x: Tensor, weight: Groups, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    return by_tiles(
        *(lambda own: dequantized(weight.some(own), x.dtype), weight.in_order(x)),
        *((weight.rows, weight.columns), bias, onto),
    )


def dequantized(weight: Groups, dtype: torch.dtype) -> Tensor:
    """[N, K] in the weight's order of columns, rounded once."""
    if dtype not in BITS:
        return cpu.dequantized(weight, dtype)
    y = torch.empty(weight.rows, weight.columns, dtype=dtype)
    _dequantize(
        *(weight.bits, BITS[dtype], weight.values.data_ptr(), weight.scales.data_ptr(), weight.least.data_ptr()),
        *(weight.rows, weight.columns, weight.group, y.data_ptr(), torch.get_num_threads()),
    )
    return y
