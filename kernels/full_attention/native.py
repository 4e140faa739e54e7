"""The compiled form for CPUs: `step` in C over keys and values head by head; `read` is the plain form's."""

import torch
from torch import Tensor

from kernels.full_attention import cpu, plain
from kernels.full_attention.cpu import read, write
from kernels.full_attention.sdpa import rows
from kernels.native import library
from kernels.native.linear import BITS, floats
from kernels.row import Norm

__all__ = ["read", "rows", "step", "write"]

LANES = 16
WIDEST = 256

_step = library().step


def step(
    heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, k: Tensor, v: Tensor, at: int, first: int, scale: float
) -> Tensor:
    batch, kv_heads, _, width = k.shape
    k_batch, k_head, k_row, k_one = k.stride()
    v_batch, v_head, v_row, v_one = v.stride()
    if width % LANES or width > WIDEST or (k_row, k_one, v_row, v_one) != (width, 1, width, 1):
        return plain.step(cpu.write, heads, norm, cos, sin, k, v, at, first, scale)
    heads, cos, sin = floats(heads), floats(cos), floats(sin)
    every, threads, bits = heads.shape[1], torch.get_num_threads(), BITS[k.dtype]
    queries = every - 2 * kv_heads
    out = heads.new_empty(batch, queries, width)
    room = heads.new_empty(threads * queries * (width + 2))
    gains, epsilon = (None, 0.0) if norm is None else (norm.gain.data_ptr(), norm.epsilon)
    # Addresses rather than views: half of what a token costs here is Python
    x, k_at, v_at, result = heads.data_ptr(), k.data_ptr(), v.data_ptr(), out.data_ptr()
    for b in range(batch):
        _step(
            bits,
            x + b * every * width * 4,
            gains,
            epsilon,
            cos.data_ptr(),
            sin.data_ptr(),
            k_at + b * k_batch * bits // 8,
            v_at + b * v_batch * bits // 8,
            first,
            at,
            queries,
            kv_heads,
            width,
            k_head,
            v_head,
            scale,
            room.data_ptr(),
            result + b * queries * width * 4,
            threads,
        )
    return out
