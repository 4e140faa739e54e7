"""The rows that a chain of tokens has left in every layer.

One `KeyValues` for each layer, and a `Caches` over them that alone counts: a piece writes its rows behind the counted
ones in every layer and moves the count only when its last layer is done, so a piece that is cut short leaves no trace.
"""

from array import array
from collections.abc import Iterator
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from kernels import full_attention

if TYPE_CHECKING:
    from engine.model.replay import Replay
    from engine.model.rope import Rotation

STEP = 1024
"""Rows by which a cache grows at least; beyond four times that, by a quarter of what it has."""


class KeyValues:
    """Keys and values of one layer, [B, Hkv, rows, D] each, grown as needed up to `capacity` rows.

    How they lie in memory is the attention kernel's choice.
    """

    def __init__(
        self, batch: int, kv_heads: int, width: int, capacity: int, dtype: torch.dtype, device: torch.device
    ) -> None:
        self.capacity = capacity
        self._batch, self._kv_heads, self._width, self.dtype, self._device = batch, kv_heads, width, dtype, device
        self._keys, self._values = self._room(0)

    @property
    def allocated(self) -> int:
        """Rows that there is memory for."""
        return self._keys.shape[2]

    def bytes(self) -> int:
        return self._keys.nbytes + self._values.nbytes

    def store(self, keys: Tensor, values: Tensor, at: int) -> tuple[Tensor, Tensor]:
        """Write [B, Hkv, T, D] to rows `at` to `at + T`; returns views of all rows up to there."""
        end = at + keys.shape[2]
        if end > self.allocated:
            self.reserve(end, held=at)
        self._keys[:, :, at:end] = keys
        self._values[:, :, at:end] = values
        return self._keys[:, :, :end], self._values[:, :, :end]

    def room_for(self, row: int) -> tuple[Tensor, Tensor]:
        """All rows, written or not, with `row` among them."""
        if row >= self.allocated:
            self.reserve(row + 1, held=row)
        return self._keys, self._values

    def rows(self, count: int) -> tuple[Tensor, Tensor]:
        """Views of the first `count` rows of keys and values."""
        return self._keys[:, :, :count], self._values[:, :, :count]

    def reserve(self, rows: int, held: int) -> None:
        """Make room for `rows`, keeping the first `held`."""
        rows = max(rows, self.allocated + max(STEP, self.allocated // 4))
        rows = min(-(-rows // STEP) * STEP, self.capacity)
        old = self._keys, self._values
        self._keys, self._values = self._room(rows)
        self._keys[:, :, :held] = old[0][:, :, :held]
        self._values[:, :, :held] = old[1][:, :, :held]

    def _room(self, rows: int) -> tuple[Tensor, Tensor]:
        return full_attention.rows(self._batch, self._kv_heads, rows, self._width, self.dtype, self._device)


class Caches:
    """All layers' rows. `positions[row]` is the position that the row was read at, `next_pos` that of the next token:
    they differ from the row count as soon as rows are dropped, so neither is ever derived from it."""

    def __init__(
        self,
        layers: list[KeyValues],
        rotation: "Rotation",
        capacity: int,
        batch: int,
        replay: "Replay | None" = None,
    ) -> None:
        self.layers = layers
        self.rotation = rotation
        self.replay = replay
        """A token's operations over these rows; None: nothing is written."""
        self.capacity = capacity
        self.batch = batch
        self.positions = array("q")
        self.next_pos = 0

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[KeyValues]:
        return iter(self.layers)

    def __getitem__(self, layer: int) -> KeyValues:
        return self.layers[layer]

    @property
    def dtype(self) -> torch.dtype:
        """Of keys and values."""
        return self.layers[0].dtype

    def length(self) -> int:
        """Rows held in every layer."""
        return len(self.positions)

    def room(self) -> int:
        """Rows that still fit."""
        return self.capacity - len(self.positions)

    def bytes(self) -> int:
        return sum(layer.bytes() for layer in self.layers)

    def reserve(self, rows: int) -> None:
        """Make room for a text of known length at once, layer by layer: a saving, never needed."""
        for layer in self.layers:
            if layer.allocated < min(rows, self.capacity):
                layer.reserve(min(rows, self.capacity), held=self.length())

    def advance(self, count: int) -> None:
        """Count `count` rows that every layer has stored. Called by the decoder after its last layer alone."""
        self.positions.extend(range(self.next_pos, self.next_pos + count))
        self.next_pos += count

    def trim(self, rows: int) -> None:
        """Keep the first `rows` rows and go on from the position after the last of them."""
        if not 0 <= rows <= self.length():
            raise ValueError(f"cannot trim {self.length()} rows to {rows}")
        del self.positions[rows:]
        self.next_pos = self.positions[-1] + 1 if rows else 0
