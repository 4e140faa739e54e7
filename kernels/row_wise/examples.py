"""Small inputs for the check at load."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.example import Example
from kernels.row import Norm
from kernels.row_wise import reference

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield norm(7, 96, dtype, device)
        yield gate(7, 96, dtype, device)
        yield turn(2, 5, 4, 3, 64, dtype, device, normed=True)


def _normal(size: tuple[int, ...], dtype: torch.dtype, device: torch.device) -> Tensor:
    return torch.randn(size, generator=torch.Generator().manual_seed(sum(size))).mul_(3).to(device, dtype)


def norm(rows: int, width: int, dtype: torch.dtype, device: torch.device) -> Example:
    x = _normal((2, rows, width), dtype, device)
    by = Norm(_normal((width,), torch.float32, device), 1e-5)
    return Example(f"norm, {dtype}", lambda form: form.norm(x, by), lambda: reference.norm(x, by), TOLERANCE[dtype])


def gate(rows: int, width: int, dtype: torch.dtype, device: torch.device) -> Example:
    x = _normal((2, rows, 2 * width), dtype, device)
    return Example(f"gate, {dtype}", lambda form: form.gate(x), lambda: reference.gate(x), TOLERANCE[dtype])


def turn(
    batch: int,
    tokens: int,
    every: int,
    count: int,
    width: int,
    dtype: torch.dtype,
    device: torch.device,
    *,
    normed: bool = False,
) -> Example:
    heads = _normal((batch, tokens, every, width), dtype, device)
    by = Norm(_normal((count, width), torch.float32, device), 1e-5) if normed else None
    angles = _normal((tokens, 1, width // 2), torch.float32, device)
    cos, sin = angles.cos().repeat(1, 1, 2).to(dtype), torch.cat((-angles.sin(), angles.sin()), -1).to(dtype)

    def run(form: ModuleType) -> Tensor:
        return form.turn(heads.clone(), count, by, cos, sin)

    return Example(f"turn, {dtype}", run, lambda: reference.turn(heads, count, by, cos, sin), TOLERANCE[dtype])
