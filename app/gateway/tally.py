"""Who asks how much: what is under way, what each key has used, and the limits of both."""

import asyncio
import logging
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from app.data.key import Key, KeyRefused
from app.gateway.errors import ApiError
from app.gateway.home import Outcome
from app.services.problem import Problem
from engine.protocol import Done, Failed

log = logging.getLogger(__name__)

RETRY = 2
"""Seconds after which a client is told to ask again when too many wait."""


class Keys(Protocol):
    """`app.services.keys.Keys`, or what stands in for it. Called from threads of their own: it may wait for a disk."""

    def check(self, secret: str) -> Key | KeyRefused: ...

    def used(self, id: str, *, prompt: int, reused: int, written: int, error: str = "") -> None: ...

    def exceeded(self, key: Key) -> bool: ...


class Counts(Struct):
    """Of one key, since the gateway was started. `failed`: requests by code."""

    name: str
    requests: int = 0
    prompt: int = 0
    reused: int = 0
    written: int = 0
    failed: dict[str, int] = {}
    left: dict[str, int] = {}
    """Requests that left this computer, by the host that they were sent to."""


class Tally:
    """`queue`: requests that may be under way at once. `on_change` hears of each change, in the gateway's thread."""

    def __init__(self, keys: Keys, queue: int, on_change: Callable[[], None] = lambda: None) -> None:
        self.keys = keys
        self.under_way = 0
        self.counts: dict[str, Counts] = {}
        self.writing: set[asyncio.Future[None]] = set()
        self.on_change = on_change
        self._queue = queue
        self._left = asyncio.Event()

    async def admit(self, key: Key) -> None:
        """Count one in. Raises `ApiError`: "daily_limit" or "queue_full"."""
        if key.daily_tokens is not None and await asyncio.to_thread(self.keys.exceeded, key):
            self._write(key, error="daily_limit")
            raise ApiError("daily_limit", limit=f"{key.daily_tokens:,}")
        if self.under_way >= self._queue:
            self._write(key, error="queue_full")
            raise ApiError("queue_full", retry_after=RETRY, count=str(self._queue))
        self.under_way += 1
        self.on_change()

    def settle(self, key: Key, outcome: Outcome) -> None:
        """Count it out, with what it used."""
        self.under_way -= 1
        self._left.set()
        match outcome:
            case Done(usage=usage) if usage is not None:
                self._write(key, prompt=usage.prompt, reused=usage.reused, written=usage.written)
            case Failed(code=code) | ApiError(code=code):
                self._write(key, error=code)
            case _:
                self._write(key)
        self.on_change()

    def left(self, key: Key, host: str) -> None:
        """What it asks was sent to another computer."""
        counts = self.counts.setdefault(key.id, Counts(key.name))
        counts.left[host] = counts.left.get(host, 0) + 1

    async def settled(self) -> None:
        """Wait until nothing is under way and all that was counted is written down."""
        while self.under_way:
            await self._left.wait()
            self._left.clear()
        await asyncio.gather(*self.writing, return_exceptions=True)

    def _write(self, key: Key, *, prompt: int = 0, reused: int = 0, written: int = 0, error: str = "") -> None:
        counts = self.counts.setdefault(key.id, Counts(key.name))
        counts.requests += 1
        counts.prompt += prompt
        counts.reused += reused
        counts.written += written
        if error:
            counts.failed[error] = counts.failed.get(error, 0) + 1

        def write() -> None:
            try:
                self.keys.used(key.id, prompt=prompt, reused=reused, written=written, error=error)
            except Problem as problem:  # the disk is full, or another process does not let go
                log.error("what a key used could not be written down: %s", problem.code)

        one = asyncio.ensure_future(asyncio.to_thread(write))
        self.writing.add(one)
        one.add_done_callback(self.writing.discard)
