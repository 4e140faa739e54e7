"""Where a document says nearly the same: for quotations with a word changed, left out or put in.

Short pieces of the quotation are looked for as they are; where several of them stand at the same distance from each
other as in the quotation, the place is compared letter by letter.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Indel

from app.services.quotes.folding import Folded, wide

ALIKE = 0.8
"""Share of letters, 0 to 1, that the quotation and the place have in common, at least: twice the letters in common
through the letters of both."""
PIECES = 12
"""Pieces of a quotation that are looked for."""
COMMON = 400
"""Places of one piece; what stands oftener says nothing."""
TRIED = 4
"""Places that are compared, the likeliest."""
SHIFT = 5
"""Words by which an end of the place may be off, that are tried."""


class Near(NamedTuple):
    """Characters `start` to `end` of a document. `alike`: 0 to 1."""

    start: int
    end: int
    alike: float


def near(
    document: Folded,
    key: str,
    look: Callable[[], None],
    *,
    least: float = ALIKE,
    pieces: Sequence[tuple[int, str]] | None = None,
) -> Near | None:
    """The place of the document that is most like the letters `key`, if one is like them at all. `look` may raise to
    stop. `pieces`: what of the key stands as it is, and where in the key; None: any of it."""
    best: Near | None = None
    for place in _likely(document.key, key, _cut(key) if pieces is None else pieces, look):
        slack = max(12, len(key) * 2 // 5)
        first = max(0, place - slack)
        window = document.key[first : place + len(key) + slack]
        aligned = fuzz.partial_ratio_alignment(key, window, score_cutoff=100 * (2 * least - 1))
        if aligned is None:
            continue
        found = _fitted(document, key, first + aligned.dest_start, first + aligned.dest_end)
        if found.alike >= least and (best is None or found.alike > best.alike):
            best = found
    return best


def _cut(key: str) -> list[tuple[int, str]]:
    wide_letters = wide(key[0])
    size = min(max(len(key) // 5, 2 if wide_letters else 5), 4 if wide_letters else 12)
    offsets = range(0, len(key) - size + 1, max(size, -(-len(key) // PIECES)))
    return [(offset, key[offset : offset + size]) for offset in offsets]


def _likely(text: str, key: str, pieces: Sequence[tuple[int, str]], look: Callable[[], None]) -> list[int]:
    """Where the quotation may begin in the text, the likeliest first."""
    votes: Counter[int] = Counter()
    step = max(8, len(key) // 4)
    for offset, piece in pieces:
        look()
        for place in _places(text, piece):
            votes[(place - offset) // step] += 1
    # a quotation with words put in lies over two steps
    together = {at: votes[at] + votes[at + 1] for at in tuple(votes)}
    likeliest = sorted(together, key=lambda at: (-together[at], at))[:TRIED]
    return [max(0, at * step) for at in likeliest]


def _places(text: str, piece: str) -> list[int]:
    found: list[int] = []
    place = text.find(piece)
    while place >= 0:
        if len(found) == COMMON:
            return []
        found.append(place)
        place = text.find(piece, place + 1)
    return found


def _fitted(document: Folded, key: str, first: int, last: int) -> Near:
    """The place whose ends are those of words, a few words about it tried."""
    starts = _borders(document, first)
    ends = _borders(document, last)
    best = Near(document.start(first), document.end(last - 1), 0.0)
    for start in starts:
        for end in ends:
            if start < end:
                alike = Indel.normalized_similarity(key, document.key[start:end])
                if alike > best.alike:
                    best = Near(document.start(start), document.end(end - 1), alike)
    return best


def _borders(document: Folded, place: int) -> list[int]:
    """Places of the key near `place` before which a word begins."""
    reach = 12 * SHIFT
    first, last = max(0, place - reach), min(len(document.key), place + reach)
    found = [first + number for number, _ in document.gaps(first, last)]
    found += [
        number
        for number in range(max(first, place - SHIFT), min(last, place + SHIFT) + 1)
        if _wide_at(document, number)
    ]
    found += [number for number in (0, len(document.key)) if first <= number <= last]
    return sorted(found, key=lambda number: abs(number - place))[: 2 * SHIFT]


def _wide_at(document: Folded, place: int) -> bool:
    return any(wide(each) for each in document.key[max(0, place - 1) : place + 1])
