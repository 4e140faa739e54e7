"""Plain torch, on any device."""

import torch
from torch import Tensor

from kernels.row_bytes import LARGEST, SMALLEST


def pack(x: Tensor) -> tuple[Tensor, Tensor]:
    x = x.float()
    largest = x.abs().amax(-1)
    largest.masked_fill_(~largest.isfinite(), torch.nan).masked_fill_(largest < SMALLEST, 0.0)
    scales = largest.div_(LARGEST)
    # Divided by a scale of zero or NaN, a row is no row of numbers
    steps = (x / scales[..., None]).masked_fill_((scales == 0)[..., None], 0.0).nan_to_num_(0.0).round_()
    return steps.to(torch.int8).contiguous(), scales.contiguous()


def unpack(rows: Tensor, scales: Tensor, dtype: torch.dtype) -> Tensor:
    return rows.float().mul_(scales[..., None]).to(dtype).contiguous()
