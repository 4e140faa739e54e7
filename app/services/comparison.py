"""What changed between two versions of a text, passage by passage, in a time that grows with their length alone."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from msgspec import Struct

LONG = 600
"""Characters of a paragraph above which its sentences are compared one by one."""
MOST = 400_000
"""Products of old and new passages between two that both texts have once, up to which difflib compares each with each;
beyond it they are only aligned."""
ALIKE = 0.5
"""Share of letters in common from which a passage is the other one, changed."""
NEAR = 6
"""Passages ahead among which the one that was changed is looked for."""

_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_LINES = re.compile(r"\n")
_SENTENCES = re.compile(r"(?<=[.!?…;])\s+|(?<=[.!?…;][\"'”’)\]])\s+|(?<=[。！？；])")


class Passage(Struct, frozen=True):
    """Characters `start` to `end` of a text, and its `words` with single spaces."""

    start: int
    end: int
    words: str


class Pair(Struct, frozen=True):
    """A passage of the old text and what it has become; None: nothing, or it was nothing."""

    old: Passage | None
    new: Passage | None


def passages(text: str, flows: bool = False) -> list[Passage]:
    """Paragraphs, and sentences of long ones. `flows`: an empty line may be the end of a page in the middle of a
    sentence, as in a PDF; then all are sentences."""
    if flows:
        whole = [Passage(0, len(text), text)]
    else:
        whole = list(_divided(text, Passage(0, len(text), text), _PARAGRAPHS))
    sentences = (
        part
        for one in whole
        for part in ([one] if len(one.words) <= LONG and not flows else _divided(text, one, _SENTENCES))
    )
    # a table has no sentences
    return [
        part
        for sentence in sentences
        for part in ([sentence] if len(sentence.words) <= LONG else _divided(text, sentence, _LINES))
    ]


def _divided(text: str, whole: Passage, ends: re.Pattern[str]) -> Iterator[Passage]:
    start = whole.start
    for match in ends.finditer(text, whole.start, whole.end):
        yield from _passage(text, start, match.start())
        start = match.end()
    yield from _passage(text, start, whole.end)


def _passage(text: str, start: int, end: int) -> Iterator[Passage]:
    held = text[start:end]
    if words := " ".join(held.split()):
        start += len(held) - len(held.lstrip())
        yield Passage(start, start + len(held.strip()), words)


def compare(old: Sequence[Passage], new: Sequence[Passage]) -> tuple[list[Pair], int]:
    """What was removed, added and changed, in the order of the new text; and how many passages are the same."""
    first = 0
    while first < min(len(old), len(new)) and old[first].words == new[first].words:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last].words == new[-1 - last].words:
        last += 1
    pairs: list[Pair] = []
    same = first + last
    at = (first, first)
    for anchor in (*_anchors(old, new, first, last), (len(old) - last, len(new) - last)):
        changed, kept = _between(old[at[0] : anchor[0]], new[at[1] : anchor[1]])
        pairs += changed
        same += kept
        if anchor[0] < len(old) - last:
            same += 1
        at = (anchor[0] + 1, anchor[1] + 1)
    return pairs, same


def _anchors(old: Sequence[Passage], new: Sequence[Passage], first: int, last: int) -> list[tuple[int, int]]:
    """Places of passages that are in both texts once, as many of them as follow each other in both."""
    in_old, in_new = (_once(one, first, len(one) - last) for one in (old, new))
    shared = [(place, in_new[words]) for words, place in in_old.items() if words in in_new]
    ends: list[int] = []
    """Of the chains of each length so far: the place in the new text at which the lowest of them ends."""
    chains: list[int] = []
    """Which of `shared` that is."""
    before: list[int | None] = []
    for number, (_, place) in enumerate(shared):
        length = bisect_left(ends, place)
        before.append(chains[length - 1] if length else None)
        ends[length : length + 1] = [place]
        chains[length : length + 1] = [number]
    longest: list[tuple[int, int]] = []
    at = chains[-1] if chains else None
    while at is not None:
        longest.append(shared[at])
        at = before[at]
    return longest[::-1]


def _once(passages: Sequence[Passage], first: int, end: int) -> dict[str, int]:
    """Places of those between `first` and `end` that no other there is like."""
    counts = Counter(passages[place].words for place in range(first, end))
    return {passages[place].words: place for place in range(first, end) if counts[passages[place].words] == 1}


def _between(old: Sequence[Passage], new: Sequence[Passage]) -> tuple[list[Pair], int]:
    if not old or not new or len(old) * len(new) > MOST:
        return list(_aligned(old, new)), 0
    matcher = SequenceMatcher(None, [one.words for one in old], [one.words for one in new], autojunk=False)
    pairs: list[Pair] = []
    same = 0
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind == "equal":
            same += j - i
        else:
            pairs += _aligned(old[i:j], new[k:m])
    return pairs, same


def _aligned(old: Sequence[Passage], new: Sequence[Passage]) -> Iterator[Pair]:
    """Each old passage with the new one that it has become, where one of the next few is like it."""
    letters = [_letters(one.words) for one in new]
    at = 0
    for one in old:
        mine = _letters(one.words)
        ahead = range(at, min(at + NEAR, len(new)))
        found = next((place for place in ahead if _likeness(mine, letters[place]) >= ALIKE), None)
        if found is None:
            yield Pair(one, None)
            continue
        yield from (Pair(None, added) for added in new[at:found])
        yield Pair(one, new[found])
        at = found + 1
    yield from (Pair(None, added) for added in new[at:])


def _letters(words: str) -> frozenset[str]:
    """Which two letters in a row there are."""
    return frozenset(words[place : place + 2] for place in range(len(words) - 1)) or frozenset((words,))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))
