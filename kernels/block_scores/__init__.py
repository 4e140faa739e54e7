"""Which blocks of a long text a query attends to, by scores from means of keys (InfLLM-v2, arXiv 2509.24663), or from
what stands for them in a compressed branch (NSA, arXiv 2502.11089).

Windows of `kernel` rows begin every `stride` rows; the mean of a window's keys stands for it. Coarse windows are four
times as long and lie four times as far apart. A query sees the windows that lie wholly at or before its own row i. For
the query heads a of a key head, with fine means K1 and coarse means K2 of those windows:

    z[a, j] = scale * q[a] . K1[j]        P[j] = sum_a exp(z[a, j] - lse[a])        P[j] = 0 for windows not seen

    lse[a] = log sum_m exp(scale * q[a] . K2[m])        "coarse", as released; where no K2 is seen, P is 0
    lse[a] = log sum_j exp(z[a, j])                     "exact", the softmax itself

A block's score is the largest P of the windows that overlap it ("largest"), or the sum of theirs, each as often as
strides of it lie in the block ("overlap"): with four windows a block, of windows 4 n - 1 to 4 n + 3, counted from 0 as
all here, 1, 2, 2, 2 and 1 times (NSA's equation 9 counts from 1). Of the blocks up to the query's own, `count` are
chosen: the first `initial`, the `local` newest with the query's own, and the best of the others; of equal scores, which
are common as neighbours share a window, the lower block. All of a key head's query heads share the choice.

Scores are fp32 sums of products of the given numbers; beside bf16 means, queries in fp32 may be rounded to bf16. A form
may choose otherwise than `reference` where scores differ by less than 1e-4 of the larger.
"""

from dataclasses import dataclass
from typing import Literal

from torch import Tensor

from kernels import dispatch
from kernels.row import Place

NAME = "block_scores"
COARSE = 4
"""Times as long, and as far apart, as the fine windows."""

Normaliser = Literal["coarse", "exact"]
Pooling = Literal["largest", "overlap"]


@dataclass(frozen=True)
class Blocks:
    """Geometry of the windows and blocks, in rows, and how many blocks are chosen. As released: 32, 16, 64, 1, 33, 96.

    Raises ValueError unless windows overlap by half and blocks begin where windows do, as in every released model.
    """

    kernel: int
    stride: int
    block: int
    initial: int
    local: int
    """The query's own block and those just before it."""
    count: int
    """Of all chosen blocks."""
    pooling: Pooling = "largest"
    """How windows' scores make a block's."""

    def __post_init__(self) -> None:
        if self.stride < 1 or self.kernel != 2 * self.stride or self.block < 1 or self.block % self.stride:
            raise ValueError(f"windows of {self.kernel} every {self.stride} rows do not fit blocks of {self.block}")
        if self.initial < 0 or self.local < 1 or self.count < self.initial + self.local:
            raise ValueError(f"{self.initial} first and {self.local} local blocks are not among {self.count}")

    @property
    def windows(self) -> int:
        """Fine windows that begin in a block."""
        return self.block // self.stride

    def last(self, at: Place, tokens: int, k1: Tensor) -> int:
        """The row of the last of so many queries; the last that there can be with these fine means, where `at` tells
        no number."""
        return at + tokens - 1 if isinstance(at, int) else (k1.shape[2] + 2) * self.stride - 1


def compress(k: Tensor, first: int, kernel: int, stride: int) -> Tensor:
    """Means of the windows that are whole, from number `first` on: window j is rows j * stride to j * stride + kernel.

    k [B, Hkv, S, D], fp32 or bf16, any strides -> [B, Hkv, n - first, D] in its dtype, n being
    (S - kernel) // stride + 1, or 0. Rows are added in fp32 in an order that depends on nothing else: windows are the
    same bits whether they are made one by one or all at once. `kernel` is a multiple of `stride`.
    """
    return dispatch.implementation(NAME, k.device).compress(k, first, kernel, stride)


def scores(
    q: Tensor, k1: Tensor, k2: Tensor, rows: Tensor, blocks: Blocks, scale: float, normaliser: Normaliser = "coarse"
) -> Tensor:
    """The scores that T queries choose by, of the blocks as well that they choose in any case -> fp32 [B, Hkv, T, N].

    As `choose`, but query t is row `rows[t]` of the text, int64 [T] ascending. N is the number of blocks up to the last
    query's; those beyond a query's own have score 0.
    """
    return dispatch.implementation(NAME, q.device).scores(q, k1, k2, rows, blocks, scale, normaliser)


def choose(
    q: Tensor, k1: Tensor, k2: Tensor, at: Place, blocks: Blocks, scale: float, normaliser: Normaliser = "coarse"
) -> Tensor:
    """The chosen blocks of T queries, of which the first is row `at` of the text -> int32 [B, Hkv, T, M].

    q [B, Hq, T, D], Hq a multiple of Hkv; k1 [B, Hkv, n1, D] and k2 [B, Hkv, n2, D], the fine and coarse means of at
    least all windows that the last query sees; fp32 or bf16, any strides. M is `count`, or the number of blocks up to
    the last query's where that is less. Ascending; behind a query's last block are -1.

    Where `at` is told by a tensor (`kernels.row.Place`), n1 and n2 are those that there is memory for, and M is `count`
    or the number of blocks of so many rows. Means that no query sees may be anything, then too.
    """
    return dispatch.implementation(NAME, q.device).choose(q, k1, k2, at, blocks, scale, normaliser)
