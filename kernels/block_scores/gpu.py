"""Triton, the form for CUDA. The query heads of a key head at some tokens are the rows of a product. `log_sum_kernel`
finds what they are normalised by; `score_kernel` what every block's own windows give it and the last of them, which the
next block shares; `pick_kernel` the best of a query's blocks, by halving the range of the bits of their scores.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.block_scores import COARSE, Blocks, Normaliser, cpu
from kernels.block_scores.cpu import scores
from kernels.gpu import HIDDEN, number_of, product, queries_of
from kernels.row import Place

__all__ = ["choose", "compress", "scores"]

WIDEST = 128
"""Wider heads would not fit into the shared memory of every card."""
GROUP = 64
"""Query heads of a key head, at most."""
WINDOWS = 32
"""That begin in a block, at most."""
PICKED = 512
"""Blocks of which a program looks for the best at a time."""
HELD = 1 << 24
"""Scores of blocks that are held at once: twice that as fp32, 128 MiB."""


@triton.jit
def compress_kernel(
    k, means, k_b, k_h, k_t, heads, first, count, width, kernel, STRIDE: tl.constexpr, WIDTH: tl.constexpr
):
    """means [B H, count, width]. Rows are added as `cpu.compress` does it: those of a stride, then the strides."""
    number, list, channels = tl.program_id(0), tl.program_id(1), tl.arange(0, WIDTH)
    k += (list // heads).to(tl.int64) * k_b + (list % heads).to(tl.int64) * k_h + channels
    begin = (first + number).to(tl.int64) * STRIDE
    mean = tl.zeros((WIDTH,), tl.float32)
    for part in range(kernel // STRIDE):
        added = tl.zeros((WIDTH,), tl.float32)
        for row in range(STRIDE):
            at = (begin + part * STRIDE + row) * k_t
            added += tl.load(k + at, channels < width, other=0.0).to(tl.float32)
        mean += added
    to = means + (list.to(tl.int64) * count + number) * width + channels
    tl.store(to, tl.div_rn(mean, kernel.to(tl.float32)).to(means.dtype.element_ty), channels < width)


@triton.jit(do_not_specialize=["at", "tokens"])
def log_sum_kernel(
    q, means, logs, q_b, q_h, q_t, m_b, m_h, m_j, kv_heads, group, tokens, at, length, stride, width, factor,
    GROUP: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Over the windows of `length` rows that a token sees, base 2 -> logs [list, tokens, GROUP], inf where none is."""
    TOKENS: tl.constexpr = ROWS // GROUP
    first, list, at = tl.program_id(0) * TOKENS, tl.program_id(1), number_of(at)
    queries = queries_of(q, q_b, q_h, q_t, list, kv_heads, group, first, tokens, width, GROUP, ROWS, WIDTH)
    rows, channels = tl.arange(0, ROWS), tl.arange(0, WIDTH)
    token = first + rows // GROUP
    means += (list // kv_heads).to(tl.int64) * m_b + (list % kv_heads).to(tl.int64) * m_h
    largest = tl.full((ROWS,), HIDDEN, tl.float32)
    sums = tl.zeros((ROWS,), tl.float32)
    last = at + tl.minimum(first + TOKENS, tokens) - 1
    for begin in range(0, tl.maximum(last + 1 - length + stride, 0) // stride, COLUMNS):
        windows = begin + tl.arange(0, COLUMNS)
        there = windows * stride + length - 1 <= last
        keys = tl.load(
            means + windows.to(tl.int64)[:, None] * m_j + channels[None, :],
            there[:, None] & (channels < width)[None, :],
            other=0.0,
        )
        seen = (windows * stride + length - 1)[None, :] <= at + token[:, None]
        scores = tl.where(seen, product(queries, tl.trans(keys)) * factor, HIDDEN)
        now = tl.maximum(largest, tl.max(scores, 1))
        sums = sums * tl.exp2(largest - now) + tl.sum(tl.where(seen, tl.exp2(scores - now[:, None]), 0.0), 1)
        largest = now
    found = tl.where(sums > 0, largest + tl.log2(sums), float("inf"))
    tl.store(logs + (list.to(tl.int64) * tokens + token) * GROUP + rows % GROUP, found, token < tokens)


@triton.jit(do_not_specialize=["at", "count", "tokens"])
def score_kernel(
    q, means, logs, own_by, last_by, q_b, q_h, q_t, m_b, m_h, m_j,
    kv_heads, group, tokens, at, stride, count, width, factor,
    WINDOWS: tl.constexpr, ADDED: tl.constexpr,
    GROUP: tl.constexpr, ROWS: tl.constexpr, COLUMNS: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """Of the windows that begin in a block, WINDOWS of them, the largest, or with ADDED the sum by strides in it, and
    the last -> [list, tokens, count] each."""
    TOKENS: tl.constexpr = ROWS // GROUP
    BLOCKS: tl.constexpr = COLUMNS // WINDOWS
    first, begin, list = tl.program_id(0) * TOKENS, tl.program_id(1) * BLOCKS, tl.program_id(2)
    at = number_of(at)
    last = at + tl.minimum(first + TOKENS, tokens) - 1
    if begin * WINDOWS * stride > last:  # no query of these has got so far
        return
    queries = queries_of(q, q_b, q_h, q_t, list, kv_heads, group, first, tokens, width, GROUP, ROWS, WIDTH)
    rows, channels = tl.arange(0, ROWS), tl.arange(0, WIDTH)
    token = first + rows // GROUP
    over = tl.load(
        logs + (list.to(tl.int64) * tokens + token) * GROUP + rows % GROUP,
        (rows % GROUP < group) & (token < tokens),
        other=float("inf"),
    )
    means += (list // kv_heads).to(tl.int64) * m_b + (list % kv_heads).to(tl.int64) * m_h
    windows = begin * WINDOWS + tl.arange(0, COLUMNS)
    end = (windows + 2) * stride - 1  # a window's last row
    keys = tl.load(
        means + windows.to(tl.int64)[:, None] * m_j + channels[None, :],
        (end <= last)[:, None] & (channels < width)[None, :],
        other=0.0,
    )
    shares = tl.exp2(product(queries, tl.trans(keys)) * factor - over[:, None])
    shares = tl.where((end[None, :] <= at + token[:, None]) & (shares == shares), shares, 0.0)
    added = tl.reshape(tl.sum(tl.reshape(shares, (TOKENS, GROUP, COLUMNS)), 1), (TOKENS, BLOCKS, WINDOWS))
    place = tl.arange(0, WINDOWS)
    behind = tl.sum(tl.where((place == WINDOWS - 1)[None, None, :], added, 0.0), 2)
    own = 2 * tl.sum(added, 2) - behind if ADDED else tl.max(added, 2)
    token, block = first + tl.arange(0, TOKENS), begin + tl.arange(0, BLOCKS)
    to = (list.to(tl.int64) * tokens + token)[:, None] * count + block[None, :]
    inside = (token < tokens)[:, None] & (block < count)[None, :]
    tl.store(own_by + to, own, inside)
    tl.store(last_by + to, behind, inside)


@triton.jit
def bits_of(own_by, last_by, row, numbers, lowest, highest, ADDED: tl.constexpr):
    """Scores of blocks as integers of the same order, as bits are of numbers not below zero; -1 beyond the limits."""
    inside = (numbers >= lowest) & (numbers <= highest)
    own = tl.load(own_by + row + numbers, inside, other=0.0)
    before = tl.load(last_by + row + numbers - 1, inside & (numbers > 0), other=0.0)
    score = own + before if ADDED else tl.maximum(own, before)
    return tl.where(inside, score.to(tl.int32, bitcast=True), -1)


@triton.jit(do_not_specialize=["at", "count", "tokens", "first"])
def pick_kernel(
    own_by, last_by, chosen, tokens, at, count, block, initial, local, most, wide, every, first,
    ADDED: tl.constexpr, SIZE: tl.constexpr,
):  # fmt: skip
    """chosen [list, every, wide], of whose `every` tokens these are from number `first` on. SIZE blocks at a time."""
    t, list = tl.program_id(0), tl.program_id(1)
    own = (number_of(at) + t) // block
    # The best are chosen of those between; of none, when all can be
    lowest, highest = tl.where(own + 1 > most, initial, own + 1), own - local
    row = (list.to(tl.int64) * tokens + t) * count
    wanted = most - initial - local
    least = 0
    for place in range(31):
        higher = least | (1 << (30 - place))
        found = 0
        for begin in range(0, own + 1, SIZE):
            bits = bits_of(own_by, last_by, row, begin + tl.arange(0, SIZE), lowest, highest, ADDED)
            found += tl.sum((bits >= higher).to(tl.int32), 0)
        least = tl.where(found >= wanted, higher, least)
    equal = wanted
    for begin in range(0, own + 1, SIZE):
        bits = bits_of(own_by, last_by, row, begin + tl.arange(0, SIZE), lowest, highest, ADDED)
        equal -= tl.sum((bits > least).to(tl.int32), 0)
    chosen += (list.to(tl.int64) * every + first + t) * wide
    there = 0
    for begin in range(0, own + 1, SIZE):
        numbers = begin + tl.arange(0, SIZE)
        bits = bits_of(own_by, last_by, row, numbers, lowest, highest, ADDED)
        same = (bits == least).to(tl.int32)
        always = (numbers <= own) & ((numbers < lowest) | (numbers > highest))
        taken = always | (bits > least) | ((bits == least) & (tl.cumsum(same, 0) <= equal))
        counted = taken.to(tl.int32)
        tl.store(chosen + there + tl.cumsum(counted, 0) - 1, numbers, taken)
        there += tl.sum(counted, 0)
        equal -= tl.sum(same, 0)
    for begin in range(0, wide, SIZE):
        numbers = begin + tl.arange(0, SIZE)
        tl.store(chosen + numbers, numbers * 0 - 1, (numbers >= there) & (numbers < wide))


def compress(k: Tensor, first: int, kernel: int, stride: int) -> Tensor:
    batch, heads, rows, width = k.shape
    count = max(0, (rows - kernel) // stride + 1 - first)
    k = k if k.stride(3) == 1 else k.contiguous()
    means = k.new_empty(batch, heads, count, width)
    if count:
        compress_kernel[count, batch * heads](
            *(k, means, *k.stride()[:3], heads, first, count, width, kernel),
            STRIDE=stride,
            WIDTH=triton.next_power_of_2(width),
        )
    return means


def sizes(group: int, width: int, dtype: torch.dtype) -> dict[str, int]:
    """Constants of the kernels: rows of a product are tokens times query heads of a key head, columns are windows."""
    heads = max(16, triton.next_power_of_2(group))
    rows, columns = (64, 64) if dtype is torch.bfloat16 else (16, 32)
    return {
        "GROUP": heads,
        "ROWS": max(rows, heads),
        "COLUMNS": columns,
        "WIDTH": max(16, triton.next_power_of_2(width)),
    }


def choose(
    q: Tensor, k1: Tensor, k2: Tensor, at: Place, blocks: Blocks, scale: float, normaliser: Normaliser
) -> Tensor:
    batch, heads, tokens, width = q.shape
    kv_heads, group = k1.shape[1], heads // k1.shape[1]
    windows, count = blocks.windows, blocks.last(at, tokens, k1) // blocks.block + 1
    if width > WIDEST or group > GROUP or windows not in (2, 4, 8, 16, WINDOWS):
        return cpu.choose(q, k1, k2, at, blocks, scale, normaliser)
    q, k1, k2 = (x if x.stride(3) == 1 else x.contiguous() for x in (q.to(k1.dtype), k1, k2))
    lists = batch * kv_heads
    chosen = torch.empty((batch, kv_heads, tokens, min(blocks.count, count)), dtype=torch.int32, device=q.device)
    each = min(tokens, max(1, HELD // (lists * count)))
    own, last = (q.new_empty(lists * each * count, dtype=torch.float32) for _ in range(2))
    logs = q.new_empty(lists * each * sizes(group, width, k1.dtype)["GROUP"], dtype=torch.float32)
    for first in range(0, tokens, each):
        some = q[:, :, first : first + each]
        here = at + first if first else at
        if blocks.last(here, some.shape[2], k1) // blocks.block + 1 > blocks.count:  # or all are chosen
            _score(some, k1, k2, logs, own, last, here, count, blocks, scale, normaliser)
        pick_kernel[some.shape[2], lists](
            *(own, last, chosen, some.shape[2], here, count, blocks.block, blocks.initial, blocks.local),
            *(blocks.count, chosen.shape[3], tokens, first),
            ADDED=blocks.pooling == "overlap",
            SIZE=PICKED,
        )
    return chosen


def _score(
    q: Tensor,
    k1: Tensor,
    k2: Tensor,
    logs: Tensor,
    own: Tensor,
    last: Tensor,
    at: Place,
    count: int,
    blocks: Blocks,
    scale: float,
    normaliser: Normaliser,
) -> None:
    kv_heads, tokens, width = k1.shape[1], q.shape[2], q.shape[3]
    group, lists = q.shape[1] // kv_heads, q.shape[0] * kv_heads
    constants = sizes(group, width, k1.dtype)
    tiles = triton.cdiv(tokens, constants["ROWS"] // constants["GROUP"])
    over, by = (k2, COARSE) if normaliser == "coarse" else (k1, 1)
    factor = scale * 1.44269504
    log_sum_kernel[tiles, lists](
        *(q, over, logs, *q.stride()[:3], *over.stride()[:3], kv_heads, group, tokens, at),
        *(by * blocks.kernel, by * blocks.stride, width, factor),
        **constants,
        num_stages=2,
    )
    score_kernel[tiles, triton.cdiv(count, constants["COLUMNS"] // blocks.windows), lists](
        *(q, k1, logs, own, last, *q.stride()[:3], *k1.stride()[:3], kv_heads, group, tokens, at),
        *(blocks.stride, count, width, factor),
        WINDOWS=blocks.windows,
        ADDED=blocks.pooling == "overlap",
        **constants,
        num_stages=1,
    )
