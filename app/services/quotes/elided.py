"""Quotations with something left out or put in: "the Seller … shall pay", "[the Buyer] accepts", "[t]he price".

Their parts are looked for in order. What was left out may change the sense, and so may what was put in: so it is exact
only where each part says something by itself, nothing between them denies, and no word of the document was replaced.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.services.quotes.folding import Folded, wide
from app.services.quotes.matching import Match, Sought, compare, sought

ELLIPSIS = r"[\[(]\s*(?:…|⋯|\.\s?\.\s?\.)\s*[\])]|[…⋯]+|\.{3,}|(?:\.\s){2,}\."
INSERTED = r"\[[^\[\]\n]{0,80}\]"
REMARK = r"\[(?i:sic|emphasis (?:added|mine)|my emphasis)[.!]?\]"
SPLIT = re.compile(rf"({ELLIPSIS}|{INSERTED})")
LETTER = re.compile(r"\[(\w)\](?=\w)")
SET_OFF = re.compile(rf"^(?:\s*(?:{ELLIPSIS}))+|(?:(?:{ELLIPSIS})\s*)+$")

REACH = 800
"""Letters between two parts, at most."""
ALONE = 8
"""Letters of a part that says something by itself; of Chinese characters half as many."""

DENIES = re.compile(
    r"\b(?:not|no|nor|never|neither|none|nothing|without|unless|except\w*|exclud\w*|cannot|non|only|nicht|kein\w*|ohne"
    r"|nie|außer|ne|pas|sans|jamais|sauf|ni|sin|nunca|salvo)\b|n['’]t\b|[不未无無非否没沒勿莫毋弗]|除",
    re.IGNORECASE,
)


class Parts(NamedTuple):
    """`inserted`: what the writer put between two parts; "" where something was left out. `framed`: words were put
    before the first part or behind the last, maybe in place of others."""

    parts: tuple[Sought, ...]
    inserted: tuple[str, ...]
    framed: bool


def parts_of(text: str) -> Parts | None:
    """None where nothing was left out and nothing put in."""
    whole = text
    text, free = _small_letters(SET_OFF.sub("", text))
    pieces = SPLIT.split(text)
    found: list[Sought] = []
    inserted: list[str] = []
    between, length, framed = "", 0, False
    for number, piece in enumerate(pieces):
        if number % 2:
            between += "" if re.fullmatch(rf"{ELLIPSIS}|{REMARK}", piece) else piece
            continue
        part = sought(piece)
        if part is None:
            continue
        here = frozenset(place - length for place in free if length <= place < length + len(part.key))
        length += len(part.key)
        if found:
            inserted.append(between)
        framed = framed or bool(between and not found)
        between = ""
        found.append(part._replace(free=here))
    changed = text != whole or len(pieces) > 1
    return Parts(tuple(found), tuple(inserted), framed or bool(between)) if found and changed else None


def _small_letters(text: str) -> tuple[str, list[int]]:
    """ "[t]he" is "the" in a case of the writer's; which letters of the text without brackets those are."""
    free, made, last = [], "", 0
    for found in LETTER.finditer(text):
        made += text[last : found.start()]
        free.append(len(Folded(SPLIT.sub("", made)).key))
        made += found.group(1)
        last = found.end()
    return made + text[last:], free


def matches(document: Folded, what: Parts) -> Iterator[Match]:
    """Where all parts stand in order, near each other."""
    anchor = max(range(len(what.parts)), key=lambda number: len(what.parts[number].key))
    place = -1
    while (place := document.key.find(what.parts[anchor].key, place + 1)) >= 0:
        found = _around(document, what, anchor, place)
        if found is not None:
            yield _judged(document, what, found)


def _around(document: Folded, what: Parts, anchor: int, place: int) -> list[Match] | None:
    middle = compare(document, place, what.parts[anchor])
    found, after = [middle], place + len(what.parts[anchor].key)
    for part in what.parts[anchor + 1 :]:
        following = _first(document, part, range(after, after + REACH))
        if following is None:
            return None
        found.append(following[1])
        after = following[0] + len(part.key)
    for part in reversed(what.parts[:anchor]):
        before = _first(document, part, range(max(0, place - REACH), place)[::-1])
        if before is None:
            return None
        found.insert(0, before[1])
        place = before[0]
    return found


def _first(document: Folded, part: Sought, where: range) -> tuple[int, Match] | None:
    """The first place in the order of `where` at which the part stands, by itself; else one where its letters do."""
    least, most = min(where, default=0), max(where, default=-1) + 1
    forward, length = where.step > 0, len(part.key)
    other: tuple[int, Match] | None = None
    place = least - 1 if forward else most - length + 1
    while True:
        if forward:
            place = document.key.find(part.key, place + 1, most + length)
        else:
            place = document.key.rfind(part.key, least, place + length - 1)
        if place < 0:
            return other
        match = compare(document, place, part)
        if match.exact:
            return place, match
        other = other or (place, match)


def _judged(document: Folded, what: Parts, found: list[Match]) -> Match:
    exact = not what.framed and all(match.exact for match in found)
    exact = exact and (len(found) == 1 or all(map(_says_something, what.parts)))
    for match, following, inserted in zip(found, found[1:], what.inserted, strict=False):
        between = document.text[match.end : following.start]
        replaced = bool(inserted) and any(map(str.isalnum, between))
        if replaced or DENIES.search(between + inserted) or any(map(str.isdigit, inserted)):
            exact = False
    return Match(found[0].start, found[-1].end, exact)


def _says_something(part: Sought) -> bool:
    return len(part.key) >= (ALONE // 2 if any(map(wide, part.key)) else ALONE)
