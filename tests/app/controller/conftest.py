"""The whole window over a data folder of the test's own, with an engine that says what the test tells it to."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent

from app import paths
from app.controller import Controller
from app.controller.services import Services
from app.controller.state import State
from app.data.document import Extracted, Span
from app.data.settings import Settings
from app.services import library as library_module
from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.downloads import Downloads
from app.services.keys import Keys
from app.services.library import Library
from app.services.models import Models
from app.services.originals import Originals
from app.services.privacy import Connections
from app.services.providers import Providers
from app.services.settings import SettingsStore
from app.services.text_index import TextIndex
from app.services.text_search import TextSearch
from app.views import theme
from app.views.window import MainWindow
from engine.client import Stream, new_id
from engine.protocol import (
    Calibration,
    Count,
    Counted,
    Delta,
    DeviceInfo,
    Done,
    Event,
    Expect,
    Expected,
    Forget,
    Forgotten,
    Generate,
    Inspect,
    Inspected,
    Listed,
    Loaded,
    MemoryParts,
    Plan,
    Planned,
    Read,
    Readings,
    Saved,
    Usage,
)

CPU = DeviceInfo("cpu", "Test processor", 8 * 2**30, 4 * 2**30, ("bf16",))
MEMORY = MemoryParts(8, 1, 1, 0, 1, 5)
PLANNED = Planned(1, 1, 0, 1, 1, 4, 8, 8192, 8192, 8192, True, "bf16", CPU)
PAGES = 64
PAGE = 2_000
"""Characters of a page, and tokens of it by the pretended model."""


def loaded() -> Loaded:
    return Loaded(
        *(new_id(), "Test model", "f1", "llama", 1000, {"full": 2}, 8192, 8192, "bf16", CPU, "plain"),
        candidates={"plain": 1.0},
        memory=MEMORY,
        seconds=0.1,
        calibration=Calibration(2000, 0, "consecutive", 3, 0.5, 500),
        kv_token=1024,
        kv_token_int8=600,
    )


class FakeEngine:
    """A document's tokens are its characters. Reading ends at once, and keeps what it read on a pretended disk; answers
    say what the test puts into `answer()`, and end when it says `Done`."""

    def __init__(self) -> None:
        self.state, self.pid, self.log, self.last_spoke = "ready", 1, Path("log"), 0.0
        self.loaded: Loaded | None = None
        self.sent: list[object] = []
        self.streams: list[Stream] = []
        """Of the questions."""
        self.saved: list[Saved] = []
        self.read_notes = ()
        self.expected = Expected(128_100, 6_400, 121_700)
        self.holds_reading = False
        """Readings do not end until `finish_reading`."""
        self._reading: list[Stream] = []

    @property
    def busy(self) -> bool:
        return any(stream.ended is None for stream in self.streams)

    async def start(self) -> None:
        self.state = "ready"

    async def load(self, settings, on_progress=lambda progress: None) -> Loaded:
        self.loaded = loaded()
        return self.loaded

    async def stop(self) -> None:
        self.state = "stopped"

    def send(self, request) -> Stream:
        stream = Stream(request, lambda stream: stream.put(Done(stream.id, "cancelled", Usage(10, 4, 0, 1, 6))))
        self.sent.append(request)
        match request:
            case Count(id, documents):
                counted = tuple(len(Path(document.path).read_text()) for document in documents)
                stream.put(Done(id, "complete", result=Counted(counted)))
            case Expect(id):
                stream.put(Done(id, "complete", result=self.expected))
            case Inspect(id):
                stream.put(Done(id, "complete", result=Inspected((CPU,), {}, 2, 1, None)))
            case Plan(id):
                stream.put(Done(id, "complete", result=PLANNED))
            case Readings(id):
                size = sum(saved.bytes for saved in self.saved)
                stream.put(Done(id, "complete", result=Listed(tuple(self.saved), size, 2**30, 2**40, "/readings")))
            case Forget(id, documents):
                gone = [one for one in self.saved if documents is None or set(one.documents) & set(documents)]
                self.saved = [one for one in self.saved if one not in gone]
                stream.put(Done(id, "complete", result=Forgotten(len(gone), sum(one.bytes for one in gone))))
            case Read():
                self._reading.append(stream)
                if not self.holds_reading:
                    self.finish_reading()
            case Generate():
                self.streams.append(stream)
        return stream

    def finish_reading(self) -> None:
        for stream in self._reading:
            parts = [part for turn in stream.request.conversation.turns for part in turn.parts]
            for document in parts:
                made = (f"r{len(self.saved)}", (document.sha256,), "parallel", 128_000, 128_000 * 1024)
                self.saved.append(Saved(*made, 1.0, 1.0, "Test model", "f1", "bf16", 1.4))
            stream.put(Done(stream.id, "read", Usage(128_000, 128_000, 0, 0), notes=self.read_notes))
        self._reading.clear()

    def answer(self, *events: Event) -> None:
        """Say these of the question that was asked last; their ids are put right."""
        stream = self.streams[-1]
        for event in events:
            stream.put(replace(event, id=stream.id))

    def asked(self) -> Generate:
        return self.streams[-1].request


class AnyModel:
    """Every name is a path."""

    def resolve(self, name: str) -> Path:
        return Path("/models") / name


class Program:
    def __init__(self, home: Path) -> None:
        self.engine = FakeEngine()
        database = Database(home / "longread.db")
        index, collections = TextIndex(home / "search.db"), Collections(database)
        library, conversations = Library(database, home / "texts", index), Conversations(database)
        models, connections = Models(paths.models()), Connections()
        providers = Providers(home / "providers.json", connections)
        settings = Settings(seen_first_run=True)
        self.services = Services(
            *(database, library, conversations, SettingsStore(home / "settings.json"), models),
            downloads=Downloads(models, connections),
            connections=connections,
            engine=self.engine,
            assistant=Assistant(self.engine, library, conversations, AnyModel(), settings, providers),
            collections=collections,
            originals=Originals(library, collections),
            index=index,
            search=TextSearch(library, index),
            providers=providers,
            keys=Keys(Database(home / "longread.db")),
        )
        self.state = State(settings)
        self.window = MainWindow()
        self.controller = Controller(self.services, self.state, self.window)

    def last(self):
        """The newest message, as it is kept."""
        return self.services.conversations.messages(self.state.conversation)[-1]

    def idle(self) -> bool:
        """Whether the open conversation's answer has come to its end."""
        return not self.controller.answers.busy(self.state.conversation)

    def ask(self, question: str) -> None:
        self.window.composer.set_text(question)
        self.window.composer.ask()

    def card(self, item_id: str) -> str:
        """What the library says of how an item stands."""
        return self.window.sidebar._items._words(self.services.library.get(item_id))

    async def add(self, name: str = "Book.pdf") -> str:
        """A document in the library, counted and attached to the open conversation; its id."""
        item = await self.services.library.add(Path("/somewhere") / name)
        await self.services.assistant.count([item])
        self.controller._attachments.attach(self.state.conversation, [item.id])
        self.state.documents_changed.emit()
        return item.id


