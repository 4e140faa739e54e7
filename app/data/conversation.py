"""Conversations and their messages, as they are shown and kept."""

from typing import Literal

from msgspec import Struct

from app.data.document import Unit
from app.data.evidence import SentenceEvidence
from app.data.ledger import Ledger
from app.data.quote import Quote
from engine.protocol import Advice

MessageState = Literal["waiting", "writing", "answered", "stopped", "failed"]


class Failure(Struct, frozen=True):
    """A `Failed` as it is kept with the answer that it ended."""

    code: str
    subject: str | None = None
    needed: int | None = None
    available: int | None = None
    message: str = ""
    """As in `Failed.message`."""
    advice: tuple[Advice, ...] = ()
    said: str = ""
    """As in `Failed.said`."""


class FoundPart(Struct, frozen=True):
    """What the model wrote for part `part` (from 0) of the `parts` of a text: characters `start` to `end` of library
    item `item`, on the pages, sections or files `first_label` to `last_label`.

    `surprise`, `stands` and `certain` as in `engine.protocol.Found`.
    """

    part: int
    parts: int
    item: str
    start: int
    end: int
    text: str
    surprise: float
    stands: bool
    certain: bool
    first_label: str = ""
    last_label: str = ""
    unit: Unit = "page"
    file: str = ""
    """As in `LedgerPlace`."""


class Message(Struct, frozen=True):
    id: str
    conversation: str
    role: Literal["user", "assistant"]
    text: str
    created: float
    documents: tuple[str, ...] = ()
    """Ids of the library items attached to this question, in order."""
    state: MessageState = "answered"
    ledger: Ledger | None = None
    failure: Failure | None = None
    found: tuple[FoundPart, ...] = ()
    """What each part gave, in the order in which they came, when the question went over every part of the text."""
    quotes: tuple[Quote, ...] = ()
    """Of an answer, in the order in which they stand in it."""
    evidence: tuple[SentenceEvidence, ...] = ()
    """Of an answer, in the order of its sentences."""


class Conversation(Struct, frozen=True):
    id: str
    title: str
    began: str
    """ISO date and time, given to templates; never changes."""
    updated: float
    draft: str = ""
    """What was typed and not yet asked."""
    pending: tuple[str, ...] = ()
    """Ids of the library items attached but not yet asked about."""


class Found(Struct, frozen=True):
    """A place that a search found, with the matching words."""

    conversation: str
    title: str
    snippet: str
