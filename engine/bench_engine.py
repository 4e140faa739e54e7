"""An engine in a process of its own, for measurements of what a person gets: its times, its memory, its re-opening."""

import time
from collections.abc import Callable
from pathlib import Path

from engine.bench_desk import settled
from engine.bench_memory import Memory, Peak
from engine.client import Engine, new_id
from engine.model.decoder import never
from engine.protocol import (
    Answered,
    Document,
    Done,
    Forget,
    Generate,
    Loaded,
    ModelSettings,
    Note,
    Progress,
    Read,
    ReadingSettings,
    Sampling,
    Usage,
)
from engine.stream import Stream
from engine.verify.asking import talk


class Ours:
    """`data`: its data folder, where readings are kept from one opening to the next. `stopped` is looked at with every
    event, and then `Stopped` raised. Every method raises `RequestFailed` for what the engine refuses."""

    def __init__(self, data: Path, settings: ModelSettings, stopped: Callable[[], bool] = never) -> None:
        self.notes: tuple[Note, ...] = ()
        """Of the last request."""
        self.opened = 0.0
        """Seconds from the process's start to its loaded model."""
        self.data, self._settings, self._stopped = data, settings, stopped
        self._engine: Engine | None = None
        self._peak: Peak | None = None

    async def open(self) -> Loaded:
        """Start the process and load the model. What it takes of memory is watched from here on."""
        began = time.perf_counter()
        self._engine = Engine(data=self.data)
        await self._engine.start()
        assert self._engine.pid is not None
        self._peak = Peak(self._engine.pid).__enter__()
        loaded = await self._engine.load(self._settings)
        self.opened = time.perf_counter() - began
        return loaded

    async def close(self) -> Memory | None:
        """End the process; the most memory that it took, None if there was none. May be called again."""
        most = None
        if self._peak is not None:
            self._peak.__exit__(None, None, None)
            most, self._peak = self._peak.most, None
        if self._engine is not None:
            await self._engine.stop()
            self._engine = None
        return most

    async def read(self, document: Document, reading: ReadingSettings, share: float = 1.0) -> Usage:
        """Read until `share` of the document is in memory."""
        stream = self._send(Read(new_id(), talk([document]), reading))
        async for event in stream:
            if self._stopped() or (
                share < 1
                and isinstance(event, Progress)
                and event.stage == "read"
                and event.done >= share * event.total
            ):
                stream.cancel()
        done = stream.ended
        if self._stopped() or not isinstance(done, Done):
            assert done is not None
            done = settled(done)
        assert isinstance(done, Done)
        assert done.usage is not None
        return done.usage

    async def ask(
        self, document: Document, question: str, reading: ReadingSettings, max_tokens: int
    ) -> tuple[Usage, str]:
        """What it took, and the answer."""
        sampling = Sampling(max_tokens=max_tokens)
        stream = self._send(Generate(new_id(), talk([document], question), sampling, reading=reading))
        async for _ in stream:
            if self._stopped():
                stream.cancel()
        assert stream.ended is not None
        done = settled(stream.ended)
        assert isinstance(done, Done)
        assert done.usage is not None
        assert isinstance(done.result, Answered)
        self.notes = done.notes
        return done.usage, done.result.text

    async def forget(self, document: Document) -> None:
        settled(await self._send(Forget(new_id(), (document.sha256,))).ending())

    def _send(self, request: Read | Generate | Forget) -> Stream:
        assert self._engine is not None
        return self._engine.send(request)
