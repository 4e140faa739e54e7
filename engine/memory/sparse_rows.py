"""Rows of a sparse layer, with the means of their keys by which blocks of them are chosen.

Whole blocks of them may be given up, by each head of its own choice. Those that are left keep their numbers, and the
means that any row of theirs has a part in; only where they lie differs.
"""

from collections.abc import Hashable

import torch
from torch import Tensor

from engine.memory.caches import KeyValues
from engine.memory.held import Held
from engine.memory.windows import Windows
from engine.model.config import SparseConfig
from kernels import block_scores
from kernels.block_scores import Blocks, left
from kernels.block_scores.left import Left
from kernels.row import Place

COARSER = 4
"""A coarse mean is of so many times the keys of a fine one, and stands so many times as far from the next."""


def geometry(sparse: SparseConfig) -> Blocks:
    """Of such layers' windows and blocks."""
    return Blocks(
        kernel=sparse.kernel,
        stride=sparse.stride,
        block=sparse.block,
        initial=sparse.initial,
        local=sparse.window // sparse.block + 1,
        count=sparse.blocks,
    )


class SparseRows(KeyValues):
    """`sparsely`: whether what is read now chooses blocks, or sees all rows: a matter of the whole prompt's length."""

    def __init__(self, held: Held, capacity: int, sparse: SparseConfig) -> None:
        super().__init__(held, capacity)
        self.sparsely = False
        self.chosen: Tensor | None = None
        """Of the newest token, where it chose blocks: their numbers [B, Hkv, M], -1 behind the last."""
        self.blocks, self.normaliser = geometry(sparse), sparse.normaliser
        self._kept: Tensor | None = None
        """Numbers of the blocks that were left when some were given up last [Hkv, n]; None: none were."""
        self._gone = 0
        """Rows of each head that were given up."""
        self._dense_below = sparse.dense_below
        self._ran_sparse = self._ran_dense = 0
        self._fine = _means(sparse.kernel, sparse.stride)
        self._coarse = _means(sparse.kernel * COARSER, sparse.stride * COARSER)

    def store(self, keys: Tensor, values: Tensor, at: Place) -> Held:
        if not isinstance(at, Tensor):
            self.trim(at)  # a piece that was cut short has left means behind
        return super().store(keys, values, at)

    def expect(self, tokens: int) -> None:
        """What is read next belongs to a prompt of so many tokens."""
        self.sparsely = tokens >= self._dense_below

    def ready(self, row: int) -> Hashable:
        held = super().ready(row)
        self.trim(row)  # as in `store`
        if self.sparsely:
            self._fine.ready(self, row)
            self._coarse.ready(self, row)
        return held, self.sparsely, self._kept is None

    def repeats(self) -> bool:
        return self._kept is None or not self.sparsely

    def wrote(self, row: int) -> None:
        if self.runs():
            self._fine.made(row + 1)
            self._coarse.made(row + 1)

    def newest(self) -> tuple[Tensor | None, ...]:
        return self.queries, self.chosen

    def renew(self, newest: tuple[Tensor | None, ...]) -> None:
        self.queries, self.chosen = newest

    def runs(self) -> bool:
        """Whether the layer, which runs, chooses blocks; counts it."""
        if self.sparsely:
            self._ran_sparse += 1
        else:
            self._ran_dense += 1
        return self.sparsely

    def ran(self) -> dict[str, int]:
        return {"sparse": self._ran_sparse, "dense": self._ran_dense}

    def bytes(self) -> int:
        return super().bytes() + self._fine.bytes() + self._coarse.bytes()

    def means(self, count: Place) -> tuple[Tensor, Tensor]:
        """Of all windows that lie within the first `count` rows: fine and coarse ones, [B, Hkv, n, D] each. A count
        told by a tensor is one more than that of the token before; then n is as many as there is memory for."""
        if isinstance(count, Tensor):
            return self._fine.renewed(self, count)[0], self._coarse.renewed(self, count)[0]
        return self._fine.upto(self, count)[0], self._coarse.upto(self, count)[0]

    def choose(self, q: Tensor, at: Place, count: Place, scale: float) -> Tensor:
        """Which of the blocks that there are queries [B, Hq, T, D] look at, the first of which is row `at`, when there
        are `count` rows: [B, Hkv, T, M] as `block_scores.choose` gives it."""
        fine, coarse = self.means(count)
        if self._kept is None:
            return block_scores.choose(q, fine, coarse, at, self.blocks, scale, self.normaliser)
        assert isinstance(at, int)
        assert isinstance(count, int)
        about = (self._left(count), self.blocks, scale, self.normaliser)
        return left.choose(q, fine, coarse, at + self._gone, *about)

    def chose(self, which: Tensor, count: Place) -> None:
        """Keep the newest token's choice [B, Hkv, M] among the blocks of the first `count` rows."""
        if self._kept is None:
            self.chosen = which
        else:
            assert isinstance(count, int)
            numbers = self.numbers(count).expand(*which.shape[:2], -1).gather(2, which.clamp(min=0).long())
            self.chosen = torch.where(which < 0, -1, numbers.int())

    def scores(self, q: Tensor, rows: Tensor, count: int, scale: float) -> Tensor:
        """By which queries [B, Hq, T, D] of these rows [T], ascending, choose among the blocks of the first `count`:
        fp32 [B, Hkv, T, N], of those that are always chosen as well."""
        fine, coarse = self.means(count)
        if self._kept is not None:
            about = (self._left(count), self.blocks, scale, self.normaliser)
            return left.scores(q, fine, coarse, rows + self._gone, *about)
        found = block_scores.scores(q, fine, coarse, rows, self.blocks, scale, self.normaliser)
        return torch.nn.functional.pad(found, (0, -(-count // self.blocks.block) - found.shape[3]))

    def tokens(self, rows: Tensor) -> Tensor:
        """That rows which came after any were given up are of, in the whole text."""
        return rows + self._gone

    def numbers(self, count: int) -> Tensor:
        """Of the blocks that the first `count` rows are of, in the whole text: int64 [Hkv, N]."""
        heads, device = self._heads()
        before = 0 if self._kept is None else self._kept.shape[1]
        later = torch.arange(before, -(-count // self.blocks.block), device=device) + self._gone // self.blocks.block
        return later.expand(heads, -1) if self._kept is None else torch.cat((self._kept, later.expand(heads, -1)), 1)

    def keep(self, rows: Tensor) -> None:
        """As `KeyValues.keep`: whole blocks go, and none of the rows that windows to come are of. ValueError: others
        would."""
        block, (_, kept) = self.blocks.block, rows.shape
        count, slots = int(rows[0, -1]) + 1, rows[:, ::block] // block
        whole = (slots[..., None] * block + torch.arange(block, device=rows.device)).flatten(1)[:, :kept]
        recent = torch.arange(max(0, count - COARSER * self.blocks.kernel), count, device=rows.device)
        if not torch.equal(whole, rows) or not torch.equal(rows[:, -len(recent) :], recent.expand(len(rows), -1)):
            raise ValueError("whole blocks are given up, and none of the newest rows")
        numbers, gone = self.numbers(count).gather(1, slots), self._gone + count - kept
        there = torch.zeros(len(rows), int(numbers[:, -1].max()) + 2, dtype=torch.long, device=rows.device)
        before = there.scatter_(1, numbers + 1, 1).cumsum(1)  # of the blocks up to each, those that are kept

        def stays(first: Tensor, last: Tensor) -> Tensor:
            most = before.shape[1] - 1
            first, last = ((row // block).clamp_(max=most - 1) for row in (first, last))
            return before.gather(1, last + 1) > before.gather(1, first)

        for means in (self._fine, self._coarse):
            means.keep(self, count, gone, stays)
        super().keep(rows)
        self._kept, self._gone = numbers, gone

    def _left(self, count: int) -> Left:
        heads, device = self._heads()
        fine, coarse = (means.numbers(heads, count, device) for means in (self._fine, self._coarse))
        return Left(fine, coarse, self.numbers(count))

    def _heads(self) -> tuple[int, torch.device]:
        keys = self.held.part(0, 0)[0]
        return keys.shape[1], keys.device

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        if not rows:
            self._kept, self._gone = None, 0
        self._fine.trim(rows)
        self._coarse.trim(rows)


def _means(kernel: int, stride: int) -> Windows:
    return Windows(kernel, stride, lambda keys, _: (block_scores.compress(keys, 0, kernel, stride),))
