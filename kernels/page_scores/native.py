"""The compiled form for CPUs: a token's whole step in C, which can be recorded. Its parts are the plain form's."""

import torch
from torch import Tensor

from kernels.full_attention import native as full_attention
from kernels.native import library
from kernels.native.program import interrupted
from kernels.page_scores import Pages, cpu
from kernels.page_scores.cpu import bounds, choose, scores
from kernels.row import Norm

__all__ = ["bounds", "choose", "scores", "step", "step_bytes"]

library()  # raises Unavailable, and so another form is taken


def step(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    v: Tensor,
    bounds: Tensor,
    at: int,
    pages: Pages,
    scale: float,
) -> Tensor:
    if not full_attention.fits(k, v):
        interrupted()
        return cpu.step(heads, norm, cos, sin, k, v, bounds, at, pages, scale)
    return full_attention.compiled(*(heads, norm, cos, sin, k, None, v, None, at, None, scale), _paged(bounds, pages))


def step_bytes(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    bounds: Tensor,
    at: int,
    pages: Pages,
    scale: float,
) -> Tensor:
    if not full_attention.fits_bytes(k, k_scales, v, v_scales):
        interrupted()
        return cpu.step_bytes(heads, norm, cos, sin, k, k_scales, v, v_scales, bounds, at, pages, scale)
    return full_attention.compiled(
        *(heads, norm, cos, sin, k, k_scales, v, v_scales, at, None, scale), _paged(bounds, pages)
    )


def _paged(bounds: Tensor, pages: Pages) -> full_attention.Paged:
    room = torch.empty((2, *bounds.shape[:3]), dtype=torch.int32)
    return full_attention.Paged(bounds, room[0], room[1], pages.initial, pages.local, pages.count, pages.part)
