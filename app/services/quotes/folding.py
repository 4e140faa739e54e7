"""A text as its letters and digits alone, and the way back to its own characters.

Two texts that typesetting alone keeps apart have the same key: ligatures, soft hyphens, divided words, quotation marks,
dashes and white space are not in it. What stands between the letters is compared afterwards, in `matching`: a key finds
places, and decides nothing.
"""

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

CHUNK = 65_536
"""Characters that are folded at once: a program with other things to do is not kept waiting for more."""

SYMBOLS = "\u2100-\u211f\u2121\u2123-\u213b\u249c-\u24e9\u2e9f\u2ef3\u2f00-\u2fd5\u3200-\u33ff"
"""Letters in the form of symbols: №, ㎏, and the radicals that PDFs write for Chinese characters. Not ™ and ℠."""

JAMO = r"[\u1100-\u115f][\u1160-\u11a7]+[\u11a8-\u11ff]*"
"""A Korean syllable in its parts."""

CUT = re.compile(r"[\x00-\x7f\u3000-\u9fff]")
"""A character that begins a letter: no mark and no part of a syllable."""

UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]"
)
"""Scripts that put no space between words."""
WIDE = re.compile(f"{UNSPACED.pattern[:-1]}\uac00-\ud7af\u1100-\u11ff]")
"""Those, and Korean, which puts endings to its words: a part of a word may be quoted."""


def _go_on() -> None:
    """Nobody wants to stop it."""


@cache
def _marks() -> str:
    """All marks that stand on letters, as a class of a pattern."""
    return "[" + "".join(chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code))[0] == "M") + "]"


@cache
def words() -> re.Pattern[str]:
    """Runs of letters and digits with the marks on them."""
    letters = rf"(?:[^\W_]+|[{SYMBOLS}])"
    return re.compile(f"({letters}+(?:{_marks()}+{letters}*)*)")


@cache
def _clusters() -> re.Pattern[str]:
    """Letters, each with its marks."""
    return re.compile(f"{JAMO}|.{_marks()}*", re.DOTALL)


def _plain(cluster: str) -> str:
    """A letter with its marks, as typesetting leaves it."""
    return "".join(
        each
        for each in unicodedata.normalize("NFKC", cluster)
        if each.isalnum() or unicodedata.category(each)[0] == "M"
    )


class Folded:
    """`key`: the letters and digits of `text`, in small letters. `look` may raise to stop."""

    def __init__(self, text: str, look: Callable[[], None] = _go_on) -> None:
        self.text = text
        # A piece has as many letters in the key as in the text; or it is one letter of several that lie in one place
        self._keys, self._starts, self._ends = array("I"), array("I"), array("I")
        keys: list[str] = []
        length = 0
        for start, end in _chunks(text):
            look()
            pieces = _pieces(text[start:end])
            *places, length = accumulate(map(len, pieces.keys), initial=length)
            self._keys.extend(places)
            self._starts.extend(start + each for each in pieces.starts)
            self._ends.extend(start + each for each in pieces.ends)
            keys += pieces.keys
        self.key = "".join(keys)

    def start(self, place: int) -> int:
        """Where in the text the letter at `place` of the key begins."""
        return self._where(place)[0]

    def end(self, place: int) -> int:
        """Where the letter at `place` ends."""
        return self._where(place)[1]

    def _where(self, place: int) -> tuple[int, int]:
        piece = bisect_right(self._keys, place) - 1
        first, last = self._starts[piece], self._ends[piece]
        after = self._keys[piece + 1] if piece + 1 < len(self._keys) else len(self.key)
        if last - first != after - self._keys[piece]:
            return first, last
        start = first + place - self._keys[piece]
        return start, start + 1

    def gaps(self, first: int, last: int) -> list[tuple[int, str]]:
        """What stands in the text between letters `first` to `last` (not with it) of the key: before which letter,
        counted from `first`, and what. Between letters that touch stands nothing, and nothing is said."""
        found: list[tuple[int, str]] = []
        piece = bisect_right(self._keys, first)
        while piece < len(self._keys) and self._keys[piece] < last:
            if self._starts[piece] > self._ends[piece - 1]:
                found.append((self._keys[piece] - first, self.text[self._ends[piece - 1] : self._starts[piece]]))
            piece += 1
        return found


class _Pieces(NamedTuple):
    """Pieces in a row: what each is in the key, and where it lies in the text."""

    keys: Sequence[str]
    starts: Sequence[int]
    ends: Sequence[int]


def _chunks(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        cut = CUT.search(text, start + CHUNK)
        end = len(text) if cut is None else cut.start()
        yield start, end
        start = end


def _pieces(text: str) -> _Pieces:
    """All words of a text; those that typesetting has changed letter by letter."""
    parts = words().split(text)
    ends = list(accumulate(map(len, parts)))
    found, starts, ends = parts[1::2], ends[:-1:2], ends[1::2]
    together = "\n".join(found)
    folded = together.casefold()
    if len(folded) == len(together) and _as_it_is(together):
        return _Pieces(folded.split("\n") if found else (), starts, ends)
    keys: list[str] = []
    firsts: list[int] = []
    lasts: list[int] = []
    for word, start, end in zip(found, starts, ends, strict=True):
        if word.isascii():
            keys.append(word.lower())
            firsts.append(start)
            lasts.append(end)
            continue
        for cluster in _clusters().finditer(word):
            for letter in _plain(cluster.group()).casefold():
                keys.append(letter)
                firsts.append(start + cluster.start())
                lasts.append(start + cluster.end())
    return _Pieces(keys, firsts, lasts)


def _as_it_is(word: str) -> bool:
    return unicodedata.is_normalized("NFKC", word)


def letters(text: str) -> str:
    """The letters and digits of a text with their case. A digit that is raised or lowered beside another, and a
    fraction, stay what they are: 10² is not 102."""
    made: list[str] = []
    for word in words().findall(text):
        if word.isascii() or _as_it_is(word):
            made.append(word)
            continue
        clusters = [each.group() for each in _clusters().finditer(word)]
        for before, cluster, after in zip(["", *clusters], clusters, [*clusters[1:], ""], strict=False):
            form = unicodedata.decomposition(cluster[0]).partition(" ")[0]
            raised = form in ("<super>", "<sub>") and (before[:1].isdigit() or after[:1].isdigit())
            made.append(cluster if raised or form == "<fraction>" else _plain(cluster))
    return "".join(made)


def wide(letter: str) -> bool:
    return WIDE.match(letter) is not None


def unspaced(letter: str) -> bool:
    return UNSPACED.match(letter) is not None
