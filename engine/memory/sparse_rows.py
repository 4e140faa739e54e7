"""Rows of a sparse layer, with the means of their keys by which blocks of them are chosen."""

from torch import Tensor

from engine.memory.caches import STEP, KeyValues
from engine.memory.held import Held
from engine.model.config import SparseConfig
from kernels import block_scores

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
        self._fine = _Means(self, sparse.kernel, sparse.stride)
        self._coarse = _Means(self, sparse.kernel * COARSER, sparse.stride * COARSER)

    def expect(self, tokens: int) -> None:
        """What is read next belongs to a prompt of so many tokens."""
        self.sparsely = tokens >= self._dense_below

    def runs(self) -> bool:
        """Whether the layer, which is about to run, chooses blocks; counts it."""
        if self.sparsely:
            self._ran_sparse += 1
        else:
            self._ran_dense += 1
        return self.sparsely

    def ran(self) -> dict[str, int]:
        return {"sparse": self._ran_sparse, "dense": self._ran_dense}

    def bytes(self) -> int:
        return super().bytes() + self._fine.bytes() + self._coarse.bytes()

    def means(self, count: int) -> tuple[Tensor, Tensor]:
        """Of all windows that lie within the first `count` rows: fine and coarse ones, [B, Hkv, n, D] each."""
        return self._fine.upto(count), self._coarse.upto(count)

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._fine.trim(rows)
        self._coarse.trim(rows)


class _Means:
    """Means of `kernel` keys, one every `stride` rows, made as far as they are asked for."""

    def __init__(self, rows: KeyValues, kernel: int, stride: int) -> None:
        self._rows, self._kernel, self._stride = rows, kernel, stride
        self._made: Tensor | None = None
        self._count = 0

    def bytes(self) -> int:
        return 0 if self._made is None else self._made.nbytes

    def upto(self, rows: int) -> Tensor:
        count = self._windows(rows)
        if count > self._count or self._made is None:
            first = self._count * self._stride  # of the rows that windows not yet made begin with
            keys, _ = self._rows.held.part(min(first, rows), rows)
            if self._made is None or count > self._made.shape[2]:
                self._grow(keys, count)
            assert self._made is not None
            if count > self._count:
                self._made[:, :, self._count : count] = block_scores.compress(keys, 0, self._kernel, self._stride)
                self._count = count
        return self._made[:, :, :count]

    def trim(self, rows: int) -> None:
        self._count = min(self._count, self._windows(rows))

    def _windows(self, rows: int) -> int:
        """Those that lie within the first `rows` rows."""
        return max(0, (rows - self._kernel) // self._stride + 1)

    def _grow(self, keys: Tensor, count: int) -> None:
        """Room for as many rows as there is memory for."""
        room = max(count, self._windows(self._rows.allocated), STEP // self._stride)
        batch, heads, _, width = keys.shape
        made = keys.new_empty(batch, heads, room, width)
        if self._made is not None:
            made[:, :, : self._count] = self._made[:, :, : self._count]
        self._made = made
