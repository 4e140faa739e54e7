"""A PDF's outline: each of its titles, at the place where it stands on its page."""

import re
from bisect import bisect_left
from collections.abc import Iterator

import pypdfium2
from pypdfium2 import raw as pdfium

from app.data.document import Heading, Span
from app.documents.pages import Pages, clean
from app.documents.pdf_page import wide
from app.documents.pdf_words import LIGATURES

_NUMBER = re.compile(r"(?:[a-z]|[\divxlc]+)(?:\.\d+)*[.)]?\s+")
"""Before a title on its page, where the outline has it without."""
LONGEST = 3
"""Further lines of a title."""


def headings(document: pypdfium2.PdfDocument, pages: Pages) -> list[Heading]:
    """In the order of the text. A title that is not found on its page stands at the page's start."""
    text = pages.text()
    lines: dict[int, _Lines] = {}
    found: list[Heading] = []
    for level, title, index in _bookmarks(document):
        place = bisect_left(pages.spans, index, key=lambda span: span.index)
        if place < len(pages.spans):  # of a page without words: the next one that has some
            on = lines.get(place) or lines.setdefault(place, _Lines(text, pages.spans[place]))
            found.append(Heading(on.place(title), level, title))
    return sorted(found, key=lambda heading: heading.start)


class _Lines:
    """The lines of a page, in which titles are looked for one after another."""

    def __init__(self, text: str, span: Span) -> None:
        self._start = span.start
        self._lines: list[str] = []
        self._starts: list[int] = []
        start = span.start
        for line in text[span.start : span.end].split("\n"):
            self._starts.append(start + len(line) - len(line.lstrip()))
            self._lines.append(_folded(line))
            start += len(line) + 1
        self._after = 0

    def place(self, title: str) -> int:
        """Where the title stands: as a line's beginning, else anywhere; after the one before it, if it does."""
        wanted = _folded(title)
        order = [*range(self._after, len(self._lines)), *range(self._after)]
        for fits in (self._begins, self._holds):
            for line in order:
                if fits(line, wanted):
                    self._after = line + 1
                    return self._starts[line]
        return self._start

    def _begins(self, line: int, title: str) -> bool:
        """Whether the title begins with this line, with a number before it or not, and goes on in the next ones."""
        if title[0] not in self._lines[line]:
            return False
        return any(
            start and (start.startswith(title) or (title.startswith(start + " ") and self._goes_on(line, start, title)))
            for start in (self._lines[line], _NUMBER.sub("", self._lines[line], count=1))
        )

    def _goes_on(self, line: int, start: str, title: str) -> bool:
        return " ".join((start, *self._lines[line + 1 : line + 1 + LONGEST])).startswith(title)

    def _holds(self, line: int, title: str) -> bool:
        return title in self._lines[line]


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def _bookmarks(document: pypdfium2.PdfDocument) -> Iterator[tuple[int, str, int]]:
    """Level from 1, title, and index of the page; without those that lead nowhere."""
    for bookmark in document.get_toc():
        title = wide(lambda buffer, length, at=bookmark: int(pdfium.FPDFBookmark_GetTitle(at, buffer, length)))
        for ligature, letters in LIGATURES.items():
            title = title.replace(ligature, letters)
        title = " ".join(clean(title).split())
        target = bookmark.get_dest()
        index = None if target is None else target.get_index()
        if title and index is not None and index >= 0:
            yield bookmark.level + 1, title, index
