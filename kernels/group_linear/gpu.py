"""Triton, the form for CUDA, as that of `kernels.low_bit_linear`. What lies packed together, 32 columns of a row, a
thread fetches in one or two wide loads; the sum over it of x * (step * scale + least) is scale * (x . steps) + least *
(sum of x), so that a step is only converted and multiplied.
"""

from collections.abc import Callable

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.gpu import FEW, given, of_few, of_written, product, put_row, put_tile
from kernels.group_linear.cpu import Tiles
from kernels.group_linear.packing import BLOCK, Groups
from kernels.low_bit_linear.cpu import by_tiles
from kernels.row import Norm

WRITE_ROWS, WRITE_BLOCKS, WRITE_STAGES = 16, 32, 3
"""Of the weight, that a program goes over at a time: rows, and blocks of columns; how far ahead it fetches them."""

DEQUANTIZED = 8, 16
"""Rows and blocks of a program that does nothing else."""


@triton.jit
def in_order(order, places, inside):
    """Where the columns of x are that stand at these places of the weight."""
    if order is None:
        return places
    else:
        return tl.load(order + places, inside, other=0)


@triton.jit
def scales_of(scales, least, of_groups, numbers, rows, own, columns, group):
    """Of these rows' blocks [ROWS, BLOCKS] each."""
    there = (numbers < rows)[:, None] & (own < columns // 32)[None, :]
    at = of_groups + (own * 32 // group)[None, :]
    scale = tl.load(scales + at, there, other=0.0).to(tl.float32)
    return scale, tl.load(least + at, there, other=0.0).to(tl.float32)


@triton.jit
def write_kernel(
    x, gain, values, scales, least, order, bias, onto, y, x_b, onto_b, y_b, rows, columns, group, epsilon,
    BITS: tl.constexpr, GATED: tl.constexpr, ROWS: tl.constexpr, BLOCKS: tl.constexpr, STAGES: tl.constexpr,
):  # fmt: skip
    """A block is 32 columns, or 16 and the 16 behind them in the two halves of its bytes."""
    BYTES: tl.constexpr = 4 * BITS
    numbers, b = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.program_id(1).to(tl.int64)
    blocks, place = tl.arange(0, BLOCKS), tl.arange(0, BYTES)
    x += b * x_b
    begin = values + numbers.to(tl.int64)[:, None, None] * (columns // 32 * BYTES)
    of_groups = numbers.to(tl.int64)[:, None] * (columns // group)
    sums = tl.zeros((ROWS, BLOCKS), tl.float32)
    squares = tl.zeros((BLOCKS,), tl.float32)
    scale, zero = scales_of(scales, least, of_groups, numbers, rows, blocks, columns, group)
    for first in tl.range(0, columns // 32, BLOCKS, num_stages=STAGES):
        own = first + blocks
        inside = own < columns // 32
        # They are too small to be fetched ahead as all else is: a step earlier instead
        then = scales_of(scales, least, of_groups, numbers, rows, own + BLOCKS, columns, group)
        at = begin + (own[:, None] * BYTES + place[None, :])[None, :, :]  # [ROWS, BLOCKS, BYTES]
        bytes = tl.load(at, (numbers < rows)[:, None, None] & inside[None, :, None], other=0)
        places, seen = own[:, None] * 32 + place[None, :], inside[:, None] & (place < 32)[None, :]
        row, plain = given(x, gain, in_order(order, places, seen), seen, columns, GATED)
        steps = bytes & 15 if BITS == 4 else bytes
        found = tl.sum(steps.to(tl.float32) * row[None, :, :], 2)
        squares += tl.sum(plain * plain, 1)
        added = tl.sum(row, 1)
        if BITS == 4:
            row, plain = given(x, gain, in_order(order, places + 16, seen), seen, columns, GATED)
            found += tl.sum((bytes >> 4).to(tl.float32) * row[None, :, :], 2)
            squares += tl.sum(plain * plain, 1)
            added += tl.sum(row, 1)
        sums += found * scale + zero * added[None, :]
        scale, zero = then
    factor = tl.full((ROWS,), 1.0, tl.float32)
    if gain is not None:
        factor *= tl.rsqrt(tl.sum(squares, 0) / columns + epsilon)
    if onto is not None:
        onto += b * onto_b
    put_row(y + b * y_b, tl.sum(sums, 1), factor, bias, onto, numbers, numbers < rows)


@triton.jit
def values_of(steps, scales, least, kind: tl.constexpr):
    """Rounded once."""
    return (steps.to(tl.float32) * scales + least).to(kind)


@triton.jit(do_not_specialize=["count"])
def read_kernel(
    x, values, scales, least, bias, y, x_t, y_t, count, rows, columns, group,
    BITS: tl.constexpr, ONTO: tl.constexpr, TOKENS: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr,
):  # fmt: skip
    """x [count, columns] -> y [count, rows]. COLUMNS are of one group."""
    BYTES: tl.constexpr = COLUMNS * BITS // 8
    tokens, numbers = tl.program_id(0) * TOKENS + tl.arange(0, TOKENS), tl.program_id(1) * ROWS + tl.arange(0, ROWS)
    own = tl.arange(0, BYTES)
    places = own if BITS == 8 else own // 16 * 32 + own % 16
    of_x = x + tokens.to(tl.int64)[None, :] * x_t + places[:, None]
    of_values = values + numbers.to(tl.int64)[:, None] * (columns * BITS // 8) + own[None, :]
    of_groups = numbers.to(tl.int64) * (columns // group)
    inside, seen = (numbers < rows)[:, None], (tokens < count)[None, :]
    sums = tl.zeros((ROWS, TOKENS), tl.float32)
    for first in range(0, columns, COLUMNS):
        at = of_groups + first // group
        scale = tl.load(scales + at, numbers < rows, other=0.0).to(tl.float32)[:, None]
        zero = tl.load(least + at, numbers < rows, other=0.0).to(tl.float32)[:, None]
        bytes = tl.load(of_values + first * BITS // 8, inside, other=0)
        some = tl.load(of_x + first, seen, other=0.0)
        if BITS == 8:
            sums += product(values_of(bytes, scale, zero, some.dtype), some)
        else:
            sums += product(values_of(bytes & 15, scale, zero, some.dtype), some)
            some = tl.load(of_x + first + 16, seen, other=0.0)
            sums += product(values_of(bytes >> 4, scale, zero, some.dtype), some)
    put_tile(y, sums, bias, numbers, tokens, y_t, count, rows, ONTO)


@triton.jit
def dequantize_kernel(
    values, scales, least, y, rows, columns, group, BITS: tl.constexpr, ROWS: tl.constexpr, BLOCKS: tl.constexpr
):
    BYTES: tl.constexpr = 4 * BITS
    numbers, own = tl.program_id(0) * ROWS + tl.arange(0, ROWS), tl.program_id(1) * BLOCKS + tl.arange(0, BLOCKS)
    place = tl.arange(0, BYTES)
    inside = (numbers < rows)[:, None] & (own < columns // 32)[None, :]
    from_row = numbers.to(tl.int64)[:, None] * (columns // 32) + own[None, :]
    bytes = tl.load(values + from_row[:, :, None] * BYTES + place[None, None, :], inside[:, :, None], other=0)
    of_groups = numbers.to(tl.int64)[:, None] * (columns // group)
    scale, zero = scales_of(scales, least, of_groups, numbers, rows, own, columns, group)
    scale, zero = scale[:, :, None], zero[:, :, None]
    to = y + from_row[:, :, None] * 32 + place[None, None, :]
    kind: tl.constexpr = y.dtype.element_ty
    if BITS == 8:
        tl.store(to, values_of(bytes, scale, zero, kind), inside[:, :, None])
    else:
        tl.store(to, values_of(bytes & 15, scale, zero, kind), inside[:, :, None])
        tl.store(to + 16, values_of(bytes >> 4, scale, zero, kind), inside[:, :, None])


def sizes(tokens: int, dtype: torch.dtype, group: int) -> dict[str, int]:
    """Constants of `read_kernel` and how it is launched."""
    columns = 64 if group % 64 == 0 else BLOCK
    if dtype is torch.float32:
        return {"TOKENS": 16, "ROWS": 64, "COLUMNS": BLOCK, "num_warps": 4, "num_stages": 2}
    if tokens <= 16:
        return {"TOKENS": 16, "ROWS": 64, "COLUMNS": columns, "num_warps": 4, "num_stages": 4}
    return {"TOKENS": 64, "ROWS": 128, "COLUMNS": columns, "num_warps": 8, "num_stages": 3}


def read(x: Tensor, weight: Groups, bias: Tensor | None, onto: Tensor | None = None) -> Tensor:
    tokens = x.numel() // x.shape[-1]
    if tokens > FEW:
        return by_tiles(
            *(lambda own: dequantized(weight.some(own), x.dtype), weight.in_order(x)),
            *((weight.rows, weight.columns), bias, onto),
        )

    def launch(x: Tensor, y: Tensor, added: bool) -> None:
        constants = sizes(tokens, x.dtype, weight.group)
        read_kernel[triton.cdiv(tokens, constants["TOKENS"]), triton.cdiv(weight.rows, constants["ROWS"])](
            *(x, weight.values, weight.scales, weight.least, bias, y, x.stride(0), y.stride(0), tokens),
            *(weight.rows, weight.columns, weight.group, weight.bits),
            ONTO=added,
            **constants,
        )

    return of_few(launch, weight.in_order(x), weight.rows, onto)


def dequantized(weight: Groups, dtype: torch.dtype) -> Tensor:
    """[N, K] in the weight's order of columns, rounded once."""
    y = torch.empty(weight.rows, weight.columns, dtype=dtype, device=weight.values.device)
    own, wide = DEQUANTIZED
    dequantize_kernel[triton.cdiv(weight.rows, own), triton.cdiv(weight.columns, wide * BLOCK)](
        *(weight.values, weight.scales, weight.least, y, weight.rows, weight.columns, weight.group),
        *(weight.bits, own, wide),
    )
    return y


class Fused:
    """Dequantises on the way to the multiplier, in fp32."""

    extra = 0

    def __init__(self, weight: Groups, dtype: torch.dtype, bias: Tensor | None) -> None:
        self._weight, self._bias = weight, bias

    def __call__(self, x: Tensor, norm: Norm | None, gated: bool, onto: Tensor | None) -> Tensor:
        weight = self._weight

        def launch(x: Tensor, onto: Tensor | None, y: Tensor) -> None:
            write_kernel[triton.cdiv(weight.rows, WRITE_ROWS), len(x)](
                *(x, None if norm is None else norm.gain, weight.values, weight.scales, weight.least, weight.order),
                *(self._bias, onto, y, x.stride(0), 0 if onto is None else onto.stride(0), y.stride(0)),
                *(weight.rows, weight.columns, weight.group, 0.0 if norm is None else norm.epsilon),
                *(weight.bits, gated, WRITE_ROWS, WRITE_BLOCKS, WRITE_STAGES),
            )

        return of_written(launch, x, weight.rows, onto)


PRODUCTS: dict[str, Callable[[Groups, torch.dtype, Tensor | None], Fused | Tiles]] = {"fused": Fused, "tiles": Tiles}
"""Ways to write, by the name that the ledger shows."""
