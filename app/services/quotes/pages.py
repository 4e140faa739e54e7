"""Where a place lies: its page, its file, the headings over it; and which of several places an answer names."""

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence

from app.data.document import Span
from app.services.quotes.facts import CLAUSE, PAGE
from app.services.quotes.matching import Match
from app.services.quotes.sources import Place, Source
from app.services.quotes.spans import Quotation


def one_file(source: Source, match: Match) -> bool:
    """Whether a place lies in one file: the end of one and the beginning of the next are no sentence."""
    first, last = _span(source.spans, match.start), _span(source.spans, match.end - 1)
    if first is None or last is None or first is last:
        return True
    files = (first.unit or source.item.unit) == "file" and first.label != last.label
    return first.file == last.file and not files


def named_by(quotation: Quotation, places: Sequence[Place]) -> Sequence[Place]:
    """The places that the answer's own words beside the quotation name by their page, clause or file; all of them
    where it names none."""
    left = places
    for words in (quotation.after, quotation.before):
        left = _named(words, left, _is_of_file) or left
        left = _named(words, left, _is_on_page) or left
        left = _named(words, left, _is_in_clause) or left
    return left


def _named(words: str, places: Sequence[Place], holds: Callable[[str, Place], bool]) -> list[Place]:
    return [place for place in places if holds(words, place)]


def _is_of_file(words: str, place: Place) -> bool:
    span = _span(place.source.spans, place.match.start)
    name = (span.file or (span.label if place.source.item.unit == "file" else "")) if span else ""
    name = (name or place.source.item.name).rpartition("/")[2].casefold()
    stem = name.rpartition(".")[0] or name
    return re.search(rf"(?<!\w)(?:{re.escape(name)}|{re.escape(stem)})(?!\w)", words.casefold()) is not None


def _is_on_page(words: str, place: Place) -> bool:
    span = _span(place.source.spans, place.match.start)
    named = {(match["label"] or match["chinese"]).casefold() for match in PAGE.finditer(words)}
    return span is not None and span.label.casefold() in named


def _is_in_clause(words: str, place: Place) -> bool:
    path = place.source.place(place.match.start, place.match.end).path
    for match in CLAUSE.finditer(words):
        named = match["number"] or re.sub(r"\s", "", match.group())
        title = re.compile(rf"(?:\w+\s+)?{re.escape(named)}(?![\w(]|\.\w)")
        if any(title.match(re.sub(r"^\s*§+\s*", "", heading)) for heading in path):
            return True
    return False


def _span(spans: tuple[Span, ...], position: int) -> Span | None:
    """The page that holds a character, or the one before it where it stands between two."""
    if not spans:
        return None
    return spans[max(0, bisect_right(spans, position, key=lambda span: span.start) - 1)]
