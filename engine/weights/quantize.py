"""Floats to int8 with one scale a row, or to 4 or 8 bits in groups of columns, rounded to nearest."""

import torch
from torch import Tensor

from kernels.group_linear.packing import Groups, packed

SMALLEST = 2.0**-20
"""Of a group's scale: fp16 has no more than four bits below."""


def per_row(weight: Tensor, scale_dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """[out, in] of any float dtype -> int8 [out, in] and scales [out], weight ~ int8 * scale.

    Rounded to nearest against the scale as it is stored, so that its own rounding costs nothing more.
    """
    weight = weight.float()
    scales = (weight.abs().amax(1) / 127).clamp(min=torch.finfo(torch.bfloat16).tiny).to(scale_dtype)
    steps = (weight / scales.float()[:, None]).round_().clamp_(-127, 127)
    return steps.to(torch.int8), scales


def in_groups(weight: Tensor, bits: int, group: int) -> Groups:
    """[out, in] of any float dtype -> groups whose steps reach from their least value to their largest.

    Rounded to nearest against scales and least values as they are stored. Overflows beyond fp16's 65,504.
    """
    columns = weight.float().unflatten(1, (-1, group))
    last = (1 << bits) - 1
    # A weight of one value only has no width: any scale is right for it
    least = columns.amin(2).half()
    scales = ((columns.amax(2) - least.float()) / last).clamp(min=SMALLEST).half()
    steps = ((columns - least.float()[:, :, None]) / scales.float()[:, :, None]).round_().clamp_(0, last)
    steps = steps.to(torch.uint8).flatten(1)
    return Groups(packed(steps) if bits == 4 else steps, scales, least, group)
