"""Words in a text: what a query asks for, where that stands, and the piece of text that is shown around it."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from app.services.text_index import OVERLAP, Piece, folded

BEFORE, AFTER = 30, 120
"""Characters shown on either side of the first word."""

Spot = tuple[int, int]
"""First character, and the one after the last."""

_MARKS = '"“”„「」'
_QUOTED = re.compile(r'"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|「([^」]+)」|(\S+)')


def query(asked: str) -> tuple[str, ...]:
    """The words asked for, folded, each once; what stands between quotation marks is one."""
    found = (folded(next(filter(None, match.groups())).strip(_MARKS)) for match in _QUOTED.finditer(asked))
    return tuple(dict.fromkeys(word for word in found if word))


def spots(text: str, piece: Piece, word: str) -> list[Spot]:
    """Where a folded word stands in a piece of the text or just beyond its end, in order."""
    end = piece.end + OVERLAP
    found = [match.span() for match in _pattern(word).finditer(text, piece.start, end)]
    return found or _in_folded(text[piece.start : end], piece.start, word)


@lru_cache(64)
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(r"\s+".join(map(re.escape, word.split())), re.IGNORECASE)


def _in_folded(text: str, offset: int, word: str) -> list[Spot]:
    """Where letters stand in other forms than those of the word: wide ones, ligatures, "ß" for "ss"."""
    if word not in folded(text):
        return []
    letters: list[str] = []
    places: list[int] = []
    """Of each of the folded letters, the character that it comes from."""
    for place, character in enumerate(text):
        made = unicodedata.normalize("NFKC", character).casefold()
        if made.isspace():
            made = "" if letters[-1:] == [" "] else " "
        letters += made
        places += [place] * len(made)
    held, found = "".join(letters), []
    start = held.find(word)
    while start >= 0:
        found.append((offset + places[start], offset + places[start + len(word) - 1] + 1))
        start = held.find(word, start + len(word))
    return found


def excerpt(text: str, marked: Sequence[Spot]) -> tuple[str, tuple[Spot, ...]]:
    """What stands around the first of the spots, on one line, with an ellipsis where text was left away; and the spots
    in it."""
    first = max(0, marked[0][0] - BEFORE)
    last = min(len(text), marked[0][1] + AFTER)
    line = ["…"] if first else []
    places: list[int] = []
    """Of each character from `first` on, its place in the line."""
    for character in text[first:last]:
        places.append(len(line))
        if not character.isspace():
            line.append(character)
        elif line and line[-1] != " ":
            line.append(" ")
    places.append(len(line))
    shown = [(places[start - first], places[end - first]) for start, end in marked if first <= start and end <= last]
    return "".join(line) + ("…" if last < len(text) else ""), tuple(shown)
