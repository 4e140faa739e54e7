"""Where everything is, whichever way a client writes the base address."""

import logging
import re
import traceback
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.gateway.errors import ApiError
from app.gateway.sse import Gone

PREFIX = re.compile(r"^(/api)?(/v1){0,2}(?=/|$)")
"""What clients and people put before a path, `/v1` twice where both did."""
BARE = ("/health", "/metrics")

log = logging.getLogger(__name__)


class Aliases:
    """`http://host:port`, `.../v1`, `.../api` and `.../api/v1` are the same place: paths become `/v1/...`."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            scope = {**scope, "path": canonical(scope["path"]), "asked_path": scope["path"]}
        await self._app(scope, receive, send)


def canonical(path: str) -> str:
    rest = "/" + PREFIX.sub("", path, count=1).strip("/")
    return rest if rest in BARE or rest == "/" else f"/v1{rest}"


class Rooms:
    """The routes behind the guard, with every refusal in the form of the protocol that its path belongs to."""

    def __init__(self, routes: list[Route], guard: Callable[[ASGIApp], ASGIApp]) -> None:
        handlers = {ApiError: _refused, HTTPException: _unknown, Gone: _gone, ClientDisconnect: _gone}
        self._app = ExceptionMiddleware(guard(Router(routes, redirect_slashes=False)), handlers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        started = False

        async def watched(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app({**scope, "app": self}, receive, watched)
        except Exception as error:  # noqa: BLE001 - the client must hear of it, and the server goes on
            # Where it happened, without its words: they may be a person's
            last = traceback.extract_tb(error.__traceback__)[-1]
            log.error("%s in %s, line %s", type(error).__name__, last.name, last.lineno)
            if started:
                raise Broken from None  # the connection is closed: what was sent is no whole answer
            await refusal(ApiError("internal"), scope["path"])(scope, receive, send)


class Broken(Exception):
    """An answer ended in the middle by a fault of ours."""


def refusal(error: ApiError, path: str) -> JSONResponse:
    return JSONResponse(error.shaped(path), error.status, error.headers)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, ApiError)
    return refusal(error, request.scope["path"])


async def _unknown(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    asked = request.scope.get("asked_path", request.scope["path"])
    if error.status_code == 405:
        return refusal(ApiError("method_not_allowed", path=asked, method=request.method), request.scope["path"])
    return refusal(ApiError("not_found", path=asked), request.scope["path"])


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=499)
