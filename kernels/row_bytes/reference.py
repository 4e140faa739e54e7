"""The definition, row by row in fp32. Never optimised."""

import torch
from torch import Tensor


def pack(x: Tensor) -> tuple[Tensor, Tensor]:
    packed = torch.zeros(x.shape, dtype=torch.int8, device=x.device)
    scales = torch.zeros(x.shape[:-1], device=x.device)
    every = zip(x.reshape(-1, x.shape[-1]).float(), packed.view(-1, x.shape[-1]), range(scales.numel()), strict=True)
    for row, own, i in every:
        largest = row.abs().max()
        if not largest.isfinite():  # NaN is the largest of what it is among
            scales.view(-1)[i] = torch.nan
        elif largest >= 1e-30:
            scale = largest / 127
            scales.view(-1)[i] = scale
            own.copy_(torch.round(row / scale))
    return packed, scales


def unpack(rows: Tensor, scales: Tensor, dtype: torch.dtype) -> Tensor:
    return (rows.float() * scales[..., None]).to(dtype)
