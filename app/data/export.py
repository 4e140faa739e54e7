"""A conversation as it is given out of hand: what a reader needs to check it, and nothing of this computer."""

from typing import Literal

from msgspec import Struct

from app.data.conversation import MessageState
from app.data.document import Changes, Kind, LeftOut, Unit, Warning
from app.data.evidence import SentenceEvidence
from app.data.ledger import Ledger
from app.data.quote import Quote

FORMAT = 1

Format = Literal["md", "pdf", "docx"]


class ExportedDocument(Struct, frozen=True):
    """`text_sha256` names the text that was read, `file_sha256` the file that it was taken from ("": not known)."""

    text_sha256: str
    file_sha256: str
    file_size: int
    name: str
    kind: Kind
    unit: Unit
    units: int
    characters: int
    changes: Changes = "final"
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()


class ExportedQuote(Struct, frozen=True):
    """`number` counts the notes of the whole export from 1; 0: the quote has none. `words`: the answer's; `passage`:
    the document's own, at the first of the quote's places."""

    number: int
    words: str
    quote: Quote
    passage: str = ""


class Exchange(Struct, frozen=True):
    """A question and what was answered. Times are ISO dates. `documents`: text digests of those attached to it."""

    question: str
    asked: str
    documents: tuple[str, ...]
    answer: str
    answered: str
    state: MessageState
    quotes: tuple[ExportedQuote, ...] = ()
    evidence: tuple[SentenceEvidence, ...] = ()
    ledger: Ledger | None = None
    failure: str = ""
    """The code of what ended the answer."""


class Record(Struct, frozen=True):
    """`file` and `file_sha256` name the exported file that this is the twin of."""

    title: str
    began: str
    exported: str
    version: str
    documents: tuple[ExportedDocument, ...]
    exchanges: tuple[Exchange, ...]
    format: int = FORMAT
    program: str = "Longread"
    file: str = ""
    file_sha256: str = ""
