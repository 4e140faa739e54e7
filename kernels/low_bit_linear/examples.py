"""Small inputs for the check at load. A few channels are ten times the others, as in every real model."""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Literal

import torch
from torch import Tensor

from kernels.example import Example
from kernels.low_bit_linear import reference
from kernels.row import Norm, prepare

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


Way = Literal["plain", "normed", "gated", "onto"]
"""What a product that writes does beside multiplying."""
Product = Callable[[Tensor, Norm | None, bool, Tensor | None], Tensor]


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


def written(
    tokens: int, rows: int, columns: int, way: Way, product: str, dtype: torch.dtype, device: torch.device
) -> Example:
    """`product`: one of the form's."""
    x, values, scales, bias = inputs(tokens, rows, columns, dtype, device)
    return write(
        x,
        rows,
        way,
        lambda form: form.PRODUCTS[product](values, scales, bias),
        lambda x: reference.linear(x, values, scales, bias),
    )


def write(
    x: Tensor, rows: int, way: Way, made: Callable[[ModuleType], Product], expected: Callable[[Tensor], Tensor]
) -> Example:
    """x [tokens, columns] through the product that is `made`; `expected`: of fp32 x that is normed or gated already."""
    random = torch.Generator().manual_seed(rows)
    given, tolerance = x.float(), TOLERANCE[x.dtype]
    gain = torch.rand(x.shape[1], generator=random).to(x.device)
    norm = Norm(gain, 1e-5) if way == "normed" else None
    onto = torch.randn(len(x), rows, generator=random).to(x.device) if way == "onto" else None
    if way == "gated":
        given = torch.cat((given.flip(1), given), 1)

    def right() -> Tensor:
        row, factor = prepare(given, norm, way == "gated")
        return expected(row * factor) + (0 if onto is None else onto)

    return Example(
        f"write {len(x)}, {way}, {x.dtype}",
        lambda form: made(form)(given, norm, way == "gated", None if onto is None else onto.clone()),
        right,
        tolerance,
    )
