"""Triton, the form for CUDA. Gates are one product of torch's in fp32, of which `pick_kernel` takes the largest. A
program of `read_kernel` takes a head at some tokens and goes over the blocks that any of them has chosen, the others
kept out by a mask: neighbours choose much alike, so that a block's rows are fetched once for many.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels import block_sparse_attention
from kernels.gpu import HIDDEN, seen_too
from kernels.moba import cpu
from kernels.moba.cpu import means

__all__ = ["choose", "means", "read", "write"]

WIDEST = 128
"""Wider heads would not fit into the shared memory of every card."""
CHOSEN = 64
"""Blocks of a query, at most."""
PICKED = 256
"""Blocks of which a program looks for the largest gate at a time."""
WARPS = 8
"""Of `read_kernel`: four have not the registers for its tiles."""
NONE = tl.constexpr(1 << 30)
"""Behind the number of any block."""


@triton.jit(do_not_specialize=["at", "count", "tokens", "first"])
def pick_kernel(
    gates, chosen, tokens, at, count, block, most, wide, every, first, MOST: tl.constexpr, SIZE: tl.constexpr
):  # fmt: skip
    """gates [list, tokens, count] -> chosen [list, every, wide], of whose `every` tokens these are from number `first`
    on: a query's own block, then one after the other the next largest gate. SIZE blocks at a time."""
    t, list = tl.program_id(0), tl.program_id(1)
    own = (at + t) // block
    gates += (list.to(tl.int64) * tokens + t) * count
    slots = tl.arange(0, MOST)
    picks = tl.where(slots == 0, own, NONE)
    last_gate, last_number = tl.full((), float("inf"), tl.float32), own * 0 - 1
    for turn in range(1, tl.minimum(most, own + 1)):
        largest, place = tl.full((), float("-inf"), tl.float32), own * 0 + NONE
        for begin in range(0, own, SIZE):
            numbers = begin + tl.arange(0, SIZE)
            gate = tl.load(gates + numbers, numbers < own, other=float("-inf"))
            behind = (gate < last_gate) | ((gate == last_gate) & (numbers > last_number))
            gate = tl.where(behind & (numbers < own), gate, float("-inf"))
            top = tl.max(gate, 0)
            lowest = tl.min(tl.where(gate == top, numbers, NONE), 0)
            place = tl.where(top > largest, lowest, place)
            largest = tl.maximum(largest, top)
        picks = tl.where(slots == turn, place, picks)
        last_gate, last_number = largest, place
    rank = tl.sum(((picks[None, :] < picks[:, None]) | ((picks[None, :] == picks[:, None])
                   & (slots[None, :] < slots[:, None]))).to(tl.int32), 1)  # fmt: skip
    chosen += (list.to(tl.int64) * every + first + t) * wide
    tl.store(chosen + rank, tl.where(picks < NONE, picks, -1), rank < wide)


@triton.jit(do_not_specialize=["at", "count", "tokens"])
def read_kernel(
    q, k, v, chosen, y, q_b, q_h, q_t, k_b, k_h, k_t, v_b, v_h, v_t, y_b, y_h, y_t,
    heads, group, tokens, count, at, block, width, factor,
    MOST: tl.constexpr, TOKENS: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """chosen [B heads, tokens, count]. `factor`: of a score, to a power of two."""
    first, list = tl.program_id(0) * TOKENS, tl.program_id(1)
    b, h = (list // heads).to(tl.int64), (list % heads).to(tl.int64)
    channels, token, slots = tl.arange(0, WIDTH), first + tl.arange(0, TOKENS), tl.arange(0, MOST)
    inside = (token < tokens)[:, None] & (channels < width)[None, :]
    at_tokens = token.to(tl.int64)[:, None]
    queries = tl.load(q + b * q_b + h * q_h + at_tokens * q_t + channels[None, :], inside, other=0.0)
    chosen += (list.to(tl.int64) * tokens + at_tokens) * count + slots[None, :]
    given = (token < tokens)[:, None] & (slots < count)[None, :]
    k += b * k_b + h // group * k_h
    v += b * v_b + h // group * v_h
    largest = tl.full((TOKENS,), HIDDEN, tl.float32)
    sums = tl.zeros((TOKENS,), tl.float32)
    mixed = tl.zeros((TOKENS, WIDTH), tl.float32)
    end = at + tl.minimum(first + TOKENS, tokens)
    for number in range((end - 1) // block + 1):
        takes = tl.max((tl.load(chosen, given, other=-1) == number).to(tl.int32), 1)
        if tl.max(takes, 0) > 0:
            behind = tl.minimum(number * block + block, end)
            last = tl.where(takes > 0, tl.minimum(at + token, behind - 1), -1)  # row that a token sees
            for begin in range(number * block, behind, ROWS):
                rows = begin + tl.arange(0, ROWS)
                there = (rows < behind)[:, None] & (channels < width)[None, :]
                at_rows = rows.to(tl.int64)[:, None]
                keys = tl.load(k + at_rows * k_t + channels[None, :], there, other=0.0)
                values = tl.load(v + at_rows * v_t + channels[None, :], there, other=0.0)
                seen = rows[None, :] <= last[:, None]
                mixed, largest, sums = seen_too(queries, keys, values, seen, factor, mixed, largest, sums)
    to = y + b * y_b + h * y_h + at_tokens * y_t + channels[None, :]
    tl.store(to, (mixed / sums[:, None]).to(y.dtype.element_ty), inside)


def sizes(count: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of `read_kernel`."""
    tokens, rows = (64, 64) if dtype is torch.bfloat16 else (32, 32)
    return {
        "MOST": triton.next_power_of_2(count),
        "TOKENS": tokens,
        "ROWS": rows,
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def choose(q: Tensor, means: Tensor, at: int, block: int, count: int) -> Tensor:
    batch, heads, tokens, _ = q.shape
    number = (at + tokens - 1) // block + 1
    wide = min(count, number)
    if wide > CHOSEN:
        return cpu.choose(q, means, at, block, count)
    chosen = torch.empty((batch, heads, tokens, wide), dtype=torch.int32, device=q.device)
    each = max(1, cpu.HELD // (batch * heads * number))
    for first in range(0, tokens, each):
        gates = cpu.gates(q[:, :, first : first + each], means, number)
        pick_kernel[gates.shape[2], batch * heads](
            *(gates, chosen, gates.shape[2], at + first, number, block, count, wide, tokens, first),
            MOST=triton.next_power_of_2(wide),
            SIZE=PICKED,
        )
    return chosen


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    batch, heads, tokens, width = q.shape
    if width > WIDEST or chosen.shape[3] > CHOSEN:
        return cpu.read(q, k, v, chosen, at, block, scale)
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    chosen = chosen.contiguous()
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    constants = sizes(chosen.shape[3], width, k.dtype)
    strides = [stride for x in (q, k, v, y) for stride in x.stride()[:3]]
    read_kernel[triton.cdiv(tokens, constants["TOKENS"]), batch * heads](
        *(q, k, v, chosen, y, *strides, heads, heads // k.shape[1], tokens, chosen.shape[3], at, block, width),
        scale * 1.44269504,
        **constants,
        num_warps=WARPS,
        num_stages=2,
    )
    return y


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    return block_sparse_attention.write(q, k, v, chosen, at, block, scale)
