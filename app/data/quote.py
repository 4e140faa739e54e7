"""Quotes of an answer, as they were looked for in the documents after it was written."""

from typing import Literal

from msgspec import Struct

from app.data.document import Unit

Verdict = Literal["exact", "close", "missing", "ambiguous"]
"""exact: letter for letter, after folding what typesetting changes; close: with a small difference; missing: not found;
ambiguous: found in several places, so that none is shown as the one."""


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


class Quote(Struct, frozen=True):
    """Characters `start` to `end` of the answer. `kind`: the answer put it in quotation marks or a block quote, or it
    is a factual span (a number, a date, a name, an amount) that stands outside of them."""

    start: int
    end: int
    verdict: Verdict
    kind: Literal["quote", "fact"] = "quote"
    places: tuple[QuotePlace, ...] = ()
    """Where it was found; of an exact or a close one the first is the one that is shown."""
    found: str = ""
    """The document's own words, where they differ from the answer's."""
