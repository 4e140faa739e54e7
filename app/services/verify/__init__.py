"""The model that the settings name, verified: here or where it is."""

import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from app.data.settings import Settings
from app.services.assistant import Assistant
from app.services.models import Models
from app.services.providers import Providers
from app.services.requests import model_settings, reading_settings
from engine.client import Engine, RequestFailed
from engine.protocol import ReadingSettings
from engine.verify import Desk, Face, Local, Plan, expected_seconds

SEED = 6
"""Bytes of a run's seed."""


async def desk(
    assistant: Assistant,
    engine: Engine,
    models: Models,
    providers: Providers,
    settings: Settings,
    folder: Path,
    *,
    seed: str = "",
    own: str = "",
) -> Desk:
    """Loads the model if need be; raises as `Assistant.load` does. `folder`: an empty one. `own`: the person's text.

    Of a server the reading settings do not apply, as with any question to it.
    """
    if assistant.settings != settings:
        await assistant.load(settings)
    await assistant.ready()
    seed = seed or secrets.token_hex(SEED)
    if providers.is_remote(settings.model):
        remote = cast(Face, providers.engine(settings.model))
        return Desk(remote, folder, seed, ReadingSettings(mode="whole"), own=own)
    wanted = model_settings(settings, models.resolve(settings.model))
    return Desk(cast(Face, engine), folder, seed, reading_settings(settings), cast(Local, engine), wanted, own)


async def forecast(desk: Desk, plan: Plan) -> float | None:
    """About how many seconds the plan takes, as a short text is read and asked about just now; None where that is
    refused, for which the tests have words."""
    try:
        pace = await desk.pace()
    except RequestFailed:
        return None
    return expected_seconds(plan, desk.loaded, desk.reading, pace)


def text_of(texts: Sequence[str]) -> str:
    """Several documents as one."""
    return "\n\n".join(texts)
