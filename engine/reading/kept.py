"""Where segments' rows are between questions: in memory, and on disk when readings are saved."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

import torch

from engine.memory.held import Form
from engine.memory.pool import Pool
from engine.memory.rows import SegmentRows
from engine.memory.store import Block, Made, NotSaved, Store
from engine.memory.store.made import key
from engine.protocol import Note
from engine.reading.segments import Segment


class Kept:
    """`made(form)`: all that rows depend on beside their tokens. `store` None: nothing is written, nothing opened.

    Blocks that are open stay so, mapped and checked once, until `close`.
    """

    def __init__(self, pool: Pool, store: Store | None, made: Callable[[Form], Made], device: torch.device) -> None:
        self.pool = pool
        self.notes: dict[str, Note] = {}
        """Of the request that is worked on."""
        self._opened_now: set[str] = set()
        """Keys of the segments that this request took from disk."""
        self._store = store
        self._made = made
        self._device = device
        self._open: dict[tuple[str, Form], tuple[Block, SegmentRows]] = {}

    def take_up(self) -> None:
        """Another request begins."""
        self.notes = {}
        self._opened_now.clear()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """While another request is worked on."""
        known = self.notes, set(self._opened_now)
        try:
            yield
        finally:
            self.notes, self._opened_now = known

    @property
    def saves(self) -> bool:
        return self._store is not None

    def begin(self, needed: int) -> None:
        """A reading of so many bytes is about to be made: when it can never be kept whole, none of it is begun."""
        if self._store is not None:
            with self._noting():
                self._store.begin(needed)

    def used(self, documents: Sequence[str], form: Form, seconds: float | None) -> None:
        """A reading was used, and opening it took so long; None: it was open."""
        if self._store is not None:
            self._store.used(self._made(form), tuple(documents), seconds)

    def has(self, segment: Segment, form: Form) -> bool:
        """Without opening anything."""
        if self.pool.get(segment.key, form) is not None or (segment.key, form) in self._open:
            return True
        return self._store is not None and self._store.has(self._made(form), segment.ids)

    def find(self, segment: Segment, form: Form) -> SegmentRows | None:
        """The segment's rows in this form. Those on disk as the model computes them are taken into memory as int8,
        when that is asked for; never the reverse."""
        rows = self.pool.get(segment.key, form)
        if rows is None:
            rows = self._opened(segment, form)
        if rows is None and form == "int8":
            whole = self.pool.get(segment.key, "model") or self._opened(segment, "model")
            if whole is not None:
                rows = whole.packed()
                self.pool.put(segment.key, rows)
                self.notes["reading_int8"] = Note("reading_int8")
        return rows

    def reopened(self, segment: Segment) -> bool:
        """Whether the rows that `find` gave came from disk just now."""
        return segment.key in self._opened_now

    def add(self, segment: Segment, rows: SegmentRows) -> None:
        """Rows that were just read: into memory, and to disk as well. What cannot be saved is noted, and lives on in
        memory alone."""
        self.pool.put(segment.key, rows)
        self._save(segment, rows)

    def finished(self, documents: Sequence[str], segments: Sequence[Segment], form: Form) -> None:
        """All segments of these documents are read: that is a reading, once all of it is on disk."""
        if self._store is None:
            return
        made = self._made(form)
        for segment in segments:
            # What was read while nothing was to be saved
            if not self._store.has(made, segment.ids) and (rows := self.pool.get(segment.key, form)) is not None:
                self._save(segment, rows)
        if "not_saved" in self.notes or not all(self._store.has(made, segment.ids) for segment in segments):
            return
        keys = [key(made, segment.ids) for segment in segments]
        with self._noting():
            self._store.keep(made, tuple(documents), keys, sum(segment.own for segment in segments))

    def _save(self, segment: Segment, rows: SegmentRows) -> None:
        if self._store is not None and "not_saved" not in self.notes:
            with self._noting():
                self._store.put(self._made(rows.form), segment.ids, rows.tensors())

    @contextmanager
    def _noting(self) -> Iterator[None]:
        try:
            yield
        except NotSaved as problem:
            self.notes["not_saved"] = Note(problem.code, problem.values)

    def close(self) -> None:
        for block, _ in self._open.values():
            block.close()
        self._open.clear()

    def _opened(self, segment: Segment, form: Form) -> SegmentRows | None:
        known = self._open.get((segment.key, form))
        if known is not None:
            return known[1]
        if self._store is None:
            return None
        before = self._store.damaged
        block = self._store.get(self._made(form), segment.ids)
        tensors = block.open() if block is not None else None
        if self._store.damaged > before:
            count = int(self.notes["reading_damaged"].values["segments"]) if "reading_damaged" in self.notes else 0
            self.notes["reading_damaged"] = Note("reading_damaged", {"segments": str(count + 1)})
        if block is None or tensors is None:
            return None
        self._opened_now.add(segment.key)
        rows = SegmentRows.of(tensors)
        if self._device.type == "cpu":
            self._open[segment.key, form] = block, rows
        else:  # a card's memory is no file's, and is counted like what was read
            rows = rows.to(self._device)
            self.pool.put(segment.key, rows)
            block.close()
        return rows
