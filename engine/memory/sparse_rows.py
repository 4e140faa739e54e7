"""Rows of a sparse layer, with the means of their keys by which blocks of them are chosen."""

from collections.abc import Hashable

from torch import Tensor

from engine.memory.caches import KeyValues
from engine.memory.held import Held
from engine.memory.windows import Windows
from engine.model.config import SparseConfig
from kernels import block_scores
from kernels.row import Place

COARSER = 4
"""A coarse mean is of so many times the keys of a fine one, and stands so many times as far from the next."""


class SparseRows(KeyValues):
    """`sparsely`: whether what is read now chooses blocks, or sees all rows: a matter of the whole prompt's length."""

    def __init__(self, held: Held, capacity: int, sparse: SparseConfig) -> None:
        super().__init__(held, capacity)
        self.sparsely = False
        self.chosen: Tensor | None = None
        """Of the newest token, where it chose blocks: their numbers [B, Hkv, M], -1 behind the last."""
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
        return held, self.sparsely

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

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._fine.trim(rows)
        self._coarse.trim(rows)


def _means(kernel: int, stride: int) -> Windows:
    return Windows(kernel, stride, lambda keys, _: (block_scores.compress(keys, 0, kernel, stride),))
