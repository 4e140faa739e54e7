"""The events of one request on their way to who asked."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from msgspec.structs import replace

from engine.protocol import (
    Delta,
    Done,
    Event,
    Failed,
    Found,
    Loaded,
    Progress,
    Request,
)

log = logging.getLogger(__name__)


class RequestFailed(Exception):
    """`failed.code` says what happened, `failed.message` is for the log."""

    def __init__(self, failed: Failed) -> None:
        super().__init__(f"{failed.code}: {failed.message}")
        self.failed = failed


class Stream:
    """The events of one request, its ending last. One consumer; after the ending the iteration is over."""

    def __init__(self, request: Request, cancel: Callable[["Stream"], None]) -> None:
        self.request = request
        self.ended: Loaded | Done | Failed | None = None
        """The ending, as soon as it is known: possibly before it has been iterated to."""
        self._cancel = cancel
        self.cancelled = False
        self.spoken = False
        """Whether text has been given out: then it must not be asked again behind the reader's back."""
        self.asked_again = 0
        self._events: deque[Event] = deque()
        self._arrived = asyncio.Event()
        self._most: dict[str, int] = {}

    @property
    def id(self) -> str:
        return self.request.id

    def cancel(self) -> None:
        """Ask for the end; the ending still comes, and may be another one that was already on its way."""
        if self.ended is None and not self.cancelled:
            self.cancelled = True
            self._cancel(self)

    def __aiter__(self) -> "Stream":
        return self

    async def __anext__(self) -> Event:
        while not self._events:
            if self.ended is not None:
                raise StopAsyncIteration
            self._arrived.clear()
            await self._arrived.wait()
        return self._events.popleft()

    async def ending(self) -> Done | Failed:
        """Wait for the ending; what comes before it is dropped."""
        async for _ in self:
            pass
        assert isinstance(self.ended, Done | Failed)
        return self.ended

    async def through(self, heard: Callable[[Event], None] = lambda event: None) -> Loaded | Done:
        """The ending, once `heard` was told of every event. Who waits for it may be cancelled, and then it is too.
        Raises `RequestFailed`."""
        try:
            async for event in self:
                heard(event)
        except asyncio.CancelledError:
            self.cancel()
            raise
        assert self.ended is not None
        if isinstance(self.ended, Failed):
            raise RequestFailed(self.ended)
        return self.ended

    def put(self, event: Event) -> None:
        if self.ended is not None:
            log.error("an event after the ending of %s was dropped", self.id)
            return
        match event:
            case Progress():
                # After a restart the engine counts from the start again; what a person sees must not fall.
                most = max(event.done, self._most.get(event.stage, 0))
                self._most[event.stage] = most
                event = replace(event, done=most, total=max(event.total, most))
            case Delta() | Found():
                self.spoken = True
            case Loaded() | Done() | Failed():
                self.ended = event
        self._events.append(event)
        self._arrived.set()
