"""The compiled form for CPUs, over keys and values head by head: `step` in C, and what takes many queries where the
processor multiplies tiles of bf16; elsewhere, and over fp32 rows, that is the plain form's."""

from typing import NamedTuple

from torch import Tensor

from kernels.full_attention import cpu
from kernels.full_attention.cpu import write, write_bytes
from kernels.full_attention.sdpa import rows
from kernels.native import attend, library
from kernels.native.program import BITS, STEP, Operation, floats, interrupted, run
from kernels.row import Norm, Place

__all__ = ["beside", "beside_bytes", "read", "rows", "step", "step_bytes", "write", "write_bytes"]

LANES = 16
WIDEST = 256

library()  # raises Unavailable, and so another form is taken


class Paged(NamedTuple):
    """A step over chosen pages: see `struct operation`. `bounds` [B, Hkv, P, 2, D]; room [B, Hkv, P] int32 each."""

    bounds: Tensor
    page_scores: Tensor
    chosen: Tensor
    initial: int
    local: int
    budget: int
    part: int


def fits(k: Tensor, v: Tensor) -> bool:
    """Whether a token is compiled over such rows."""
    width = k.shape[3]
    return not width % LANES and width <= WIDEST and (*k.stride()[2:], *v.stride()[2:]) == (width, 1, width, 1)


def fits_bytes(k: Tensor, k_scales: Tensor, v: Tensor, v_scales: Tensor) -> bool:
    width = k.shape[3]
    return not width % LANES and width <= WIDEST and all(x.is_contiguous() for x in (k, k_scales, v, v_scales))


def read(q: Tensor, k: Tensor, v: Tensor, scale: float) -> Tensor:
    if not attend.fits(q, k, v) or scale <= 0:
        return cpu.read(q, k, v, scale)
    return attend.attend(q, [attend.rows(k, v)], k.shape[2] - q.shape[2], k.shape[1], scale)


def beside(q: Tensor, k: Tensor, v: Tensor, own_k: Tensor, own_v: Tensor, scale: float) -> Tensor:
    if not attend.fits(q, k, v, own_k, own_v) or scale <= 0:
        return cpu.beside(q, k, v, own_k, own_v, scale)
    return attend.attend(q, [attend.rows(k, v), attend.rows(own_k, own_v)], 0, k.shape[1], scale)


def beside_bytes(
    q: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    own_k: Tensor,
    own_v: Tensor,
    scale: float,
) -> Tensor:
    if not attend.fits(q, own_k, own_v) or scale <= 0:
        return cpu.beside_bytes(q, k, k_scales, v, v_scales, own_k, own_v, scale)
    parts = [attend.rows(k, v, k_scales, v_scales), attend.rows(own_k, own_v)]
    return attend.attend(q, parts, 0, k.shape[1], scale)


def step(
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
    if isinstance(at, Tensor) or not fits(k, v):
        interrupted()
        return cpu.step(heads, norm, cos, sin, k, v, at, window, scale)
    return compiled(heads, norm, cos, sin, k, None, v, None, at, window, scale)


def step_bytes(
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
    if isinstance(at, Tensor) or not fits_bytes(k, k_scales, v, v_scales):
        interrupted()
        return cpu.step_bytes(heads, norm, cos, sin, k, k_scales, v, v_scales, at, window, scale)
    return compiled(heads, norm, cos, sin, k, k_scales, v, v_scales, at, window, scale)


def compiled(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor | None,
    v: Tensor,
    v_scales: Tensor | None,
    at: int,
    window: int | None,
    scale: float,
    paged: Paged | None = None,
) -> Tensor:
    """`step`, or `step_bytes` with scales, of rows that fit; with `paged` over the pages that the token chooses."""
    batch, kv_heads, _, width = k.shape
    k_batch, k_head = k.stride()[:2]
    v_batch, v_head = v.stride()[:2]
    if batch > 1:
        interrupted()
    heads, cos, sin = floats(heads), floats(cos), floats(sin)
    every, bits = heads.shape[1], BITS[k.dtype]
    queries = every - 2 * kv_heads
    out = heads.new_empty(batch, queries, width)
    operation = Operation(
        kind=STEP,
        bits=bits,
        gain=None if norm is None else norm.gain.data_ptr(),
        epsilon=0.0 if norm is None else norm.epsilon,
        cosine=cos.data_ptr(),
        sine=sin.data_ptr(),
        heads=queries,
        kv_heads=kv_heads,
        width=width,
        key_head=k_head,
        value_head=v_head,
        window=window or 0,
        scale=scale,
    )
    if paged is not None:
        operation.bounds_head, operation.pages = paged.bounds.stride(1), paged.bounds.shape[2]
        operation.initial, operation.local, operation.budget, operation.part = paged[3:]
    # Addresses rather than views, which cost Python's time
    x, keys, values, y = heads.data_ptr(), k.data_ptr(), v.data_ptr(), out.data_ptr()
    for b in range(batch):
        operation.x, operation.y = x + b * every * width * 4, y + b * queries * width * 4
        operation.keys, operation.values = keys + b * k_batch * bits // 8, values + b * v_batch * bits // 8
        if k_scales is not None and v_scales is not None:
            operation.key_scales = k_scales.data_ptr() + b * k_batch // width * 4
            operation.value_scales = v_scales.data_ptr() + b * v_batch // width * 4
        if paged is not None:
            operation.bounds, operation.page_scores, operation.chosen = (x[b].data_ptr() for x in paged[:3])
        gain = None if norm is None else norm.gain
        run(operation, at, heads, cos, sin, k, k_scales, v, v_scales, out, gain, *(paged[:3] if paged else ()))
    return out
