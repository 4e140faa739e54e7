"""The documents that an answer was written from, as its quotes are looked for in them."""

from typing import NamedTuple

from msgspec import Struct

from app.data.document import Heading, Item, Span
from app.data.quote import QuotePlace
from app.services.places import place_of
from app.services.quotes.folding import Folded
from app.services.quotes.matching import Match


class Source(Struct, frozen=True):
    """A document of the answer's prompt."""

    item: Item
    folded: Folded
    spans: tuple[Span, ...]
    headings: tuple[Heading, ...]

    def place(self, start: int, end: int) -> QuotePlace:
        return place_of(self.item, self.spans, self.headings, start, end, self.folded.text)


class Place(NamedTuple):
    source: Source
    match: Match
