"""Answers on their way to a client: piece by piece, with a sign of life while nothing is said, or whole.

Either way a client that goes away ends its request at once.
"""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from typing import Any, TypeVar

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from app.gateway.errors import ApiError

HEADERS_WITHIN = 1.0
"""Seconds for which the headers wait: what is refused at once is then refused by its status."""
SILENCE = 10.0
"""Seconds without a word after which a sign of life is sent."""

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"x-accel-buffering", b"no"),  # proxies are to pass every piece on as it comes
]

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[object]]


class Gone(Exception):
    """The client went away."""


class EventStream:
    """An ASGI response. `pieces` are whole server-sent events, as bytes; `alive`, or what it makes, is sent in silence.

    An `ApiError` of the pieces is raised as long as no header is out; later it is sent as `error` makes it.
    """

    def __init__(
        self,
        pieces: AsyncGenerator[bytes, None],
        error: Callable[[ApiError], bytes],
        *,
        alive: bytes | Callable[[], bytes] = b": still reading\n\n",
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._pieces = pieces
        self._error = error
        self._alive = alive if callable(alive) else lambda: alive
        self._sleep = sleep

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = asyncio.ensure_future(_gone(receive))
        coming = self._next()
        try:
            await _first_of(coming, gone, within=HEADERS_WITHIN, sleep=self._sleep)
            if coming.done() and (early := coming.exception()) is not None:
                raise early
            await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
            # Some clients take headers alone for no answer yet
            if not coming.done():
                await _say(send, self._alive())
            while True:
                if not await _first_of(coming, gone, within=SILENCE, sleep=self._sleep):
                    await _say(send, self._alive())
                    continue
                try:
                    piece = coming.result()
                except ApiError as error:
                    piece = self._error(error)
                    coming = asyncio.ensure_future(_nothing())
                else:
                    coming = self._next()
                if piece is None:
                    break
                await _say(send, piece)
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except Gone:
            pass
        finally:
            for task in (coming, gone):
                task.cancel()
            await asyncio.gather(coming, gone, return_exceptions=True)
            await self._pieces.aclose()

    def _next(self) -> "asyncio.Future[bytes | None]":
        return asyncio.ensure_future(_following(self._pieces))


async def whole(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What `work` gives, unless the client goes away before: then it is cancelled and `Gone` is raised."""
    gone, working = asyncio.ensure_future(_gone(request.receive)), asyncio.ensure_future(work)
    try:
        await asyncio.wait({gone, working}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
        raise Gone
    finally:
        for task in (working, gone):
            task.cancel()
        await asyncio.gather(working, gone, return_exceptions=True)


async def _first_of(
    coming: "asyncio.Future[bytes | None]", gone: "asyncio.Future[None]", *, within: float, sleep: Sleep
) -> bool:
    """Whether the next piece came in time. Raises `Gone`."""
    if not coming.done():
        waiting: asyncio.Future[Any] = asyncio.ensure_future(sleep(within))
        try:
            any_of: set[asyncio.Future[Any]] = {coming, gone, waiting}
            await asyncio.wait(any_of, return_when=asyncio.FIRST_COMPLETED)
        finally:
            waiting.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waiting
    if gone.done():
        raise Gone
    return coming.done()


async def _following(pieces: AsyncGenerator[bytes, None]) -> bytes | None:
    return await anext(pieces, None)


async def _nothing() -> None:
    return None


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _say(send: Send, piece: bytes) -> None:
    await send({"type": "http.response.body", "body": piece, "more_body": True})
