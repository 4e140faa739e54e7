"""Triton, the form for CUDA. One row is limited by the speed of memory: programs go over some rows of the weight each,
in wide loads, and norm or gate what they multiply in passing. For some tokens tiles are dequantised on their way to the
multiplier; for many the weight is, once, for torch's own product, since those tiles would be made for every few tokens.
"""

from collections.abc import Callable

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.gpu import FEW, given, of_few, of_written, product, put_row, put_tile, whole
from kernels.low_bit_linear import cpu
from kernels.low_bit_linear.cpu import Tiles, by_tiles
from kernels.row import Norm

WRITE_ROWS, WRITE_COLUMNS, WRITE_STAGES = 16, 512, 3
"""Of the weight, that a program goes over at a time; and how far ahead it fetches them."""

DEQUANTIZED = 8, 512
"""Rows and columns of a program that does nothing else."""


@triton.jit
def write_kernel(
    x, gain, values, scales, bias, onto, y, x_b, onto_b, y_b, rows, columns, epsilon,
    GATED: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    numbers, b = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.program_id(1).to(tl.int64)
    own = tl.arange(0, COLUMNS)
    x += b * x_b
    begin = values + numbers.to(tl.int64)[:, None] * columns
    sums = tl.zeros((ROWS, COLUMNS), tl.float32)
    squares = tl.zeros((COLUMNS,), tl.float32)
    for first in tl.range(0, columns, COLUMNS, num_stages=STAGES):
        places = first + own
        inside = places < columns
        steps = tl.load(begin + places[None, :], (numbers < rows)[:, None] & inside[None, :], other=0)
        row, plain = given(x, gain, places, inside, columns, GATED)
        sums += steps.to(tl.float32) * row[None, :]
        squares += plain * plain
    factor = tl.load(scales + numbers, numbers < rows, other=0.0).to(tl.float32)
    if gain is not None:
        factor *= tl.rsqrt(tl.sum(squares, 0) / columns + epsilon)
    if onto is not None:
        onto += b * onto_b
    put_row(y + b * y_b, tl.sum(sums, 1), factor, bias, onto, numbers, numbers < rows)


@triton.jit(do_not_specialize=["count"])
def read_kernel(
    x, values, scales, bias, y, x_t, y_t, count, rows, columns,
    ONTO: tl.constexpr, TOKENS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """x [count, columns] -> y [count, rows]."""
    tokens, numbers = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS), tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    own = tl.arange(0, COLUMNS)
    of_x = x + tokens.to(tl.int64)[None, :] * x_t
    of_values = values + numbers.to(tl.int64)[:, None] * columns
    sums = tl.zeros((ROWS, TOKENS), tl.float32)
    for first in range(0, columns, COLUMNS):
        places = first + own
        inside = places < columns
        steps = tl.load(of_values + places[None, :], (numbers < rows)[:, None] & inside[None, :], other=0)
        some = tl.load(of_x + places[:, None], inside[:, None] & (tokens < count)[None, :], other=0.0)
        sums += product(whole(steps, some.dtype), some)
    sums *= tl.load(scales + numbers, numbers < rows, other=0.0).to(tl.float32)[:, None]
    put_tile(y, sums, bias, numbers, tokens, y_t, count, rows, ONTO)


@triton.jit
def dequantize_kernel(values, scales, y, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    numbers, places = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (numbers < rows)[:, None] & (places < columns)[None, :]
    at = numbers.to(tl.int64)[:, None] * columns + places[None, :]
    scale = tl.load(scales + numbers, numbers < rows, other=0.0).to(tl.float32)
    steps = tl.load(values + at, inside, other=0).to(tl.float32)
    tl.store(y + at, (steps * scale[:, None]).to(y.dtype.element_ty), inside)


def sizes(tokens: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of `read_kernel` and how it is launched."""
    if dtype is torch.float32:
        return {"TOKENS": 16, "ROWS": 64, "COLUMNS": 32, "num_warps": 4, "num_stages": 2}
    if tokens <= 16:
        return {"TOKENS": 16, "ROWS": 64, "COLUMNS": 128, "num_warps": 4, "num_stages": 4}
    return {"TOKENS": 64, "ROWS": 128, "COLUMNS": 64, "num_warps": 8, "num_stages": 3}


def read(x: Tensor, values: Tensor, scales: Tensor, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    tokens = x.numel() // x.shape[-1]
    if tokens > FEW:
        return by_tiles(lambda own: dequantized(values[own], scales[own]), x, values.shape, bias, onto)

    def launch(x: Tensor, y: Tensor, added: bool) -> None:
        constants = sizes(tokens, x.dtype)
        rows, columns = values.shape
        read_kernel[triton.cdiv(tokens, constants["TOKENS"]), triton.cdiv(rows, constants["ROWS"])](
            *(x, values, scales, bias, y, x.stride(0), y.stride(0), tokens, rows, columns), ONTO=added, **constants
        )

    return of_few(launch, x, len(values), onto)


def dequantized(values: Tensor, scales: Tensor) -> Tensor:
    """[N, K] in the dtype of the scales."""
    if not values.is_contiguous():
        return cpu.dequantized(values, scales)
    rows, columns = values.shape
    y = scales.new_empty(rows, columns)
    own, wide = DEQUANTIZED
    dequantize_kernel[triton.cdiv(rows, own), triton.cdiv(columns, wide)](
        *(values, scales, y, rows, columns), ROWS=own, COLUMNS=wide
    )
    return y


class Fused:
    """Dequantises on the way to the multiplier, in fp32."""

    extra = 0

    def __init__(self, values: Tensor, scales: Tensor, bias: Tensor | None) -> None:
        self._values, self._scales, self._bias = values.contiguous(), scales, bias

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        rows, columns = self._values.shape

        def launch(x: Tensor, onto: Tensor | None, y: Tensor) -> None:
            write_kernel[triton.cdiv(rows, WRITE_ROWS), len(x)](
                *(x, None if norm is None else norm.gain, self._values, self._scales, self._bias, onto, y),
                *(x.stride(0), 0 if onto is None else onto.stride(0), y.stride(0), rows, columns),
                0.0 if norm is None else norm.epsilon,
                *(gated, WRITE_ROWS, WRITE_COLUMNS, WRITE_STAGES),
            )

        return of_written(launch, x, rows, onto)


PRODUCTS: dict[str, Callable[[Tensor, Tensor, Tensor | None], Fused | Tiles]] = {"fused": Fused, "tiles": Tiles}
"""Ways to write, by the name that the ledger shows."""
