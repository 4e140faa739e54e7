"""Conversations and their messages, as they are shown and kept."""

from typing import Literal

from msgspec import Struct

from app.data.ledger import Ledger

MessageState = Literal["waiting", "writing", "answered", "stopped", "failed"]


class Failure(Struct, frozen=True):
    """A `Failed` as it is kept with the answer that it ended."""

    code: str
    subject: str | None = None
    needed: int | None = None
    available: int | None = None
    message: str = ""
    """As in `Failed.message`."""


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
