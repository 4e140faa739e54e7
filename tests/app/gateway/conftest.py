"""The local API over a real socket, before an engine that answers by a script or the real one with the small model."""

import asyncio
import contextlib
import queue
import sys
import threading
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import pytest

from app import paths
from app.data.gateway import GatewaySettings
from app.data.key import Key, KeyRefused
from app.data.settings import Settings
from app.gateway.behind import Behind
from app.gateway.desk import Desk
from app.gateway.home import Home
from app.gateway.server import Gateway
from app.gateway.tally import Tally
from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.library import Library
from app.services.models import Models
from app.services.text_index import TextIndex
from engine.client import Engine
from engine.protocol import Gauges

SCRIPTED = (sys.executable, str(Path(__file__).parents[1] / "scripted_engine.py"))
T = TypeVar("T")


class Secrets:
    """Keys as the gateway asks for them, by their secrets."""

    def __init__(self) -> None:
        self.known = {"sk-all": Key("k1", "all", "-all", remote=True)}
        self.uses: queue.Queue[tuple[int, int, int, str]] = queue.Queue()
        """Of each request that ended: tokens of the prompt, reused and written, and how it failed."""

    def check(self, secret: str) -> Key | KeyRefused:
        return self.known.get(secret, KeyRefused("unknown" if secret else "missing"))

    def used(self, id: str, *, prompt: int, reused: int, written: int, error: str = "") -> None:
        self.uses.put((prompt, reused, written, error))

    def exceeded(self, key: Key) -> bool:
        return False


class Served:
    """Everything behind one address. What belongs to the engine's loop is done by `do`."""

    def __init__(self, loop: asyncio.AbstractEventLoop, settings: Settings, command: tuple[str, ...] | None) -> None:
        self._loop = loop
        self.keys = Secrets()
        self.changes = 0
        """Times that the library was said to have changed."""
        self.sleep: Callable[[float], Awaitable[object]] = asyncio.sleep
        self.database = Database(paths.database())
        self.index = TextIndex(paths.index())
        self.library = Library(self.database, paths.texts(), self.index)
        self.collections = Collections(self.database)
        self.conversations = Conversations(self.database)
        self.reading = threading.Event()
        """The engine has said that it reads."""
        self.engine = Engine(data=paths.data(), command=command, on_gauges=self._gauged)
        models = Models(paths.models())
        self.assistant = Assistant(self.engine, self.library, self.conversations, models, settings)
        self.behind = Behind(
            *(self.engine, self.assistant, self.library, self.collections, models),
            library_changed=self._changed,
        )
        self.desk = Desk(self.behind, Home(loop), Tally(self.keys, 64))
        self.gateway = Gateway(self.desk, GatewaySettings(port=0), sleep=lambda seconds: self.sleep(seconds))

    @property
    def address(self) -> str:
        return self.gateway.address

    def do(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(120)

    async def close(self) -> None:
        await self.gateway.stop()
        await self.assistant.close()
        await self.engine.stop()
        self.index.close()
        self.database.close()

    def _changed(self) -> None:
        self.changes += 1

    def _gauged(self, gauges: Gauges) -> None:
        if gauges.reading is not None:
            self.reading.set()


@contextlib.contextmanager
def serving(settings: Settings, command: tuple[str, ...] | None) -> Iterator[Served]:
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="home")
    thread.start()

    async def begin() -> Served:
        served = Served(loop, settings, command)
        await served.gateway.start()
        return served

    try:
        served = asyncio.run_coroutine_threadsafe(begin(), loop).result(60)
        try:
            yield served
        finally:
            served.do(served.close())
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@pytest.fixture(scope="module")
def module_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """As `home`, for all tests of a file."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("home") / "longread"
        patch.setenv("LONGREAD_HOME", str(folder))
        patch.setenv("PYTHONPATH", str(Path.cwd()))
        paths.make()
        yield folder


@pytest.fixture(scope="module")
def scripted(module_home: Path) -> Iterator[Served]:
    """Before the engine that answers by a script."""
    model = module_home / "test.gguf"
    model.write_bytes(b"GGUF")
    with serving(Settings(model=str(model)), SCRIPTED) as served:
        yield served


@pytest.fixture(scope="module")
def small(module_home: Path, small_model: Path) -> Iterator[Served]:
    """Before the real engine with the small model, read whole in 8,192 tokens."""
    with serving(Settings(model=str(small_model), threads=2), None) as served:
        yield served


@pytest.fixture
def another(scripted: Served) -> Iterator[Callable[[GatewaySettings], Gateway]]:
    """Further gateways to what the scripted engine's serves, with limits of their own."""
    started: list[Gateway] = []

    def start(settings: GatewaySettings) -> Gateway:
        gateway = Gateway(scripted.desk, settings, sleep=lambda seconds: scripted.sleep(seconds))
        scripted.do(gateway.start())
        started.append(gateway)
        return gateway

    yield start
    for gateway in started:
        scripted.do(gateway.stop())
