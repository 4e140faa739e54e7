"""Anthropic's endpoints: an answer whole or as it is written, and how long a prompt is.

The headers `anthropic-version` and `anthropic-beta` ask for nothing here: what a beta adds to a body is honoured or
refused by its name.
"""

import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing

from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp

from app.data.key import Key
from app.gateway import anthropic_answer, anthropic_asked, extras, passing
from app.gateway.anthropic_answer import Narrator
from app.gateway.anthropic_asked import Wanted
from app.gateway.asked import Asked, Usual
from app.gateway.body import Bodies
from app.gateway.desk import Desk
from app.gateway.errors import ApiError
from app.gateway.sse import EventStream, whole
from engine.protocol import Done, Expected


class AnthropicMessages:
    def __init__(self, desk: Desk, bodies: Bodies, sleep: Callable[[float], Awaitable[object]]) -> None:
        self._desk = desk
        self._bodies = bodies
        self._sleep = sleep

    async def create(self, request: Request) -> ASGIApp:
        what = anthropic_asked.wanted(await self._bodies.json(request))
        if what.body.max_tokens is None:
            raise ApiError("invalid_value", param="max_tokens", why="it must be said how long an answer may be")
        usual, key = await self._desk.usual(what.body.model), request.state.key
        request.state.remote = usual.model and usual.model.host
        id = anthropic_answer.new_id()
        if what.body.stream:
            narrator = Narrator(id, what.body.model)
            return EventStream(
                self._told(what, usual, key, narrator),
                lambda error: anthropic_answer.encoded(("error", error.anthropic())),
                alive=lambda: anthropic_answer.encoded(narrator.alive()),
                sleep=self._sleep,
            )
        done = await whole(request, self._done(what, usual, key))
        return JSONResponse(anthropic_answer.message(id, what.body.model, done))

    async def count(self, request: Request) -> Response:
        what = anthropic_asked.wanted(await self._bodies.json(request))
        usual = await self._desk.usual(what.body.model)
        expected = await whole(request, self._expected(what, usual, request.state.key))
        return JSONResponse({"input_tokens": expected.prompt})

    async def _told(self, what: Wanted, usual: Usual, key: Key, narrator: Narrator) -> AsyncGenerator[bytes, None]:
        async with self._asked(what, usual) as asked, aclosing(self._desk.answer(asked, key)) as events:
            async for event in events:
                for told in narrator.tell(event):
                    yield anthropic_answer.encoded(told)

    async def _done(self, what: Wanted, usual: Usual, key: Key) -> Done:
        async with self._asked(what, usual) as asked, aclosing(self._desk.answer(asked, key)) as events:
            async for event in events:
                if isinstance(event, Done):
                    return event
        raise ApiError("closing")

    async def _expected(self, what: Wanted, usual: Usual, key: Key) -> Expected:
        async with self._asked(what, usual) as asked:
            return await self._desk.count(asked, key)

    @contextlib.asynccontextmanager
    async def _asked(self, what: Wanted, usual: Usual) -> AsyncGenerator[Asked, None]:
        """Documents that came in messages are kept as long as this is open."""
        with passing.files() as kept:
            asked = anthropic_asked.asked(what, kept.keep, usual.sampling)
            reading = await extras.reading(self._desk, usual, what.extra)
            if kept:
                # what came in passing is to leave no reading on the disk either
                reading = replace(reading, save=False)
            yield replace(asked, reading=reading, found=usual.model)
