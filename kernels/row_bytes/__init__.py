"""Rows of keys and values as bytes: int8 with one scale a row, half of what bf16 takes.

A row is the last dimension, one token of one head. For x [..., D], fp32 or bf16, any strides:

    scales[...] = max |x[...]| / 127                    in fp32
    bytes[..., d] = x[..., d] / scales[...]             to the nearest integer, ties to even
    x'[..., d] = bytes[..., d] * scales[...]            in fp32, then rounded to the dtype asked for

These are exact definitions: every form gives the bits of `reference`. What comes back differs from x by at most half a
scale, a 254th of the row's largest value, beside the rounding to the dtype: over rows of a normal distribution, D = 64,
by 6e-3 of their norm.

Rows whose largest value is below 1e-30 become zeros with scale zero, and come back as zeros. A row that holds NaN or an
infinity becomes zeros with the scale NaN, and comes back as NaN throughout: it is never taken for a row of numbers.
"""

import torch
from torch import Tensor

from kernels import dispatch

NAME = "row_bytes"
LARGEST = 127
SMALLEST = 1e-30


def pack(x: Tensor) -> tuple[Tensor, Tensor]:
    """x [..., D] -> bytes int8 [..., D] and scales fp32 [...], both contiguous."""
    return dispatch.implementation(NAME, x.device).pack(x)


def unpack(rows: Tensor, scales: Tensor, dtype: torch.dtype) -> Tensor:
    """rows int8 [..., D], scales fp32 [...], of any strides -> [..., D] in `dtype`, contiguous."""
    return dispatch.implementation(NAME, rows.device).unpack(rows, scales, dtype)
