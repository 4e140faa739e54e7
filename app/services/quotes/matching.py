"""Whether words stand in a document letter for letter, but for what typesetting changes.

Where the keys of both agree, what stands between the letters is compared, and what touches the ends: a quotation that
begins or ends inside a word or a number is not exact, since "compliance" is not "non-compliance", nor 5 what -5 is.
"""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from app.services.quotes import values
from app.services.quotes.folding import WIDE, Folded, letters, unspaced, wide

UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff™℠®©`]"
)
QUOTATION = re.compile(
    "[\"'\u00ab\u00b4\u00bb\u02bb\u02bc\u2018-\u201f\u2032-\u2037\u2039\u203a\u300c-\u300f\u301d-\u301f\uff02\uff07]+"
)
LONG_DASH = re.compile("\\s*(?:[\u2014\u2015\u2e3a\u2e3b\ufe58]|-{2,3}(?!-))\\s*")
DASH = re.compile("[-\u2010-\u2013\u2212\ufe63\uff0d]")
EMPHASIS = re.compile(r"^[*_]+(?=[\s\W])|(?<=[\s\W])[*_]+$|^[*_]{2,}$")
DIVIDED = re.compile(r"-[ \t]*\n\s*")
SOFTLY_DIVIDED = re.compile("\u00ad[ \\t]*\n\\s*")
HARMLESS = frozenset(" .,;:'…*_")
"""At the ends of a quotation, where a writer's own punctuation goes."""
BULLET = re.compile(r"^\s*(?:[-–•·▪◦*]\s+)")

OWNS = re.compile(r"['’]s(?![^\W_])")
"""A name is one in its genitive as well."""

SIZED = re.compile(rf"\s?(?:{values.SCALE}(?![A-Za-z0-9])|{values.PERCENT}|‰)|°", re.IGNORECASE)
"""What makes another number of the one before it."""

CURRENCY = "$£€¥₩₹₽¢₺₫฿"
NEAR = 16
"""Characters beside a place that are looked at."""
LONGEST_WORD = 40
BORDER = re.compile(rf"[\s()\[\]{{}}\"“”„«»‘\u3000-\u303f\uff00-\uff0f\uff1a-\uff20]|{WIDE.pattern}")
"""Where a word or a number ends at the latest."""
FULL_STOPS = str.maketrans({"。": ".", "｡": "."})


def _common(gap: str) -> str:
    """What stands between two letters, with one kind of quotation mark, hyphen, long dash and full stop."""
    gap = UNSEEN.sub("", SOFTLY_DIVIDED.sub("", gap))
    gap = unicodedata.normalize("NFKC", QUOTATION.sub("'", gap)).translate(FULL_STOPS)
    gap = DASH.sub("-", LONG_DASH.sub("—", EMPHASIS.sub("", gap)))
    return re.sub(r"\.{2,}|(?:\.\s){2,}\.", "…", gap)


@lru_cache(maxsize=20_000)
def forms(gap: str, before: str, after: str) -> frozenset[str]:
    """The ways in which what stands between the letters `before` and `after` may be typeset."""
    if gap == " ":
        return frozenset({" ", ""} if unspaced(before) or unspaced(after) else {" "})
    made = _common(gap)
    digits = before.isdigit() and after.isdigit()
    if DIVIDED.fullmatch(made):
        return frozenset({"-"} if digits else {"", "-"})
    made = re.sub(r"\s+-\s+", "—", re.sub(r"\s+", " ", made))
    if made.strip() and "-" not in made and not digits:
        made = made.replace(" ", "")
    together = {made.replace(" ", "")} if unspaced(before) or unspaced(after) else set()
    return frozenset({made} | together)


class Sought(NamedTuple):
    """Words that are looked for. `fact`: in any case, and with or without a space between a number and its unit."""

    folded: Folded
    letters: str
    gaps: dict[int, str]
    lead: str
    """What stands before the first letter and belongs to it: a bracket, a currency, a sign."""
    trail: str
    fact: bool
    free: frozenset[int]
    """Letters whose case is the writer's."""

    @property
    def key(self) -> str:
        return self.folded.key


def sought(text: str, *, fact: bool = False, free: frozenset[int] = frozenset()) -> Sought | None:
    """None for a text without letters or digits."""
    folded = Folded(text)
    length = len(folded.key)
    if not length:
        return None
    lead = _core(BULLET.sub("", text[: folded.start(0)]))
    trail = _core(text[folded.end(length - 1) :])
    return Sought(folded, letters(text), dict(folded.gaps(0, length)), lead, trail, fact, free)


def _core(edge: str) -> str:
    return "".join(each for each in re.sub(r"\s", "", _common(edge)) if each not in HARMLESS)


class Match(NamedTuple):
    """Characters `start` to `end` of a document. Not `exact`: the letters agree, and something beside them does not."""

    start: int
    end: int
    exact: bool


def compare(document: Folded, place: int, what: Sought) -> Match:
    """What stands at `place` of the document's key, where it has the sought key."""
    length = len(what.key)
    start, end = document.start(place), document.end(place + length - 1)
    exact = _same_letters(document.text[start:end], what) and _same_gaps(document, place, what)
    before, after = document.text[max(0, start - NEAR) : start], document.text[end : end + NEAR]
    lead, trail = _edge(before[::-1], what.lead[::-1]), _edge(after, what.trail)
    if lead is None or trail is None:
        return Match(*whole_words(document.text, start, end), False)
    start, end = start - lead, end + trail
    goes_on = cut_after(document.text, end) and not (what.fact and OWNS.match(document.text, end))
    if cut_before(document.text, start) or goes_on:
        return Match(*whole_words(document.text, start, end), False)
    return Match(start, end, exact)


def _same_letters(text: str, what: Sought) -> bool:
    there = letters(text)
    if what.fact:
        return there.casefold() == what.letters.casefold()
    if not what.free or len(there) != len(what.letters):
        return there == what.letters
    pairs = zip(there, what.letters, strict=True)
    return all(a == b or (i in what.free and a.casefold() == b.casefold()) for i, (a, b) in enumerate(pairs))


def _same_gaps(document: Folded, place: int, what: Sought) -> bool:
    there = dict(document.gaps(place, place + len(what.key)))
    for number in there.keys() | what.gaps.keys():
        ours, theirs = what.gaps.get(number, ""), there.get(number, "")
        if ours == theirs:
            continue
        before, after = what.key[number - 1], what.key[number]
        if what.fact and not (ours + theirs).strip() and before.isdigit() != after.isdigit():
            continue
        if forms(ours, before, after).isdisjoint(forms(theirs, before, after)):
            return False
    return True


def _edge(text: str, core: str) -> int | None:
    """How many characters at the beginning of `text` hold `core`; None when they do not. Both read away from the
    letters."""
    if not core:
        return 0
    taken = ""
    for number, each in enumerate(text, start=1):
        taken += _core(each)
        if taken == core:
            return number
        if each.isalnum() or not core.startswith(taken):
            return None
    return None


def cut_before(text: str, start: int) -> bool:
    """Whether the word or number at `start` begins before it."""
    if start == 0:
        return False
    first, before = text[start], text[max(0, start - NEAR) : start]
    seen = UNSEEN.sub("", before)
    last, second = seen[-1:], seen[-2:-1]
    if first.isdigit() or first in CURRENCY:
        signed = DASH.match(last) or last in {"+", "±", "—"} or last in CURRENCY
        if signed and last and (last != "—" or second.isdigit()):
            return True
        if last and last in ".,:/'’·" and second.isdigit():
            return True
        if first in CURRENCY and last.isalpha() and not wide(last):
            return True
        if _grouped(seen[-5:], re.match(r"\d+", text[start : start + 5])):
            return True
    if not first.isalnum() or not last:
        return False
    if last.isalnum() or unicodedata.category(last)[0] == "M":
        return not (wide(last) or wide(first))
    return bool(re.search(r"[^\W_](?:['’‘_]|[-\u2010-\u2013\u2212])(?:[ \t]*\n\s*)?$", seen)) and _joins(seen)


def _joins(seen: str) -> bool:
    """A line's end joins only behind a hyphen."""
    return not seen[-1].isspace() or bool(re.search(r"[-\u2010\u2011][ \t]*\n\s*$", seen))


def cut_after(text: str, end: int) -> bool:
    """Whether the word or number that ends at `end` goes on."""
    if end >= len(text):
        return False
    last, seen = text[end - 1], UNSEEN.sub("", text[end : end + NEAR])
    first, second = seen[:1], seen[1:2]
    if last.isdigit():
        if SIZED.match(seen) or (first and first in CURRENCY):
            return True
        if first and (first in ".,:/'’·" or DASH.match(first)) and second.isdigit():
            return True
        before = re.search(r"\d+$", text[max(0, end - 5) : end])
        if before and re.match(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)", seen) and len(before.group()) <= 3:
            return True
    if not last.isalnum() or not first:
        return False
    if first.isalnum() or unicodedata.category(first)[0] == "M":
        note = not last.isdigit() and unicodedata.decomposition(first).startswith("<super>") and first.isdigit()
        return not (note or wide(first) or wide(last))
    return bool(re.match(r"(?:['’‘_]|[-\u2010-\u2013\u2212](?:[ \t]*\n\s*)?)[^\W_]", seen)) and not (
        last.isdigit() and DASH.match(first)
    )


def _grouped(before: str, number: re.Match[str] | None) -> bool:
    """Whether three digits go on with the number before them: 2 400."""
    if number is None or len(number.group()) != 3:
        return False
    found = re.search(r"(\d+)[ \u00a0\u2009\u202f]$", before)
    return found is not None and len(found.group(1)) <= 3


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """The place with the words and numbers at its ends whole, and with what stands at the numbers."""
    first, last = max(0, start - LONGEST_WORD), min(len(text), end + LONGEST_WORD)
    while start > first and not BORDER.match(text[start - 1]):
        start -= 1
    if grouped := re.search(r"\d{1,3}[ \u00a0\u2009\u202f]$", text[first:start]):
        start -= len(grouped.group()) * cut_before(text, start)
    end += len(text[end : _border(text, end, last)].rstrip(".,;:!?"))
    more = SIZED.match(text, end, last) or re.compile(r"[ \u00a0\u2009\u202f]\d{3}(?!\d)").match(text, end, last)
    if more and cut_after(text, end):
        end = more.end()
    return start, end


def _border(text: str, place: int, last: int) -> int:
    while place < last and not BORDER.match(text[place]):
        place += 1
    return place
