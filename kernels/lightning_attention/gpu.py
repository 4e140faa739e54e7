"""Triton, the form for CUDA.

`states_kernel` goes over a text chunk after chunk and keeps the state before each; `read_kernel` then computes all
chunks at once. Key channels and value channels of a state never meet, so that programs share a state out between them.
"""

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.gpu import product
from kernels.lightning_attention import cpu

PIECE = 8192
"""Tokens that are read at once: the states before their chunks take 2 H D^2 / 64 bytes a token in bf16, 128 MiB for 32
heads of 128 channels."""

CHUNK = 64

BLOCK, STAGES = {torch.bfloat16: 64, torch.float32: 32}, {torch.bfloat16: 2, torch.float32: 1}
"""Channels at a time, and how far ahead they are fetched, as far as registers go."""

WRITE_BLOCK = 32
"""Value channels of a program that writes, with all key channels."""

WIDEST = 128
"""Channels of a head, at most, that `write_kernel` has registers for; and that anyone compiled this for."""


@triton.jit
def rows_at(x, at_b, at_h, at_t, head, heads, places, channels):
    """Addresses of a head's rows [places, channels]."""
    x += (head // heads).to(tl.int64) * at_b + (head % heads).to(tl.int64) * at_h
    return x + places.to(tl.int64)[:, None] * at_t + channels[None, :]


@triton.jit(do_not_specialize=["tokens"])
def states_kernel(
    k, v, slopes, state, states, k_b, k_h, k_t, v_b, v_h, v_t, heads, tokens, width,
    CHUNK: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    """states [B H, chunks, width, width] in the dtype of k; state as in the contract."""
    head = tl.program_id(0)
    channels = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    own = tl.arange(0, CHUNK)
    slope = tl.load(slopes + head % heads)
    places = channels[:, None] * width + columns[None, :]
    inside = (channels < width)[:, None] & (columns < width)[None, :]
    state += head.to(tl.int64) * width * width
    states += head.to(tl.int64) * tl.cdiv(tokens, CHUNK) * width * width
    kept = tl.load(state + places, inside, other=0.0)
    for first in range(0, tokens, CHUNK):
        tl.store(states + places, kept.to(states.dtype.element_ty), inside)
        states += width * width
        rows = first + own
        keys = tl.load(
            rows_at(k, k_b, k_h, k_t, head, heads, rows, channels),
            (rows < tokens)[:, None] & (channels < width)[None, :],
            other=0.0,
        )
        values = tl.load(
            rows_at(v, v_b, v_h, v_t, head, heads, rows, columns),
            (rows < tokens)[:, None] & (columns < width)[None, :],
            other=0.0,
        )
        count = tl.minimum(tokens - first, CHUNK)
        faded = keys.to(tl.float32) * tl.exp(-slope * tl.maximum(count - 1 - own, 0))[:, None]
        kept = kept * tl.exp(-slope * count) + product(tl.trans(faded.to(keys.dtype)), values)
    tl.store(state + places, kept, inside)


@triton.jit(do_not_specialize=["tokens"])
def read_kernel(
    q, k, v, y, slopes, states, q_b, q_h, q_t, k_b, k_h, k_t, v_b, v_h, v_t, y_b, y_h, y_t, heads, tokens, width, scale,
    CHUNK: tl.constexpr, BLOCK: tl.constexpr,
):  # fmt: skip
    head, chunk = tl.program_id(0), tl.program_id(1)
    columns = tl.program_id(2) * BLOCK + tl.arange(0, BLOCK)
    own = tl.arange(0, CHUNK)
    rows = chunk * CHUNK + own
    states += (head.to(tl.int64) * tl.num_programs(1) + chunk) * width * width
    mixed = tl.zeros((CHUNK, BLOCK), tl.float32)
    scores = tl.zeros((CHUNK, CHUNK), tl.float32)
    for first in range(0, width, BLOCK):
        channels = first + tl.arange(0, BLOCK)
        inside = (rows < tokens)[:, None] & (channels < width)[None, :]
        queries = tl.load(rows_at(q, q_b, q_h, q_t, head, heads, rows, channels), inside, other=0.0)
        keys = tl.load(rows_at(k, k_b, k_h, k_t, head, heads, rows, channels), inside, other=0.0)
        kept = tl.load(
            states + channels[:, None] * width + columns[None, :],
            (channels < width)[:, None] & (columns < width)[None, :],
            other=0.0,
        )
        scores += product(queries, tl.trans(keys))
        mixed += product(queries, kept)
    slope = tl.load(slopes + head % heads)
    apart = own[:, None] - own[None, :]
    scores = tl.where(apart >= 0, scores * tl.exp(-slope * tl.maximum(apart, 0)), 0.0)
    inside = (rows < tokens)[:, None] & (columns < width)[None, :]
    values = tl.load(rows_at(v, v_b, v_h, v_t, head, heads, rows, columns), inside, other=0.0)
    mixed = mixed * tl.exp(-slope * (own + 1))[:, None] + product(scores.to(values.dtype), values)
    at = rows_at(y, y_b, y_h, y_t, head, heads, rows, columns)
    tl.store(at, (mixed * scale).to(y.dtype.element_ty), inside)


@triton.jit
def write_kernel(q, k, v, y, slopes, state, heads, width, scale, WIDTH: tl.constexpr, BLOCK: tl.constexpr):
    """q, k, v and y [B H, width], contiguous."""
    head = tl.program_id(0)
    channels, columns = tl.arange(0, WIDTH), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (channels < width)[:, None] & (columns < width)[None, :]
    row = head.to(tl.int64) * width
    queries = tl.load(q + row + channels, channels < width, other=0.0)
    keys = tl.load(k + row + channels, channels < width, other=0.0)
    values = tl.load(v + row + columns, columns < width, other=0.0)
    at = state + row * width + channels[:, None] * width + columns[None, :]
    fade = tl.exp(-tl.load(slopes + head % heads))
    kept = tl.load(at, inside, other=0.0) * fade + keys[:, None] * values[None, :]
    tl.store(at, kept, inside)
    tl.store(y + row + columns, tl.sum(queries[:, None] * kept, 0) * scale, columns < width)


def read(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    batch, heads, tokens, width = q.shape
    if width > WIDEST or not state.is_contiguous():
        return cpu.read(q, k, v, slopes, state, scale)
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    chunks = triton.cdiv(min(tokens, PIECE), CHUNK)
    states = q.new_empty(batch * heads * chunks * width * width)
    for first in range(0, tokens, PIECE):
        piece = [x[:, :, first : first + PIECE] for x in (q, k, v, y)]
        _read_piece(*piece, slopes, state, states, scale)
    return y


def _read_piece(
    q: Tensor, k: Tensor, v: Tensor, y: Tensor, slopes: Tensor, state: Tensor, states: Tensor, scale: float
) -> None:
    batch, heads, tokens, width = q.shape
    of_q, of_k, of_v, of_y = (x.stride()[:3] for x in (q, k, v, y))
    block, stages = BLOCK[q.dtype], STAGES[q.dtype]
    shares = triton.cdiv(width, block)
    states_kernel[batch * heads, shares, shares](
        *(k, v, slopes, state, states, *of_k, *of_v, heads, tokens, width),
        CHUNK=CHUNK,
        BLOCK=block,
        num_stages=stages,
        enable_fp_fusion=True,
    )
    read_kernel[batch * heads, triton.cdiv(tokens, CHUNK), shares](
        *(q, k, v, y, slopes, states, *of_q, *of_k, *of_v, *of_y, heads, tokens, width, scale),
        CHUNK=CHUNK,
        BLOCK=block,
        num_stages=stages,
        enable_fp_fusion=True,
    )


def write(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    batch, heads, width = q.shape
    if width > WIDEST or not state.is_contiguous():
        return cpu.write(q, k, v, slopes, state, scale)
    q, k, v = (x.contiguous() for x in (q, k, v))
    y = torch.empty_like(q)
    write_kernel[batch * heads, triton.cdiv(width, WRITE_BLOCK)](
        *(q, k, v, y, slopes, state, heads, width, scale),
        WIDTH=triton.next_power_of_2(width),
        BLOCK=WRITE_BLOCK,
        enable_fp_fusion=True,
    )
    return y
