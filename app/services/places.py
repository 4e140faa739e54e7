"""Which pages of which items the places in an engine's report are."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

from app.data.conversation import FoundPart
from app.data.document import Heading, Item, Span
from app.data.evidence import Passage, SentenceEvidence
from app.data.ledger import LedgerForgotten, LedgerPlace, LedgerPruned, LedgerSegment
from app.data.quote import QuotePlace
from app.data.spans import name
from app.documents.rows import row_at
from engine.protocol import Evidence, Found, Place, SegmentUse, Usage


class Places:
    """`items` in the order of the request. `spans` and `headings` raise KeyError for an item that was forgotten since:
    its places then have no labels."""

    def __init__(
        self,
        items: Iterable[Item],
        spans: Callable[[str], tuple[Span, ...]],
        headings: Callable[[str], tuple[Heading, ...]],
    ) -> None:
        self._items = tuple(items)
        self._spans, self._headings = spans, headings
        self._known: dict[str, tuple[tuple[Span, ...], tuple[Heading, ...]]] = {}

    def of(self, place: Place) -> LedgerPlace:
        item = self._items[place.document]
        spans, _ = self._of_item(item.id)
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

    def pruned(self, usage: Usage) -> LedgerPruned | None:
        left = usage.pruned
        if left is None:
            return None
        parts = tuple(LedgerForgotten(self.of(part.place), part.tokens, part.share) for part in left.parts)
        return LedgerPruned(left.how.policy, left.how.mode, left.budget, left.rows, left.forgotten, parts)

    def found(self, event: Found) -> FoundPart:
        at = self.of(event.place)
        return FoundPart(
            *(event.part, event.parts, at.item, at.start, at.end, event.text),
            *(event.surprise, event.stands, event.certain),
            *(at.first_label, at.last_label),
            unit=at.unit,
            file=at.file,
        )

    def evidence(self, event: Evidence) -> SentenceEvidence:
        passages = []
        for passage in event.passages:
            place, item = passage.place, self._items[passage.place.document]
            spans, headings = self._of_item(item.id)
            passages.append(Passage(place_of(item, spans, headings, place.start, place.end), passage.score))
        return SentenceEvidence(event.start, event.end, tuple(passages), event.how)

    def _of_item(self, id: str) -> tuple[tuple[Span, ...], tuple[Heading, ...]]:
        if id not in self._known:
            try:
                self._known[id] = self._spans(id), self._headings(id)
            except KeyError:
                self._known[id] = (), ()
        return self._known[id]


def place_of(
    item: Item, spans: Sequence[Span], headings: Sequence[Heading], start: int, end: int, text: str = ""
) -> QuotePlace:
    """Characters `start` to `end` of the item's text, with the page and the headings that they begin under, and with
    `text`, the whole of it, the row of a sheet."""
    if not spans:
        return QuotePlace(item.id, start, end, unit=item.unit)
    span = spans[_first(spans, start)]
    path = _path(spans, headings, start, span.file)
    unit = span.unit or item.unit
    row = row_at(text, span.start, start) or 0 if text and unit == "sheet" else 0
    return QuotePlace(item.id, start, end, span.label, unit, span.index, span.file, path, row)


def _path(spans: Sequence[Span], headings: Sequence[Heading], start: int, file: str) -> tuple[str, ...]:
    """The headings over a place, the outermost first. Those of another file are not over it."""
    path: list[str] = []
    outermost = min((heading.level for heading in headings), default=1)
    level = None
    for number in range(bisect_right(headings, start, key=lambda heading: heading.start) - 1, -1, -1):
        heading = headings[number]
        if spans[_first(spans, heading.start)].file != file or level == outermost:
            break
        if level is None or heading.level < level:
            path.append(heading.title)
            level = heading.level
    return tuple(reversed(path))


def _first(spans: Sequence[Span], start: int) -> int:
    """The span that `start` lies in, or the next one when it lies between two."""
    place = max(0, bisect_right(spans, start, key=lambda span: span.start) - 1)
    return place + 1 if place + 1 < len(spans) and start >= spans[place].end else place
