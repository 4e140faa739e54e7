"""A document's text cut for the eye: its pages, and pages too long for one view in parts."""

from typing import NamedTuple

from app.data.document import Span, Unit
from app.data.spans import numbered

LONGEST = 40_000
"""Characters shown at once. A minified file may be one line of millions, which no text view lays out quickly."""


class Passage(NamedTuple):
    """Characters `start` to `end`, on the page `index` (from 0) labelled `label`; part `part` of `parts` (from 0). Of a
    folder, an archive or a mailbox `index` is that of the file or message, and `file` the path of a file that has pages
    of its own, of which this is the `unit` labelled `label`. `span`: the place among the document's spans."""

    start: int
    end: int
    index: int
    label: str
    part: int
    parts: int
    file: str = ""
    unit: Unit | None = None
    span: int = 0


def passages(length: int, spans: tuple[Span, ...], unit: Unit = "page") -> list[Passage]:
    """All passages of a text of `length` characters, in order; a text without spans is one page without a label.
    `unit`: the document's."""
    made: list[Passage] = []
    spans = spans or (Span(0, length, 0, ""),)
    for place, (span, number) in enumerate(zip(spans, numbered(spans, unit), strict=True)):
        parts = max(1, -(-(span.end - span.start) // LONGEST))
        for part in range(parts):
            start = span.start + part * LONGEST
            end = min(span.end, start + LONGEST)
            file = "" if span.file == span.label else span.file
            made.append(Passage(start, end, number, span.label, part, parts, file, span.unit, place))
    return made


def passage_at(all_passages: list[Passage], position: int) -> int:
    """The place in the list of the passage that holds the character at `position`, else of the one before it."""
    found = 0
    for place, passage in enumerate(all_passages):
        if passage.start <= position:
            found = place
    return found


def passage_named(all_passages: list[Passage], entry: str) -> int | None:
    """The place of the page that a person means: by its printed label first, then by its number from 1."""
    wanted = entry.strip().casefold()
    for place, passage in enumerate(all_passages):
        if passage.part == 0 and wanted in (passage.label.casefold(), passage.file.casefold()) and wanted:
            return place
    if wanted.isdecimal():
        for place, passage in enumerate(all_passages):
            if passage.part == 0 and passage.index == int(wanted) - 1:
                return place
    return None