@pytest.fixture
def until() -> Callable:
    """`await until(lambda: …)`: give the loop its turns until it holds."""

    async def wait(condition: Callable[[], object], what: str = "") -> None:
        for _ in range(2000):
            if condition():
                return
            await asyncio.sleep(0)
        pytest.fail(f"waited for {what or 'a condition that did not come to hold'}")

    return wait


@pytest.fixture
def texts(monkeypatch) -> dict[str, int]:
    """Pages of each document, by file name; others have `PAGES`."""
    pages: dict[str, int] = {}

    async def extract(source: Path, on_progress, options=None) -> Extracted:
        on_progress(1, 1)
        count = pages.get(source.name, PAGES)
        words = (f"Page {place} of {source.name}. " for place in range(1, count + 1))
        text = "".join(one * (PAGE // len(one)) + "x" * (PAGE % len(one)) for one in words)
        spans = tuple(Span(place * PAGE, (place + 1) * PAGE, place, str(place + 1)) for place in range(count))
        return Extracted(text, "pdf", source.name, "page", spans)

    monkeypatch.setattr(library_module, "extract", extract)
    return pages


@pytest.fixture(scope="session")
def look(qapp) -> None:
    """One look for all: a style sheet is costly to apply, and none of these tests looks at colours."""
    theme.apply(qapp, "light")


@pytest.fixture
async def program(home, qtbot, look, texts, until):
    """The window, its model loaded, with an empty conversation."""
    made = Program(home)
    made.window.show()
    made.controller.shelf.show_items()
    made.controller.shelf.open_last()
    await made.controller.engine.load(made.state.settings)
    await until(lambda: made.state.readings, "the list of readings")
    yield made
    made.window.close()
    await made.controller.close()
    made.services.index.close()
    made.services.keys.close()
    made.services.database.close()
    made.window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def words(text: str) -> Delta:
    return Delta("", text)
