"""Each quotation and fact of an answer, looked for in the documents that the answer was written from."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from app.data.quote import Quote, Verdict
from app.services.quotes import close, elided
from app.services.quotes.answers import Paragraph, paragraphs
from app.services.quotes.facts import Fact, facts
from app.services.quotes.folding import Folded, wide
from app.services.quotes.matching import Match, Sought, compare, sought
from app.services.quotes.pages import named_by, one_file
from app.services.quotes.sources import Place, Source
from app.services.quotes.spans import Quotation, quotations
from app.services.quotes.standing import EXAMINED, Look, places, standing

KEPT = 12
"""Places of one quotation that are kept; all are counted."""
SHORT, SHORT_WORDS, SHORT_WIDE = 12, 3, 6
"""Letters, words, and Chinese characters: what has fewer may stand in a text by accident."""
MAIN_PART = 0.6
"""Share of a quotation with something left out that its longest part has, at least, if it stands for all of it."""


class Located(NamedTuple):
    """`places` of an exact or an ambiguous one are where it stands, of a close one where nearly the same does."""

    verdict: Verdict
    kind: Literal["quote", "fact"]
    places: Sequence[Place] = ()


def quotes_of(answer: str, sources: Sequence[Source], look: Look) -> Iterator[Quote]:
    """In the order of the answer. `look` may raise to stop."""
    known: dict[tuple[str, str], Located] = {}
    for paragraph in paragraphs(answer):
        quoted = quotations(paragraph)
        found: list[tuple[int, int, Located]] = []
        for quotation in quoted:
            look()
            located = _quotation(quotation, sources, look)
            if located is not None:
                found.append((quotation.start, quotation.end, located))
        for fact in facts(paragraph, [(each.start, each.end) for each in quoted]):
            look()
            start, located = _known_fact(fact, sources, look, known)
            if located is not None:
                found.append((start, fact.end, located))
        for first, last, located in sorted(found, key=lambda each: each[0]):
            yield _quote(*paragraph.span(first, last), located)


def _quote(start: int, end: int, located: Located) -> Quote:
    found = ""
    if located.verdict == "close":
        place = located.places[0]
        found = shown(place.source.folded.text[place.match.start : place.match.end])
    kept = tuple(each.source.place(each.match.start, each.match.end) for each in located.places[:KEPT])
    return Quote(start, end, located.verdict, located.kind, kept, found, len(located.places))


def shown(text: str) -> str:
    """A document's own words on one line, divided words whole."""
    text = re.sub(r"(?<=[^\W\d_])(?:-|\u00ad)[ \t]*\n\s*(?=[^\W\d_A-Z])", "", text.replace("\u00ad\n", "-\n"))
    return " ".join(text.replace("\u00ad", "").split())


def _quotation(quotation: Quotation, sources: Sequence[Source], look: Look) -> Located | None:
    what = sought(quotation.text)
    if what is None or (len(what.key) < 2 and not wide(what.key)):
        return None
    short = _is_short(quotation.text, what.key)
    kind: Literal["quote", "fact"] = "fact" if short else "quote"
    parts = elided.parts_of(quotation.text)
    found = list(_everywhere(sources, lambda document: _stands(document, what, parts), look))
    exact = [place for place in found if place.match.exact and one_file(place.source, place.match)]
    if exact:
        one = exact if len(exact) == 1 else named_by(quotation, exact)
        if len(one) == 1 and not (short and _is_ordinary(quotation.text)):
            return Located("exact", kind, one)
        return Located("ambiguous", kind, exact)
    if short:  # a few letters stand inside of other words as well
        found = [place for place in found if _holds(place, what.key)]
    if found:
        return Located("close", kind, found)
    if short:
        return _short_fact(quotation.text, sources, look)
    near = _nearest(what, parts, sources, look)
    return Located("missing", kind) if near is None else Located("close", kind, [near])


def _everywhere(sources: Sequence[Source], find: Callable[[Folded], Iterator[Match]], look: Look) -> Iterator[Place]:
    for source in sources:
        look()
        for match in islice(find(source.folded), EXAMINED):
            yield Place(source, match)


def _stands(document: Folded, what: Sought, parts: elided.Parts | None) -> Iterator[Match]:
    """Where its letters stand in a row; else where its parts do, if something was left out."""
    exact = False
    for place in places(document.key, what.key):
        match = compare(document, place, what)
        exact = exact or match.exact
        yield match
    if parts is not None and not exact:
        yield from elided.matches(document, parts)


def _nearest(what: Sought, parts: elided.Parts | None, sources: Sequence[Source], look: Look) -> Place | None:
    """Where nearly the same stands, if anywhere. What was left out is not known then: the longest part counts."""
    key = what.key
    if parts is not None:
        longest = max((part.key for part in parts.parts), key=len)
        if len(longest) < MAIN_PART * sum(len(part.key) for part in parts.parts):
            return None
        key = longest
    best: tuple[float, Place] | None = None
    for source in sources:
        near = close.near(source.folded, key, look)
        if near is not None and (best is None or near.alike > best[0]):
            best = near.alike, Place(source, Match(near.start, near.end, False))
    return None if best is None else best[1]


def _holds(place: Place, key: str) -> bool:
    """Whether the place has these letters and no others."""
    return Folded(place.source.folded.text[place.match.start : place.match.end]).key == key


def _is_short(text: str, key: str) -> bool:
    if any(map(wide, key)):
        return len(key) < SHORT_WIDE
    return len(key) < SHORT or len(text.split()) < SHORT_WORDS


def _is_ordinary(text: str) -> bool:
    """A single word in small letters, or two Chinese characters: they are used, not quoted."""
    key = Folded(text).key
    if any(map(wide, key)):
        return len(key) < SHORT_WIDE // 2
    return len(text.split()) == 1 and text.strip(" .,;:").islower()


def _short_fact(text: str, sources: Sequence[Source], look: Look) -> Located:
    """A number or a date in quotation marks is one in any notation."""
    told = facts(Paragraph(text, [], [], [], False, False), [])
    whole = [fact for fact in told if fact.text == text.strip(" .,;:")]
    return _fact(whole[0], sources, look) if whole else Located("missing", "fact")


def _known_fact(
    fact: Fact, sources: Sequence[Source], look: Look, known: dict[tuple[str, str], Located]
) -> tuple[int, Located | None]:
    """Where the fact begins, and what is found of it; None where it may be no fact at all."""
    located = known.get((fact.kind, fact.text))
    if located is None:
        located = known[fact.kind, fact.text] = _fact(fact, sources, look)
    if located.verdict == "exact" or fact.shorter is None:
        return fact.start, located
    shorter = fact._replace(start=fact.shorter, text=fact.text[fact.shorter - fact.start :], shorter=None)
    again = _fact(shorter, sources, look) if " " in shorter.text else None
    if located.verdict == "close" and (again is None or again.verdict != "exact"):
        return fact.start, located
    return shorter.start, again


def _fact(fact: Fact, sources: Sequence[Source], look: Look) -> Located:
    found = list(_everywhere(sources, lambda document: iter(standing(document, fact, look)), look))
    exact = [place for place in found if place.match.exact]
    if exact:
        return Located("exact", "fact", exact)
    return Located("close", "fact", found[:1]) if found else Located("missing", "fact")
