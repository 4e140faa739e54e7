"""Which pages of a long text one written token looks at, by what their keys can be at most (Quest, arXiv 2406.10774).

Pages are of PAGE rows, from row 0 on; the last may be a part of one. Their bounds are, for each key head and channel,
the least and the most of the page's keys as they are stored, turned to their positions. With q [B, Hq, D], Hq a
multiple of Hkv, the score of a page is for the query heads a of a key head

    U = sum_a sum_d max(q[a, d] least[d], q[a, d] most[d])  >=  sum_a q[a] . k[j]   for every row j of the page,

so that all query heads of a key head share the choice, and one page's bounds are one product. Of all pages the first
`initial`, the `local` newest with the token's own and the best of the others are chosen.

Bounds are bf16 beside rows in bf16 or int8, else fp32: least ones rounded down, most ones up, so that they stay bounds.
Scores are fp32. A form may choose otherwise than `reference` where scores differ by less than 1e-4 of the larger.
"""

from dataclasses import dataclass

import torch
from torch import Tensor

from kernels import dispatch
from kernels.row import Norm

NAME = "page_scores"
PAGE = 16
"""Rows."""


@dataclass(frozen=True)
class Pages:
    """How many pages are chosen. ValueError: fewer than are chosen in any case."""

    count: int = 128
    """Of all chosen pages, at least."""
    part: int = 8
    """And at least every so-manieth of all pages; 0: no more than `count`."""
    initial: int = 1
    local: int = 9
    """The token's own page, which may be a part of one, and those just before it."""

    def __post_init__(self) -> None:
        if self.initial < 0 or self.local < 1 or self.part < 0 or self.count < self.initial + self.local:
            raise ValueError(f"{self.initial} first and {self.local} local pages are not among {self.count}")

    def among(self, pages: int) -> int:
        """Of so many pages, those that are chosen."""
        return min(pages, max(self.count, -(-pages // self.part) if self.part else 0))


def pages_of(rows: int) -> int:
    return -(-rows // PAGE)


def bounds_dtype(dtype: torch.dtype) -> torch.dtype:
    """Of the bounds of rows of this dtype."""
    return torch.float32 if dtype is torch.float32 else torch.bfloat16


def bounds(k: Tensor, dtype: torch.dtype) -> Tensor:
    """Of every page of k [B, Hkv, S, D], fp32 or bf16, any strides -> [B, Hkv, pages, 2, D] in `dtype`: least, most."""
    return dispatch.implementation(NAME, k.device).bounds(k, dtype)


def scores(q: Tensor, bounds: Tensor) -> Tensor:
    """U of q [B, Hq, D] fp32 for pages with bounds [B, Hkv, P, 2, D] -> fp32 [B, Hkv, P]."""
    return dispatch.implementation(NAME, q.device).scores(q, bounds)


def choose(q: Tensor, bounds: Tensor, rows: int, pages: Pages) -> Tensor:
    """Numbers of the pages that q [B, Hq, D] fp32, the newest of `rows` rows, looks at -> int32 [B, Hkv, M], ascending.

    bounds [B, Hkv, at least the pages of those rows, 2, D]; what is behind them may be anything.
    """
    return dispatch.implementation(NAME, q.device).choose(q, bounds, rows, pages)


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
    """`full_attention.step` of one token over the pages that it chooses -> [B, Hq, D], fp32.

    bounds [B, Hkv, P, 2, D] contiguous, with room for the page of row `at`: those of the rows before it, which the
    token's keys join.
    """
    return dispatch.implementation(NAME, heads.device).step(heads, norm, cos, sin, k, v, bounds, at, pages, scale)


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
    """`step` over rows as `full_attention.step_bytes` takes them, with bounds in bf16."""
    form = dispatch.implementation(NAME, heads.device)
    return form.step_bytes(heads, norm, cos, sin, k, k_scales, v, v_scales, bounds, at, pages, scale)
