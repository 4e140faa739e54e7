"""Quotes of an answer, as they were looked for in the documents after it was written."""

from typing import Literal

from msgspec import Struct

from app.data.document import Unit

Verdict = Literal["exact", "close", "missing", "ambiguous"]
"""exact: letter for letter, after folding what typesetting changes; close: with a small difference; missing: not found;
ambiguous: found in several places, so that none is shown as the one."""


SIGNS: dict[Verdict, str] = {"exact": "✓", "close": "≈", "missing": "✗"}
"""Of an ambiguous one it is the number of its places."""


class QuotePlace(Struct, frozen=True):
    """Characters `start` to `end` of library item `item`: on its page, section or file `label`, under the headings
    `path`. `file`: the file of a folder, archive or mail, where the item holds several."""

    item: str
    start: int
    end: int
    label: str = ""
    unit: Unit = "page"
    index: int = 0
    """Of the page, from 0."""
    file: str = ""
    path: tuple[str, ...] = ()
    row: int = 0
    """Of a sheet, from 1; 0: none."""


class Quote(Struct, frozen=True):
    """Characters `start` to `end` of the answer, with the quotation marks. `kind`: the answer put it in quotation marks
    or a block quote; or it is a factual span (a number, a date, a name, an amount) outside of them, or quoted words
    that are too few to be more. An exact fact stands in the text, be it in several places."""

    start: int
    end: int
    verdict: Verdict
    kind: Literal["quote", "fact"] = "quote"
    places: tuple[QuotePlace, ...] = ()
    """Where it was found; of an exact or a close one the first is the one that is shown."""
    found: str = ""
    """The document's own words, where they differ from the answer's."""
    count: int = 0
    """Places in all, of which `places` are the first. In one document no more than 1,000 are counted."""

    @property
    def sign(self) -> str:
        """As it stands beside the quote: ✓, ≈, ✗, or how many places there are."""
        return f"{self.count}×" if self.verdict == "ambiguous" else SIGNS[self.verdict]


class Excerpt(Struct, frozen=True):
    """A place of a document, and what stands `before` and `after` it, without line breaks."""

    before: str
    text: str
    after: str
