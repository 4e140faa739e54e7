"""The documents that an answer was written from, as its quotes are looked for in them."""

from functools import cached_property
from typing import NamedTuple

from msgspec import Struct

from app.data.document import Heading, Item, Span
from app.services.quotes.folding import Folded
from app.services.quotes.matching import Match


class Source(Struct, frozen=True, dict=True):
    """A document of the answer's prompt."""

    item: Item
    folded: Folded
    spans: tuple[Span, ...]
    headings: tuple[Heading, ...]

    @cached_property
    def outermost(self) -> int:
        """The level of headings over which there is none."""
        return min((heading.level for heading in self.headings), default=1)


class Place(NamedTuple):
    source: Source
    match: Match
