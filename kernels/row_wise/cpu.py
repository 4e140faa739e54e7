"""Plain torch, on any device."""

import torch
from torch import Tensor
from torch.nn import functional

from kernels.row import Norm


def norm(x: Tensor, norm: Norm) -> Tensor:
    return functional.rms_norm(x, (x.shape[-1],), None, norm.epsilon).mul_(norm.gain.to(x.dtype))


def gate(x: Tensor) -> Tensor:
    gate, up = x.chunk(2, -1)
    return functional.silu(gate).mul_(up)


def turn(heads: Tensor, count: int, norm: Norm | None, cos: Tensor, sin: Tensor) -> Tensor:
    x = heads[:, :, :count]
    if norm is not None:
        x = functional.rms_norm(x, (x.shape[-1],), None, norm.epsilon) * norm.gain.to(x.dtype)
    heads[:, :, :count] = torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, -1), sin)
    return heads
