"""Reading a text in segments: what is not in memory or on disk is read, in batches, and kept."""

import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import torch

from engine.awake import awake_over
from engine.evidence.watches import Watches
from engine.memory.held import Form
from engine.memory.rows import SegmentRows
from engine.model.decoder import Decoder, Stopped
from engine.model.rope import Rotation
from engine.prompt import Placed
from engine.protocol import (
    Answered,
    Calibration,
    Done,
    Event,
    Failed,
    Finish,
    Note,
    Progress,
    ReadingSettings,
    SegmentUse,
    Usage,
)
from engine.reading.frame import Frame
from engine.reading.kept import Kept
from engine.reading.segments import Segment
from engine.tokenizer import Tokenizer
from engine.writing import Clock, Rate, Writer

REMEMBERED = 2
"""Answers whose segments count as recent."""


@dataclass
class Desk:
    """What all texts read in segments share, for the life of a loaded model."""

    decoder: Decoder
    tokenizer: Tokenizer
    rotation: Rotation
    calibration: Calibration
    piece: int
    kv_token: int
    kv_token_int8: int
    """Bytes of a token's keys and values, as the model computes them and as int8."""
    window: int = 0
    """Rows that an answer is written over at most, which may be fewer than the model was made for; 0: just as many."""
    watches: Watches | None = None
    """What looks at answers while they are written."""
    recent: deque[frozenset[str]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    """Keys of the segments that the last answers were written over."""

    def __post_init__(self) -> None:
        self.window = self.window or self.decoder.config.window


class Segmented:
    """One request over a text in segments, with the counts that its `Usage` is made of.

    `reading`, `writing`: tokens a second as of now, for the gauges. `began`: when it was taken up, `time.monotonic`.
    `texts`: of the frame's documents.
    """

    texts: Sequence[Placed] = ()

    def __init__(
        self,
        id: str,
        desk: Desk,
        frame: Frame,
        segments: Sequence[Segment],
        kept: Kept,
        settings: ReadingSettings,
        stopped: Callable[[], bool],
        began: float,
    ) -> None:
        self.id = id
        self.reading: float | None = None
        self.desk, self.frame, self.segments, self.settings = desk, frame, segments, settings
        self.stopped = stopped
        self.notes: list[Note] = []
        self.uses = [SegmentUse(number, one.places, one.own) for number, one in enumerate(segments, 1)]
        self.asked = 0
        self.clock = Clock()
        """Of its rates: other requests that are served in between count in none."""
        self.writer = Writer(id, began, stopped, self.clock)
        self.tail = self.tail_read = 0
        """Tokens of the conversation that are to be read behind the segments, and of them those that were."""
        self.form: Form = "model"
        self.recent = tuple(desk.recent)
        """As `Desk.recent` was: answers that others write meanwhile say nothing of this one."""
        self._kept = kept
        self._read = self._reused = self._reopened = 0
        self._seconds = 0.0

    @property
    def writing(self) -> float | None:
        return self.writer.now

    @property
    def total(self) -> int:
        return sum(len(segment.ids) for segment in self.segments)

    @property
    def documents(self) -> list[str]:
        """sha256 of each."""
        return [document.sha256 for document in self.frame.documents]

    def read(self) -> Iterator[Event]:
        """The whole text; ends with `Done`."""
        try:
            if (failed := self.choose_form()) is not None:
                yield failed
                return
            yield from self.read_missing()
        except Stopped:
            yield self.done("cancelled")
        else:
            yield self.done("read")

    def done(self, finish: Finish, result: Answered | None = None) -> Done:
        notes = (*self.notes, *self._kept.notes.values())
        return Done(self.id, finish, self.usage(), result, notes)

    def rows(self, number: int) -> SegmentRows:
        """Of segment `number`, which was read. Should they have been lost meanwhile, they are read again."""
        rows = self._kept.find(self.segments[number], self.form)
        return rows if rows is not None else self._read_batch([number])[0]

    def present(self) -> list[int]:
        """Numbers of the segments that are read already. They alone are used: the rest counts as unread."""
        began = time.monotonic()
        numbers = [number for number in range(len(self.segments)) if self._found(number)]
        self._used(began)
        return numbers

    def held(self) -> int:
        """Tokens of the segments that are read already, in the form in which most are; nothing is opened."""
        forms: tuple[Form, ...] = ("model", "int8") if self.settings.kv == "auto" else (self.settings.kv,)
        return max(sum(len(one.ids) for one in self.segments if self._kept.has(one, form)) for form in forms)

    def choose_form(self) -> Failed | None:
        """How rows are held: what is on disk in one form is used in it; else as the model computes them, or as int8
        when only that fits the memory. Fails when neither does and nothing may be kept on disk."""
        wanted, desk = self.settings.kv, self.desk
        if wanted == "auto":
            for form in ("model", "int8"):
                if all(self._kept.has(segment, form) for segment in self.segments):
                    self.form = form
                    return None
        budget = self._kept.pool.budget
        needed = {"model": self.total * desk.kv_token, "int8": self.total * desk.kv_token_int8}
        self.form = ("model" if needed["model"] <= budget else "int8") if wanted == "auto" else wanted
        if wanted == "auto" and self.form == "int8":
            self.notes.append(Note("kv_int8"))
        self._kept.begin(needed[self.form])
        if needed[self.form] > budget and not (self._kept.saves and "not_saved" not in self._kept.notes):
            message = "the rows of the text's segments do not fit the memory, and are not kept on disk"
            return Failed(self.id, "out_of_memory", message, None, needed[self.form], budget)
        return None

    def read_missing(self) -> Iterator[Event]:
        """Read every segment that is not kept yet."""
        missing, began = [], time.monotonic()
        for number in range(len(self.segments)):
            if not self._found(number):
                missing.append(number)
        self._used(began)
        yield Progress(self.id, "read", self._reused, self.total, self._reused)
        rate, began, to_read = Rate(self.clock), self.clock(), self.total - self._reused
        try:
            with awake_over(to_read):
                for batch in self._batches(missing):
                    self._read_batch(batch)
                    self._read += sum(len(self.segments[number].ids) for number in batch)
                    self._seconds = self.clock() - began
                    self.reading = rate.now(self._read) or self._read / max(self._seconds, 1e-9)
                    left, done = (to_read - self._read) / self.reading, self._reused + self._read
                    yield Progress(self.id, "read", done, self.total, self._reused, self.reading, left)
        finally:
            self.reading = None
        self._kept.finished(self.documents, self.segments, self.form)

    def usage(self) -> Usage:
        prompt = self.total + self.tail
        read = self._read + self.tail_read
        return Usage(
            prompt=prompt,
            read=read,
            reused=self._reused,
            written=self.writer.written,
            unread=prompt - read - self._reused,
            first_token=self.writer.first_token,
            reading_rate=self._read / self._seconds if self._read and self._seconds else None,
            writing_rate=self.writer.rate,
            window=self.desk.window,
            mode="parallel",
            reopened=self._reopened,
            segments=tuple(self.uses),
            asked=self.asked,
            kv=self.form,
        )

    def _found(self, number: int) -> bool:
        """Whether a segment is read already: then it is open now, and counts as known."""
        if self.stopped():
            raise Stopped
        segment = self.segments[number]
        if self._kept.find(segment, self.form) is None:
            return False
        self._reused += len(segment.ids)
        self._reopened += len(segment.ids) * self._kept.reopened(segment)
        return True

    def _used(self, began: float) -> None:
        self._kept.used(self.documents, self.form, time.monotonic() - began if self._reopened else None)

    def _batches(self, numbers: Sequence[int]) -> Iterator[list[int]]:
        """Segments that are read at once: as many as a piece has room for, of like lengths."""
        batch: list[int] = []
        for number in numbers:
            length = max(len(self.segments[n].ids) for n in [*batch, number])
            if batch and length * (len(batch) + 1) > self.desk.piece:
                yield batch
                batch = []
            batch.append(number)
        if batch:
            yield batch

    def _read_batch(self, numbers: Sequence[int]) -> list[SegmentRows]:
        decoder, piece = self.desk.decoder, self.desk.piece
        lengths = [len(self.segments[number].ids) for number in numbers]
        longest = max(lengths)
        ids = np.zeros((len(numbers), longest), np.int64)  # what stands behind a shorter one is seen by none of it
        for row, number in enumerate(numbers):
            ids[row, : lengths[row]] = self.segments[number].ids
        tokens = torch.from_numpy(ids).to(decoder.device)
        caches = decoder.make_caches(longest, len(numbers))
        caches.rotation = self.desk.rotation  # by the window: what is asked and joined is turned so as well
        caches.reserve(longest)
        for start in range(0, longest, piece):
            decoder.read(tokens[:, start : start + piece], caches, logits="none", stopped=self.stopped)
        made = []
        for row, number in enumerate(numbers):
            rows = SegmentRows.taken(caches, row, lengths[row], self.form)
            self._kept.add(self.segments[number], rows)
            made.append(rows)
        return made
