"""What every protocol asks for: models by name, and answers to `Asked` as the engine's events."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TypeVar

from app.data.key import Key
from app.gateway import names
from app.gateway.asked import Asked, Sent, Usual
from app.gateway.behind import Behind
from app.gateway.errors import ApiError, failed
from app.gateway.home import Home, Outcome
from app.gateway.names import Model
from app.gateway.tally import Tally
from app.services.methods import Methods
from engine.client import Stream
from engine.protocol import Done, Event, Expected, Failed, ReadingSettings

T = TypeVar("T")


class Desk:
    """Used on the gateway's loop; what `behind` holds is touched on `home` alone. Raises `ApiError`.

    `timeout`: seconds that an answer may take from its admission to its end; 0: as long as it takes.
    """

    def __init__(self, behind: Behind, home: Home, tally: Tally, *, timeout: float = 0.0) -> None:
        self._behind = behind
        self._home = home
        self.tally = tally
        self._timeout = timeout

    async def do(self, act: Callable[[Behind], T]) -> T:
        """What `act` gives, run where the library and the engine live."""

        async def run() -> T:
            return act(self._behind)

        return await self._home.do(run)

    async def have(self, act: Callable[[Behind], Awaitable[T]]) -> T:
        """What `act` gives, awaited there."""
        return await self._home.do(lambda: act(self._behind))

    async def models(self, key: Key) -> list[Model]:
        """Those that the key may ask."""
        return [model for model in await self.do(Behind.models) if names.allowed(model, key)]

    async def usual(self, model: str) -> Usual:
        """What that is called so, looked up once for a request."""
        return await self.do(lambda behind: behind.usual(model))

    async def reading(self, model: Model, methods: Methods) -> ReadingSettings:
        """How that model reads with these methods. Raises `NotHonoured`."""
        return await self.have(lambda behind: behind.reading_by(model, methods))

    async def answer(self, asked: Asked, key: Key) -> AsyncGenerator[Sent | Event, None]:
        """`Sent`, then the events of an answer, of which the last is a `Done`. Closing it, as `contextlib.aclosing`
        does, cancels it.

        Raises `ApiError` in the place of a `Failed`.
        """
        host = ""
        async with aclosing(self._admitted(key, lambda: self._behind.send(asked, key))) as events:
            try:
                async for event in events:
                    if isinstance(event, Sent) and event.host:
                        host = event.host
                        self.tally.left(key, host)
                    yield event
            except ApiError as error:
                error.host = host
                raise

    async def count(self, asked: Asked, key: Key) -> Expected:
        """How many tokens its prompt is; nothing is read, and nothing leaves this computer."""
        async with aclosing(self._admitted(key, lambda: self._behind.expect(asked, key))) as events:
            told = [event.result async for event in events if isinstance(event, Done)]
        match told:
            case [Expected() as expected]:
                return expected
        raise ApiError("closing")

    async def _admitted(
        self, key: Key, open: Callable[[], Awaitable[tuple[Sent, Stream]]]
    ) -> AsyncGenerator[Sent | Event, None]:
        """The events of a request of that key, whose limits hold for it, and what it used is counted."""
        await self.tally.admit(key)
        late = ""

        def settle(outcome: Outcome) -> None:
            self.tally.settle(key, outcome, late)

        async with aclosing(self._home.events(open, settle)) as events:
            try:
                async for event in self._in_time(events):
                    match event:
                        case Failed():
                            raise failed(event)
                        case Done(finish="cancelled"):  # not by the client, who would not be here any more
                            raise ApiError("closing")
                    yield event
            except TimeoutError:
                late = "timed_out"
                raise ApiError(late, seconds=f"{self._timeout:g}") from None

    async def _in_time(self, events: AsyncGenerator[Sent | Event, None]) -> AsyncGenerator[Sent | Event, None]:
        """The events that come within the time that a request has; raises TimeoutError after it."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._timeout if self._timeout else None
        while True:
            async with asyncio.timeout_at(until):
                event = await anext(events, None)
            if event is None:
                return
            yield event
