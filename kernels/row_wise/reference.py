"""The definitions, in fp32, one row and head at a time. Never optimised."""

import torch
from torch import Tensor

from kernels.row import Norm


def norm(x: Tensor, norm: Norm) -> Tensor:
    rows = [row / torch.sqrt((row * row).mean() + norm.epsilon) * norm.gain for row in x.float().flatten(0, -2)]
    return torch.stack(rows).view(x.shape).to(x.dtype)


def gate(x: Tensor) -> Tensor:
    width = x.shape[-1] // 2
    wide = x.float()
    return (wide[..., :width] / (1 + torch.exp(-wide[..., :width])) * wide[..., width:]).to(x.dtype)


def turn(heads: Tensor, count: int, norm: Norm | None, cos: Tensor, sin: Tensor) -> Tensor:
    out = heads.float().clone()
    width = heads.shape[-1]
    for head in range(count):
        x = out[:, :, head]  # [B, T, D]
        if norm is not None:
            x = x / torch.sqrt((x * x).mean(-1, keepdim=True) + norm.epsilon) * norm.gain[head]
        exchanged = torch.cat((x[..., width // 2 :], x[..., : width // 2]), -1)
        out[:, :, head] = x * cos[:, 0].float() + exchanged * sin[:, 0].float()
    return out.to(heads.dtype)
