"""Rows of a dense layer, of which the tokens that are read or written may look at a selection. All rows are kept, so a
selection is a matter of one request: nothing is forgotten, less is read.

`quest`: a written token looks at the pages whose keys may match its queries best (Quest, arXiv 2406.10774). The bounds
of pages are made when they are first needed, then kept up token by token; those of a page that is cut by going back are
made anew from its rows, so nothing of what was there before is left in them.

`blocks`: tokens that are read look, 128 by 128, at the blocks of rows that hold the most of their attention by an
estimate (XAttention, arXiv 2503.16428). The last of a prompt, whose logits an answer begins with, look at all.
"""

from collections.abc import Hashable

import torch
from torch import Tensor

from engine.memory.caches import NONE, KeyValues
from engine.memory.held import Held
from engine.protocol.settings import Selection
from kernels import block_choice
from kernels.block_choice import Choice
from kernels.page_scores import PAGE, Pages, pages_of
from kernels.row import Place

LEAST_ROWS = {"quest": 12_288, "blocks": 16_384}
"""Below which a selection is not worth its own time, and all is looked at."""
DENSE_LAYERS = 2
"""The first ones, whose attention is spread widely, always write densely."""
DENSE_TAIL = 128
"""Tokens at the end of a prompt that are read densely."""
AT_ONCE = 16_384
"""Rows whose bounds are made in one go."""


class SelectedRows(KeyValues):
    """Of layer number `number`."""

    def __init__(self, held: Held, capacity: int, number: int) -> None:
        super().__init__(held, capacity)
        self._number = number
        self._selection = NONE
        self._prompt = 0
        """Tokens of the whole prompt that is read."""
        self._choice = Choice()
        self._pages = Pages()
        self._bounds: Tensor | None = None
        self._covered = 0
        """Rows that the bounds are of."""
        self._ran: dict[str, int] = {}
        self._seen = [0, 0]

    @property
    def density(self) -> float | None:
        """Rows, or blocks, that were looked at, of those that could be, wherever the layer selected; None: nowhere."""
        return self._seen[0] / self._seen[1] if self._seen[1] else None

    def select(self, selection: Selection) -> bool:
        """What is read and written from now on looks at this selection of rows."""
        self._selection, self._seen = selection, [0, 0]
        self._bounds, self._covered = None, 0
        self._choice = Choice(threshold=selection.threshold)
        self._pages = Pages() if selection.budget is None else Pages(count=pages_of(selection.budget), part=0)
        return True

    def reads_selected(self) -> bool:
        of = self._selection
        least = LEAST_ROWS["blocks"] if of.least is None else of.least
        return of.kind == "blocks" and self._prompt >= least

    def expect(self, tokens: int) -> None:
        self._prompt = tokens

    def attend(self, q: Tensor, count: int, scale: float) -> Tensor:
        selected = self.reads_selected()
        if self._selection.kind != "none":
            self.count("blocks" if selected else "full")
        tokens = q.shape[2]
        some = min(tokens, max(0, self._prompt - DENSE_TAIL - (count - tokens))) if selected else 0
        if not some:
            return super().attend(q, count, scale)
        mixed = self._attend_blocks(q[:, :, :some], count - tokens, scale)
        if some == tokens:
            return mixed
        return torch.cat((mixed, super().attend(q[:, :, some:], count, scale)), 2)

    def _attend_blocks(self, q: Tensor, at: int, scale: float) -> Tensor:
        """Of queries [B, Hq, T, D], the first of which is row `at`."""
        block, end = self._choice.block, at + q.shape[2]
        chosen = block_choice.choose(q, self.held.part(0, end)[0], at, self._choice, scale)
        tiles = torch.arange(at // block, (end - 1) // block + 1)
        self._seen[0] += int((chosen >= 0).sum())
        self._seen[1] += int((tiles + 1).sum()) * chosen.shape[0] * chosen.shape[1]
        return self.held.attend_tiles(q, chosen, at, block, scale)

    def selects(self, rows: int) -> bool:
        """Whether a token that is written as the last of so many rows looks at chosen pages."""
        of = self._selection
        least = LEAST_ROWS["quest"] if of.least is None else of.least
        return of.kind == "quest" and self._number >= DENSE_LAYERS and rows >= least

    def bounds(self, at: Place) -> tuple[Tensor, Pages] | None:
        """By which the token that becomes row `at` chooses pages, when `ready` was called for it; None: it sees all."""
        if isinstance(at, Tensor) or not self.selects(at + 1):
            return None
        assert self._bounds is not None
        return self._bounds, self._pages

    def ready(self, row: int) -> Hashable:
        held = super().ready(row)
        selects = self.selects(row + 1)
        if selects:
            self._cover(row)
        return held, selects

    def _cover(self, at: int) -> None:
        """Bounds are of all rows before `at`, with room for those of all that there is memory for."""
        if self._bounds is None or self._bounds.shape[2] < pages_of(self.allocated):
            self._grow()
        assert self._bounds is not None
        for first in range(self._covered // PAGE * PAGE, at if self._covered < at else 0, AT_ONCE):
            some = self.held.bounds(first, min(first + AT_ONCE, at))
            self._bounds[:, :, first // PAGE : first // PAGE + some.shape[2]] = some
        self._covered = at // PAGE * PAGE  # until it is written: else its page is made anew

    def wrote(self, row: int) -> None:
        if self._selection.kind == "none":
            return
        selects = self.selects(row + 1)
        self.count("quest" if selects else "full")
        if selects:
            self._covered = row + 1
            pages = pages_of(row + 1)
            self._seen[0] += min(row + 1, self._pages.among(pages) * PAGE)
            self._seen[1] += row + 1

    def count(self, what: str) -> None:
        """The layer ran once in this way."""
        self._ran[what] = self._ran.get(what, 0) + 1

    def ran(self) -> dict[str, int]:
        return self._ran

    def bytes(self) -> int:
        return super().bytes() + (0 if self._bounds is None else self._bounds.nbytes)

    def take(self, tensors: dict[str, Tensor]) -> None:
        self._covered = 0
        super().take(tensors)

    def trim(self, rows: int) -> None:
        if rows < self._covered:
            self._covered = rows // PAGE * PAGE

    def reserve(self, rows: int, held: int) -> None:
        super().reserve(rows, held)
        if self._bounds is not None:
            self._grow()

    def _grow(self) -> None:
        """Room for the pages of all rows that there is memory for."""
        none = self.held.bounds(0, 0)  # [B, Hkv, 0, 2, D]
        batch, heads, _, two, width = none.shape
        bounds = none.new_empty(batch, heads, pages_of(self.allocated), two, width)
        if self._bounds is not None:
            bounds[:, :, : self._bounds.shape[2]] = self._bounds
        self._bounds = bounds
