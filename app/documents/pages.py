"""The text of a document as it grows, with the span of each page, section or file."""

import re
from collections.abc import Iterable
from itertools import accumulate

from msgspec import structs

from app.data.document import Heading, Span
from app.documents.errors import Unreadable

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNWANTED = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")


def clean(text: str) -> str:
    """Line ends as "\\n", and none of the control characters and half characters that no page shows."""
    return _UNWANTED.sub("", _LINE_ENDS.sub("\n", text))


class Pages:
    """Pages in order. Offsets count characters of `text()`; what stands between two pages belongs to no span."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        """Characters; more is refused as `too_big`, never cut."""
        self.spans: list[Span] = []
        self.headings: list[Heading] = []
        self.length = 0
        self._parts: list[str] = []

    def add(self, label: str, text: str, before: str = "", index: int | None = None) -> None:
        """One page, already clean. `index` is its place in the document when that is not its place among the spans."""
        span = Span(0, len(text), len(self.spans) if index is None else index, label)
        self.paste(text, (span,), (), before)

    def paste(self, text: str, spans: Iterable[Span], headings: Iterable[Heading], before: str = "") -> int:
        """A text that has spans and headings of its own; the place that its first character has got."""
        if self.length:
            before = "\n\n" + before
        start = self.length + len(before)
        self.length = start + len(text)
        if self.length > self.limit:
            raise Unreadable("too_big")
        self._parts += (before, text)
        self.spans += (structs.replace(span, start=span.start + start, end=span.end + start) for span in spans)
        self.headings += (Heading(one.start + start, one.level, one.title) for one in headings)
        return start

    def text(self) -> str:
        return "".join(self._parts)


class Sections:
    """Paragraphs that fall into sections, each begun by a heading and labelled by it."""

    def __init__(self, pages: Pages, label: str) -> None:
        self._pages = pages
        self._label = label
        self._blocks: list[str] = []
        self._titles: list[tuple[int, int, str]] = []
        """Headings: the block at which each begins, its level and its words."""

    def heading(self, text: str, level: int = 1) -> None:
        """Begin a section. Headings that follow one another without a paragraph between stay in one. `level` counts
        from 1, the outermost."""
        text = clean(text).strip()
        if not text:
            return
        if len(self._blocks) != self._headings:
            self.close()
        self._label = " ".join(text.split())
        if self._begun:
            self._titles, self._begun = [], False
        self._titles.append((len(self._blocks), level, self._label))
        self._blocks.append(text)
        self._headings = len(self._blocks)

    def block(self, text: str) -> None:
        """A paragraph, a list, a table: whatever stands between two empty lines."""
        text = clean(text).strip("\n").rstrip()
        if text.strip():
            self._blocks.append(text)
            self._begun = False

    def begin(self, label: str, level: int | None = None) -> None:
        """Begin a section whose label is known before its first heading. `level`: the label is its heading, unless it
        begins with one of its own."""
        self.close()
        self._label = label
        if level is not None:
            self._titles, self._begun = [(0, level, label)], True

    def close(self) -> None:
        if self._blocks:
            self._pages.add(self._label, "\n\n".join(self._blocks))
            start = self._pages.spans[-1].start
            starts = list(accumulate((len(block) + 2 for block in self._blocks), initial=start))
            self._pages.headings += [Heading(starts[place], level, title) for place, level, title in self._titles]
        self._blocks, self._titles, self._begun = [], [], False
        self._headings = 0

    _begun = False
    """Whether the title is that of `begin`, and no block has come yet."""

    _headings = 0
    """How many of the blocks, from the first, are headings in a row."""
