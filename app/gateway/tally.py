"""Who asks how much: what is under way, what each key has used, and the limits of both."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from typing import ParamSpec, Protocol, TypeVar

from msgspec import Struct

from app.data.key import Key, KeyRefused
from app.gateway.errors import RETRY, ApiError
from app.gateway.home import Outcome
from app.services.problem import Problem
from engine.protocol import Done, Failed

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")


class Keys(Protocol):
    """`app.services.keys.Keys`, or what stands in for it. Called from threads of their own: it may wait for a disk.
    Each may raise `Problem`; what was used is then written down with the next."""

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
    """`queue`: requests that may be under way at once. `on_change` hears of each change, and `on_problem` what keeps
    the keys from being read or their use from being written, once until that works again; both in the gateway's
    thread."""

    def __init__(
        self,
        keys: Keys,
        queue: int,
        on_change: Callable[[], None] = lambda: None,
        on_problem: Callable[[Problem], object] = lambda problem: None,
    ) -> None:
        self.keys = keys
        self.under_way = 0
        self.counts: dict[str, Counts] = {}
        """By the key's name: one that was made anew under it goes on with its counts."""
        self.writing: set[asyncio.Future[None]] = set()
        self.on_change = on_change
        self.on_problem = on_problem
        self._problem = ""
        """The code of the one that was told."""
        self._queue = queue
        self._left = asyncio.Event()

    async def admit(self, key: Key) -> None:
        """Count one in. Raises `ApiError`: "daily_limit" or "queue_full"."""
        if key.daily_tokens is not None and await self.looked_up(self.keys.exceeded, key):
            self._write(key, error="daily_limit")
            raise ApiError("daily_limit", limit=f"{key.daily_tokens:,}")
        if self.under_way >= self._queue:
            self._write(key, error="queue_full")
            raise ApiError("queue_full", retry_after=RETRY, count=str(self._queue))
        self.under_way += 1
        self.on_change()

    def settle(self, key: Key, outcome: Outcome, error: str = "") -> None:
        """Count it out, with what it used. `error`: the code by which it was refused, however its engine ended it."""
        self.under_way -= 1
        self._left.set()
        match outcome:
            case Done(usage=usage) if usage is not None:
                self._write(key, prompt=usage.prompt, reused=usage.reused, written=usage.written, error=error)
            case Failed(code=code) | ApiError(code=code):
                self._write(key, error=error or code)
            case _:
                self._write(key, error=error)
        self.on_change()

    async def looked_up(self, look: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a method of `keys` gives, on a thread. Raises `ApiError("no_keys")`: the disk is full, another process
        does not let go, or the file is damaged."""
        try:
            return await asyncio.to_thread(look, *args, **kwargs)
        except Problem as problem:
            if problem.code != self._problem:
                log.error("the keys cannot be used: %s", problem.code)
                self._problem = problem.code
                self.on_problem(problem)
            raise ApiError("no_keys", retry_after=RETRY) from None

    def left(self, key: Key, host: str) -> None:
        """What it asks was sent to another computer."""
        counts = self.counts.setdefault(key.name, Counts(key.name))
        counts.left[host] = counts.left.get(host, 0) + 1

    async def settled(self) -> None:
        """Wait until nothing is under way and all that was counted is written down."""
        while self.under_way:
            await self._left.wait()
            self._left.clear()
        await asyncio.gather(*self.writing, return_exceptions=True)

    def _write(self, key: Key, *, prompt: int = 0, reused: int = 0, written: int = 0, error: str = "") -> None:
        counts = self.counts.setdefault(key.name, Counts(key.name))
        counts.requests += 1
        counts.prompt += prompt
        counts.reused += reused
        counts.written += written
        if error:
            counts.failed[error] = counts.failed.get(error, 0) + 1

        async def write() -> None:
            with contextlib.suppress(ApiError):
                await self.looked_up(self.keys.used, key.id, prompt=prompt, reused=reused, written=written, error=error)
                self._problem = ""

        one = asyncio.ensure_future(write())
        self.writing.add(one)
        one.add_done_callback(self.writing.discard)
