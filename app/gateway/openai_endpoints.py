"""/v1/chat/completions and /v1/completions."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.data.key import Key
from app.gateway import openai_answers as answers
from app.gateway import openai_requests as requests
from app.gateway import passing
from app.gateway.body import Bodies
from app.gateway.desk import Desk
from app.gateway.openai_forms import ChatForm, TextForm
from app.gateway.sse import EventStream, whole

Sleep = Callable[[float], Awaitable[object]]


class OpenAI:
    def __init__(self, desk: Desk, bodies: Bodies, sleep: Sleep) -> None:
        self._desk = desk
        self._bodies = bodies
        self._sleep = sleep

    async def chat(self, request: Request) -> ASGIApp:
        body, key = await self._bodies.json(request), request.state.key

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            with passing.files() as kept:  # as long as it is answered
                wanted = await requests.chat(self._desk, body, kept)
                form = ChatForm(likely=wanted.asked.sampling.logprobs is not None)
                answer = await self._answer(request, wanted, form, key)
                await answer(scope, receive, send)

        return answered

    async def completion(self, request: Request) -> ASGIApp:
        body, key = await self._bodies.json(request), request.state.key
        wanted = await requests.completion(self._desk, body)
        return await self._answer(request, wanted, TextForm(likely=wanted.asked.sampling.logprobs is not None), key)

    async def _answer(self, request: Request, wanted: requests.Wanted, form: answers.Form, key: Key) -> ASGIApp:
        request.state.remote = wanted.asked.found and wanted.asked.found.host
        answering = answers.Answering(self._desk.answer(wanted.asked, key), form, told=wanted.usage)
        if not wanted.asked.stream:
            return JSONResponse(await whole(request, answering.whole()))
        return EventStream(answering.stream(), answers.error, alive=answering.alive, sleep=self._sleep)
