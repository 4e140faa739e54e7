"""What stands for windows of a layer's rows, made as far as it is asked for and kept beside them."""

from collections.abc import Callable

import torch
from torch import Tensor

from engine.memory.caches import STEP, KeyValues
from kernels.row import put

AT_ONCE = 1 << 16
"""Rows of which windows are made at a time: a text that was saved is asked for all of them at once."""

Make = Callable[[Tensor, Tensor], tuple[Tensor, ...]]
"""Keys and values [B, Hkv, S, D] -> one or several [B, Hkv, n, D], of the windows that are whole."""


class Windows:
    """Of `kernel` rows, one every `stride`. They do not hold the rows, which hold them: memory goes when nobody needs
    it, not when Python looks for circles."""

    def __init__(self, kernel: int, stride: int, make: Make | None = None) -> None:
        self._kernel, self._stride, self._make = kernel, stride, make
        self._made: tuple[Tensor, ...] = ()
        self._count = 0

    def bytes(self) -> int:
        return sum(made.nbytes for made in self._made)

    def upto(self, layer: KeyValues, rows: int, make: Make | None = None) -> tuple[Tensor, ...]:
        """Of the first `rows` rows of a layer, which is always the same, as is `make`, where none was given before."""
        make = make or self._make
        assert make is not None
        count = self._windows(rows)
        while self._count < count or not self._made:
            first = self._count * self._stride  # of the rows that windows not yet made begin with
            last = min(rows, first + self._kernel + AT_ONCE)
            new = make(*layer.held.part(min(first, last), last))
            behind = self._count + new[0].shape[2]
            if not self._made or behind > self._made[0].shape[2]:
                self._grow(new, max(behind, self._windows(layer.allocated)))
            for made, own in zip(self._made, new, strict=True):
                made[:, :, self._count : behind] = own
            self._count = behind
        return tuple(made[:, :, :count] for made in self._made)

    def ready(self, layer: KeyValues, rows: int) -> None:
        """Of the first `rows` rows, and room for those of all that there is memory for."""
        if not self._made or self._windows(rows) > self._count:
            self.upto(layer, rows)
        if self._made[0].shape[2] < self._windows(layer.allocated):
            self._grow(self._made, self._windows(layer.allocated))

    def renewed(self, layer: KeyValues, rows: Tensor) -> tuple[Tensor, ...]:
        """All that there is room for, when the newest window within the first `rows` rows [1] is made, of keys alone.
        It is made with every token, whether it has become whole by it or not, so that every token does the same; none
        is whole yet in a text of fewer rows, whose first nobody sees."""
        assert self._make is not None
        number = ((rows - self._kernel) // self._stride).clamp(min=0)
        keys = layer.held.picked(number * self._stride + torch.arange(self._kernel, device=rows.device))
        for made, own in zip(self._made, self._make(keys, keys[:, :, :0]), strict=True):
            put(made, own[:, :, 0], number)
        return self._made

    def made(self, rows: int) -> None:
        """Those within the first `rows` rows are."""
        self._count = max(self._count, self._windows(rows))

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""
        self._count = min(self._count, self._windows(rows))

    def _windows(self, rows: int) -> int:
        """Those that lie within the first `rows` rows."""
        return max(0, (rows - self._kernel) // self._stride + 1)

    def _grow(self, like: tuple[Tensor, ...], count: int) -> None:
        """Room for so many at least."""
        room = max(count, STEP // self._stride)
        # Zeros, since what lies behind the last may be multiplied by zero
        grown = tuple(one.new_zeros(*one.shape[:2], room, one.shape[3]) for one in like)
        for made, old in zip(grown, self._made, strict=False):  # at first there are none
            made[:, :, : self._count] = old[:, :, : self._count]
        self._made = grown
