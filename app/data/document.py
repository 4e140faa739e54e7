"""A document: what was extracted from a file or folder, and what the library knows of it."""

from typing import Literal

from msgspec import Struct

Kind = Literal[
    "pdf",
    "docx",
    "pptx",
    "sheet",
    "odt",
    "odp",
    "epub",
    "html",
    "rtf",
    "mail",
    "notebook",
    "image",
    "markdown",
    "text",
    "code",
    "folder",
    "archive",
]
"""sheet: a workbook or a table of comma-separated values."""

Unit = Literal["page", "section", "slide", "sheet", "message", "cell", "file"]

Changes = Literal["final", "original", "marked"]
"""Tracked changes: as if all were accepted, as if none were, or with each one marked."""

RefusalCode = Literal[
    "missing",
    "empty",
    "no_text",
    "no_ocr",
    "ocr_off",
    "packed",
    "nested",
    "unknown_format",
    "damaged",
    "encrypted",
    "too_big",
    "too_slow",
    "crashed",
    "denied",
]


class Warning(Struct, frozen=True):
    """Something about a document that the person should know before it is read. Sentences: `app/words.py`."""

    code: str
    values: dict[str, str] = {}


class Span(Struct, frozen=True):
    """Characters `start` to `end` of the text lie on one page of a document, or in one file of a folder.

    `index` counts from 0; `label` is the printed page number, the chapter's title or the file's relative path. A file
    of a folder, an archive or a mail that has pages of its own has a span for each: `file` is then its relative path,
    `index` and `label` are the page's, and `unit` says what they are.
    """

    start: int
    end: int
    index: int
    label: str
    file: str = ""
    unit: Unit | None = None
    """None: the document's."""


class Heading(Struct, frozen=True, array_like=True):
    """A heading that begins at character `start` of the text. `level` counts from 1."""

    start: int
    level: int
    title: str


class Run(Struct, frozen=True, array_like=True):
    """From character `start` of the text on, up to the next run or the end of its page, characters of the text are
    those from `raw` on of the page as pdfium counts them: so a place in the text is found on the drawn page. `raw` -1:
    they are none of them, as comments and what was recognised in a picture are."""

    start: int
    raw: int


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
    headings: tuple[Heading, ...] = ()
    """In order; a place's heading path is found from them."""
    runs: tuple[Run, ...] = ()
    """In order; of a PDF alone."""
    file_sha256: str = ""
    """Of the file's own bytes. Of a folder: of its files' paths and digests, in order."""
    file_size: int = 0
    """Bytes."""


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
    file_sha256: str = ""
    """Of the original's own bytes, as in `Extracted`; "" for what an older Longread added."""
    file_size: int = 0
    changes: Changes = "final"
    """How tracked changes were read."""
    succeeds: str | None = None
    """Id of the item that is the version before of the same file."""
