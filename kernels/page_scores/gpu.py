"""Triton, the form for CUDA: a program takes some pages of a key head, whose queries it brings to their two signed sums
first. The best are found by torch."""

from functools import partial

import torch
import triton
import triton.language as tl
from torch import Tensor

from kernels.page_scores import Pages, cpu, pages_of, plain
from kernels.page_scores.cpu import bounds

__all__ = ["bounds", "choose", "scores", "step", "step_bytes"]

TILE = 8192
"""Bounds that a program takes at once, of the least or of the most."""


@triton.jit(do_not_specialize=["pages", "bounds_b", "bounds_h"])
def kernel(
    q, bounds, found, bounds_b, bounds_h, kv_heads, group, pages, width,
    GROUP: tl.constexpr, PAGES: tl.constexpr, WIDTH: tl.constexpr,
):  # fmt: skip
    """q [B, Hq, width] and found [B, Hkv, pages] contiguous; a page's bounds and pages themselves one by one."""
    some, list = tl.program_id(0), tl.program_id(1)
    b, h = (list // kv_heads).to(tl.int64), (list % kv_heads).to(tl.int64)
    heads, channels = tl.arange(0, GROUP), tl.arange(0, WIDTH)
    inside = (heads < group)[:, None] & (channels < width)[None, :]
    queries = tl.load(q + (list * group + heads[:, None]) * width + channels[None, :], inside, other=0.0)
    below, above = tl.sum(tl.minimum(queries, 0.0), 0), tl.sum(tl.maximum(queries, 0.0), 0)
    numbers = some * PAGES + tl.arange(0, PAGES)
    at = bounds + b * bounds_b + h * bounds_h + numbers.to(tl.int64)[:, None] * (2 * width) + channels[None, :]
    there = (numbers < pages)[:, None] & (channels < width)[None, :]
    least, most = tl.load(at, there, other=0.0), tl.load(at + width, there, other=0.0)
    score = tl.sum(least.to(tl.float32) * below[None, :] + most.to(tl.float32) * above[None, :], 1)
    tl.store(found + list.to(tl.int64) * pages + numbers, score, numbers < pages)


def sizes(group: int, width: int) -> dict[str, int]:
    """Constants of the kernel."""
    wide = triton.next_power_of_2(width)
    return {"GROUP": triton.next_power_of_2(group), "PAGES": max(1, TILE // wide), "WIDTH": wide}


def scores(q: Tensor, bounds: Tensor) -> Tensor:
    batch, kv_heads, pages, _, width = bounds.shape
    if bounds.stride()[2:] != (2 * width, width, 1):
        bounds = bounds.contiguous()
    q, group = q.float().contiguous(), q.shape[1] // kv_heads
    found = torch.empty(batch, kv_heads, pages, device=q.device)
    constants = sizes(group, width)
    grid = triton.cdiv(pages, constants["PAGES"]), batch * kv_heads
    kernel[grid](q, bounds, found, *bounds.stride()[:2], kv_heads, group, pages, width, **constants)
    return found


def choose(q: Tensor, bounds: Tensor, rows: int, pages: Pages) -> Tensor:
    return cpu.best(scores(q, bounds[:, :, : pages_of(rows)]), pages)


step = partial(plain.step, choose)
step_bytes = partial(plain.step_bytes, choose)
