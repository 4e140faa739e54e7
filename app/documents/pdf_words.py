"""What stands between a PDF's characters and its words: ligatures, divided words, running heads, page numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import accumulate

from app.documents.placed import Edit, Placed

DIVIDED = "\ufffe"
"""pdfium writes this where a hyphen at a line's end divides a word, and drops the line's end."""

LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
JOINS = (DIVIDED, "-")

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")

EDGE = 2
"""Lines at the top, and at the bottom, where a running head may stand."""
REPEATS = 3
NEAR = 4
"""Pages between two of its appearances, at most: left and right pages carry heads of their own."""


class Hyphens:
    """Divided words are joined; with a hyphen where the document has the word only so, or where a number or a name
    follows it: A-4711 and Ray-Ban are divided at a hyphen of their own."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        for text in texts:
            self._words.update(word.lower() for word in _WORD.findall(text))

    def join(self, text: Placed) -> Placed:
        if DIVIDED not in text.text:
            return text
        edits: list[Edit] = []
        place = text.text.find(DIVIDED)
        while place >= 0:
            start, end = _word_around(text.text, place)
            word = text.text[start:end].strip("-" + DIVIDED)
            new = self._sign(word) if DIVIDED in word else ""  # else nothing is divided
            while 0 <= place < end:
                edits.append((place, place + 1, new))
                place = text.text.find(DIVIDED, place + 1)
        return text.edited(edits)

    def _sign(self, word: str) -> str:
        """What stands for the divisions of a word."""
        joined, hyphened = word.replace(DIVIDED, "").lower(), word.replace(DIVIDED, "-").lower()
        if (joined in self._words) != (hyphened in self._words):
            return "-" if hyphened in self._words else ""
        return "-" if any(_own_hyphen(word, i) for i, c in enumerate(word) if c == DIVIDED) else ""


def _word_around(text: str, place: int) -> tuple[int, int]:
    """Where the word that is divided at `place` begins and ends, with its other divisions and hyphens."""
    start, end = place, place + 1
    while start and (text[start - 1].isalnum() or text[start - 1] in JOINS):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] in JOINS):
        end += 1
    return start, end


def _own_hyphen(word: str, place: int) -> bool:
    """Whether what follows the division at `place` is a number, or a name: one with a capital, in a word of others."""
    before, after = word[place - 1], word[place + 1 : place + 3]
    return after[0].isdigit() or (after[0].isupper() and not (before.isupper() and after.isupper()))


def ranges(indexes: Sequence[int]) -> list[str]:
    """Page numbers from 1 as a person writes them: 3-9, 12."""
    found: list[list[int]] = []
    for index in indexes:
        if found and found[-1][1] == index:
            found[-1][1] = index + 1
        else:
            found.append([index + 1, index + 1])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def apart(text: Placed, own: Sequence[str]) -> Placed:
    """With a page's number on a line of its own where pdfium took it for the rest of a word that goes on overleaf."""
    before, divided, after = text.text.rstrip().rpartition(DIVIDED)
    return text.edited([(len(before), len(before) + 1, "-\n")]) if divided and after in own else text


def running_heads(texts: Sequence[str], labels: Sequence[str]) -> dict[int, list[int]]:
    """By page: the lines, counted from 0, that are page numbers, or heads that stood on an earlier page already.

    Two lines are the same head when they differ in nothing but the page's own number. So "Total 12" and "Total 15"
    at the foot of two tables are not.
    """
    pages = [text.split("\n") for text in texts]
    offset = _offset(pages)
    seen: dict[tuple[bool, str], list[tuple[int, int]]] = defaultdict(list)
    for index, lines in enumerate(pages):
        for top, place in _edges(lines):
            seen[top, _shape(lines[place], index, labels[index], offset)].append((index, place))
    dropped: dict[int, set[int]] = defaultdict(set)
    for (_, shape), places in seen.items():
        if not shape.strip():
            continue
        repeated = [
            (index, place)
            for i, (index, place) in enumerate(places)
            if any(0 < abs(index - other) <= NEAR for other, _ in places[max(0, i - 2) : i + 3])
        ]
        if len(repeated) < REPEATS:
            continue
        for index, place in repeated if shape == "#" else repeated[1:]:
            dropped[index].add(place)
    return {index: sorted(places) for index, places in dropped.items()}


def without_lines(text: Placed, dropped: Sequence[int]) -> Placed:
    """Without these lines and their ends. The end of the line before stays, also of a last one."""
    if not dropped:
        return text
    starts = [0, *accumulate(len(line) + 1 for line in text.text.split("\n"))]
    return text.edited([(starts[line], min(starts[line + 1], len(text.text)), "") for line in dropped])


def _edges(lines: Sequence[str]) -> list[tuple[bool, int]]:
    """The first and last lines with words on them: whether at the top, and which line."""
    full = [place for place, line in enumerate(lines) if line.strip()]
    if len(full) < 2 * EDGE:
        return [(i < len(full) / 2, place) for i, place in enumerate(full)]
    return [(True, place) for place in full[:EDGE]] + [(False, place) for place in full[-EDGE:]]


def _offset(pages: Sequence[Sequence[str]]) -> int | None:
    """Printed number minus index, when most pages that show a number at an edge agree on it."""
    found: Counter[int] = Counter()
    for index, lines in enumerate(pages):
        numbers = {
            int(n) for _, place in _edges(lines) for n in re.findall(r"(?<![\d.,])\d{1,5}(?![\d.,])", lines[place])
        }
        found.update(number - index for number in numbers)
    if not found:
        return None
    offset, count = found.most_common(1)[0]
    return offset if count >= max(REPEATS, len(pages) // 3) else None


def _shape(line: str, index: int, label: str, offset: int | None) -> str:
    """The line with the page's own number as "#" and its spaces folded."""
    own = {label, str(index + 1)} | ({str(index + offset)} if offset is not None else set())
    return " ".join(
        "#" if part in own else part for part in re.split(r"(\d+|\b[ivxlc]+\b)|\s+", line) if part and part.strip()
    )
