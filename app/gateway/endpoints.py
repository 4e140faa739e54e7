"""Every path of the API and what answers there."""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route
from starlette.types import ASGIApp

from app.data.gateway import GatewaySettings
from app.gateway.access import Access
from app.gateway.anthropic_messages import AnthropicMessages
from app.gateway.body import Bodies
from app.gateway.desk import Desk
from app.gateway.documents import Documents
from app.gateway.metrics import Metrics
from app.gateway.openai_endpoints import OpenAI
from app.gateway.openai_models import OpenAIModels
from app.gateway.remote_mark import Marked
from app.gateway.routes import Aliases, Rooms
from app.gateway.security import Guard


def application(
    desk: Desk, settings: GatewaySettings, token: str, sleep: Callable[[float], Awaitable[object]]
) -> ASGIApp:
    """Outermost the log, then one name for every path, and inside of the refusals' form the guard."""

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"status": "ok"})

    bodies = Bodies(settings)
    models, documents = OpenAIModels(desk), Documents(desk, bodies)
    openai, messages = OpenAI(desk, bodies, sleep), AnthropicMessages(desk, bodies, sleep)
    routes = [
        Route("/health", health),
        Route("/metrics", Metrics(desk).tell),
        Route("/v1/models", models.all),
        Route("/v1/models/{name:path}", models.one),
        Route("/v1/chat/completions", openai.chat, methods=["POST"]),
        Route("/v1/completions", openai.completion, methods=["POST"]),
        Route("/v1/messages", messages.create, methods=["POST"]),
        Route("/v1/messages/count_tokens", messages.count, methods=["POST"]),
        Route("/v1/documents", documents.all),
        Route("/v1/documents", documents.add, methods=["POST"]),
        Route("/v1/documents/{id:path}", documents.one),
        Route("/v1/documents/{id:path}", documents.remove, methods=["DELETE"]),
    ]
    return Access(Marked(Aliases(Rooms(routes, lambda inner: Guard(inner, desk.tally, settings, token)))))
