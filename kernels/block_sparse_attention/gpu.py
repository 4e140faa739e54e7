"""Triton, the form for CUDA: a program takes one token's query heads that share a choice, which are the rows of its
products, over the blocks that they have chosen (online softmax, arXiv 1805.02867). When one token is written, programs
take some rows of its blocks each, and `join_kernel` brings together what they found; always as many, so that nothing
grows.
"""

from functools import partial

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.block_sparse_attention import cpu, plain
from kernels.gpu import HIDDEN, join_kernel, number_of, product, seen_too
from kernels.row import Place

WIDEST = 128
"""Wider heads would not fit into the shared memory of every card."""
GROUP = 64
"""Query heads that share a choice, at most."""
SPLITS = 32
"""Programs that share the blocks of one written token."""


@triton.jit
def over(
    queries, k, v, k_t, v_t, chosen, first, end, own, block, width, factor,
    GROUP: tl.constexpr, ROWS: tl.constexpr, PARTS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Queries [GROUP, WIDTH] over parts `first` to `end` of the chosen blocks up to row `own`, PARTS of ROWS rows a
    block. `factor`: of a score, to a power of two. Returns the mixed values, the largest scores and the sums under
    them."""
    channels = tl.arange(0, WIDTH)
    largest = tl.full((GROUP,), HIDDEN, tl.float32)
    sums = tl.zeros((GROUP,), tl.float32)
    mixed = tl.zeros((GROUP, WIDTH), tl.float32)
    for i in range(first, end):
        number = tl.load(chosen + i // PARTS)
        rows = number * block + i % PARTS * ROWS + tl.arange(0, ROWS)
        seen = (rows >= 0) & (rows <= own)
        inside = seen[:, None] & (channels < width)[None, :]
        at = rows.to(tl.int64)[:, None]
        keys = tl.load(k + at * k_t + channels[None, :], inside, other=0.0)
        values = tl.load(v + at * v_t + channels[None, :], inside, other=0.0)
        mixed, largest, sums = seen_too(queries, keys, values, seen[None, :], factor, mixed, largest, sums)
    return mixed, largest, sums


@triton.jit(do_not_specialize=["at", "count", "tokens"])
def read_kernel(
    q, k, v, chosen, y, q_b, q_h, q_t, k_b, k_h, k_t, v_b, v_h, v_t, y_b, y_h, y_t,
    choices, apart, group, tokens, count, at, block, width, factor,
    GROUP: tl.constexpr, ROWS: tl.constexpr, PARTS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """`choices` of a token, `apart` of which are over the same key head."""
    t, list, at = tl.program_id(0), tl.program_id(1), number_of(at)
    b, c = (list // choices).to(tl.int64), (list % choices).to(tl.int64)
    h = c // apart
    heads, channels = tl.arange(0, GROUP), tl.arange(0, WIDTH)
    inside = (heads < group)[:, None] & (channels < width)[None, :]
    own = c * group + heads[:, None]
    queries = tl.load(q + b * q_b + own * q_h + t.to(tl.int64) * q_t + channels[None, :], inside, other=0.0)
    mixed, _, sums = over(
        queries, k + b * k_b + h * k_h, v + b * v_b + h * v_h, k_t, v_t,
        chosen + (list.to(tl.int64) * tokens + t) * count, 0, count * PARTS, at + t, block, width, factor,
        GROUP, ROWS, PARTS, WIDTH,
    )  # fmt: skip
    to = y + b * y_b + own * y_h + t.to(tl.int64) * y_t + channels[None, :]
    tl.store(to, (mixed / sums[:, None]).to(y.dtype.element_ty), inside)


@triton.jit(do_not_specialize=["at", "count"])
def write_kernel(
    q, k, v, chosen, mixed_by, largest_by, sums_by, k_b, k_h, k_t, v_b, v_h, v_t,
    choices, apart, group, count, at, block, width, factor,
    SPLITS: tl.constexpr, GROUP: tl.constexpr, ROWS: tl.constexpr, PARTS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """q [B, Hq, width] contiguous; what is found: [B Hc, SPLITS, GROUP, WIDTH] and [B Hc, SPLITS, GROUP]."""
    split, list, at = tl.program_id(0), tl.program_id(1), number_of(at)
    b, h = (list // choices).to(tl.int64), (list % choices // apart).to(tl.int64)
    heads, channels = tl.arange(0, GROUP), tl.arange(0, WIDTH)
    inside = (heads < group)[:, None] & (channels < width)[None, :]
    queries = tl.load(q + (list * group + heads[:, None]) * width + channels[None, :], inside, other=0.0)
    each = tl.cdiv(count * PARTS, SPLITS)
    mixed, largest, sums = over(
        queries.to(k.dtype.element_ty), k + b * k_b + h * k_h, v + b * v_b + h * v_h, k_t, v_t,
        chosen + list * count, split * each, tl.minimum(split * each + each, count * PARTS), at, block, width, factor,
        GROUP, ROWS, PARTS, WIDTH,
    )  # fmt: skip
    to = (list * SPLITS + split) * GROUP + heads
    tl.store(mixed_by + to[:, None] * WIDTH + channels[None, :], mixed)
    tl.store(largest_by + to, largest)
    tl.store(sums_by + to, sums)


def sizes(group: int, block: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of the kernels."""
    rows = min(block, 64 if dtype is torch.bfloat16 else 32)
    return {
        "GROUP": max(16, triton.next_power_of_2(group)),
        "ROWS": rows,
        "PARTS": block // rows,
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def _fits(q: Tensor, chosen: Tensor, block: int) -> bool:
    return q.shape[-1] <= WIDEST and q.shape[1] <= GROUP * chosen.shape[1] and block >= 16 and block & (block - 1) == 0


def read(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    if not _fits(q, chosen, block):
        return cpu.read(q, k, v, chosen, at, block, scale)
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    chosen = chosen.contiguous()
    batch, heads, tokens, width = q.shape
    choices, apart, group = chosen.shape[1], chosen.shape[1] // k.shape[1], heads // chosen.shape[1]
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    strides = [stride for x in (q, k, v, y) for stride in x.stride()[:3]]
    read_kernel[tokens, batch * choices](
        *(q, k, v, chosen, y, *strides, choices, apart, group, tokens, chosen.shape[3], at, block, width),
        scale * 1.44269504,
        **sizes(group, block, width, k.dtype),
        num_stages=2,
    )
    return y


def write(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: Place, block: int, scale: float) -> Tensor:
    if not _fits(q, chosen, block):
        return cpu.write(q, k, v, chosen, at, block, scale)
    k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (k, v))
    q, chosen = q.contiguous(), chosen.contiguous()
    batch, heads, width = q.shape
    choices, apart, group = chosen.shape[1], chosen.shape[1] // k.shape[1], heads // chosen.shape[1]
    constants = sizes(group, block, width, k.dtype)
    lists = batch * choices
    found = lists, SPLITS, constants["GROUP"]
    mixed = q.new_empty(*found, constants["WIDTH"], dtype=torch.float32)
    largest, sums = (q.new_empty(found, dtype=torch.float32) for _ in range(2))
    y = torch.empty_like(q)
    strides = [stride for x in (k, v) for stride in x.stride()[:3]]
    write_kernel[SPLITS, lists](
        *(q, k, v, chosen, mixed, largest, sums, *strides, choices, apart, group, chosen.shape[2], at, block, width),
        scale * 1.44269504,
        SPLITS=SPLITS,
        **constants,
        num_stages=2,
    )
    join_kernel[group, lists](
        *(mixed, largest, sums, y, group, width), SPLITS=SPLITS, GROUP=constants["GROUP"], WIDTH=constants["WIDTH"]
    )
    return y


@triton.jit(do_not_specialize=["at", "count", "tokens", "tiles"])
def tiles_kernel(
    q, k, v, chosen, y, q_b, q_h, q_t, k_b, k_h, k_t, v_b, v_h, v_t, y_b, y_h, y_t,
    heads, group, lists, tokens, tiles, count, at, width, factor,
    BLOCK: tl.constexpr, QUERIES: tl.constexpr, ROWS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """A program takes QUERIES of the BLOCK queries of a tile of one head. `group`: query heads of a key head; `lists`:
    of choices of a text."""
    PARTS: tl.constexpr = BLOCK // QUERIES
    some, head = tl.program_id(0), tl.program_id(1)
    b, a = (head // heads).to(tl.int64), head % heads
    h, list = (a // group).to(tl.int64), b * lists + a // (heads // lists)
    tile = tiles - 1 - some // PARTS  # the last, which see the most, first
    own = (at // BLOCK + tile) * BLOCK + some % PARTS * QUERIES + tl.arange(0, QUERIES)  # rows of the text
    t = (own - at).to(tl.int64)
    channels = tl.arange(0, WIDTH)
    inside = ((own >= at) & (own < at + tokens))[:, None] & (channels < width)[None, :]
    queries = tl.load(q + b * q_b + a.to(tl.int64) * q_h + t[:, None] * q_t + channels[None, :], inside, other=0.0)
    k += b * k_b + h * k_h
    v += b * v_b + h * v_h
    chosen += (list * tiles + tile) * count
    largest = tl.full((QUERIES,), HIDDEN, tl.float32)
    sums = tl.zeros((QUERIES,), tl.float32)
    mixed = tl.zeros((QUERIES, WIDTH), tl.float32)
    for i in range(count * (BLOCK // ROWS)):
        number = tl.load(chosen + i // (BLOCK // ROWS))
        rows = number * BLOCK + i % (BLOCK // ROWS) * ROWS + tl.arange(0, ROWS)
        there = ((rows >= 0) & (rows < at + tokens))[:, None] & (channels < width)[None, :]
        place = rows.to(tl.int64)[:, None]
        keys = tl.load(k + place * k_t + channels[None, :], there, other=0.0)
        values = tl.load(v + place * v_t + channels[None, :], there, other=0.0)
        seen = (rows >= 0)[None, :] & (rows[None, :] <= own[:, None])
        scores = tl.where(seen, product(queries, tl.trans(keys)) * factor, HIDDEN)
        now = tl.maximum(largest, tl.max(scores, 1))
        weights = tl.where(seen, tl.exp2(scores - now[:, None]), 0.0)
        fade = tl.exp2(largest - now)
        sums = sums * fade + tl.sum(weights, 1)
        mixed = mixed * fade[:, None] + product(weights.to(values.dtype), values)
        largest = now
    to = y + b * y_b + a.to(tl.int64) * y_h + t[:, None] * y_t + channels[None, :]
    tl.store(to, (mixed / tl.maximum(sums, 1e-30)[:, None]).to(y.dtype.element_ty), inside)


def tile_sizes(block: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of `tiles_kernel`."""
    fine = dtype is not torch.bfloat16
    return {
        "BLOCK": block,
        "QUERIES": min(block, 16 if fine else 64),
        "ROWS": min(block, 32 if fine or width > 64 else 64),  # or registers would not suffice
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def read_tiles(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    if q.shape[-1] > WIDEST or block < 16 or block & (block - 1):
        return cpu.read_tiles(q, k, v, chosen, at, block, scale)
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    chosen = chosen.contiguous()
    batch, heads, tokens, width = q.shape
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    strides = [stride for x in (q, k, v, y) for stride in x.stride()[:3]]
    _, lists, tiles, count = chosen.shape
    constants = tile_sizes(block, width, k.dtype)
    tiles_kernel[tiles * (block // constants["QUERIES"]), batch * heads](
        *(q, k, v, chosen, y, *strides, heads, heads // k.shape[1], lists, tokens, tiles, count, at, width),
        scale * 1.44269504,
        **constants,
        num_stages=2,
    )
    return y


read_tiles_bytes = partial(plain.read_tiles_bytes, read_tiles)
