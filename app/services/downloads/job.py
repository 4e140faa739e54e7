"""One download under way: how far it is, and whether it is to go on. Made for a thread of its own."""

import threading
import time
from collections.abc import Callable
from typing import Literal

from app.data.model import Download
from app.services.downloads.fetched import Rate

REPORTS_EVERY = 0.2
"""Seconds between two reports of a number that grows."""

State = Literal["running", "paused", "checking", "done", "failed"]


class Stopped(Exception):
    """The person has had enough."""


class Job:
    """`done` of `total` bytes of the model `name`; `report` is called in the job's thread, and not after `stop`."""

    def __init__(self, name: str, total: int, report: Callable[[Download], None]) -> None:
        self.name = name
        self.done, self.total = 0, total
        self.cut: Callable[[], None] | None = None
        """Breaks off the connection that is being waited on."""
        self._report = report
        self._stopped = threading.Event()
        self._rate = Rate()
        self._reported = 0.0

    def stop(self) -> None:
        """Let the thread end, from another one: a connection that it waits on is cut."""
        self._stopped.set()
        if (cut := self.cut) is not None:
            cut()

    def is_stopped(self) -> bool:
        return self._stopped.is_set()

    def check(self) -> None:
        """Raises `Stopped` when it is not to go on."""
        if self._stopped.is_set():
            raise Stopped

    def pause(self, seconds: float) -> None:
        self._stopped.wait(seconds)
        self.check()

    def advance(self, count: int) -> None:
        """So many more bytes are there."""
        self.check()
        self.done += count
        if time.monotonic() - self._reported >= REPORTS_EVERY:
            self.say("running")

    def say(self, state: State) -> None:
        if not self._stopped.is_set():
            self._reported = time.monotonic()
            self._report(self.said(state))

    def said(self, state: State, problem: str = "") -> Download:
        rate = self._rate.at(time.monotonic(), self.done) if state == "running" else None
        left = (self.total - self.done) / rate if rate else None
        return Download(self.name, state, self.done, self.total, rate, left, problem)
