"""The list of models, in OpenAI's form or in Anthropic's."""

from starlette.requests import Request
from starlette.responses import JSONResponse

from app.gateway import anthropic_models
from app.gateway.desk import Desk
from app.gateway.errors import ApiError, listed
from app.gateway.names import Model

MADE = 1735689600
"""OpenAI's `created`, seconds since the epoch: nothing here has such a date."""


class OpenAIModels:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def all(self, request: Request) -> JSONResponse:
        models = await self._desk.models(request.state.key)
        if anthropic_models.VERSION in request.headers:
            return JSONResponse(anthropic_models.listed(models))
        return JSONResponse({"object": "list", "data": [described(model) for model in models]})

    async def one(self, request: Request) -> JSONResponse:
        name, models = request.path_params["name"], await self._desk.models(request.state.key)
        for model in models:
            if model.is_called(name):
                shape = anthropic_models.described if anthropic_models.VERSION in request.headers else described
                return JSONResponse(shape(model))
        raise ApiError("model_not_found", param="model", model=name, known=listed(model.name for model in models))


def described(model: Model) -> dict[str, object]:
    """With the window where it is known, under the name that other local servers give it."""
    about = {"id": model.name, "object": "model", "created": MADE, "owned_by": model.owner}
    return about | ({"max_model_len": model.window} if model.window else {})
