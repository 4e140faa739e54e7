"""The compiled form for CPUs: one token in C, and many where the processor multiplies tiles of bf16; elsewhere, and
over fp32 rows, that is the plain form's."""

import ctypes

import torch
from torch import Tensor

from kernels.lightning_attention import cpu
from kernels.native import attend, library
from kernels.native.program import floats, interrupted

LANES = 16
WIDEST = 256

_Three = ctypes.c_long * 3

_library = library()  # raises Unavailable, and so another form is taken


class Lightning(ctypes.Structure):
    """`struct lightning` of lightning.h, where its fields are explained."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("q", "k", "v", "y")),
        *((name, _Three) for name in ("q_at", "k_at", "v_at", "y_at")),
        *((name, ctypes.c_long) for name in ("batch", "heads", "tokens", "width")),
        *((name, ctypes.c_void_p) for name in ("slopes", "state")),
        ("scale", ctypes.c_float),
    )


def read(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    if not attend.fits(q, k, v) or not state.is_contiguous():
        return cpu.read(q, k, v, slopes, state, scale)
    batch, heads, tokens, width = q.shape
    q, k, v = (x if x.stride(3) == 1 else x.contiguous() for x in (q, k, v))
    y = q.new_empty(batch, tokens, heads, width).transpose(1, 2)
    described = _described(q, k, v, y, slopes, state, scale)
    _library.lightning_read(ctypes.byref(described), torch.get_num_threads())
    return y


def write(q: Tensor, k: Tensor, v: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Tensor:
    interrupted()
    if q.shape[2] % LANES or q.shape[2] > WIDEST or not state.is_contiguous():
        return cpu.write(q, k, v, slopes, state, scale)
    q, k, v = (floats(x)[:, :, None] for x in (q, k, v))
    y = torch.empty_like(q)
    described = _described(q, k, v, y, slopes, state, scale)
    _library.lightning_write(ctypes.byref(described), torch.get_num_threads())
    return y[:, :, 0]


def _described(q: Tensor, k: Tensor, v: Tensor, y: Tensor, slopes: Tensor, state: Tensor, scale: float) -> Lightning:
    """Rows [B, H, T, D]. Holds addresses alone: the tensors must outlive it."""
    batch, heads, tokens, width = q.shape
    return Lightning(
        **{name: x.data_ptr() for name, x in zip(("q", "k", "v", "y"), (q, k, v, y), strict=True)},
        **{
            name: _Three(*x.stride()[:3])
            for name, x in zip(("q_at", "k_at", "v_at", "y_at"), (q, k, v, y), strict=True)
        },
        batch=batch,
        heads=heads,
        tokens=tokens,
        width=width,
        slopes=slopes.data_ptr(),
        state=state.data_ptr(),
        scale=scale,
    )
