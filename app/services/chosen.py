"""The model that the settings name: loaded by the engine of this computer, or asked where it is."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from app.data.settings import Settings
from app.services.library import Library
from app.services.models import Models
from app.services.providers import Providers
from app.services.requests import model_settings
from engine.client import Engine, RequestFailed, Stream
from engine.protocol import (
    Count,
    Counted,
    Done,
    Expect,
    Expected,
    Failed,
    Forgotten,
    Generate,
    Inspected,
    Listed,
    Loaded,
    Planned,
    Progress,
    Read,
    Worked,
)
from engine.remote import Remote

Result = TypeVar("Result", Counted, Expected, Planned, Listed, Forgotten, Inspected, Worked)


def ignore(progress: Progress) -> None:
    """Nobody asked for progress."""


class Chosen:
    """`settings` are those that were loaded last, or are loaded when first needed.

    What may be raised is said at `Assistant.load`.
    """

    def __init__(
        self, engine: Engine, library: Library, models: Models, settings: Settings, providers: Providers | None
    ) -> None:
        self.settings = settings
        self.engine = engine
        self._library, self._models, self._providers = library, models, providers
        self._loading = asyncio.Lock()
        self._loaded: Loaded | None = None
        self._remote: Remote | None = None
        """Where the model is elsewhere, once it was turned to."""

    @property
    def loaded(self) -> Loaded | None:
        """The model that answers; for one of this computer also while it is on its way back."""
        return self._remote.loaded if self._remote is not None else self.engine.loaded or self._loaded

    def is_remote(self, settings: Settings) -> bool:
        return self._providers is not None and self._providers.is_remote(settings.model)

    def send(self, request: Generate | Read | Expect | Count) -> Stream:
        """To whoever answers; `ready` comes before."""
        return (self._remote or self.engine).send(request)

    async def load(self, settings: Settings, on_progress: Callable[[Progress], None] = ignore) -> Loaded:
        async with self._loading:
            return await self._load(settings, on_progress)

    async def ready(self) -> None:
        """Load the model unless it is loaded, or on its way back after a death of the engine."""
        async with self._loading:
            if self.is_remote(self.settings):
                self._turn_to(self.settings)  # each time: its address or key may have been changed
            elif self._remote is not None or (
                self.engine.loaded is None and self.engine.state not in ("restarting", "loading")
            ):
                await self._load(self.settings, ignore)

    async def awake(self) -> None:
        """The engine of this computer is started; nothing is loaded."""
        if self.engine.state in ("stopped", "down"):
            await self.engine.start()

    async def _load(self, settings: Settings, on_progress: Callable[[Progress], None]) -> Loaded:
        if self.is_remote(settings):
            remote = self._turn_to(settings)
            # what it holds in memory is of no use now, but for those whom it is answering
            if self.engine.state not in ("stopped", "down") and not self.engine.busy:
                await self.engine.stop()
            return remote.loaded
        wanted = model_settings(settings, self._models.resolve(settings.model))
        await self.awake()
        self._loaded = await self.engine.load(wanted, on_progress)
        self._remote = None
        self._library.counting_by(self._loaded.fingerprint)
        self.settings = settings
        return self._loaded

    def _turn_to(self, settings: Settings) -> Remote:
        assert self._providers is not None
        self._remote = self._providers.engine(settings.model)
        self.settings = settings
        self._library.counting_by(self._remote.loaded.fingerprint)
        return self._remote


async def result(stream: Stream, kind: type[Result], on_progress: Callable[[Progress], None] = ignore) -> Result:
    """What a request came to. Raises `RequestFailed`; cancelling is passed on."""
    ended = await stream.through(lambda event: on_progress(event) if isinstance(event, Progress) else None)
    if isinstance(ended, Done) and isinstance(ended.result, kind):
        return ended.result
    raise RequestFailed(Failed(stream.id, "internal", f"no {kind.__name__} came"))
