"""What can be verified: anything that takes requests and streams what they come to."""

from collections.abc import Callable
from typing import Protocol

from engine.protocol import Count, Expect, Forget, Gauges, Generate, Loaded, ModelSettings, Progress
from engine.stream import Stream


class Face(Protocol):
    """As `engine.client.Engine` and `engine.remote.Remote` have it."""

    @property
    def loaded(self) -> Loaded | None: ...

    def send(self, command: Generate | Expect | Count, /) -> Stream: ...


class Local(Protocol):
    """What an engine of this computer can do beside: then more can be known of it."""

    @property
    def gauges(self) -> Gauges | None: ...

    def send(self, command: Forget, /) -> Stream: ...

    async def load(self, settings: ModelSettings, on_progress: Callable[[Progress], None] = ..., /) -> Loaded: ...
