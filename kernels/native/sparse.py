"""The compiled scores of blocks and attention over chosen ones, where the processor multiplies tiles of bf16 by AMX, or
pairs by AVX512-BF16."""

import ctypes

import torch
from torch import Tensor

from kernels.native import library
from kernels.native.attend import fits

__all__ = ["attend_chosen", "choose", "fits"]

HEADS = 16
"""Query heads of a key head that scores are added over, at most."""
BLOCKS = range(32, 129, 32)
"""Rows of a block that `attend_chosen` takes."""

SCORED = 16
_Three = ctypes.c_long * 3


class _Rows(ctypes.Structure):
    """`struct rows_of` of sparse.h, where its fields are explained."""

    _fields_ = (("from_", ctypes.c_void_p), ("at", _Three))


class _Choosing(ctypes.Structure):
    """`struct choosing`."""

    _fields_ = (
        *((name, ctypes.c_long) for name in ("batch", "heads", "kv_heads", "tokens", "width", "at")),
        *((name, _Rows) for name in ("q", "fine", "coarse")),
        *((name, ctypes.c_long) for name in ("stride", "block", "initial", "local", "count", "most", "exact")),
        ("scale", ctypes.c_float),
        *((name, ctypes.c_void_p) for name in ("chosen", "room")),
    )


class _Sparse(ctypes.Structure):
    """`struct sparse`."""

    _fields_ = (
        *((name, ctypes.c_long) for name in ("batch", "heads", "kv_heads", "tokens", "width", "at", "block", "count")),
        *((name, _Rows) for name in ("q", "k", "v")),
        ("chosen", ctypes.c_void_p),
        ("scale", ctypes.c_float),
        ("y", ctypes.c_void_p),
        ("y_at", _Three),
    )


def _rows(x: Tensor) -> _Rows:
    return _Rows(x.data_ptr(), _Three(*x.stride()[:3]))


def _side_by_side(*rows: Tensor) -> list[Tensor]:
    return [x if x.stride(3) == 1 else x.contiguous() for x in rows]


def choose(
    q: Tensor,
    k1: Tensor,
    k2: Tensor,
    at: int,
    scale: float,
    *,
    stride: int,
    block: int,
    initial: int,
    local: int,
    count: int,
    exact: bool,
) -> Tensor:
    """As `block_scores.choose`, all in bf16."""
    q, k1, k2 = _side_by_side(q, k1, k2)
    batch, heads, tokens, width = q.shape
    number = (at + tokens - 1) // block + 1
    chosen = torch.empty((batch, k1.shape[1], tokens, min(count, number)), dtype=torch.int32)
    room = torch.empty(torch.get_num_threads() * SCORED * (number // 16 + 1) * 16)
    described = _Choosing(
        batch=batch,
        heads=heads,
        kv_heads=k1.shape[1],
        tokens=tokens,
        width=width,
        at=at,
        q=_rows(q),
        fine=_rows(k1),
        coarse=_rows(k2),
        stride=stride,
        block=block,
        initial=initial,
        local=local,
        count=chosen.shape[3],
        most=count,
        exact=exact,
        scale=scale,
        chosen=chosen.data_ptr(),
        room=room.data_ptr(),
    )
    library().choose_blocks(ctypes.byref(described), torch.get_num_threads())
    return chosen


def attend_chosen(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, at: int, block: int, scale: float) -> Tensor:
    """As `block_sparse_attention.read`, all in bf16. The result is laid out token by token."""
    q, k, v = _side_by_side(q, k, v)
    chosen = chosen.contiguous()
    batch, heads, tokens, width = q.shape
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    described = _Sparse(
        batch=batch,
        heads=heads,
        kv_heads=k.shape[1],
        tokens=tokens,
        width=width,
        at=at,
        block=block,
        count=chosen.shape[3],
        q=_rows(q),
        k=_rows(k),
        v=_rows(v),
        chosen=chosen.data_ptr(),
        scale=scale,
        y=y.data_ptr(),
        y_at=_Three(*y.stride()[:3]),
    )
    library().attend_chosen(ctypes.byref(described), torch.get_num_threads())
    return y
