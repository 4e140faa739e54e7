"""The definition, page by page in fp32. Never optimised."""

import math

import torch
from torch import Tensor

from kernels.full_attention import reference as full_attention
from kernels.page_scores import PAGE, Pages, pages_of
from kernels.row import Norm


def bounds(k: Tensor, dtype: torch.dtype) -> Tensor:
    batch, kv_heads, rows, width = k.shape
    found = torch.zeros(batch, kv_heads, pages_of(rows), 2, width, dtype=dtype, device=k.device)
    for page in range(pages_of(rows)):
        keys = k[:, :, page * PAGE : (page + 1) * PAGE].float()
        for number, bound, towards in ((0, keys.amin(2), -math.inf), (1, keys.amax(2), math.inf)):
            rounded = bound.to(dtype)
            short = rounded.float() > bound if towards < 0 else rounded.float() < bound
            further = torch.nextafter(rounded.cpu(), torch.full_like(rounded.cpu(), towards)).to(k.device)
            found[:, :, page, number] = torch.where(short, further, rounded)
    return found


def scores(q: Tensor, bounds: Tensor) -> Tensor:
    group = q.shape[1] // bounds.shape[1]
    found = torch.zeros(bounds.shape[:3], device=q.device)
    for head in range(q.shape[1]):
        least, most = bounds[:, head // group, :, 0].float(), bounds[:, head // group, :, 1].float()  # [B, P, D]
        one = q[:, head, None].float()
        found[:, head // group] += torch.maximum(one * least, one * most).sum(-1)
    return found


def choose(q: Tensor, bounds: Tensor, rows: int, pages: Pages) -> Tensor:
    count = pages_of(rows)
    return best(scores(q, bounds[:, :, :count]), pages)


def best(found: Tensor, pages: Pages) -> Tensor:
    """The choice by what `scores` found of all pages."""
    batch, kv_heads, count = found.shape
    chosen = torch.zeros(batch, kv_heads, pages.among(count), dtype=torch.int32)
    for b in range(batch):
        for h in range(kv_heads):
            of = found[b, h].tolist()
            forced = [n < pages.initial or n >= count - pages.local for n in range(count)]
            order = sorted(range(count), key=lambda n: (not forced[n], -of[n], n))
            chosen[b, h] = torch.tensor(sorted(order[: pages.among(count)]), dtype=torch.int32)
    return chosen.to(found.device)


def attend(q: Tensor, k: Tensor, v: Tensor, chosen: Tensor, scale: float) -> Tensor:
    """q [B, Hq, D] over the chosen pages of k, v [B, Hkv, S, D] -> [B, Hq, D]."""
    out = torch.zeros(q.shape, device=q.device)
    group = q.shape[1] // k.shape[1]
    for b in range(q.shape[0]):
        for head in range(q.shape[1]):
            h = head // group
            rows = [r for n in chosen[b, h].tolist() for r in range(n * PAGE, min((n + 1) * PAGE, k.shape[2]))]
            weights = torch.softmax(scale * (k[b, h, rows].float() @ q[b, head].float()), 0)
            out[b, head] = weights @ v[b, h, rows].float()
    return out


def step(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    v: Tensor,
    bounds_of: Tensor,
    at: int,
    pages: Pages,
    scale: float,
) -> Tensor:
    full_attention.step(heads, norm, cos, sin, k, v, at, None, scale)  # which makes the heads ready and stores
    return _over(heads, k[:, :, : at + 1], v[:, :, : at + 1], bounds_of, pages, scale)


def step_bytes(
    heads: Tensor,
    norm: Norm | None,
    cos: Tensor,
    sin: Tensor,
    k: Tensor,
    k_scales: Tensor,
    v: Tensor,
    v_scales: Tensor,
    bounds_of: Tensor,
    at: int,
    pages: Pages,
    scale: float,
) -> Tensor:
    full_attention.step_bytes(heads, norm, cos, sin, k, k_scales, v, v_scales, at, None, scale)
    keys, values = (
        rows[:, :, : at + 1].float() * scales[:, :, : at + 1, None] for rows, scales in ((k, k_scales), (v, v_scales))
    )
    return _over(heads, keys, values, bounds_of, pages, scale)


def _over(heads: Tensor, k: Tensor, v: Tensor, bounds_of: Tensor, pages: Pages, scale: float) -> Tensor:
    """Of a token that is the last row; its page's bounds are made anew from all rows of it."""
    rows = k.shape[2]
    first = (rows - 1) // PAGE
    bounds_of[:, :, first] = bounds(k[:, :, first * PAGE :], bounds_of.dtype)[:, :, 0]
    queries = heads[:, : heads.shape[1] - 2 * k.shape[1]]
    return attend(queries, k, v, choose(queries, bounds_of, rows, pages), scale)
