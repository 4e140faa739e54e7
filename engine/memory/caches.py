"""What a chain of tokens has left in every layer: rows, or in lightning layers a state.

One `KeyValues`, `NsaRows` or `State` for each layer, and a `Caches` over them that alone counts: a piece writes its
rows behind the counted ones in every layer and its states beside those that count, and moves the count and exchanges
the states only when its last layer is done, so a piece that is cut short leaves no trace.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from engine.memory.held import Held
from engine.memory.places import Places
from engine.memory.states import State
from engine.protocol.settings import Selection
from kernels.row import Place

if TYPE_CHECKING:
    from engine.memory.nsa_rows import NsaRows
    from engine.model.replay import Repeats
    from engine.model.rope import Rotation
    from kernels.page_scores import Pages

STEP = 1024
"""Rows by which a cache grows at least; beyond four times that, by a quarter of what it has."""

NONE = Selection()
"""All rows are looked at."""


class KeyValues:
    """Keys and values of one layer, held as `held` holds them and grown as needed up to `capacity` rows."""

    def __init__(self, held: Held, capacity: int) -> None:
        self.held = held
        self.capacity = capacity
        self.queries: Tensor | None = None
        """The newest token's query heads, as they looked at keys [B, Hq, D]; in the last layer those of the newest
        whose logits were wanted. Those of every next token written take their place."""
        self.observe: Callable[[Tensor, int], None] | None = None
        """Told of each piece its queries [Hq, T, D], before they look at the rows: the newest T of so many."""

    @property
    def allocated(self) -> int:
        """Rows that there is memory for."""
        return self.held.allocated

    def bytes(self) -> int:
        return self.held.bytes()

    def store(self, keys: Tensor, values: Tensor, at: Place) -> Held:
        """Write [B, Hkv, T, D] to rows `at` to `at + T`; to one told by a tensor, T = 1, which there is memory for."""
        if not isinstance(at, Tensor) and at + keys.shape[2] > self.allocated:
            self.reserve(at + keys.shape[2], held=at)
        self.held.put(keys, values, at)
        return self.held

    def room_for(self, row: Place) -> Held:
        """Rows, with memory for `row` among them, as there is for one told by a tensor."""
        if not isinstance(row, Tensor) and row >= self.allocated:
            self.reserve(row + 1, held=row)
        return self.held

    def ready(self, row: int) -> Hashable:
        """A token is about to be written there: make room for it, and all that it needs of the rows before. What is
        returned stays the same as long as tokens find everything where it was, and go the same way."""
        self.room_for(row)
        return self.allocated

    def wrote(self, row: int) -> None:
        """A token was written there, perhaps by what was recorded of another."""

    def newest(self) -> tuple[Tensor | None, ...]:
        """What is kept of the newest token alone."""
        return (self.queries,)

    def renew(self, newest: tuple[Tensor | None, ...]) -> None:
        """What `newest` gave holds the newest token's again."""
        (self.queries,) = newest

    def take(self, tensors: dict[str, Tensor]) -> None:
        """Rows from 0 on become these of a text, as `Held.tensors` gave them."""
        count = tensors["keys"].shape[1]
        if count > self.allocated:
            self.reserve(count, held=0)
        self.held.take(tensors)

    def keys(self, head: int, count: int) -> Tensor:
        """Keys of one head of the first text, fp32 [count, D]."""
        return self.held.keys(head, count)

    def asked(self, queries: Tensor, count: int) -> None:
        """Queries of a piece [B, Hq, T, D], the newest of `count` rows, which are there."""
        if self.observe is not None:
            self.observe(queries[0], count)

    def looked(self, queries: Tensor) -> None:
        """Keep the query heads of the newest token read [B, Hq, D]."""
        if self.queries is None:
            self.queries = queries.to(torch.float32, copy=True)
        else:  # where a recorded token's operations put those of the tokens to come
            self.queries.copy_(queries)

    def expect(self, tokens: int) -> None:
        """What is read next belongs to a prompt of so many tokens."""

    def select(self, selection: Selection) -> bool:
        """Whether what is read and written from now on looks at this selection of rows; False: the layer cannot."""
        return False

    def reads_selected(self) -> bool:
        """Whether what is read next looks at a selection of rows."""
        return False

    def attend(self, q: Tensor, count: int, scale: float) -> Tensor:
        """Attention of queries [B, Hq, T, D], the newest of `count` rows."""
        return self.held.attend(q, count, scale)

    def selects(self, rows: int) -> bool:
        """Whether a token that is written as the last of so many rows looks at a selection of them."""
        return False

    def repeats(self) -> bool:
        """Whether every token that is written next goes the same way, whatever its row."""
        return True

    def keep(self, rows: Tensor) -> None:
        """Of one text: each head keeps these rows [Hkv, n], ascending, and gives up the others. ValueError: the layer
        gives up no such rows."""
        self.held.keep(rows)

    def bounds(self, at: Place) -> "tuple[Tensor, Pages] | None":
        """By which the token that becomes row `at` chooses pages of rows; None: it sees all, as one told by a tensor
        does."""
        return None

    def ran(self) -> dict[str, int]:
        """Calls of the layer, where it may do one thing or another."""
        return {}

    def trim(self, rows: int) -> None:
        """Rows from `rows` on will be written anew."""

    def reserve(self, rows: int, held: int) -> None:
        """Make room for `rows`, keeping the first `held`."""
        rows = max(rows, self.allocated + max(STEP, self.allocated // 4))
        self.held.grow(min(-(-rows // STEP) * STEP, self.capacity), held)


class Caches:
    """All layers' rows. `positions[row]` is the position that the row was read at, `next_pos` that of the next token:
    they differ from the row count as soon as rows are dropped, so neither is ever derived from it. Where heads have
    dropped rows of their own choice, a row that is not the same token's in all of them has position -1: `places` tells
    each head's."""

    def __init__(
        self,
        layers: Sequence["KeyValues | NsaRows | State"],
        rotation: "Rotation",
        capacity: int,
        batch: int,
        repeats: "Repeats | None" = None,
    ) -> None:
        self.layers = list(layers)
        self.rows = [rows for layer in layers for rows in _rows(layer)]
        """Of all layers that keep any, those of NSA's branches one after the other."""
        self.states = [layer for layer in layers if isinstance(layer, State)]
        self.rotation = rotation
        self.repeats = repeats
        """Of a token's operations over these rows; None: nothing is written."""
        self.capacity = capacity
        self.batch = batch
        self.selection = NONE
        """Of rows, which what is read and written looks at."""
        self.selecting = False
        """Whether some layer looked at a selection of rows for what was read or written last."""
        self.positions = array("q")
        self.next_pos = 0
        self.dropped = 0
        """Tokens that were read and whose rows are gone: of each head as many, not the same."""
        self._pruned: Places | None = None
        """Of the rows that were left when some were dropped last."""

    def __len__(self) -> int:
        return len(self.layers)

    def __iter__(self) -> Iterator[KeyValues]:
        """All that are rows."""
        return iter(self.rows)

    def __getitem__(self, layer: int) -> "KeyValues | NsaRows | State":
        return self.layers[layer]

    @property
    def device(self) -> torch.device:
        return self.rows[0].held.part(0, 0)[0].device

    @property
    def allocated(self) -> int:
        """Rows that there is memory for in every layer."""
        return min(layer.allocated for layer in self.rows)

    def ran(self) -> dict[str, int]:
        """Calls of layers over these, by what they did: lightning, sparse, dense; of models of one kind none."""
        counts = {"lightning": sum(state.ran for state in self.states)}
        for layer in self.rows:
            for what, count in layer.ran().items():
                counts[what] = counts.get(what, 0) + count
        return {what: count for what, count in counts.items() if count}

    def length(self) -> int:
        """Rows held in every layer."""
        return len(self.positions)

    @property
    def tokens(self) -> int:
        """That were read: those whose rows are gone as well."""
        return len(self.positions) + self.dropped

    @property
    def repeatable(self) -> bool:
        """As `KeyValues.repeats`, of all layers that keep rows."""
        return not self.selecting and all(layer.repeats() for layer in self.rows)

    def room(self) -> int:
        """Rows that still fit."""
        return self.capacity - len(self.positions)

    def bytes(self) -> int:
        return sum(layer.bytes() for layer in self.layers)

    def reserve(self, rows: int) -> None:
        """Make room for a text of known length at once, layer by layer: a saving, never needed."""
        for layer in self.rows:
            if layer.allocated < min(rows, self.capacity):
                layer.reserve(min(rows, self.capacity), held=self.length())

    def ready(self, row: int) -> Hashable:
        """As `KeyValues.ready`, of all layers that keep rows."""
        self.selecting = any(layer.selects(row + 1) for layer in self.rows)
        return tuple(layer.ready(row) for layer in self.rows)

    def wrote(self, row: int) -> None:
        """As `KeyValues.wrote`, of all layers."""
        for layer in (*self.rows, *self.states):
            layer.wrote(row)

    def newest(self) -> list[tuple[Tensor | None, ...]]:
        """As `KeyValues.newest`, of all layers that keep rows."""
        return [layer.newest() for layer in self.rows]

    def renew(self, newest: list[tuple[Tensor | None, ...]]) -> None:
        for layer, own in zip(self.rows, newest, strict=True):
            layer.renew(own)

    def expect(self, tokens: int) -> None:
        """What is read next belongs to a prompt of so many tokens, which decides how sparse layers see it."""
        for layer in self.rows:
            layer.expect(tokens)
        self.selecting = any(layer.reads_selected() for layer in self.rows)

    def select(self, selection: Selection) -> None:
        """What is read and written from now on looks at this selection of rows. ValueError: the layers cannot."""
        if selection == self.selection:
            return
        if self._pruned is not None:
            raise ValueError("rows were dropped, and a selection is of all")
        for layer in self.layers:
            if not isinstance(layer, KeyValues) or not layer.select(selection):
                raise ValueError("not every layer is dense, so none looks at a selection of rows")
        self.selection = selection
        if self.repeats is not None:
            self.repeats.clear()

    def advance(self, count: int) -> None:
        """Count `count` rows that every layer has stored. Called by the decoder after its last layer alone."""
        for state in self.states:
            state.commit()
        self.positions.extend(range(self.next_pos, self.next_pos + count))
        self.next_pos += count

    def places(self) -> Places:
        """Which token's each row is, and at which position it is turned, layer by layer and head by head."""
        pruned, heads = self._pruned, self.rows[0].held.part(0, 0)[0].shape[1]
        start = 0 if pruned is None else pruned.count
        later = Places.alike(len(self.rows), heads, self.positions[start:], start + self.dropped)
        return later if pruned is None else pruned.followed(later)

    @torch.inference_mode()
    def prune(self, rows: Tensor) -> None:
        """Keep of every layer and head these rows [layers, Hkv, n], ascending, and go on from the same position.

        Between pieces alone; states stay what they are. ValueError: a layer gives up no such rows, or there are several
        texts, or tokens look at a selection of rows, which is of all.
        """
        if self.batch != 1 or self.selection != NONE:
            raise ValueError("only rows of one text are dropped, with no selection of them")
        kept, before = self.places().taken(rows.cpu()), self.length()
        for layer, own in zip(self.rows, rows, strict=True):
            layer.keep(own)
        self._pruned = kept
        self.dropped += before - kept.count
        self.positions = kept.common()

    @torch.inference_mode()
    def renumber(self) -> None:
        """Turn keys on so that rows stand at positions 0, 1, ... of their own order, and go on behind them."""
        places, count = self.places(), self.length()
        moved = torch.arange(count, dtype=torch.int32) - places.positions  # [layers, Hkv, rows]
        for layer, own in zip(self.rows, moved, strict=True):
            layer.held.turn(*self.rotation.exact(own.to(self.device)))
        self._pruned = Places(places.tokens, torch.arange(count, dtype=torch.int32).expand_as(places.tokens))
        self.positions = self._pruned.common()
        self.next_pos = count

    @torch.inference_mode()
    def shrink(self, rows: int) -> None:
        """Give back the memory that is beyond what `rows` need, where it is more than growing so far could have taken:
        to make room for them over and over would cost more."""
        if self.allocated <= grown(rows):
            return
        wanted = min(-(-max(rows, self.length()) // STEP) * STEP, self.capacity)
        for layer in self.rows:
            if layer.allocated > wanted:
                layer.held.grow(wanted, self.length())
        if self.repeats is not None:
            self.repeats.clear()

    def trim(self, rows: int, states: Tensor | None = None) -> None:
        """Keep the first `rows` rows and go on from the position after the last of them.

        `states` [layers, H, D, D]: what lightning layers held then. They alone cannot go back by themselves, but to the
        start: ValueError. So it is before what was dropped: of the rows there no head has all.
        """
        if not 0 <= rows <= self.length():
            raise ValueError(f"cannot trim {self.length()} rows to {rows}")
        if self._pruned is not None and 0 < rows < self._pruned.count:
            raise ValueError("rows that were dropped do not come back")
        if self.states and states is None and 0 < rows < self.length():
            raise ValueError("lightning layers cannot go back without their states")
        if rows < self.length():
            for number, state in enumerate(self.states):
                state.clear() if states is None else state.put(states[number][None])
        for layer in self.rows:
            layer.trim(rows)
        del self.positions[rows:]
        if not rows:
            self.dropped, self._pruned = 0, None
        self.next_pos = self.positions[-1] + 1 if rows else 0


def grown(rows: int) -> int:
    """Rows that memory may be taken for where so many came one after the other."""
    return rows + rows // 4 + 2 * STEP


def _rows(layer: "KeyValues | NsaRows | State") -> Sequence[KeyValues]:
    if isinstance(layer, State):
        return ()
    return (layer,) if isinstance(layer, KeyValues) else layer.branches
