"""What Triton kernels of several operations share. Imported by them alone, which dispatch alone imports."""

import os
from collections.abc import Callable
from pathlib import Path

import torch
import triton
import triton.language as tl
from torch import Tensor


def prebuilt(name: str, *_: object) -> str:
    """The module in C that Triton would compile, as it lies in the folder LONGREAD_TRITON. Raises RuntimeError."""
    path = Path(os.environ["LONGREAD_TRITON"]) / f"{name}.so"
    if not path.is_file():
        raise RuntimeError(f"Triton asks for a module {name}, which this runtime does not bring")
    return str(path)


if os.environ.get("LONGREAD_TRITON"):  # set by the engine for a runtime that brings it: no compiler is needed then
    triton.knobs.build.impl = prebuilt

INTERPRETED = tl.constexpr(bool(triton.knobs.runtime.interpret))
"""The interpreter has no arithmetic in bf16: there products are of the same numbers in fp32."""
HIDDEN = tl.constexpr(-1e30)
"""A score that weighs nothing."""
FEW = 256
"""Tokens up to which tiles of a weight are dequantised on their way to the multiplier."""


@triton.jit
def product(one, two):
    if INTERPRETED:
        one, two = one.to(tl.float32), two.to(tl.float32)
    return tl.dot(one, two, input_precision="tf32x3")


@triton.jit
def queries_of(q, q_b, q_h, q_t, list, kv_heads, group, first, tokens, width, GROUP: tl.constexpr, ROWS: tl.constexpr,
               WIDTH: tl.constexpr):  # fmt: skip
    """The query heads of the tokens from `first` on [ROWS, WIDTH], token by token."""
    rows, channels = tl.arange(0, ROWS), tl.arange(0, WIDTH)
    head, token = rows % GROUP, first + rows // GROUP
    q += (list // kv_heads).to(tl.int64) * q_b + ((list % kv_heads) * group + head).to(tl.int64)[:, None] * q_h
    inside = (head < group) & (token < tokens)
    return tl.load(
        q + token.to(tl.int64)[:, None] * q_t + channels[None, :],
        inside[:, None] & (channels < width)[None, :],
        other=0.0,
    )


@triton.jit
def number_of(at):
    """A `kernels.row.Place` as a number."""
    if at.dtype.is_ptr():
        return tl.load(at).to(tl.int32)
    else:
        return at


@triton.jit
def seen_too(queries, keys, values, seen, factor, mixed, largest, sums):
    """What queries [N, WIDTH] have found so far, and these rows beside it (online softmax, arXiv 1805.02867): mixed
    values, the largest scores and the sums under them. `seen` [N, rows], or [1, rows] where all see the same. `factor`:
    of a score, to a power of two."""
    scores = tl.where(seen, product(queries, tl.trans(keys)) * factor, HIDDEN)
    now = tl.maximum(largest, tl.max(scores, 1))
    weights = tl.where(seen, tl.exp2(scores - now[:, None]), 0.0)
    fade = tl.exp2(largest - now)
    sums = sums * fade + tl.sum(weights, 1)
    return mixed * fade[:, None] + product(weights.to(values.dtype), values), now, sums


@triton.jit
def join_kernel(
    mixed_by, largest_by, sums_by, y, group, width,
    SPLITS: tl.constexpr, GROUP: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """What SPLITS programs found of a list's rows, [lists, SPLITS, GROUP, WIDTH] and [lists, SPLITS, GROUP], as one: y
    [lists, group, width]."""
    head, list = tl.program_id(0), tl.program_id(1)
    splits, channels = tl.arange(0, SPLITS), tl.arange(0, WIDTH)
    at = (list * SPLITS + splits) * GROUP + head
    largest = tl.load(largest_by + at)
    fade = tl.exp2(largest - tl.max(largest, 0))
    mixed = tl.load(mixed_by + at[:, None] * WIDTH + channels[None, :])
    out = tl.sum(mixed * fade[:, None], 0) / tl.sum(tl.load(sums_by + at) * fade, 0)
    tl.store(y + (list * group + head) * width + channels, out, channels < width)


@triton.jit
def whole(numbers, kind: tl.constexpr):
    """Integers of a byte as numbers of this kind. The interpreter goes wrong straight from integers to bf16."""
    return numbers.to(tl.float32).to(kind) if INTERPRETED else numbers.to(kind)


@triton.jit
def given(x, gain, places, inside, columns, GATED: tl.constexpr):
    """What a written token's product multiplies of x, as `kernels.row` says, at these of its `columns` places: in fp32,
    of a norm without the factor that is the same everywhere; and x itself, whose squares make that factor."""
    own = tl.load(x + places, inside, other=0.0)
    if GATED:
        return own / (1 + tl.exp(-own)) * tl.load(x + columns + places, inside, other=0.0), own
    elif gain is not None:
        return own * tl.load(gain + places, inside, other=0.0), own
    else:
        return own, own


@triton.jit
def put_row(y, sums, factor, bias, onto, numbers, inside):
    """onto + factor * sums + bias of a written token, at these of its places."""
    out = sums * factor
    if bias is not None:
        out += tl.load(bias + numbers, inside, other=0.0).to(tl.float32)
    if onto is not None:
        out += tl.load(onto + numbers, inside, other=0.0)
    tl.store(y + numbers, out, inside)


@triton.jit
def put_tile(y, sums, bias, numbers, tokens, y_t, count, rows, ONTO: tl.constexpr):
    """sums [ROWS, TOKENS] + bias -> y [count, rows], to which they are added with ONTO."""
    inside = (numbers < rows)[:, None] & (tokens < count)[None, :]
    to = y + tokens.to(tl.int64)[None, :] * y_t + numbers[:, None]
    if bias is not None:
        sums += tl.load(bias + numbers, numbers < rows, other=0.0).to(tl.float32)[:, None]
    if ONTO:
        sums += tl.load(to, inside, other=0.0).to(tl.float32)
    tl.store(to, sums.to(y.dtype.element_ty), inside)


def of_few(launch: Callable[[Tensor, Tensor, bool], None], x: Tensor, rows: int, onto: Tensor | None) -> Tensor:
    """A product of x [..., K], for which `launch` takes x [tokens, K], where [tokens, rows] goes, and whether it is to
    be added to what is there."""
    flat = x.reshape(-1, x.shape[-1])
    flat = flat if flat.stride(1) == 1 else flat.contiguous()
    if onto is not None and onto.is_contiguous():
        launch(flat, onto.view(-1, rows), True)
        return onto
    y = x.new_empty(*x.shape[:-1], rows)
    launch(flat, y.view(-1, rows), False)
    return y if onto is None else onto.add_(y)


def of_written(
    launch: Callable[[Tensor, Tensor | None, Tensor], None], x: Tensor, rows: int, onto: Tensor | None
) -> Tensor:
    """A product of written tokens x [B, K], for which `launch` takes x, onto and where the result goes, all fp32."""
    x, onto = _floats(x), None if onto is None else _floats(onto)
    y = torch.empty(len(x), rows, device=x.device)
    launch(x, onto, y)
    return y


def _floats(x: Tensor) -> Tensor:
    x = x.float()
    return x if x.stride(-1) == 1 else x.contiguous()
