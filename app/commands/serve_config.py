"""`longread serve --config FILE`: what the file says, beside what the models and the servers say of themselves."""

import os
from pathlib import Path

from msgspec.structs import replace

from app import paths
from app.commands import sentences
from app.commands.run import Parts
from app.commands.terminal import Terminal
from app.data.provider import Provider
from app.data.serving import Serving
from app.data.settings import Settings
from app.gateway import config, config_check
from app.services.privacy import Connections
from app.services.providers import Providers
from app.services.variables import BEGINS
from engine.client import RequestFailed

OPEN_TO_OTHERS = 0o077


def read(path: Path, kept: Settings, terminal: Terminal) -> Serving:
    """Raises `NotHonoured`."""
    serving = config.read(path, kept, os.environ)
    server, providers = serving.config.server, serving.config.providers.values()
    written = [key for key in (server.api_key, *(one.api_key for one in providers)) if key and BEGINS not in key]
    if written and os.name == "posix" and path.stat().st_mode & OPEN_TO_OTHERS:
        terminal.say(f"Other people of this computer can read the keys in {path}: chmod 600 makes it yours alone.")
    return serving


async def check(serving: Serving, parts: Parts) -> Serving:
    """With what the models decide, for which the engine is asked; none is loaded for that. The engine is started.

    Raises `NotHonoured`, and `Problem` or `RequestFailed` for what is no model.
    """
    await parts.engine.start()
    wanted = {"": serving.settings} | serving.named
    plans = {name: await parts.assistant.plan(settings) for name, settings in wanted.items()}
    return config_check.checked(serving, parts.models.resolve(serving.settings.model), plans)


async def elsewhere(serving: Serving, terminal: Terminal) -> Providers:
    """The file's servers, before those that are kept. One whose models are not said is asked for them now."""
    connections = Connections()
    given = [await _told(one, connections, terminal) for one in serving.providers]
    return Providers(paths.providers(), connections, given=tuple(given))


async def _told(provider: Provider, connections: Connections, terminal: Terminal) -> Provider:
    if provider.models:
        return provider
    try:
        models = await Providers(paths.providers(), connections, given=(provider,)).listed(provider.name)
    except RequestFailed as error:
        terminal.say(f"{provider.name}: its models are not known. {sentences.failure(error.failed)}")
        return provider
    return replace(provider, models=models)
