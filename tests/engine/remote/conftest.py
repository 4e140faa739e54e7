"""A server by script, and the remote engine that asks it."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import openai_server
import pytest

from engine.protocol import Conversation, Delta, Document, Event, Generate, Sampling, Text, Turn
from engine.remote import Remote
from engine.stream import Stream


@pytest.fixture
def server():
    with openai_server.serving() as one:
        yield one


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries follow at once."""
    monkeypatch.setattr("engine.remote.calling.PAUSE", 0.0)


@pytest.fixture
def remote(server) -> Callable[..., Remote]:
    def made(address: str = "", **how) -> Remote:
        return Remote(address or server.address, **({"model": "m", "retries": 0} | how))

    return made


@pytest.fixture
def document(tmp_path: Path) -> Callable[..., Document]:
    def made(text: str, name: str = "lease.txt") -> Document:
        digest = hashlib.sha256(text.encode()).hexdigest()
        (tmp_path / digest).write_text(text, encoding="utf-8")
        return Document(str(tmp_path / digest), digest, name)

    return made


@pytest.fixture
def question() -> Callable[..., Generate]:
    def made(*parts: Document | str, id: str = "1", sampling: Sampling | None = None, **how) -> Generate:
        told = tuple(Text(part) if isinstance(part, str) else part for part in parts or ("Who?",))
        return Generate(id, Conversation((Turn("user", told),), "2026-01-01"), sampling or Sampling(), **how)

    return made


@pytest.fixture
def heard():
    """Everything of a stream: its words and its ending."""

    async def hear(stream: Stream) -> tuple[str, Event]:
        words = "".join([event.text async for event in stream if isinstance(event, Delta)])
        return words, stream.ended

    return hear
