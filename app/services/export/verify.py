"""Whether an exported conversation says what the documents say: its twin checked against them."""

import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from app.data.export import FORMAT, ExportedQuote, Record
from app.services.export import TWIN, twin
from app.services.problem import Problem

What = Literal["file", "text", "original", "quote"]
Found = Literal["right", "wrong", "missing"]


class Check(Struct, frozen=True):
    """`subject`: a file's or document's name, or the number of a note. Sentences: `app.export_words.CHECKS`."""

    what: What
    subject: str
    found: Found


def opened(path: Path) -> Record:
    """The twin itself, or that of an exported file. Raises `Problem`: "export_no_twin", "export_damaged" or
    "export_newer"."""
    beside = path if path.name.endswith(TWIN) else twin(path)
    try:
        content = beside.read_bytes()
    except OSError as error:
        raise Problem("export_no_twin", subject=beside.name) from error
    try:
        if msgspec.json.decode(content, type=_Form).format > FORMAT:
            raise Problem("export_newer", subject=beside.name)
        return msgspec.json.decode(content, type=Record)
    except msgspec.MsgspecError as error:
        raise Problem("export_damaged", subject=beside.name) from error


class _Form(Struct):
    format: int


def verify(record: Record, folder: Path, text: Callable[[str], str | None], file: Callable[[str], bool]) -> list[Check]:
    """`folder`: where the exported file lies. `text(digest)`: the text of that SHA-256, None where nobody has it.
    `file(digest)`: whether an original of that SHA-256 is at hand."""
    texts = {document.text_sha256: text(document.text_sha256) for document in record.documents}
    checks = [Check("file", record.file, _file(folder / record.file, record.file_sha256))]
    for document in record.documents:
        name = document.name or document.text_sha256[:12]
        checks.append(Check("text", name, _text(texts[document.text_sha256], document.text_sha256)))
        if document.file_sha256:
            checks.append(Check("original", name, "right" if file(document.file_sha256) else "missing"))
    return [*checks, *_quotes(record, texts)]


def _file(path: Path, digest: str) -> Found:
    try:
        return "right" if hashlib.sha256(path.read_bytes()).hexdigest() == digest else "wrong"
    except OSError:
        return "missing"


def _text(text: str | None, digest: str) -> Found:
    if text is None:
        return "missing"
    return "right" if hashlib.sha256(text.encode()).hexdigest() == digest else "wrong"


def _quotes(record: Record, texts: dict[str, str | None]) -> Iterator[Check]:
    """Each with a place, its passage against the text there, and the answer's words against the answer."""
    for exchange in record.exchanges:
        for quote in exchange.quotes:
            said = exchange.answer[quote.quote.start : quote.quote.end] == quote.words
            if not said:
                yield Check("quote", _name(quote), "wrong")
            elif quote.passage:
                place = quote.quote.places[0]
                held = texts.get(place.item)
                right = held is not None and held[place.start : place.end] == quote.passage
                yield Check("quote", _name(quote), "missing" if held is None else "right" if right else "wrong")


def _name(quote: ExportedQuote) -> str:
    return str(quote.number) if quote.number else f"“{quote.words}”"
