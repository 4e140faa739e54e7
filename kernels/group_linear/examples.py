"""Small inputs for the check at load. A few channels are ten times the others, as in every real model."""

from collections.abc import Iterator
from types import ModuleType

import torch
from torch import Tensor

from kernels.example import Example
from kernels.group_linear import reference
from kernels.group_linear.packing import Groups, packed
from kernels.low_bit_linear.examples import Way, write

TOLERANCE = {torch.float32: 1e-5, torch.bfloat16: 1e-2}


def inputs(
    shape: tuple[int, int, int],
    bits: int,
    group: int,
    dtype: torch.dtype,
    device: torch.device,
    *,
    ordered: bool = False,
) -> tuple[Tensor, Groups, Tensor]:
    """x [tokens, columns], a weight [rows, columns] and a bias; `shape` is tokens, rows, columns."""
    tokens, rows, columns = shape
    random = torch.Generator().manual_seed(rows + columns + group)
    x = torch.randn(tokens, columns, generator=random)
    x[:, ::97] *= 10
    steps = torch.randint(0, 1 << bits, (rows, columns), generator=random, dtype=torch.uint8)
    scales = torch.rand(rows, columns // group, generator=random) / (1 << bits) + 1e-3
    # In a real weight zero lies somewhere among the steps
    zeros = torch.rand(scales.shape, generator=random) * ((1 << bits) - 1)
    order = torch.randperm(columns, generator=random, dtype=torch.int32).to(device) if ordered else None
    values = packed(steps) if bits == 4 else steps
    weight = Groups(values.to(device), scales.half().to(device), (-zeros * scales).half().to(device), group, order)
    return x.to(device, dtype), weight, torch.randn(rows, generator=random).to(device, dtype)


def cases(device: torch.device) -> Iterator[Example]:
    for dtype in TOLERANCE:
        for bits, group in ((4, 32), (4, 64), (8, 32)):
            yield example((9, 37, 192), bits, group, dtype, device)


def example(
    shape: tuple[int, int, int],
    bits: int,
    group: int,
    dtype: torch.dtype,
    device: torch.device,
    *,
    ordered: bool = False,
) -> Example:
    x, weight, bias = inputs(shape, bits, group, dtype, device, ordered=ordered)

    def run(form: ModuleType) -> Tensor:
        return form.read(x, weight, bias)

    def expected() -> Tensor:
        return reference.linear(x, weight, bias)

    return Example(f"{bits} bits in groups of {group}, {dtype}", run, expected, TOLERANCE[dtype])


def written(
    shape: tuple[int, int, int],
    bits: int,
    group: int,
    way: Way,
    product: str,
    dtype: torch.dtype,
    device: torch.device,
    *,
    ordered: bool = False,
) -> Example:
    """`product`: one of the form's."""
    x, weight, bias = inputs(shape, bits, group, dtype, device, ordered=ordered)
    return write(
        x,
        weight.rows,
        way,
        lambda form: form.PRODUCTS[product](weight, dtype, bias),
        lambda x: reference.linear(x, weight, bias),
    )
