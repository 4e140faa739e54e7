"""Answers from another computer say so: what a request held has left this one."""

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.gateway.errors import REMOTE


class Marked:
    """`request.state.remote`, which an endpoint sets before it answers, as a header."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def marked(message: Message) -> None:
            answers = message["type"] == "http.response.start" and message["status"] == 200
            if answers and (host := scope.get("state", {}).get("remote")):
                MutableHeaders(scope=message)[REMOTE] = host
            await send(message)

        await self._app(scope, receive, marked)
