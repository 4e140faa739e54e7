"""Small inputs for the check at load. A few channels are ten times the others, as in every real model."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.example import Example
from kernels.low_bit_linear import reference

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def inputs(
    tokens: int, rows: int, columns: int, dtype: torch.dtype, device: torch.device
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """x [tokens, columns], values, scales, bias of a weight [rows, columns]."""
    random = torch.Generator().manual_seed(rows + columns)
    x = torch.randn(tokens, columns, generator=random)
    x[:, ::97] *= 10
    values = torch.randint(-127, 128, (rows, columns), generator=random, dtype=torch.int8)
    scales = torch.rand(rows, generator=random) / 1000 + 1e-4
    bias = torch.randn(rows, generator=random)
    return x.to(device, dtype), values.to(device), scales.to(device, dtype), bias.to(device, dtype)


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        yield example(9, 70, 192, dtype, device)


def example(tokens: int, rows: int, columns: int, dtype: torch.dtype, device: torch.device) -> Example:
    x, values, scales, bias = inputs(tokens, rows, columns, dtype, device)

    def run(form: ModuleType) -> Tensor:
        return form.read(x, values, scales, bias)

    def expected() -> Tensor:
        return reference.linear(x, values, scales, bias)

    return Example(f"{tokens} rows, {dtype}", run, expected, TOLERANCE[dtype])
