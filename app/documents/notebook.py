"""Jupyter notebooks, nbformat 3 and 4: their cells' words, code and text outputs. Pictures and widgets are left out."""

import json
import re
from collections.abc import Iterator
from typing import Any

from app.data.document import LeftOut, Span
from app.documents.encodings import Decoded
from app.documents.errors import Unreadable
from app.documents.nesting import depth
from app.documents.pages import Pages, clean
from app.documents.plain import headings, warnings
from app.documents.source import Content, Source

DEEPEST = 100
"""Brackets in one another: a notebook has some ten, and JSON of 100,000 ends whoever parses it."""

EMBEDDED = re.compile(r"data:[\w.+-]+/[\w.+-]+;base64,[A-Za-z0-9+/=\s]{64,}")
COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
TEXTS = ("text/plain", "text/markdown", "text/latex", "text/html", "text", "latex", "html")
"""Of one output in several forms the first of these is read: by their names in nbformat 4, then in 3."""


def read(source: Source, decoded: Decoded) -> Content:
    cells = _cells(decoded.text)
    pages = Pages(source.limits.characters)
    left_out: list[LeftOut] = []
    for place, cell in enumerate(cells):
        label = str(place + 1)
        text, pictures = _embedded("\n\n".join(part for part in _parts(cell) if part.strip()))
        text = clean(text).strip("\n")
        pictures += sum(_pictures(output) for output in _list(cell.get("outputs")))
        pictures += len(cell["attachments"]) if isinstance(cell.get("attachments"), dict) else 0
        left_out += [LeftOut(label, "picture")] * pictures
        if text.strip():
            pages.paste(text, (Span(0, len(text), place, label),), headings(text) if _is_words(cell) else ())
    source.report(1, 1)
    return Content("notebook", pages, tuple(left_out), warnings(decoded))


def _cells(text: str) -> list[dict[str, Any]]:
    """The cells of nbformat 4, or of the worksheets of 3. Raises `Unreadable("damaged")`."""
    if depth(text, DEEPEST) > DEEPEST:
        raise Unreadable("damaged", "IPYNB")
    try:
        # Numbers as they are written: one of a million digits takes no time.
        book = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    except ValueError as error:
        raise Unreadable("damaged", "IPYNB") from error
    sheets = [book, *(sheet for sheet in _list(book.get("worksheets")) if isinstance(sheet, dict))]
    return [cell for sheet in sheets for cell in _list(sheet.get("cells")) if isinstance(cell, dict)]


def _is_words(cell: dict[str, Any]) -> bool:
    return cell.get("cell_type") in ("markdown", "heading")


def _parts(cell: dict[str, Any]) -> Iterator[str]:
    """A cell's own words, and what running it gave, as Jupyter numbers both."""
    words = _joined(cell.get("source", cell.get("input")))
    if cell.get("cell_type") == "heading" and words.strip():
        level = cell.get("level")
        words = f"{'#' * (int(level) if str(level) in '123456' and level else 1)} {words}"
    number = cell.get("execution_count", cell.get("prompt_number"))
    counted = cell.get("cell_type") == "code" and isinstance(number, str)
    yield f"In [{number}]:\n{words}" if counted and words.strip() else words
    for output in _list(cell.get("outputs")):
        if not isinstance(output, dict):
            continue
        text = COLOURS.sub("", _output(output))
        result = output.get("output_type") in ("execute_result", "pyout") and isinstance(number, str)
        yield f"Out[{number}]:\n{text}" if result and text.strip() else text


def _output(output: dict[str, Any]) -> str:
    if output.get("output_type") in ("error", "pyerr"):
        traceback = _list(output.get("traceback"))
        told = "\n".join(line for line in traceback if isinstance(line, str))
        return told or f"{_joined(output.get('ename'))}: {_joined(output.get('evalue'))}"
    if output.get("output_type") == "stream":
        return _joined(output.get("text"))
    forms = output.get("data", output)
    if not isinstance(forms, dict):
        return ""
    return next((_joined(forms[name]) for name in TEXTS if forms.get(name)), "")


def _pictures(output: object) -> int:
    forms = output.get("data", output) if isinstance(output, dict) else None
    if not isinstance(forms, dict):
        return 0
    return sum(name.startswith("image/") or name in ("png", "jpeg", "svg") for name in forms)


def _embedded(text: str) -> tuple[str, int]:
    """The words without what is embedded in them in base64, and how often something was."""
    return EMBEDDED.subn("data:…", text)


def _joined(value: object) -> str:
    """nbformat keeps a text as one string or as a list of its lines."""
    if isinstance(value, str):
        return value
    return "".join(line for line in _list(value) if isinstance(line, str))


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
