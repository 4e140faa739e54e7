"""The address of a place in a text: its page, section or file, and the headings that it stands under."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import takewhile

from app.data.document import Heading, Item, Span
from app.data.quote import QuotePlace


def address(item: Item, spans: Sequence[Span], headings: Sequence[Heading], start: int, end: int) -> QuotePlace:
    """That of characters `start` to `end`; between two pages it is the one before."""
    if not spans:
        return QuotePlace(item.id, start, end, unit=item.unit, path=_path(headings, 0, start))
    place = max(0, bisect_right(spans, start, key=lambda one: one.start) - 1)
    span = spans[place]
    # headings of a file say nothing of the next one
    if span.file:
        first = list(takewhile(lambda one: one.file == span.file, reversed(spans[: place + 1])))[-1].start
    else:
        first = span.start if item.unit in ("file", "message") else 0
    path = _path(headings, first, start)
    return QuotePlace(item.id, start, end, span.label, span.unit or item.unit, span.index, span.file, path)


def _path(headings: Sequence[Heading], first: int, position: int) -> tuple[str, ...]:
    """Titles of the headings from character `first` on that a character stands under, the outermost first."""
    path: list[Heading] = []
    begin = bisect_right(headings, first - 1, key=lambda one: one.start)
    for heading in headings[begin : bisect_right(headings, position, key=lambda one: one.start)]:
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
    return tuple(heading.title for heading in path)
