"""The decode loop: logits to a token to logits, with what is counted on the way."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from torch import Tensor

from engine.answer import Answer
from engine.evidence.watch import Watch
from engine.model.decoder import Stopped
from engine.protocol import Event

SMOOTHED = 2.0
"""Seconds over which a rate is averaged."""
KNOWN_AFTER = 0.2
"""Seconds before a rate says anything."""

Seconds = Callable[[], float]


class Clock:
    """Seconds, but those in which something else was done."""

    def __init__(self, seconds: Seconds = time.monotonic) -> None:
        self._seconds = seconds
        self._aside = 0.0

    def __call__(self) -> float:
        return self._seconds() - self._aside

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Meanwhile it stands still."""
        began = self._seconds()
        try:
            yield
        finally:
            self._aside += self._seconds() - began


class Rate:
    """Tokens a second over the last two seconds."""

    def __init__(self, clock: Seconds) -> None:
        self._clock = clock
        self._seen = deque([(clock(), 0)])

    def now(self, done: int) -> float | None:
        at = self._clock()
        self._seen.append((at, done))
        while len(self._seen) > 2 and self._seen[1][0] <= at - SMOOTHED:
            self._seen.popleft()
        since, before = self._seen[0]
        return (done - before) / (at - since) if at - since >= KNOWN_AFTER else None


class Rows(Protocol):
    """What is written onto: rows in memory."""

    @property
    def full(self) -> bool:
        """Whether no more can be written."""
        ...

    def write(self, id: int) -> Tensor:
        """Read one written token; float32 logits [vocab] of the next."""
        ...


class Writer:
    """`began`: when the request was taken up, by `time.monotonic`. `served`: seconds in which it was worked on. `now`:
    tokens a second, None when not writing."""

    def __init__(self, id: str, began: float, stopped: Callable[[], bool], served: Seconds) -> None:
        self.written = 0
        self.first_token: float | None = None
        self.now: float | None = None
        self.clock = Clock(served)
        """Of its rates: aside goes what the request does besides writing."""
        self._id = id
        self._began = began
        self._stopped = stopped
        self._seconds = 0.0

    @property
    def rate(self) -> float | None:
        return self.written / self._seconds if self.written and self._seconds else None

    def write(self, answer: Answer, logits: Tensor, rows: Rows, watch: Watch | None = None) -> Iterator[Event | None]:
        """Tokens until the answer is finished: `answer.finish` says why. None stands for the border before the next.
        `watch` looks at what they are chosen by. Raises Stopped."""
        rate, began = Rate(self.clock), self.clock()
        if answer.limit is not None and answer.limit <= 0:
            answer.finish = "length"
            return
        try:
            while True:
                if self._stopped():
                    raise Stopped
                before, count = len(answer.text), len(answer.ids)
                text = answer.next(logits)
                if len(answer.ids) == count:  # it was the end
                    return
                self.written += 1
                if self.first_token is None:
                    self.first_token = time.monotonic() - self._began
                self._seconds = self.clock() - began
                self.now = rate.now(self.written)
                if watch is not None:
                    watch.token(text, before)
                yield from answer.deltas(self._id, text)
                if text and watch is not None:
                    yield from watch.written(text)
                if answer.finish is None and (self.written == answer.limit or rows.full):
                    answer.finish = "length"
                if answer.finish is not None:
                    return
                yield None
                logits = rows.write(answer.ids[-1])
        finally:
            self.now = None
