"""The loop on which the engine and the library live, reached from the gateway's own thread.

Nothing of theirs is touched from here: what is to be done with them is done there, and what they say is sent over.
"""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from typing import Any, TypeVar

from app.gateway.asked import Sent
from app.gateway.errors import RETRY, ApiError
from app.services.problem import Problem
from engine.client import Stream
from engine.protocol import Done, Event, Failed

log = logging.getLogger(__name__)

T = TypeVar("T")

Outcome = Done | Failed | ApiError | None
"""How a request ended. An `ApiError` or None: it was never sent, because it was refused or because nobody waited."""


DISK = {"busy_database": "busy", "disk_full": "cannot_keep", "cannot_write": "cannot_keep"}
"""Problems that are neither the request's nor for good, and how a client is told."""


class Home:
    """`loop` is where the engine was started: Qt's in the window. `on_problem` hears there of what no client can mend
    and none is told by name, the library that cannot be read, say: once until something works again."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, on_problem: Callable[[Problem], object] = lambda problem: None
    ) -> None:
        self._loop = loop
        self._on_problem = on_problem
        self._problem = ""
        """The code of the one that was told."""

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """A client may be on another computer: it hears of no file and no document of this one."""
        try:
            yield
            self._problem = ""
        except Problem as problem:
            if problem.code != self._problem:
                log.error("a request cannot be answered: %s", problem.code)
                self._problem = problem.code
                self._on_problem(problem)
            code = DISK.get(problem.code, "trouble")
            raise ApiError(code, retry_after=RETRY if code == "busy" else None) from None

    async def do(self, act: Callable[[], Awaitable[T]]) -> T:
        """What `act` gives, awaited over there. Cancelling cancels it there."""

        async def run() -> T:
            with self._told():
                return await act()

        running = run()
        try:
            future = asyncio.run_coroutine_threadsafe(running, self._loop)
        except RuntimeError:
            running.close()
            raise ApiError("closing") from None
        return await asyncio.wrap_future(future)

    async def events(
        self, open: Callable[[], Awaitable[tuple[Sent, Stream]]], settle: Callable[[Outcome], None]
    ) -> AsyncGenerator[Sent | Event, None]:
        """The events of a request that `open` sends over there, its ending last. Whoever stops listening cancels it.

        `settle` is called here, once, also for one that nobody waits for any more. What `open` raises is raised here.
        """
        here = asyncio.get_running_loop()
        heard: asyncio.Queue[Sent | Event | None] = asyncio.Queue()
        opened: list[Stream] = []
        opening: list[asyncio.Task[Any] | None] = []
        left = False

        def tell(event: Sent | Event) -> None:
            with contextlib.suppress(RuntimeError):  # the gateway was stopped: nobody listens any more
                here.call_soon_threadsafe(heard.put_nowait, event)

        async def follow() -> Done | Failed:
            if left:
                raise asyncio.CancelledError
            opening.append(asyncio.current_task())
            with self._told():
                sent, stream = await open()
            opened.append(stream)
            tell(sent)
            async for event in stream:
                tell(event)
            assert isinstance(stream.ended, Done | Failed)
            return stream.ended

        def stop() -> None:
            # Before it is sent there is nothing to wait for; afterwards its ending tells what it cost
            nonlocal left
            left = True
            for one in opened or opening:
                if one is not None:
                    one.cancel()

        work = follow()
        try:
            following = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            settle(ApiError("closing"))
            raise ApiError("closing") from None
        done = asyncio.wrap_future(following)

        def ended(one: asyncio.Future[Done | Failed]) -> None:
            error = None if one.cancelled() else one.exception()
            settle(error if isinstance(error, ApiError) else None if one.cancelled() or error else one.result())
            heard.put_nowait(None)

        done.add_done_callback(ended)
        try:
            while (event := await heard.get()) is not None:
                yield event
            await done
        finally:
            if not done.done():
                self._loop.call_soon_threadsafe(stop)
