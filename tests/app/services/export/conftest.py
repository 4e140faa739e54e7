"""A kept conversation over one document, with quotes of every verdict, and its record."""

import hashlib
import time

import pytest

from app.data.conversation import Message
from app.data.document import Extracted, Heading, Span
from app.data.ledger import Ledger, LedgerDocument
from app.data.quote import Quote, QuotePlace
from app.services import library as library_module
from app.services.conversations import Conversations
from app.services.database import MEMORY, Database
from app.services.export.record import record
from app.services.library import Library

TEXT = "1. Term\n\nThe lease ends on 3 May 2031.\n\n2. Rent\n\nThe tenant pays 2,400 euros | a month."
ANSWER = (
    "It **ends** when “The lease ends on 3 May 2031.” says so.\n\n- “The tenant pays 2,400 euros” a month\n"
    "- “The landlord pays” nothing, `code`\n\n| a | b |\n| --- | --- |\n| ![seen](http://127.0.0.1/p.png) | 2 |\n"
)


def ledger(id: str) -> Ledger:
    return Ledger(
        documents=(LedgerDocument(id, "lease.pdf", id, 30),),
        prompt=60, read=60, reused=0, written=20, unread=0, evicted=0, finish="complete", first_token=0.5,
        reading_rate=100.0, writing_rate=20.0, model="Test model", fingerprint="f" * 64, precision="int8",
        writing="native", device="a processor", window=8192, layers={"full": 2}, temperature=0.0, seed=None,
    )  # fmt: skip


def quoted(words: str, verdict: str, place: QuotePlace | None = None, kind: str = "quote") -> Quote:
    start = ANSWER.index(words)
    return Quote(start, start + len(words), verdict, kind, () if place is None else (place,))


@pytest.fixture
def database():
    made = Database(MEMORY)
    yield made
    made.close()


@pytest.fixture
async def library(database, tmp_path, monkeypatch):
    async def extract(source, on_progress, options=None):
        pages = (Span(0, 39, 0, "i"), Span(41, len(TEXT), 1, "2"))
        headings = (Heading(0, 1, "1. Term"), Heading(41, 1, "2. Rent"))
        return Extracted(TEXT, "pdf", "lease.pdf", "page", pages, headings=headings, file_sha256="a" * 64, file_size=9)

    monkeypatch.setattr(library_module, "extract", extract)
    made = Library(database, tmp_path / "texts")
    await made.add(tmp_path / "lease.pdf")
    return made


@pytest.fixture
def kept(database, library):
    """The conversation's id and the ids of its two answers."""
    conversations = Conversations(database)
    conversation = conversations.new()
    (item,) = library.items()
    exact = TEXT.index("The lease ends")
    close = TEXT.index("The tenant")
    places = (
        QuotePlace(item.id, exact, exact + 29, "i", "page", 0, "", ("1. Term",)),
        QuotePlace(item.id, close, len(TEXT), "2", "page", 1, "", ("2. Rent",)),
    )
    quotes = (
        quoted("“The lease ends on 3 May 2031.”", "exact", places[0]),
        quoted("“The tenant pays 2,400 euros”", "close", places[1]),
        quoted("2,400 euros", "exact", places[1], "fact"),
        quoted("“The landlord pays”", "missing"),
    )
    now = time.time()
    asked = Message("q1", conversation.id, "user", "When does it end?\nSay why.", now, (item.id,))
    answer = Message("a1", conversation.id, "assistant", ANSWER, now, ledger=ledger(item.id), quotes=quotes)
    more = Message("q2", conversation.id, "user", "And | the rent?", now)
    stopped = Message("a2", conversation.id, "assistant", "It is", now, state="stopped")
    for message in (asked, answer, more, stopped):
        conversations.add(message)
    return conversation.id


@pytest.fixture
def made(database, library, kept):
    conversations = Conversations(database)

    def of(only=None):
        messages = conversations.messages(kept)
        return record(conversations.get(kept), messages, library.get, library.text, "1.2", only)

    return of


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
