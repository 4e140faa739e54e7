"""`step` and `beside_bytes` from their parts, for forms that have those and nothing faster."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from kernels import row_bytes
from kernels.row import Norm

Write = Callable[[Tensor, Tensor, Tensor, float], Tensor]
Beside = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, float], Tensor]


def beside_bytes(
    beside: Beside,
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    own_k: Tensor,
    own_v: Tensor,
    scale: float,
) -> Tensor:
    """As `full_attention.beside_bytes`, with `beside` for the attention."""
    k, v = row_bytes.unpack(k, k_scales, q.dtype), row_bytes.unpack(v, v_scales, q.dtype)
    return beside(q, k, v, own_k, own_v, scale)


def step(
    write: Write,
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    v: Tensor,
    at: int,
    window: int | None,
    scale: float,
) -> Tensor:
    """As `full_attention.step`, with `write` for the attention."""
    kv_heads, width = k.shape[1], k.shape[3]
    queries = heads.shape[1] - 2 * kv_heads
    turned, values = heads[:, :-kv_heads], heads[:, -kv_heads:]
    own = turned
    if norm is not None:
        own = functional.rms_norm(own, (width,), None, norm.epsilon) * norm.gain
    turned.copy_(torch.addcmul(own * cos, own.roll(width // 2, -1), sin))
    k.select(2, at).copy_(turned[:, queries:])
    v.select(2, at).copy_(values)
    first = 0 if window is None else max(0, at + 1 - window)
    seen = at + 1 - first
    return write(turned[:, :queries, None], k.narrow(2, first, seen), v.narrow(2, first, seen), scale)[:, :, 0]
