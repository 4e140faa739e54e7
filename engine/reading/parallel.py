"""Answering from a text in segments (ParallelComp, arXiv 2502.14317, with its code's faults mended).

Every segment is asked; those that explain the question best are joined, and the conversation is read and answered over
them. Nothing of a segment is read again at a question, unless the join is `reread`.
"""

from collections.abc import Generator, Iterator, Sequence

import numpy as np
import torch
from msgspec.structs import replace
from torch import Tensor

from engine.answer import Answer
from engine.evidence.watch import Watch
from engine.generate import ROOM
from engine.model.decoder import Stopped
from engine.protocol import Event, Failed, Join, Note, Progress, Usage
from engine.reading import budget
from engine.reading.asking import surprises
from engine.reading.joining import join
from engine.reading.segmented import Segmented
from engine.reading.selection import lead, likely, select

HISTORY = 64
"""Tokens of what went before, at most, that a question is put to the segments with when it says too little alone."""


class Parallel(Segmented):
    """A question over segments."""

    _join: Join | None = None
    _watch: Watch | None = None

    def answer(self, answer: Answer, *, only_read: bool) -> Iterator[Event | None]:
        """Read what is missing, ask every segment, write over the best; ends with `Done` and `Answered`.

        `only_read`: asks only the segments that are read already.
        """
        if (failed := self.choose_form()) is not None:
            yield failed
            return
        self.tail = len(self.frame.tail)
        try:
            numbers: Sequence[int] = range(len(self.segments))
            if only_read:
                numbers = self.present()
            else:
                yield from self.read_missing()
            yield from self._ask(numbers)
            kept = self._select(answer.limit)
            if isinstance(kept, Failed):
                yield kept
                return
            yield from self._write(kept, answer)
        except Stopped:
            answer.finish = "cancelled"
        yield from answer.deltas(self.id, text := answer.rest(), last=True)
        if self._watch is not None:
            yield from self._watch.ended(text)
        yield self.done(answer.finish or "complete", answer.answered())

    def usage(self) -> Usage:
        return replace(super().usage(), join=self._join)

    def _ask(self, numbers: Sequence[int]) -> Iterator[Event]:
        frame = self.frame
        first, last = frame.words if frame.words[1] > frame.words[0] else (frame.last, len(frame.tail))
        if self.settings.asked is not None and self.settings.asked < len(numbers):
            best = likely([self.segments[n] for n in numbers], frame.tail[first:last], self.settings.asked)
            numbers = sorted({numbers[at] for at in best} | self._recent().intersection(numbers))
            self.notes.append(Note("asked_some", {"asked": str(len(numbers)), "segments": str(len(self.segments))}))
        alone = yield from self._put(numbers, frame.last, (first, last), before=0)
        if frame.last and lead(alone) <= self.desk.calibration.gap:
            # "And the first one?" fits no segment better than another. With what went before it may; but a question
            # that was asked before is likely after itself, whatever the segment, so what fits better counts
            begin = max(0, frame.last - HISTORY)
            together = yield from self._put(numbers, begin, (first, last), before=len(numbers))
            if lead(together) <= lead(alone):
                self._score(numbers, alone)

    def _put(
        self, numbers: Sequence[int], begin: int, words: tuple[int, int], *, before: int
    ) -> Generator[Event, None, list[float]]:
        """Put the tail from `begin` to the end of the question's words to these segments; how each explains the words.
        `before`: segments that were asked in an earlier pass."""
        first, last = words
        tail = self._tensor(self.frame.tail[begin:last])
        yield Progress(self.id, "ask", before, before + len(numbers))
        desk, span, scores = self.desk, (first - begin, last - begin), []
        # A batch's rows are looked up when its turn comes: not all need be in memory at once
        rows = _Lazily(self, numbers)
        for score in surprises(desk.decoder, rows, tail, span, rotation=desk.rotation, stopped=self.stopped):
            scores.append(score)
            self._score(numbers[len(scores) - 1 : len(scores)], [score])
            self.asked = max(self.asked, len(scores))
            yield Progress(self.id, "ask", before + len(scores), before + len(numbers))
        return scores

    def _score(self, numbers: Sequence[int], scores: Sequence[float]) -> None:
        for number, score in zip(numbers, scores, strict=True):
            self.uses[number] = replace(self.uses[number], score=score)

    def _select(self, limit: int | None) -> list[int] | Failed:
        """`limit`: tokens of the answer."""
        settings, calibration = self.settings, self.desk.calibration
        window, tail = self.desk.window, len(self.frame.tail)
        ahead = tail + (ROOM if limit is None else min(limit, ROOM))
        sizes = [len(segment.ids) for segment in self.segments]
        scores = [use.score for use in self.uses]

        def within(room: int) -> list[int]:
            return select(scores, sizes, calibration, keep=settings.keep, room=room, recent=self._recent())

        kept = within(window - ahead)
        if not kept and any(score is not None for score in scores):
            needed = ahead + min(size for size, score in zip(sizes, scores, strict=True) if score is not None)
            message = "the conversation leaves no room for a segment"
            return Failed(self.id, "too_long", message, None, needed, window)
        wanted = settings.keep
        if wanted is None:  # as many as there would be room for without what went before
            wanted = len(within(window - ahead + self.frame.last))
        if len(kept) < min(wanted, sum(score is not None for score in scores)):
            self.notes.append(Note("history_long", {"kept": str(len(kept)), "asked": str(wanted)}))
        return kept

    def _write(self, kept: Sequence[int], answer: Answer) -> Iterator[Event | None]:
        desk, tail = self.desk, self.frame.tail
        how: Join = desk.calibration.join if self.settings.join == "auto" else self.settings.join
        self._join = how
        parts, rows = [self.segments[number] for number in kept], [self.rows(number) for number in kept]
        chosen = [None if how == "reread" else self._budget(number) for number in kept]
        if how == "reread" and (self.settings.budget < 1 or self.settings.calibrate):
            self.notes.append(Note("reread_whole"))
        for number, part in zip(kept, chosen, strict=True):
            count = len(self.segments[number].ids) if part is None else part.shape[2]
            self.uses[number] = replace(self.uses[number], kept=True, rows=count)
        desk.recent.append(frozenset(segment.key for segment in parts))
        ahead = len(tail) + ROOM
        if parts:
            before, asked = tail[: self.frame.last], tail[self.frame.last :]
            joined = join(desk.decoder, parts, rows, chosen, how, ahead, desk.piece, self.stopped, before=before)
            joined.window = min(joined.window, max(desk.window, len(joined) + ahead))
            logits = joined.read(asked, self.stopped)
        else:  # nothing of the text is read: what is said of it is said without it
            joined = join(desk.decoder, [], [], [], how, ahead, desk.piece)
            logits = joined.read(np.concatenate((self.frame.preamble, tail)), self.stopped)
        self.tail_read = len(tail)
        if desk.watches is not None and self.settings.evidence:
            nats = [score for number in kept if (score := self.uses[number].score) is not None]  # all were asked
            about = (joined, parts, nats, chosen, self.texts, self.settings.evidence)
            self._watch = desk.watches.segments(self.id, *about)
        yield from self.writer.write(answer, logits, joined, self._watch)

    def _budget(self, number: int) -> Tensor | None:
        """Rows of a kept segment that are joined; None: all."""
        settings, desk, frame = self.settings, self.desk, self.frame
        if settings.budget >= 1 and not settings.calibrate:
            return None
        tail = self._tensor(frame.tail[frame.last : max(frame.words[1], frame.last + 1)])
        attended = budget.attention(desk.decoder, self.rows(number), tail, desk.rotation)
        config = desk.decoder.config
        return budget.chosen(
            attended,
            settings.budget,
            self.segments[number].preamble,
            config.heads // config.kv_heads,
            calibrate=settings.calibrate,
        )

    def _recent(self) -> set[int]:
        known = frozenset().union(*self.recent)
        return {number for number, segment in enumerate(self.segments) if segment.key in known}

    def _tensor(self, ids: np.ndarray) -> Tensor:
        return torch.from_numpy(ids.astype(np.int64)).to(self.desk.decoder.device)


class _Lazily(Sequence):
    """Rows of some segments, looked up when they are taken."""

    def __init__(self, task: Segmented, numbers: Sequence[int]) -> None:
        self._task, self._numbers = task, numbers

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, at):
        if isinstance(at, slice):
            return [self._task.rows(number) for number in self._numbers[at]]
        return self._task.rows(self._numbers[at])
