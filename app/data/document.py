"""A document: what was extracted from a file or folder, and what the library knows of it."""

from typing import Literal

from msgspec import Struct

Kind = Literal["pdf", "docx", "epub", "html", "markdown", "text", "code", "folder"]

Unit = Literal["page", "section", "file"]

RefusalCode = Literal[
    "missing", "empty", "no_text", "unknown_format", "damaged", "encrypted", "too_big", "too_slow", "crashed", "denied"
]


class Warning(Struct, frozen=True):
    """Something about a document that the person should know before it is read. Sentences: `app/words.py`."""

    code: str
    values: dict[str, str] = {}


class Span(Struct, frozen=True):
    """Characters `start` to `end` of the text lie on one page of a document, or in one file of a folder.

    `index` counts from 0; `label` is the printed page number, the chapter's title or the file's relative path.
    """

    start: int
    end: int
    index: int
    label: str


class LeftOut(Struct, frozen=True):
    """A part that is not in the text: a file's relative path or a page, and the code of the reason."""

    what: str
    reason: str


class Extracted(Struct, frozen=True):
    """What the document process makes of one file or folder."""

    text: str
    kind: Kind
    name: str
    """The file's or folder's own name, for people."""
    unit: Unit
    """What `spans` are."""
    spans: tuple[Span, ...]
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()


class Refused(Struct, frozen=True):
    """A document that gave no text, and why."""

    code: RefusalCode
    name: str
    detail: str = ""


class Item(Struct, frozen=True):
    """A document in the library. Its text is the file `path`, immutable, named by `sha256`."""

    id: str
    """= sha256 of the text's UTF-8 bytes."""
    name: str
    source: str
    """Where it was read from, absolute."""
    kind: Kind
    unit: Unit
    units: int
    """Pages, sections or files in the text."""
    characters: int
    path: str
    added: float
    """Seconds since the epoch."""
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
    tokens: int | None = None
    """By the tokenizer of the model that was loaded last; None until counted."""
    first_label: str = ""
    last_label: str = ""
