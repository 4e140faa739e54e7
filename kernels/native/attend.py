"""The compiled attention of many queries, where the processor multiplies tiles of bf16 by AMX or AVX512-BF16.

With AVX512-BF16 it is about three times as fast as torch's flash kernel, which then computes in fp32 (AMD Zen 4, two
threads)."""

import ctypes
import functools

import torch
from torch import Tensor

from kernels.native import library

WIDTHS = range(32, 129, 16)

_Three = ctypes.c_long * 3


class Rows(ctypes.Structure):
    """`struct rows` of attend.h, where its fields are explained."""

    _fields_ = (
        ("bits", ctypes.c_int),
        *((name, ctypes.c_void_p) for name in ("k", "v", "k_scales", "v_scales")),
        ("count", ctypes.c_long),
        *((name, _Three) for name in ("k_at", "v_at", "k_scales_at", "v_scales_at")),
    )


class Attention(ctypes.Structure):
    """`struct attention` of attend.h."""

    _fields_ = (
        ("parts", ctypes.POINTER(Rows)),
        *((name, ctypes.c_long) for name in ("count", "before", "batch", "heads", "kv_heads", "tokens", "width")),
        ("q", ctypes.c_void_p),
        ("q_at", _Three),
        ("scale", ctypes.c_float),
        ("y", ctypes.c_void_p),
        ("y_at", _Three),
    )


class Choice(ctypes.Structure):
    """`struct choice` of attend.h."""

    _fields_ = (("chosen", ctypes.c_void_p), *((name, ctypes.c_long) for name in ("lists", "tiles", "most")))


@functools.cache
def here() -> bool:
    """Whether this processor and its system do: AMX is asked for under Linux only."""
    return bool(library().attend_here())


def fits(*rows: Tensor) -> bool:
    """Whether `attend` takes queries and rows such as these."""
    return here() and rows[0].shape[3] in WIDTHS and all(x.dtype is torch.bfloat16 for x in rows)


Held = tuple[Tensor | None, ...]
"""What must be kept as long as its addresses are."""


def rows(k: Tensor, v: Tensor, k_scales: Tensor | None = None, v_scales: Tensor | None = None) -> tuple[Rows, Held]:
    """[B, Hkv, S, D] of any strides, bf16, or int8 with scales fp32 [B, Hkv, S]."""
    k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (k, v))
    part = Rows(
        bits=k.element_size() * 8,
        k=k.data_ptr(),
        v=v.data_ptr(),
        count=k.shape[2],
        k_at=_Three(*k.stride()[:3]),
        v_at=_Three(*v.stride()[:3]),
    )
    if k_scales is not None and v_scales is not None:
        part.k_scales, part.v_scales = k_scales.data_ptr(), v_scales.data_ptr()
        part.k_scales_at, part.v_scales_at = _Three(*k_scales.stride()), _Three(*v_scales.stride())
    return part, (k, v, k_scales, v_scales)


def attend(q: Tensor, parts: list[tuple[Rows, Held]], before: int, kv_heads: int, scale: float) -> Tensor:
    """q [B, Hq, T, D] over all rows of `parts` but the last, and over that causally: query t sees its rows up to and
    including before + t. Returns [B, Hq, T, D], laid out token by token."""
    q = q if q.stride(3) == 1 else q.contiguous()
    y = _result(q)
    described = _described(q, y, parts, before, kv_heads, scale)
    library().attend(ctypes.byref(described), torch.get_num_threads())
    return y


def attend_tiles(
    q: Tensor, part: tuple[Rows, Held], chosen: Tensor, before: int, kv_heads: int, scale: float
) -> Tensor:
    """q [B, Hq, T, D] over the blocks of rows that each tile of them has chosen, as `block_sparse_attention.read_tiles`
    takes them, up to each query's own row. Returns [B, Hq, T, D], laid out token by token."""
    q, chosen = q if q.stride(3) == 1 else q.contiguous(), chosen.contiguous()
    y = _result(q)
    described = _described(q, y, [part], before, kv_heads, scale)
    choice = Choice(chosen.data_ptr(), *chosen.shape[1:])
    library().attend_tiles(ctypes.byref(described), ctypes.byref(choice), torch.get_num_threads())
    return y


def _result(q: Tensor) -> Tensor:
    batch, heads, tokens, width = q.shape
    return q.new_empty(batch, tokens, heads, width).transpose(1, 2)


def _described(
    q: Tensor, y: Tensor, parts: list[tuple[Rows, Held]], before: int, kv_heads: int, scale: float
) -> Attention:
    batch, heads, tokens, width = q.shape
    held = (Rows * len(parts))(*(part for part, _ in parts))
    return Attention(
        parts=held,
        count=len(parts),
        before=before,
        batch=batch,
        heads=heads,
        kv_heads=kv_heads,
        tokens=tokens,
        width=width,
        q=q.data_ptr(),
        q_at=_Three(*q.stride()[:3]),
        scale=scale,
        y=y.data_ptr(),
        y_at=_Three(*y.stride()[:3]),
    )
