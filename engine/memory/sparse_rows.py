"""Rows of a sparse layer, with the means of their keys by which blocks of them are chosen."""

from collections.abc import Hashable

import torch
from torch import Tensor

from engine.memory.caches import STEP, KeyValues
from engine.memory.held import Held
from engine.model.config import SparseConfig
from kernels import block_scores
from kernels.row import Place, put

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
        self._fine = _Means(sparse.kernel, sparse.stride)
        self._coarse = _Means(sparse.kernel * COARSER, sparse.stride * COARSER)

    def expect(self, tokens: int) -> None:
        """What is read next belongs to a prompt of so many tokens."""
        self.sparsely = tokens >= self._dense_below

    def ready(self, row: int) -> Hashable:
        held = super().ready(row)
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
            return self._fine.renewed(self, count), self._coarse.renewed(self, count)
        return self._fine.upto(self, count), self._coarse.upto(self, count)

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._fine.trim(rows)
        self._coarse.trim(rows)


class _Means:
    """Means of `kernel` keys, one every `stride` rows, made as far as they are asked for. They do not hold the rows,
    which hold them: memory goes when nobody needs it, not when Python looks for circles."""

    def __init__(self, kernel: int, stride: int) -> None:
        self._kernel, self._stride = kernel, stride
        self._made: Tensor | None = None
        self._count = 0

    def bytes(self) -> int:
        return 0 if self._made is None else self._made.nbytes

    def upto(self, layer: KeyValues, rows: int) -> Tensor:
        """Of the first `rows` rows of a layer, which is always the same."""
        count = self._windows(rows)
        if count > self._count or self._made is None:
            first = self._count * self._stride  # of the rows that windows not yet made begin with
            keys, _ = layer.held.part(min(first, rows), rows)
            if self._made is None or count > self._made.shape[2]:
                self._grow(keys, max(count, self._windows(layer.allocated)))
            assert self._made is not None
            if count > self._count:
                self._made[:, :, self._count : count] = block_scores.compress(keys, 0, self._kernel, self._stride)
                self._count = count
        return self._made[:, :, :count]

    def ready(self, layer: KeyValues, rows: int) -> None:
        """Of the first `rows` rows, and room for those of all that there is memory for."""
        if self._made is None or self._windows(rows) > self._count:
            self.upto(layer, rows)
        assert self._made is not None
        if self._made.shape[2] < self._windows(layer.allocated):
            self._grow(self._made, self._windows(layer.allocated))

    def renewed(self, layer: KeyValues, rows: Tensor) -> Tensor:
        """All that there is room for, when the newest window within the first `rows` rows [1] is made. It is made with
        every token, whether it has become whole by it or not, so that every token does the same; none is whole yet in
        a text of fewer rows, whose first nobody sees."""
        assert self._made is not None
        number = ((rows - self._kernel) // self._stride).clamp(min=0)
        keys = layer.held.picked(number * self._stride + torch.arange(self._kernel, device=rows.device))
        put(self._made, block_scores.compress(keys, 0, self._kernel, self._stride)[:, :, 0], number)
        return self._made

    def made(self, rows: int) -> None:
        """Those within the first `rows` rows are."""
        self._count = max(self._count, self._windows(rows))

    def trim(self, rows: int) -> None:
        self._count = min(self._count, self._windows(rows))

    def _windows(self, rows: int) -> int:
        """Those that lie within the first `rows` rows."""
        return max(0, (rows - self._kernel) // self._stride + 1)

    def _grow(self, keys: Tensor, count: int) -> None:
        """Room for so many at least."""
        room = max(count, STEP // self._stride)
        batch, heads, _, width = keys.shape
        made = keys.new_empty(batch, heads, room, width)
        if self._made is not None:
            made[:, :, : self._count] = self._made[:, :, : self._count]
        self._made = made
