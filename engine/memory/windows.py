"""What stands for windows of a layer's rows, made as far as it is asked for and kept beside them."""

from collections.abc import Callable

import torch
from torch import Tensor

from engine.memory.caches import STEP, KeyValues
from kernels.block_scores.left import BEYOND
from kernels.row import put

AT_ONCE = 1 << 16
"""Rows of which windows are made at a time: a text that was saved is asked for all of them at once."""

Make = Callable[[Tensor, Tensor], tuple[Tensor, ...]]
"""Keys and values [B, Hkv, S, D] -> one or several [B, Hkv, n, D], of the windows that are whole."""


class Windows:
    """Of `kernel` rows, one every `stride`. They do not hold the rows, which hold them: memory goes when nobody needs
    it, not when Python looks for circles.

    Where rows were given up, windows have the numbers that they had among all; rows are counted as they are held."""

    def __init__(self, kernel: int, stride: int, make: Make | None = None) -> None:
        self._kernel, self._stride, self._make = kernel, stride, make
        self._made: tuple[Tensor, ...] = ()
        self._count = 0
        self._left: Tensor | None = None
        """Numbers of the windows that were left when rows were given up last [Hkv, n]; None: none were."""
        self._later = 0
        """What the number of a window that was made since is above its place."""
        self._gone = 0
        """Rows that were given up."""

    def bytes(self) -> int:
        return sum(made.nbytes for made in self._made) + (0 if self._left is None else self._left.nbytes)

    def numbers(self, heads: int, rows: int, device: torch.device) -> Tensor:
        """Of the windows within the first `rows` rows, int64 [Hkv, n]; BEYOND where a head has fewer."""
        before = 0 if self._left is None else self._left.shape[1]
        later = torch.arange(before, self._windows(rows), device=device).add_(self._later).expand(heads, -1)
        return later if self._left is None else torch.cat((self._left, later), 1)

    def keep(self, layer: KeyValues, rows: int, gone: int, stays: Callable[[Tensor, Tensor], Tensor]) -> None:
        """Of the first `rows` rows, which are all and there, some are about to go: `gone` of each head in all, those
        before included. `stays` says of windows by their first and last rows of the whole text, [Hkv, n] each, which
        are kept. Of rows that windows to come are of none may go."""
        self.upto(layer, rows)
        made = self._made[0]
        numbers = self.numbers(made.shape[1], rows, made.device)
        stay = stays(numbers * self._stride, numbers * self._stride + self._kernel - 1) & (numbers < BEYOND)
        kept = int(stay.sum(1).max()) if self._count else 0
        order = (~stay).int().sort(dim=1, stable=True).indices[:, :kept]
        room = kept + STEP // self._stride
        grown = tuple(one.new_zeros(*one.shape[:2], room, one.shape[3]) for one in self._made)
        for new, old in zip(grown, self._made, strict=True):
            new[:, :, :kept] = old.gather(2, order[None, :, :, None].expand(*old.shape[:2], -1, old.shape[3]))
        self._made = grown
        self._left = numbers.gather(1, order).masked_fill_(~stay.gather(1, order), BEYOND)
        self._later, self._count, self._gone = self._later + self._count - kept, kept, gone

    def upto(self, layer: KeyValues, rows: int, make: Make | None = None) -> tuple[Tensor, ...]:
        """Of the first `rows` rows of a layer, which is always the same, as is `make`, where none was given before."""
        make = make or self._make
        assert make is not None
        count = self._windows(rows)
        while self._count < count or not self._made:
            # of the rows that windows not yet made begin with
            first = (self._count + self._later) * self._stride - self._gone
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
        assert self._left is None, "rows were given up, and windows are not where their numbers say"
        number = ((rows - self._kernel) // self._stride).clamp(min=0)
        keys = layer.held.picked(number * self._stride + torch.arange(self._kernel, device=rows.device))
        for made, own in zip(self._made, self._make(keys, keys[:, :, :0]), strict=True):
            put(made, own[:, :, 0], number)
        return self._made

    def made(self, rows: int) -> None:
        """Those within the first `rows` rows are."""
        self._count = max(self._count, self._windows(rows))

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew. Where some were given up, all, or those alone that came since."""
        if not rows:
            self._left, self._later, self._gone = None, 0, 0
        self._count = min(self._count, self._windows(rows))

    def _windows(self, rows: int) -> int:
        """Those that lie within the first `rows` rows, or are left of them."""
        return max(0, (rows + self._gone - self._kernel) // self._stride + 1 - self._later)

    def _grow(self, like: tuple[Tensor, ...], count: int) -> None:
        """Room for so many at least."""
        room = max(count, STEP // self._stride)
        # Zeros, since what lies behind the last may be multiplied by zero
        grown = tuple(one.new_zeros(*one.shape[:2], room, one.shape[3]) for one in like)
        for made, old in zip(grown, self._made, strict=False):  # at first there are none
            made[:, :, : self._count] = old[:, :, : self._count]
        self._made = grown
