"""Where in a document something stands, in words: short for a button, whole for a tooltip and a screen reader."""

from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QCoreApplication

from app.data.quote import QuotePlace
from app.models import quantities

DASH = "–"


class Placed(Protocol):
    """Characters `start` to `end` of a document, on its pages, sections or files `first_label` to `last_label`."""

    start: int
    end: int
    first_label: str
    last_label: str
    unit: str
    file: str


def short(place: Placed) -> str:
    """ "p. 40", "pp. 40–47", "Chapter 3, at 12,400", "src/client.py – src/server.py", "in/contract.pdf, p. 12"."""
    return _in_file(place.file, _short(place))


def _short(place: Placed) -> str:
    first, last = place.first_label, place.last_label or place.first_label
    if not first:
        return _characters(place)
    if place.unit == "page":
        one, many = _tr("p. {label}"), _tr("pp. {first}–{last}")
        return one.format(label=first) if first == last else many.format(first=first, last=last)
    if place.unit == "section" and first == last:
        # a section may be a whole book: the character tells places in it apart
        return _tr("{label}, at {n}").format(label=first, n=quantities.number(place.start + 1))
    return first if first == last else f"{first} {DASH} {last}"


def cited(place: QuotePlace) -> str:
    """ "p. 40", "Chapter 3": where a quote stands, "" where nothing is known but the character."""
    if not place.label:
        return ""
    if place.row:
        return _tr("{sheet}, row {n}").format(sheet=place.label, n=quantities.number(place.row))
    return _tr("p. {label}").format(label=place.label) if place.unit == "page" else place.label


def whole(place: Placed) -> str:
    """ "page 40", "pages 40 to 47", "section Chapter 3, characters 12,400 to 14,300"; of a file in a folder, an archive
    or a mail after its path."""
    return _in_file(place.file, _whole(place))


def page(label: str, unit: str, file: str) -> str:
    """One page of a file in a folder, an archive or a mail: "in/contract.pdf, page 12"."""
    return _in_file(file, _units()[unit][0].format(label=label))


def _whole(place: Placed) -> str:
    first, last = place.first_label, place.last_label or place.first_label
    if not first:
        return _characters(place)
    one, many = _units()[place.unit]
    said = one.format(label=first) if first == last else many.format(first=first, last=last)
    return f"{said}, {_characters(place)}" if place.unit == "section" and first == last else said


def _units() -> dict[str, tuple[str, str]]:
    return {
        "page": (_tr("page {label}"), _tr("pages {first} to {last}")),
        "section": (_tr("section {label}"), _tr("sections {first} to {last}")),
        "slide": (_tr("slide {label}"), _tr("slides {first} to {last}")),
        "sheet": (_tr("sheet {label}"), _tr("sheets {first} to {last}")),
        "message": (_tr("message {label}"), _tr("messages {first} to {last}")),
        "cell": (_tr("cell {label}"), _tr("cells {first} to {last}")),
        "file": (_tr("file {label}"), _tr("files {first} to {last}")),
    }


def together(places: Iterable[Placed]) -> str:
    """All of one document, for a line: "pp. 31–38, 80–87"; what is no page by its own label."""
    places = list(places)
    if not places or any(place.unit != "page" or place.file or not place.first_label for place in places):
        return ", ".join(short(place) for place in places)
    spans = [(place.first_label, place.last_label or place.first_label) for place in places]
    if len(places) == 1 and spans[0][0] == spans[0][1]:
        return short(places[0])
    said = ", ".join(first if first == last else f"{first}{DASH}{last}" for first, last in spans)
    return _tr("pp. {labels}").format(labels=said)


def _in_file(file: str, said: str) -> str:
    return _tr("{file}, {place}").format(file=file, place=said) if file else said


def _characters(place: Placed) -> str:
    first, last = quantities.number(place.start + 1), quantities.number(place.end)
    return _tr("characters {first} to {last}").format(first=first, last=last)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("places", sentence)
