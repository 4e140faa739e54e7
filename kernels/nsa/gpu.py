"""Triton, the form for CUDA. The query heads of a key head at some tokens are the rows of a program's products, over
the entries that any of them sees."""

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.gpu import HIDDEN, queries_of, seen_too
from kernels.nsa import cpu
from kernels.nsa.cpu import write

__all__ = ["read", "write"]

WIDEST = 128
"""Wider heads would not fit into the shared memory of every card."""
GROUP = 64
"""Query heads of a key head, at most."""
WARPS = {torch.bfloat16: 4, torch.float32: 8}
"""As few as have the registers for the tiles."""


@triton.jit(do_not_specialize=["at", "tokens"])
def read_kernel(
    q, k, v, y, q_b, q_h, q_t, k_b, k_h, k_t, v_b, v_h, v_t, y_b, y_h, y_t,
    kv_heads, group, tokens, at, length, stride, width, factor,
    GROUP: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Windows are `length` rows. `factor`: of a score, to a power of two."""
    TOKENS: tl.constexpr = ROWS // GROUP
    first, list = tl.program_id(0) * TOKENS, tl.program_id(1)
    queries = queries_of(q, q_b, q_h, q_t, list, kv_heads, group, first, tokens, width, GROUP, ROWS, WIDTH)
    rows, channels = tl.arange(0, ROWS), tl.arange(0, WIDTH)
    head, token = rows % GROUP, first + rows // GROUP
    b, h = (list // kv_heads).to(tl.int64), (list % kv_heads).to(tl.int64)
    k += b * k_b + h * k_h
    v += b * v_b + h * v_h
    count = tl.maximum(at + token + 1 - length + stride, 0) // stride  # of the entries that a token sees
    end = tl.maximum(at + tl.minimum(first + TOKENS, tokens) - length + stride, 0) // stride
    largest = tl.full((ROWS,), HIDDEN, tl.float32)
    sums = tl.zeros((ROWS,), tl.float32)
    mixed = tl.zeros((ROWS, WIDTH), tl.float32)
    for begin in range(0, end, COLUMNS):
        entries = begin + tl.arange(0, COLUMNS)
        there = (entries < end)[:, None] & (channels < width)[None, :]
        places = entries.to(tl.int64)[:, None]
        keys = tl.load(k + places * k_t + channels[None, :], there, other=0.0)
        values = tl.load(v + places * v_t + channels[None, :], there, other=0.0)
        seen = entries[None, :] < count[:, None]
        mixed, largest, sums = seen_too(queries, keys, values, seen, factor, mixed, largest, sums)
    out = mixed / tl.where(sums > 0, sums, 1.0)[:, None]
    to = y + b * y_b + (h * group + head)[:, None] * y_h + token.to(tl.int64)[:, None] * y_t + channels[None, :]
    inside = ((head < group) & (token < tokens))[:, None] & (channels < width)[None, :]
    tl.store(to, out.to(y.dtype.element_ty), inside)


def sizes(group: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of the kernel."""
    heads = max(16, triton.next_power_of_2(group))
    rows, columns = (64, 64) if dtype is torch.bfloat16 else (32, 32)
    return {
        "GROUP": heads,
        "ROWS": max(rows, heads),
        "COLUMNS": columns,
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def read(q: Tensor, k: Tensor, v: Tensor, at: int, kernel: int, stride: int, scale: float) -> Tensor:
    batch, heads, tokens, width = q.shape
    kv_heads, group = k.shape[1], heads // k.shape[1]
    if width > WIDEST or group > GROUP:
        return cpu.read(q, k, v, at, kernel, stride, scale)
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    constants = sizes(group, width, k.dtype)
    strides = [stride for x in (q, k, v, y) for stride in x.stride()[:3]]
    read_kernel[triton.cdiv(tokens, constants["ROWS"] // constants["GROUP"]), batch * kv_heads](
        *(q, k, v, y, *strides, kv_heads, group, tokens, at, kernel, stride, width, scale * 1.44269504),
        **constants,
        num_warps=WARPS[k.dtype],
        num_stages=2,
    )
    return y
