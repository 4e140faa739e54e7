"""Triton, the form for CUDA where a token is written; torch's fused attention reads. Programs take some of the rows
that the token sees each, and `join_kernel` brings together what they found: always as many programs, whatever its row,
so that a CUDA graph can capture them.
"""

from functools import partial

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.full_attention import plain, sdpa
from kernels.full_attention.sdpa import beside, beside_bytes, read, rows
from kernels.gpu import HIDDEN, join_kernel, number_of, seen_too
from kernels.row import Place

__all__ = ["beside", "beside_bytes", "read", "rows", "step", "step_bytes", "write", "write_bytes"]

WIDEST = 128
"""Wider heads would not fit into the shared memory of every card."""
GROUP = 64
"""Query heads of a key head, at most."""
SPLITS = 32
"""Programs that share a key head's rows."""
EVERY = 1 << 30
"""A window that no text fills."""


@triton.jit(do_not_specialize=["at", "window"])
def write_kernel(
    q, k, v, k_scales, v_scales, mixed_by, largest_by, sums_by, k_b, k_h, k_t, v_b, v_h, v_t, s_b, s_h,
    kv_heads, group, at, window, width, factor,
    SPLITS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """q [B, Hq, width] contiguous, row `at`; what is found: [B Hkv, SPLITS, GROUP, WIDTH] and [B Hkv, SPLITS, GROUP].
    k_scales and v_scales [B, Hkv, S], where rows are bytes."""
    split, list, own = tl.program_id(0), tl.program_id(1), number_of(at)
    b, h = (list // kv_heads).to(tl.int64), (list % kv_heads).to(tl.int64)
    heads, channels = tl.arange(0, GROUP), tl.arange(0, WIDTH)
    inside = (heads < group)[:, None] & (channels < width)[None, :]
    queries = tl.load(q + (list * group + heads[:, None]) * width + channels[None, :], inside, other=0.0)
    if k_scales is None:
        queries = queries.to(k.dtype.element_ty)
    k, v = k + b * k_b + h * k_h, v + b * v_b + h * v_h
    first = tl.maximum(own + 1 - window, 0)
    each = tl.cdiv(tl.cdiv(own + 1 - first, SPLITS), ROWS) * ROWS
    begin = first + split * each
    largest = tl.full((GROUP,), HIDDEN, tl.float32)
    sums = tl.zeros((GROUP,), tl.float32)
    mixed = tl.zeros((GROUP, WIDTH), tl.float32)
    for start in range(begin, tl.minimum(begin + each, own + 1), ROWS):
        places = start + tl.arange(0, ROWS)
        seen = places <= own
        there = seen[:, None] & (channels < width)[None, :]
        from_row = places.to(tl.int64)[:, None]
        keys = tl.load(k + from_row * k_t + channels[None, :], there, other=0)
        values = tl.load(v + from_row * v_t + channels[None, :], there, other=0)
        if k_scales is not None:
            of_row = b * s_b + h * s_h + places
            keys = keys.to(tl.float32) * tl.load(k_scales + of_row, seen, other=0.0)[:, None]
            values = values.to(tl.float32) * tl.load(v_scales + of_row, seen, other=0.0)[:, None]
        mixed, largest, sums = seen_too(queries, keys, values, seen[None, :], factor, mixed, largest, sums)
    to = (list * SPLITS + split) * GROUP + heads
    tl.store(mixed_by + to[:, None] * WIDTH + channels[None, :], mixed)
    tl.store(largest_by + to, largest)
    tl.store(sums_by + to, sums)


def sizes(group: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of the kernel, for rows in this dtype."""
    return {
        "GROUP": max(16, triton.next_power_of_2(group)),
        "ROWS": 64 if dtype is torch.bfloat16 else 32,
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def _fits(heads: int, k: Tensor, v: Tensor) -> bool:
    side_by_side = k.stride(3) == 1 and v.stride(3) == 1
    return k.shape[3] <= WIDEST and heads <= GROUP * k.shape[1] and side_by_side


def write(q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    if not _fits(q.shape[1], k, v):
        return sdpa.write(q, k, v, at, window, scale)
    return _write(q, k, None, v, None, at, window, scale)


def write_bytes(
    q: Tensor, k: Tensor, k_scales: Tensor, v: Tensor, v_scales: Tensor, at: Place, window: int | None, scale: float
) -> Tensor:
    if not _fits(q.shape[1], k, v) or (k_scales.stride(2), k_scales.stride()) != (1, v_scales.stride()):
        return sdpa.write_bytes(q, k, k_scales, v, v_scales, at, window, scale)
    return _write(q, k, k_scales, v, v_scales, at, window, scale)


def _write(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor | None,
    v: Tensor,
    v_scales: Tensor | None,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    batch, heads, width = q.shape
    kv_heads, group = k.shape[1], heads // k.shape[1]
    constants = sizes(group, width, k.dtype)
    lists = batch * kv_heads
    found = lists, SPLITS, constants["GROUP"]
    mixed = q.new_empty(*found, constants["WIDTH"], dtype=torch.float32)
    largest, sums = (q.new_empty(found, dtype=torch.float32) for _ in range(2))
    y = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    strides = [stride for x in (k, v) for stride in x.stride()[:3]]
    of_scales = (0, 0) if k_scales is None else k_scales.stride()[:2]
    write_kernel[SPLITS, lists](
        *(q.contiguous(), k, v, k_scales, v_scales, mixed, largest, sums, *strides, *of_scales),
        *(kv_heads, group, at, EVERY if window is None else window, width, scale * 1.44269504),
        SPLITS=SPLITS,
        **constants,
        num_stages=2,
    )
    join_kernel[group, lists](
        *(mixed, largest, sums, y, group, width), SPLITS=SPLITS, GROUP=constants["GROUP"], WIDTH=constants["WIDTH"]
    )
    return y


step = partial(plain.step, write)
step_bytes = partial(plain.step_bytes, write_bytes)
