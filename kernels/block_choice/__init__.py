"""Which blocks of rows the queries of a long text look at, by the mass on antidiagonals (XAttention, arXiv 2503.16428).

Queries are taken by tiles and keys by blocks of `block` rows, both counted from the text's first row, whatever piece of
it is read; within them by groups of `stride` rows S. The score of a group of queries g with a group of keys c is the
sum of one antidiagonal of their S x S products, which every vertical stripe and every diagonal crosses:

    z[g, c] = scale / S sum_j q[g S + S - 1 - j] . k[c S + j],   c <= g        p[g] = softmax_c z[g]

where rows that are not there count as zeros. A block's mass for a tile is the sum of p over its groups and the tile's,
those of them of which a query is there. Of the blocks up to a tile's own the first and the own are always chosen and
counted first, then those of the largest mass, until the chosen hold `threshold` of all. What a tile chooses depends on
its own queries alone, so a text that is read in pieces of whole tiles chooses as one that is read at once.

Each query head chooses for itself, or with `shared` all query heads of a key head by the sum of their masses. Scores
may be rounded to the dtype of q, and masses differ from `reference` by some 2e-2 of a tile's whole in bf16, 1e-4 in
fp32.
"""

from dataclasses import dataclass

from torch import Tensor

from kernels import dispatch

NAME = "block_choice"


@dataclass(frozen=True)
class Choice:
    """As published, but for `shared`. ValueError: blocks that are not made of whole groups, or no share at all."""

    block: int = 128
    stride: int = 8
    threshold: float = 0.9
    """At 1 every block is chosen."""
    shared: bool = False

    def __post_init__(self) -> None:
        if self.stride < 1 or self.block < 1 or self.block % self.stride or not 0 < self.threshold <= 1:
            raise ValueError(f"{self.threshold} of blocks of {self.block} rows in groups of {self.stride}")


def tiles(at: int, tokens: int, block: int) -> int:
    """Of so many queries, the first of which is row `at`."""
    return (at + tokens - 1) // block - at // block + 1


def masses(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    """Of every block up to the last tile's own -> fp32 [B, Hq or Hkv, tiles, N], of a tile's whole (1 in all)."""
    return dispatch.implementation(NAME, q.device).masses(q, k, at, choice, scale)


def choose(q: Tensor, k: Tensor, at: int, choice: Choice, scale: float) -> Tensor:
    """The blocks that the tiles of T queries look at -> int32 [B, Hq or Hkv, tiles, M], ascending, -1 behind the last.

    q [B, Hq, T, D], the first of them row `at`; k [B, Hkv, at + T, D], Hq a multiple of Hkv; fp32 or bf16, any strides.
    M is what the longest list takes.
    """
    return dispatch.implementation(NAME, q.device).choose(q, k, at, choice, scale)
