"""One line in the log for each request: never a word of what was asked or answered."""

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)


class Access:
    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.monotonic(), 0

        async def watched(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        scope["state"] = scope.get("state", {})
        try:
            await self._app(scope, receive, watched)
        finally:
            key = scope["state"].get("key")
            who = key.id[:8] if key is not None else "-"
            log.info("%s %s %s %.3f s", who, scope["method"], status or "gone", time.monotonic() - began)
