"""Conversations, as the engine sees them."""

from typing import Literal

from msgspec import Struct

Unit = Literal["page", "section", "slide", "sheet", "message", "cell", "file"]


class Text(Struct, frozen=True, tag="text"):
    """Words of a person, or of the model in an earlier turn. Never parsed for control tokens."""

    text: str


class Label(Struct, frozen=True, array_like=True):
    """From character `start` of a document's text on, up to the next label, stands page, section or file `text`."""

    start: int
    text: str


class Document(Struct, frozen=True, tag="document", omit_defaults=True):
    """A UTF-8 text file on disk: our own immutable copy of a document's text.

    `sha256` is the hex digest of the file's bytes; a difference is `bad_document`. `name` is shown to the model.
    `labels`, in order, let a segment of a long text say which pages it is; they are part of no quote.
    """

    path: str
    sha256: str
    name: str
    unit: Unit = "page"
    labels: tuple[Label, ...] = ()


Part = Text | Document


class Tool(Struct, frozen=True):
    """A function that the model may ask to be called. `parameters`: a JSON schema, as JSON text."""

    name: str
    description: str = ""
    parameters: str = "{}"


class Call(Struct, frozen=True):
    """A call that the model asked for. `arguments`: JSON text, as it was written."""

    id: str
    name: str
    arguments: str


class Turn(Struct, frozen=True, omit_defaults=True):
    """`calls`: of an assistant's turn. A `tool` turn's words are what the call of id `call` gave."""

    role: Literal["system", "user", "assistant", "tool"]
    parts: tuple[Part, ...]
    calls: tuple[Call, ...] = ()
    call: str | None = None


class Conversation(Struct, frozen=True, omit_defaults=True):
    """All turns, oldest first. `began`: the ISO date and time that templates with a date are given, fixed for life.

    `tools`: those that the model may call. `plain`: the turns' words as they are, without a chat template.
    """

    turns: tuple[Turn, ...]
    began: str
    tools: tuple[Tool, ...] = ()
    plain: bool = False
