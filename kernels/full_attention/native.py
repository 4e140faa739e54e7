"""The compiled form for CPUs: `write` in C over keys and values head by head; `read` is the plain form's."""

import torch
from torch import Tensor

from kernels.full_attention import cpu
from kernels.full_attention.cpu import read
from kernels.full_attention.sdpa import rows
from kernels.native import library
from kernels.native.linear import BITS

__all__ = ["read", "rows", "write"]

WIDEST = 256
LANES = 16

_attend = library().attend


def write(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    batch, kv_heads, seen, width = k.shape
    if width % LANES or width > WIDEST or k.stride()[2:] != (width, 1) or v.stride()[2:] != (width, 1):
        return cpu.write(q, k, v, scale)
    heads, threads = q.shape[1], torch.get_num_threads()
    queries = q.float() * scale
    out = queries.new_empty(batch, heads, 1, width)
    room = queries.new_empty(threads, heads, width + 2)
    for b in range(batch):
        _attend(
            BITS[k.dtype],
            queries[b].data_ptr(),
            k[b].data_ptr(),
            v[b].data_ptr(),
            seen,
            heads,
            kv_heads,
            width,
            k.stride(1),
            v.stride(1),
            room.data_ptr(),
            out[b].data_ptr(),
            threads,
        )
    return out.to(q.dtype)
