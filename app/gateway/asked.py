"""What a client asks, whatever protocol it speaks."""

from msgspec import Struct

from app.gateway.names import Model
from engine.protocol import Document, ReadingSettings, Sampling, Tool, Turn


class Usual(Struct, frozen=True):
    """The model that a request names, and how it writes and reads where the request does not say otherwise. `model`:
    None: nothing is called so, which sending the request says."""

    model: Model | None
    sampling: Sampling
    reading: ReadingSettings


class Asked(Struct, frozen=True):
    """`model`: as the client named it; `found`: what that is, where it was looked up. `documents`: ids or titles of the
    library, read before the last question.

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
    found: Model | None = None


class Sent(Struct, frozen=True):
    """A request is with its engine. `model`: as the API names it; `fingerprint`: what it was loaded from, empty of one
    that runs elsewhere."""

    model: str
    documents: tuple[Document, ...]
    fingerprint: str = ""
    host: str = ""
    """Where that is; empty: on this computer."""
