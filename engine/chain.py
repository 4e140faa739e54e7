"""The chain of token ids whose rows, and in lightning layers whose states, are in memory.

A new prompt shares its longest common prefix with the chain and only the rest is read: this is what makes a second
question cheap. What was read before a cancel stays read. States cannot be rewound, so with lightning layers a prompt
begins where a copy of them was taken: at the end of a document, at the end of a prompt, or on the way.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import torch
from torch import Tensor

from engine.memory.caches import NONE, Caches
from engine.memory.held import Form
from engine.memory.rows import SegmentRows
from engine.memory.states import COPIES, STEP, Copies
from engine.model.decoder import Decoder, never
from engine.protocol import Eviction, Selection
from engine.reading.eviction.pruning import Pruning
from engine.tokenizer import Ids

Regime = Literal["", "dense", "sparse"]
"""How sparse layers saw the prompt that rows are of; "": it makes no difference to them."""

APART = 1024
"""Tokens between two ends of documents, at least, for a copy to be taken at the second: pieces are long for speed."""


Prune = Callable[[Caches], Pruning]


class Chain:
    """`window`: tokens that it may hold. `form`: of rows. `copies`: bytes that copies of states may take. `prune`: what
    makes ready what decides which rows are kept; else all are. Tokens are counted whether their rows are kept or not.
    """

    def __init__(
        self,
        decoder: Decoder,
        window: int,
        form: Form = "model",
        copies: int = COPIES,
        prune: Prune | None = None,
    ) -> None:
        self.window = window
        self.form = form
        self.documents: frozenset[str] = frozenset()
        """sha256 of the documents whose text may be in it."""
        self._decoder = decoder
        self._caches = decoder.make_caches(window, form=form)
        self.pruning = prune(self._caches) if prune is not None else None
        self._ids = np.zeros(window, np.int32)
        self._copies = Copies(copies)
        self._sparsely = False
        """Whether the last prompt was read by choosing blocks."""
        self._exact: int | None = None
        """Rows before the first that a selection of rows has made, and whatever came after: those behind are
        approximations, of use to requests of the same selection alone. None: all are exact."""
        self._made_by = NONE

    def __len__(self) -> int:
        """Tokens, those whose rows are gone included."""
        return self._caches.length() + self._caches.dropped

    @property
    def how(self) -> Eviction | None:
        """What of its rows is kept; None: all."""
        return None if self.pruning is None else self.pruning.how

    @property
    def endless(self) -> bool:
        """Whether more tokens than the window holds may follow each other."""
        return self.pruning is not None and self.pruning.endless

    @property
    def full(self) -> bool:
        """Whether no more can be written."""
        return not self.endless and len(self) == self.window

    @property
    def caches(self) -> Caches:
        return self._caches

    def bytes(self) -> int:
        """Of the device's memory. Copies of states are in the computer's own, which is the same on a CPU."""
        return self._caches.bytes() + self._copied()

    def state_bytes(self) -> int:
        """Of `bytes`, those of states and their copies."""
        return sum(state.bytes() for state in self._caches.states) + self._copied()

    def bytes_of(self, count: int) -> int:
        """What `count` rows take with the states that are kept of them; there is memory for more than are held."""
        rows = sum(layer.bytes() for layer in self._caches.rows)
        kept = sum(place < count for place in self._copies.places) + 1
        return rows * count // max(1, self._caches.allocated) + kept * self._decoder.config.state_bytes

    @property
    def exact(self) -> int:
        """Rows that are as the model makes them when it looks at all others."""
        return len(self) if self._exact is None else self._exact

    def select(self, selection: Selection) -> None:
        """What is read and written from now on looks at this selection of rows. ValueError: the layers cannot."""
        self._caches.select(selection)

    @property
    def ids(self) -> Ids:
        return self._ids[: len(self)]

    @property
    def ran(self) -> dict[str, int]:
        """Calls of layers so far, by what they did."""
        return self._caches.ran()

    def common(self, ids: Ids) -> int:
        """Tokens at the start of `ids` that are in memory."""
        count = min(len(ids), len(self))
        different = np.flatnonzero(self._ids[:count] != ids[:count])
        return int(different[0]) if different.size else count

    def usable(self, ids: Ids, most: int | None = None, selection: Selection | None = None) -> int:
        """Tokens at the start of a prompt that need not be read again; `most`: of them are wanted. `selection`: of a
        request that comes; None: of the one that goes on."""
        common = self.common(ids) if most is None else min(self.common(ids), most)
        if self.pruning is not None:
            return self._usable_pruned(self.pruning, common, len(ids))
        if (self._caches.selection if selection is None else selection) != self._made_by:
            common = min(common, self.exact)
        return self._before(self._alike(common, len(ids)))

    def _alike(self, common: int, prompt: int) -> int:
        """Of the first `common` tokens, those that a prompt of so many would have read in the same way."""
        sparse = self._decoder.config.sparse
        if self.regime(prompt, common) == self.saved_as(common):
            return common
        assert sparse is not None
        return sparse.alike

    def _before(self, common: int) -> int:
        """The last place up to there to which one may go back."""
        if not self._caches.states or common == len(self):
            return common
        return self._copies.before(common)

    def _usable_pruned(self, pruning: Pruning, common: int, prompt: int) -> int:
        common = self._before(pruning.usable(self._alike(common, prompt), prompt, len(self)))
        return common if common >= pruning.cut else 0

    def regime(self, prompt: int, count: int) -> Regime:
        """Of the first `count` rows of a prompt of so many tokens."""
        sparse = self._decoder.config.sparse
        if sparse is None or count <= sparse.alike or sparse.dense_below <= sparse.alike:
            return ""
        return "sparse" if prompt >= sparse.dense_below else "dense"

    def saved_as(self, count: int) -> Regime:
        """Of the first `count` rows that are held."""
        sparse = self._decoder.config.sparse
        return self.regime(sparse.dense_below if sparse is not None and self._sparsely else 0, count)

    def holds(self, count: int) -> bool:
        """Whether the first `count` tokens can be had without those behind them."""
        return not self._caches.states or count == len(self) or count in self._copies

    def take(self, ids: Ids, tensors: dict[str, Tensor], regime: Regime = "") -> None:
        """Hold rows that were saved, instead of what is held: `ids` with `keys` and `values` [L, Hkv, R, D], those of a
        chain of bytes with their scales, and where there are lightning layers `states` [N, layers, H, D, D] at `places`
        [N], the last of which is the end."""
        self._empty(len(ids))
        saved = SegmentRows.of(tensors).tensors()
        for number, layer in enumerate(self._caches):
            layer.take({name: tensor[number] for name, tensor in saved.items()})
        self._caches.advance(len(ids))
        if self._caches.states:
            for place, states in zip(tensors["places"].tolist(), tensors["states"], strict=True):
                self._copies.put(place, "border", states.clone())
            for state, saved in zip(self._caches.states, tensors["states"][-1], strict=True):
                state.put(saved[None])
        self._ids[: len(ids)] = ids
        self._sparsely = regime == "sparse"

    def copy(self, other: "Chain", count: int) -> None:
        """Hold the first `count` rows of another chain of the same form that keeps all of its rows, and has no states,
        instead of what is held."""
        self._empty(count)
        for own, theirs in zip(self._caches, other.caches, strict=True):
            own.take(theirs.held.tensors(0, count))
        self._caches.advance(count)
        self._ids[:count] = other.ids[:count]

    def rows(self, count: int) -> dict[str, Tensor]:
        """Copies of the first `count` rows, as `take` takes them. With lightning layers `count` is a place that
        `usable` has given, or all: else KeyError."""
        tensors = SegmentRows.taken(self._caches, 0, count, self.form).tensors()
        if self._caches.states:
            places = [at for at in self._copies.places if at < count and self._copies.kind(at) == "border"]
            last = self._now() if count == len(self) else self._copies.copy(count)
            tensors["states"] = torch.stack([*(self._copies.copy(at) for at in places), last])
            tensors["places"] = torch.tensor([*places, count], dtype=torch.int32)
        return tensors

    def keep(self, count: int) -> None:
        """Forget all but the first `count` tokens, which `usable` has given."""
        going_back = self._caches.states and 0 < count < len(self)
        if self.pruning is not None:
            self.pruning.keep(count, len(self))
        rows = count - self._caches.dropped if count else 0
        self._caches.trim(rows, self._copies.copy(count) if going_back else None)
        self._copies.trim(count)
        if self._exact is not None and count <= self._exact:
            self._exact = None

    def release(self) -> None:
        """Hold nothing, and no memory either."""
        if self.pruning is not None:
            self.pruning.before()
        self.keep(0)
        self._caches.shrink(0)

    def read(
        self,
        ids: Ids,
        piece: int,
        *,
        answer: bool,
        borders: Sequence[int] = (),
        stopped: Callable[[], bool] = never,
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Read ids after what is held, a piece at a time: tokens read so far, and with the last piece of a prompt that
        wants an answer float32 logits [vocab] of its last token. `borders`: where in the whole prompt documents end.
        `Stopped` may be raised; whole pieces stay read."""
        began, whole = len(self), len(self) + len(ids)
        sparse = self._decoder.config.sparse
        self._sparsely = sparse is not None and whole >= sparse.dense_below
        if self.pruning is not None:
            about = (self.pruning, ids, piece, borders)
            yield from self._read_pruned(*about, answer=answer, stopped=stopped)
            return
        self._caches.reserve(whole)
        marks = self._marks(began, whole, borders)
        for first, last in pairwise([began, *marks, whole]):
            for start in range(first, last, piece):
                part = ids[start - began : min(start + piece, last) - began]
                ends = start + len(part) == whole
                logits = self._piece(part, whole, answer and ends, stopped)
                if len(self) == last:
                    self._copy(len(self), borders, whole)
                yield len(self) - began, logits

    def write(self, id: int) -> Tensor:
        """Read one written token; float32 logits [vocab] of the next."""
        token = torch.tensor([id], device=self._decoder.device)
        logits = self._decoder.write(token, self._caches)
        self._note(np.array([id], np.int32))
        if self.pruning is not None:
            self.pruning.wrote()
            self._mark(self.pruning, here=False)
        return logits[0]

    def _empty(self, count: int) -> None:
        """Hold nothing, with room for so many rows, which are read elsewhere."""
        self._caches.trim(0)
        self._copies.trim(0)
        self._exact = None
        if self.pruning is not None:
            self.pruning.took()
        self._caches.reserve(count)

    def _read_pruned(
        self,
        pruning: Pruning,
        ids: Ids,
        piece: int,
        borders: Sequence[int],
        *,
        answer: bool,
        stopped: Callable[[], bool],
    ) -> Iterator[tuple[int, Tensor | None]]:
        """As `read`: rows are given up between pieces, and at the end. What an answer's prompt begins with may be read
        before the rest is known: so where rows go at the end alone, it is that of the whole prompt."""
        began, whole, done = len(self), len(self) + len(ids), 0
        pruning.plan(whole)
        self._caches.reserve(pruning.rows(self._caches.length() + len(ids), piece))
        for last in (*self._marks(began, whole, borders), whole):
            while done < last - began:
                part = ids[done : min(done + pruning.piece(piece), last - began)]
                ends = done + len(part) == len(ids)
                with pruning.watching():
                    logits = self._piece(part, whole, answer and ends, stopped)
                pruning.read(ended=ends and (answer or not pruning.at_end))
                done += len(part)
                self._mark(pruning, here=len(self) == last, borders=borders, whole=whole)
                yield done, logits

    def _mark(self, pruning: Pruning, *, here: bool, borders: Sequence[int] = (), whole: int | None = None) -> None:
        """One may go back to where rows went last, and to `here`; no further than that."""
        if not here and not pruning.cut == len(self) > 0:
            return
        if self._caches.states:
            self._copies.forget(pruning.cut)
            self._copy(len(self), borders, len(self) if whole is None else whole)
        pruning.policy.mark(len(self))

    def _piece(self, part: Ids, whole: int, answer: bool, stopped: Callable[[], bool]) -> Tensor | None:
        tokens = torch.from_numpy(part.astype(np.int64)).to(self._decoder.device)[None]
        wanted: Literal["last", "none"] = "last" if answer else "none"
        logits = self._decoder.read(tokens, self._caches, logits=wanted, prompt=whole, stopped=stopped)
        self._note(part)
        return None if logits is None else logits[0]

    def _note(self, ids: Ids) -> None:
        """These were read last."""
        if len(self) > len(self._ids):  # of a text without an end
            self._ids = np.concatenate((self._ids, np.zeros(max(len(self._ids), len(ids)), np.int32)))
        first = len(self) - len(ids)
        self._ids[first : len(self)] = ids
        if self._caches.selecting and self._exact is None:
            self._exact, self._made_by = first, self._caches.selection

    def _marks(self, began: int, whole: int, borders: Sequence[int]) -> list[int]:
        """Where copies of the states are taken within what is read."""
        if not self._caches.states:
            return []
        sparse = self._decoder.config.sparse
        wanted = {max(borders, default=0), *range((began // STEP + 1) * STEP, whole, STEP)}
        if sparse is not None and not self._sparsely:
            wanted.add(sparse.alike)  # what a longer prompt will go back to
        marks, last = [], began
        for place in sorted({*borders, *wanted}):
            if began < place < whole and (place in wanted or place - last >= APART):
                marks.append(place)
                last = place
        return marks

    def _copy(self, at: int, borders: Sequence[int], whole: int) -> None:
        if self._caches.states:
            kind: Literal["border", "prompt", "step"] = "prompt" if at == whole else "step"
            self._copies.keep(at, "border" if at in borders else kind, self._caches.states)

    def _copied(self) -> int:
        return self._copies.bytes() if self._decoder.device.type == "cpu" else 0

    def _now(self) -> Tensor:
        """All layers' states as they are [layers, H, D, D]."""
        return torch.stack([state.now[0] for state in self._caches.states]).cpu()
