"""Every path of the API and what answers there."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from app.data.gateway import GatewaySettings
from app.gateway.access import Access
from app.gateway.desk import Desk
from app.gateway.openai_models import OpenAIModels
from app.gateway.routes import Aliases, Rooms
from app.gateway.security import Guard


def application(
    desk: Desk, settings: GatewaySettings, token: str, sleep: Callable[[float], Awaitable[object]]
) -> ASGIApp:
    """Outermost the log, then one name for every path, and inside of the refusals' form the guard."""

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    models = OpenAIModels(desk)
    routes = [
        Route("/health", health),
        Route("/v1/models", models.all),
        Route("/v1/models/{name:path}", models.one),
    ]
    return Access(Aliases(Rooms(routes, lambda inner: Guard(inner, desk.tally.keys, settings, token))))
