"""What a client asks, whatever protocol it speaks."""

from msgspec import Struct

from engine.protocol import Document, ReadingSettings, Sampling, Tool, Turn


class Asked(Struct, frozen=True):
    """`model`: as the client named it. `documents`: ids or titles of the library, read before the last question.

    `plain`: no chat template is used. `reading`: None: as the person's settings say. `tool`: whether tools may be
    called, must be, or one of that name must be.
    """

    model: str
    turns: tuple[Turn, ...]
    sampling: Sampling = Sampling()
    documents: tuple[str, ...] = ()
    tools: tuple[Tool, ...] = ()
    tool: str = "auto"
    plain: bool = False
    reading: ReadingSettings | None = None
    stream: bool = False


class Sent(Struct, frozen=True):
    """A request is with its engine. `model`: as the API names it; `fingerprint`: what it was loaded from, empty of one
    that runs elsewhere."""

    model: str
    documents: tuple[Document, ...]
    fingerprint: str = ""
    host: str = ""
    """Where that is; empty: on this computer."""
