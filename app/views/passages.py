"""A document's text cut for the eye: its pages, and pages too long for one view in parts."""

from typing import NamedTuple

from app.data.document import Span

LONGEST = 40_000
"""Characters shown at once. A minified file may be one line of millions, which no text view lays out quickly."""


class Passage(NamedTuple):
    """Characters `start` to `end`, on the page `index` (from 0) labelled `label`; part `part` of `parts` (from 0)."""

    start: int
    end: int
    index: int
    label: str
    part: int
    parts: int


def passages(length: int, spans: tuple[Span, ...]) -> list[Passage]:
    """All passages of a text of `length` characters, in order; a text without spans is one page without a label."""
    made: list[Passage] = []
    for span in spans or (Span(0, length, 0, ""),):
        parts = max(1, -(-(span.end - span.start) // LONGEST))
        for part in range(parts):
            start = span.start + part * LONGEST
            made.append(Passage(start, min(span.end, start + LONGEST), span.index, span.label, part, parts))
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
        if passage.part == 0 and passage.label.casefold() == wanted and wanted:
            return place
    if wanted.isdecimal():
        for place, passage in enumerate(all_passages):
            if passage.part == 0 and passage.index == int(wanted) - 1:
                return place
    return None
