"""`step` and `step_bytes` from their parts, for forms that have a `choose` and nothing faster."""

from collections.abc import Callable

import torch
from torch import Tensor

from kernels import block_sparse_attention, row_bytes
from kernels.full_attention.plain import made_ready
from kernels.page_scores import PAGE, Pages
from kernels.row import Norm

Choose = Callable[[Tensor, Tensor, int, Pages], Tensor]


def outwards(bounds: Tensor, dtype: torch.dtype) -> Tensor:
    """fp32 [..., 2, D] in `dtype`: the first of two rounded down, the second up."""
    rounded = bounds.to(dtype)
    if dtype is torch.float32:
        return rounded
    # A bf16 is the upper half of a word: a step away from zero is the next number of it
    short = torch.stack((rounded[..., 0, :] > bounds[..., 0, :], rounded[..., 1, :] < bounds[..., 1, :]), -2)
    away = torch.stack((rounded[..., 0, :] <= 0, rounded[..., 1, :] >= 0), -2)
    words = rounded.view(torch.int16)
    return (words + short * (away.to(torch.int16) * 2 - 1)).view(dtype)


def widen(bounds: Tensor, keys: Tensor, at: int) -> None:
    """The keys [B, Hkv, D] of row `at`, fp32 or bf16, join their page's bounds."""
    page = bounds.select(2, at // PAGE)  # [B, Hkv, 2, D]
    own = outwards(torch.stack((keys, keys), 2).float(), bounds.dtype)
    if at % PAGE:
        own = torch.stack((torch.minimum(page[:, :, 0], own[:, :, 0]), torch.maximum(page[:, :, 1], own[:, :, 1])), 2)
    page.copy_(own)


def step(
    choose: Choose,
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
    """As `page_scores.step`, with `choose` for the choice."""
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    k.select(2, at).copy_(keys)
    v.select(2, at).copy_(values)
    widen(bounds, k.select(2, at), at)
    chosen = choose(queries, bounds, at + 1, pages)
    seen = k.narrow(2, 0, at + 1), v.narrow(2, 0, at + 1)
    return block_sparse_attention.write(queries, *seen, chosen, at, PAGE, scale)


def step_bytes(
    choose: Choose,
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
    """As `page_scores.step_bytes`, with `choose` for the choice."""
    queries, keys, values = made_ready(heads, norm, cos, sin, k.shape[1])
    for rows, scales, new in ((k, k_scales, keys), (v, v_scales, values)):
        packed, own = row_bytes.pack(new)
        rows.select(2, at).copy_(packed)
        scales.select(2, at).copy_(own)
    widen(bounds, row_bytes.unpack(k.select(2, at), k_scales.select(2, at), torch.float32), at)
    chosen = choose(queries, bounds, at + 1, pages)
    held = (rows.narrow(2, 0, at + 1) for rows in (k, k_scales, v, v_scales))
    return block_sparse_attention.write_bytes(queries, *held, chosen, at, PAGE, scale, heads.dtype)
