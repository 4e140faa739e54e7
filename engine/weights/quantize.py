"""Weights to int8 with one scale a row: the only quantisation that Longread makes itself so far."""

import torch
from torch import Tensor


def per_row(weight: Tensor, scale_dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """[out, in] of any float dtype -> int8 [out, in] and scales [out], weight ~ int8 * scale.

    Rounded to nearest against the scale as it is stored, so that its own rounding costs nothing more.
    """
    weight = weight.float()
    scales = (weight.abs().amax(1) / 127).clamp(min=torch.finfo(torch.bfloat16).tiny).to(scale_dtype)
    steps = (weight / scales.float()[:, None]).round_().clamp_(-127, 127)
    return steps.to(torch.int8), scales
