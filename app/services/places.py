"""Which pages of which items the places in an engine's report are."""

from bisect import bisect_right
from collections.abc import Callable, Iterable

from app.data.conversation import FoundPart
from app.data.document import Heading, Item, Span
from app.data.ledger import LedgerPlace, LedgerSegment
from app.data.quote import QuotePlace
from app.data.spans import name
from engine.protocol import Found, Place, SegmentUse, Usage


class Places:
    """`items` in the order of the request. `spans` raises KeyError for an item that was forgotten since: its places
    then have no labels."""

    def __init__(self, items: Iterable[Item], spans: Callable[[str], tuple[Span, ...]]) -> None:
        self._items = tuple(items)
        self._spans = spans
        self._known: dict[str, tuple[Span, ...]] = {}

    def of(self, place: Place) -> LedgerPlace:
        item = self._items[place.document]
        spans = self._of_item(item.id)
        first = _first(spans, place.start)
        last = max(first, bisect_right(spans, max(place.start, place.end - 1), key=lambda span: span.start) - 1)
        if not spans:
            return LedgerPlace(item.id, place.start, place.end, unit=item.unit)
        a, b = spans[first], spans[last]
        if a.file != b.file:
            return LedgerPlace(item.id, place.start, place.end, name(a), name(b), item.unit)
        # A file that is one piece is named by its path alone.
        file = a.file if a.file != a.label else ""
        return LedgerPlace(item.id, place.start, place.end, a.label, b.label, a.unit or item.unit, file)

    def segments(self, usage: Usage) -> tuple[LedgerSegment, ...]:
        return tuple(self._segment(segment) for segment in usage.segments)

    def _segment(self, use: SegmentUse) -> LedgerSegment:
        places = tuple(self.of(place) for place in use.places)
        return LedgerSegment(use.number, places, use.tokens, use.score, use.kept, use.rows)

    def found(self, event: Found) -> FoundPart:
        at = self.of(event.place)
        return FoundPart(
            *(event.part, event.parts, at.item, at.start, at.end, event.text),
            *(event.surprise, event.stands, event.certain),
            *(at.first_label, at.last_label),
            unit=at.unit,
            file=at.file,
        )

    def _of_item(self, id: str) -> tuple[Span, ...]:
        if id not in self._known:
            try:
                self._known[id] = self._spans(id)
            except KeyError:
                self._known[id] = ()
        return self._known[id]


def place_of(item: Item, spans: tuple[Span, ...], headings: tuple[Heading, ...], start: int, end: int) -> QuotePlace:
    """Characters `start` to `end` of the item's text, with the page that they begin on and the headings above them."""
    span = spans[_first(spans, start)] if spans else None
    path: list[Heading] = []
    for heading in headings[: bisect_right(headings, start, key=lambda heading: heading.start)]:
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
    titles = tuple(heading.title for heading in path)
    if span is None:
        return QuotePlace(item.id, start, end, path=titles)
    return QuotePlace(*(item.id, start, end, span.label, span.unit or item.unit, span.index, span.file, titles))


def _first(spans: tuple[Span, ...], start: int) -> int:
    """The span that `start` lies in, or the next one when it lies between two."""
    place = max(0, bisect_right(spans, start, key=lambda span: span.start) - 1)
    return place + 1 if place + 1 < len(spans) and start >= spans[place].end else place
