"""Services over a data folder of the test's own, and an engine that answers as the test says."""

import asyncio
import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest

from app.data.document import Extracted, Refused, Span
from app.data.settings import Settings
from app.services import library as library_module
from app.services.assistant import Assistant
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.library import Library
from engine.client import Stream, new_id
from engine.protocol import (
    Answered,
    Count,
    Counted,
    Delta,
    DeviceInfo,
    Done,
    Failed,
    Generate,
    Loaded,
    MemoryParts,
    Progress,
    Read,
    Usage,
)

CPU = DeviceInfo("cpu", "Test processor", 8 * 2**30, 4 * 2**30, ("fp32",))


def loaded(fingerprint: str = "f1") -> Loaded:
    return Loaded(
        *(new_id(), "Test model", fingerprint, "llama", 1000, {"full": 2}, 8192, 4096, "fp32", CPU, "plain"),
        candidates={"plain": 1.0},
        memory=MemoryParts(8, 1, 1, 0, 1, 5),
        seconds=0.1,
    )


class FakeEngine:
    """`answer(request, stream)` decides what a request of reading or writing hears; a document's tokens are its bytes.

    `heard` is set when a request arrives.
    """

    def __init__(self) -> None:
        self.state = "stopped"
        self.loaded: Loaded | None = None
        self.sent: list[object] = []
        self.loads: list[object] = []
        self.answer: Callable[[Read | Generate, Stream], None] = says("Hello")
        self.next_loaded = loaded()
        self.cancelled: list[str] = []
        self.heard = asyncio.Event()

    async def start(self) -> None:
        self.state = "ready"

    async def load(self, settings, on_progress=lambda progress: None) -> Loaded:
        self.loads.append(settings)
        on_progress(Progress("load", "load", 1, 1))
        self.loaded = self.next_loaded
        return self.loaded

    def send(self, request) -> Stream:
        stream = Stream(request, self._cancel)
        self.sent.append(request)
        self.heard.set()
        if isinstance(request, Count):
            tokens = tuple(len(Path(document.path).read_text()) for document in request.documents)
            stream.put(Done(request.id, "complete", result=Counted(tokens)))
        else:
            self.answer(request, stream)
        return stream

    def _cancel(self, stream: Stream) -> None:
        self.cancelled.append(stream.id)
        stream.put(Done(stream.id, "cancelled", Usage(10, 4, 0, 1, 6)))

    def asked(self) -> list[Generate]:
        return [request for request in self.sent if isinstance(request, Generate)]


def says(*pieces: str, usage: Usage | None = None) -> Callable[[Read | Generate, Stream], None]:
    """An answer in pieces, whole."""

    def answer(request: Read | Generate, stream: Stream) -> None:
        for piece in pieces if isinstance(request, Generate) else ():
            stream.put(Delta(request.id, piece))
        told = usage or Usage(10, 8, 2, len(pieces), precision="fp32", writing="plain", window=4096)
        result = Answered("".join(pieces), (1,), 7) if isinstance(request, Generate) else None
        stream.put(Done(request.id, "stop" if result else "read", told, result))

    return answer


def begins(*pieces: str) -> Callable[[Read | Generate, Stream], None]:
    """The beginning of an answer, and then nothing."""

    def answer(request: Read | Generate, stream: Stream) -> None:
        for piece in pieces:
            stream.put(Delta(request.id, piece))

    return answer


def fails(code, *pieces: str, **values) -> Callable[[Read | Generate, Stream], None]:
    def answer(request: Read | Generate, stream: Stream) -> None:
        for piece in pieces:
            stream.put(Delta(request.id, piece))
        stream.put(Failed(request.id, code, "for the log", **values))

    return answer


class NoModels:
    """Every name is a path."""

    def resolve(self, name: str) -> Path:
        return Path("/models") / name


@pytest.fixture
def database(home: Path):
    with_file = Database(home / "longread.db")
    yield with_file
    with_file.close()


@pytest.fixture
def conversations(database: Database) -> Conversations:
    return Conversations(database)


@pytest.fixture
def documents(monkeypatch: pytest.MonkeyPatch) -> dict[str, Extracted | Refused]:
    """What extraction gives, by file name."""
    known: dict[str, Extracted | Refused] = {}

    async def extract(source: Path, on_progress, options=None) -> Extracted | Refused:
        await asyncio.sleep(0)
        on_progress(1, 1)
        return known[source.name]

    monkeypatch.setattr(library_module, "extract", extract)
    return known


def page(text: str, name: str = "a.pdf", label: str = "iv") -> Extracted:
    return Extracted(text, "pdf", name, "page", (Span(0, len(text), 0, label),))


@pytest.fixture
def library(database: Database, home: Path, documents) -> Library:
    return Library(database, home / "texts")


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
async def assistant(engine: FakeEngine, library: Library, conversations: Conversations):
    one = Assistant(engine, library, conversations, NoModels(), Settings(model="m", temperature=0.5))
    yield one
    await one.close()


@pytest.fixture
def add(library: Library, documents):
    """Add a document of this text to the library."""

    async def added(text: str, name: str = "a.pdf"):
        documents[name] = page(text, name)
        return await library.add(Path("/somewhere") / name)

    return added


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.fixture
def fake():
    """The words of the fake engine's answers, for tests that cannot import this file."""
    import types

    return types.SimpleNamespace(says=says, begins=begins, fails=fails, loaded=loaded, page=page, digest=digest)
