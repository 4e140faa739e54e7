"""`step`, `step_bytes` and `beside_bytes` from their parts, for forms that have those and nothing faster."""

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
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    k.select(2, at).copy_(keys)
    v.select(2, at).copy_(values)
    first = 0 if window is None else max(0, at + 1 - window)
    seen = at + 1 - first
    return write(queries[:, :, None], k.narrow(2, first, seen), v.narrow(2, first, seen), scale)[:, :, 0]


def step_bytes(
    write: Write,
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    at: int,
    window: int | None,
    scale: float,
) -> Tensor:
    """As `full_attention.step_bytes`, with `write` for the attention over unpacked rows."""
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    for rows, scales, new in ((k, k_scales, keys), (v, v_scales, values)):
        packed, own = row_bytes.pack(new)
        rows.select(2, at).copy_(packed)
        scales.select(2, at).copy_(own)
    first = 0 if window is None else max(0, at + 1 - window)
    k, k_scales, v, v_scales = (rows[:, :, first : at + 1] for rows in (k, k_scales, v, v_scales))
    k, v = row_bytes.unpack(k, k_scales, heads.dtype), row_bytes.unpack(v, v_scales, heads.dtype)
    return write(queries[:, :, None], k, v, scale)[:, :, 0]


def made_ready(
    heads: Tensor, norm: Norm | None, cos: Tensor, sin: Tensor, kv_heads: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values [B, H, D] of a token's heads, which are normed and turned in place."""
    turned, values = heads[:, :-kv_heads], heads[:, -kv_heads:]
    if norm is not None:
        turned = functional.rms_norm(turned, (heads.shape[2],), None, norm.epsilon) * norm.gain
    turned = torch.addcmul(turned * cos, turned.roll(heads.shape[2] // 2, -1), sin)
    heads[:, : turned.shape[1]] = turned
    return turned[:, :-kv_heads], turned[:, -kv_heads:], values
