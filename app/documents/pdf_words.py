"""What stands between a PDF's characters and its words: ligatures, divided words, running heads, page numbers."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

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
_FOLDED = re.compile("[\ufb00-\ufb06\u00a0\u00ad]")
GARBLED = re.compile("[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff]")
"""Characters that a font has no meaning for: a page of them looks right and holds no words."""

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_DIVIDED_WORD = re.compile(rf"[^\W_]+(?:[-{DIVIDED}][^\W_]+)*{DIVIDED}[^\W_]+(?:[-{DIVIDED}][^\W_]+)*")

EDGE = 2
"""Lines at the top, and at the bottom, where a running head may stand."""
REPEATS = 3
NEAR = 4
"""Pages between two of its appearances, at most: left and right pages carry heads of their own."""


def unfold(text: str) -> str:
    """Ligatures as their letters, fixed spaces as spaces, no soft hyphens."""
    return _FOLDED.sub(lambda found: LIGATURES.get(found[0], " " if found[0] == "\u00a0" else ""), text)


class Hyphens:
    """Divided words are joined; with a hyphen where the document has the word only so."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._words: set[str] = set()
        for text in texts:
            self._words.update(word.lower() for word in _WORD.findall(text))

    def join(self, text: str) -> str:
        if DIVIDED not in text:
            return text
        return _DIVIDED_WORD.sub(lambda found: self._whole(found[0]), text).replace(DIVIDED, "")

    def _whole(self, word: str) -> str:
        joined, hyphened = word.replace(DIVIDED, ""), word.replace(DIVIDED, "-")
        if joined.lower() not in self._words and hyphened.lower() in self._words:
            return hyphened
        return joined


def ranges(indexes: Sequence[int]) -> list[str]:
    """Page numbers from 1 as a person writes them: 3-9, 12."""
    found: list[list[int]] = []
    for index in indexes:
        if found and found[-1][1] == index:
            found[-1][1] = index + 1
        else:
            found.append([index + 1, index + 1])
    return [str(first) if first == last else f"{first}-{last}" for first, last in found]


def without_running_heads(texts: Sequence[str], labels: Sequence[str]) -> tuple[list[str], int]:
    """The pages without page numbers and without heads after their first appearance, and how many lines that were.

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
    kept = [
        "\n".join(line for place, line in enumerate(lines) if place not in dropped[index])
        for index, lines in enumerate(pages)
    ]
    return kept, sum(map(len, dropped.values()))


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
