"""`write`, `step`, the same over bytes and `beside_bytes` from their parts, for forms that have nothing faster."""

from collections.abc import Callable

import torch
from torch import Tensor
from torch.nn import functional

from kernels import row_bytes
from kernels.row import Norm, Place, put

Over = Callable[[Tensor, Tensor, Tensor, float], Tensor]
"""Attention of one query [B, Hq, 1, D] over all rows of k and v."""
Write = Callable[[Tensor, Tensor, Tensor, Place, int | None, float], Tensor]
WriteBytes = Callable[[Tensor, Tensor, Tensor, Tensor, Tensor, Place, int | None, float], Tensor]
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


def write(over: Over, q: Tensor, k: Tensor, v: Tensor, at: Place, window: int | None, scale: float) -> Tensor:
    """As `full_attention.write`, with `over` for the attention where the row is a number."""
    if isinstance(at, Tensor):
        return _masked(q, k, v, at, window, scale)
    first = 0 if window is None else max(0, at + 1 - window)
    seen = at + 1 - first
    return over(q[:, :, None], k.narrow(2, first, seen), v.narrow(2, first, seen), scale)[:, :, 0]


def _masked(q: Tensor, k: Tensor, v: Tensor, at: Tensor, window: int | None, scale: float) -> Tensor:
    """All rows are multiplied, and those that are not seen weigh nothing."""
    rows = torch.arange(k.shape[2], device=k.device)
    unseen = rows > at
    if window is not None:
        unseen |= rows <= at - window
    grouped = (q * scale).to(k.dtype).unflatten(1, (k.shape[1], -1))  # [B, Hkv, G, D]
    scores = torch.matmul(grouped, k.transpose(2, 3)).float().masked_fill_(unseen, -torch.inf)
    weights = torch.softmax(scores, -1).to(v.dtype)
    # Zero times what is no number is none
    return torch.matmul(weights, v.masked_fill(unseen[:, None], 0.0)).to(q.dtype).flatten(1, 2)


def step(
    write: Write,
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    v: Tensor,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    """As `full_attention.step`, with `write` for the attention."""
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    put(k, keys, at)
    put(v, values, at)
    return write(queries, k, v, at, window, scale)


def step_bytes(
    write_bytes: WriteBytes,
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    """As `full_attention.step_bytes`, with `write_bytes` for the attention."""
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    put_bytes(k, k_scales, keys, at)
    put_bytes(v, v_scales, values, at)
    return write_bytes(queries, k, k_scales, v, v_scales, at, window, scale)


def write_bytes(
    write: Write,
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    at: Place,
    window: int | None,
    scale: float,
) -> Tensor:
    """As `full_attention.write_bytes`, with `write` for the attention over unpacked rows."""
    if not isinstance(at, Tensor):
        first = 0 if window is None else max(0, at + 1 - window)
        k, k_scales, v, v_scales = (rows[:, :, first : at + 1] for rows in (k, k_scales, v, v_scales))
        at, window = at - first, None
    k, v = row_bytes.unpack(k, k_scales, q.dtype), row_bytes.unpack(v, v_scales, q.dtype)
    return write(q, k, v, at, window, scale)


def put_bytes(rows: Tensor, scales: Tensor, new: Tensor, at: Place) -> None:
    """Row `at` of rows int8 [B, H, S, D] and scales [B, H, S] becomes `new` [B, H, D], packed."""
    packed, own = row_bytes.pack(new)
    put(rows, packed, at)
    put(scales, own, at)


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
