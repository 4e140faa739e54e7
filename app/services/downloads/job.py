"""One download under way: how far it is, and whether it is to go on. Made for a thread of its own."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from typing import Literal, TypeVar

from app.data.model import Download
from app.services.downloads.fetched import Rate
from app.services.problem import Problem

REPORTS_EVERY = 0.2
"""Seconds between two reports of a number that grows."""

T = TypeVar("T")
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


async def in_thread(name: str, total: int, on_progress: Callable[[Download], None], work: Callable[[Job], T]) -> T:
    """What `work` gives, in a thread of its own. Its reports, and how it ended badly, are heard in this one.

    Cancelling is heard at once: the thread is let go, and ends when it next looks.
    """
    loop = asyncio.get_running_loop()
    ending: asyncio.Future[T] = loop.create_future()

    def on_loop(call: Callable[..., None], *values: object) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed: nobody waits any more
            loop.call_soon_threadsafe(call, *values)

    def heard(download: Download) -> None:
        if not job.is_stopped():  # it was said before the stop and waited for its turn
            on_progress(download)

    job = Job(name, total, lambda download: on_loop(heard, download))

    def run() -> None:
        try:
            given = work(job)
        except BaseException as error:  # noqa: BLE001 - it is raised again where it is waited for
            on_loop(_fail, ending, error)
        else:
            on_loop(_succeed, ending, given)

    threading.Thread(target=run, name="download", daemon=True).start()
    try:
        return await ending
    except asyncio.CancelledError:
        job.stop()
        on_progress(job.said("paused"))
        raise
    except Problem as problem:
        on_progress(job.said("failed", problem.code))
        raise


def _succeed(ending: asyncio.Future[T], given: T) -> None:
    if not ending.done():
        ending.set_result(given)


def _fail(ending: asyncio.Future[T], error: BaseException) -> None:
    if not ending.done():
        ending.set_exception(error)
