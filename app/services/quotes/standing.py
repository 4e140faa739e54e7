"""Whether a fact stands in a document: as it is written in the answer, or in another notation of the same."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from itertools import islice

from app.services.quotes import close, values
from app.services.quotes.facts import CLAUSE, UNIT, Fact
from app.services.quotes.folding import Folded, wide
from app.services.quotes.matching import Match, Sought, compare, sought, whole_words

EXAMINED = 1_000
"""Places of one spelling that are looked at: what stands oftener is found, and is counted up to that."""
BESIDE_NUMBER = 30
"""Characters after a number in which its unit may stand."""
TELLING = 4
"""Digits of a number that says enough without its unit or currency; with decimals one less."""
NAMES_ALIKE = 0.85

UNIT_AT_END = re.compile(rf"[\s-]?(?P<unit>{UNIT})$", re.IGNORECASE)
UNIT_NEAR = re.compile(rf"(?<![A-Za-z])(?:{UNIT})(?![A-Za-z0-9])", re.IGNORECASE)

Look = Callable[[], None]


def places(text: str, piece: str) -> Iterator[int]:
    place = text.find(piece)
    while place >= 0:
        yield place
        place = text.find(piece, place + 1)


def standing(document: Folded, fact: Fact, look: Look) -> list[Match]:
    """All places where it stands as it is; where there is none, one where nearly the same stands."""
    what = sought(fact.text, fact=fact.kind != "code")
    if what is None:
        return []
    found = [compare(document, place, what) for place in islice(places(document.key, what.key), EXAMINED)]
    exact = [match for match in found if match.exact]
    if exact:
        return exact
    look()
    nearly = [match for match in found if _is_it(document, match, fact, what)]
    other = nearly[0] if nearly else _other(document, fact, what.key, look)
    return [] if other is None else [other]


def _is_it(document: Folded, match: Match, fact: Fact, what: Sought) -> bool:
    """A name that is a part of a longer one may be meant; so may an identifier in other letters' case."""
    if fact.kind == "code":
        return Folded(document.text[match.start : match.end]).key == what.key
    return fact.kind == "name"


def _other(document: Folded, fact: Fact, key: str, look: Look) -> Match | None:
    match fact.kind:
        case "number" | "amount":
            return _same_worth(document, fact.text)
        case "date":
            return _same_day(document, fact.text)
        case "clause":
            return _numbered(document, fact.text)
        case "name":
            near = close.near(document, key, look, least=NAMES_ALIKE, pieces=_words(fact.text, key))
            return None if near is None else Match(near.start, near.end, False)
    return None


def _words(name: str, key: str) -> list[tuple[int, str]]:
    """The words of a name, and where they are in its key: one of them is spelled otherwise."""
    words = [Folded(word).key for word in name.split()]
    return [(key.find(word), word) for word in words if len(word) > 2]


def _same_worth(document: Folded, text: str) -> Match | None:
    """The number in another notation with the same currency, unit and sign; else, of a telling number, with others."""
    unit = ""
    worth = values.amount(text)
    if worth is None and (found := UNIT_AT_END.search(text)):
        unit = values.UNITS[found["unit"].lower()]
        worth = values.amount(text[: found.start()]) or _spoken(text[: found.start()])
    if worth is None:
        return None
    telling = sum(map(str.isdigit, text)) + (re.search(r"\d[.,]\d", text) is not None) >= TELLING
    if not (unit or worth.currency or worth.percent or telling):
        return None
    fallback: Match | None = None
    for found in _amounts(document, worth.values):
        there = values.amount_of(found)
        if there.values.isdisjoint(worth.values):
            continue
        end = _with_unit(found.string, found.end(), unit)
        same = (there.currency, there.percent, there.negative) == (worth.currency, worth.percent, worth.negative)
        if same and end is not None:
            return Match(*whole_words(found.string, found.start(), end), False)
        if fallback is None and telling:
            fallback = Match(*whole_words(found.string, found.start(), found.end()), False)
    return _number_in_words(document, worth.values, unit) or fallback


def _spoken(text: str) -> values.Amount | None:
    number = values.IN_WORDS.get(text.strip().lower())
    return None if number is None else values.Amount(frozenset({Decimal(number)}), False, "", False)


def _amounts(document: Folded, worth: frozenset[Decimal]) -> Iterator[re.Match[str]]:
    """The numbers of the document that may be worth one of these."""
    text = document.text
    for digits in sorted({digits for value in worth for digits in values.notations(value)}):
        for place in islice(places(document.key, digits), EXAMINED):
            start, end = document.start(place), document.end(place + len(digits) - 1)
            first, _ = whole_words(text, start, start)
            for found in values.AMOUNT.finditer(text, max(0, first - 5), end + BESIDE_NUMBER):
                if found.start("number") <= start and end <= found.end("number") and _by_itself(text, found):
                    yield found
                    break


def _by_itself(text: str, found: re.Match[str]) -> bool:
    """Not a part of a longer number, nor of a word: AB12, 12C."""
    before, after = text[max(0, found.start() - 2) : found.start()], text[found.end() : found.end() + 2]
    joined = before[-1:].isalnum() and not wide(before[-1])
    goes_on = found.end() == found.end("number") and after[:1].isalnum() and not wide(after[0])
    decimal = before[-1:] in (".", ",") and before[:1].isdigit() and len(before) == 2
    return not (joined or goes_on or decimal)


def _with_unit(text: str, end: int, unit: str) -> int | None:
    """Where the number ends with its unit; None when that is not near."""
    if not unit:
        return end
    near = re.split(r"[.;:。；]\s|\n\s*\n", text[end : end + BESIDE_NUMBER])[0]
    for found in UNIT_NEAR.finditer(near):
        if values.UNITS[found.group().lower()] == unit:
            return end + found.end()
    return None


def _number_in_words(document: Folded, worth: frozenset[Decimal], unit: str) -> Match | None:
    """ "six months" for "6 months"."""
    if not unit:
        return None
    for word in (word for word, number in values.IN_WORDS.items() if Decimal(number) in worth):
        for place in islice(places(document.key, word), EXAMINED):
            start, end = document.start(place), document.end(place + len(word) - 1)
            if whole_words(document.text, start, end) != (start, end):
                continue
            last = _with_unit(document.text, end, unit)
            if last is not None:
                return Match(start, last, False)
    return None


def _same_day(document: Folded, text: str) -> Match | None:
    found = values.DATE.fullmatch(text)
    days = values.dates(found) if found else frozenset()
    for letters in sorted({letters for day in days for letters in values.written(day)}):
        for place in islice(places(document.key, letters), EXAMINED):
            start = document.start(place)
            for other in values.DATE.finditer(document.text, max(0, start - 2), start + 3 * len(letters) + 12):
                if other.start() <= start < other.end() and not values.dates(other).isdisjoint(days):
                    return Match(other.start(), other.end(), False)
    return None


def _numbered(document: Folded, text: str) -> Match | None:
    """A line that begins with the clause's number, where the document does not call it a clause."""
    number = CLAUSE.fullmatch(text)
    if number is None or not number["number"]:
        return None
    line = re.compile(rf"^[ \t]*(?:§+\s*)?({re.escape(number['number'])})(?![\w(]|\.\w)", re.MULTILINE)
    found = line.search(document.text)
    return None if found is None else Match(*found.span(1), False)
