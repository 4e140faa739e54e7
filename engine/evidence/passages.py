"""Passages of documents that can be read by a person, from how much each row of a text was attended to."""

import re
from collections.abc import Sequence

import numpy as np
from msgspec import Struct

from engine.prompt import Placed
from engine.protocol import Passage, Place

BLOCK = 64
"""Rows that are one passage before it is brought to the borders of its sentences."""
FURTHER = 240
"""Characters by which a passage may grow on either side to the border of a sentence or a line; if there is none so
near, to that of a word."""
_ENDS = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）】]*|\n\s*")
_SPACE = re.compile(r"\s+")


class Stretch(Struct, frozen=True):
    """Rows from `row` on hold tokens `token` to `token + count` of document number `document`. `weight`: by how much
    what is read of it counts, against others."""

    document: int
    token: int
    row: int
    count: int
    weight: float = 1.0


class Block(Struct, frozen=True):
    """Tokens `start` to `end` of a document, and what all of their rows weigh."""

    document: int
    start: int
    end: int
    weight: float


def blocks(weights: np.ndarray, stretches: Sequence[Stretch], size: int = BLOCK) -> list[Block]:
    """Those of all rows [R] that hold text of documents: a block begins at every row that `size` divides."""
    found: list[Block] = []
    for stretch in stretches:
        first, last = stretch.row, stretch.row + stretch.count
        edges = [first, *range(first // size * size + size, last, size)]
        sums = np.add.reduceat(weights[:last], edges) * stretch.weight
        for start, end, weight in zip(edges, [*edges[1:], last], sums.tolist(), strict=True):
            moved = stretch.token - first
            found.append(Block(stretch.document, start + moved, end + moved, weight))
    return found


def passages(found: Sequence[Block], texts: Sequence[Placed], count: int) -> tuple[Passage, ...]:
    """The `count` that weigh most, the heaviest first: blocks that are brought to the borders of their sentences. What
    another block weighs whose middle lies in one of them is its own as well."""
    total = sum(block.weight for block in found)
    chosen: list[tuple[Place, float]] = []
    for block in sorted(found, key=lambda block: -block.weight):
        if block.weight <= 0:
            break
        text = texts[block.document]
        middle = int(text.starts[(block.start + block.end) // 2])
        for number, (place, weight) in enumerate(chosen):
            if place.document == block.document and place.start <= middle < place.end:
                chosen[number] = place, weight + block.weight
                break
        else:
            if len(chosen) < count:
                taken = [place for place, _ in chosen if place.document == block.document]
                chosen.append((_readable(block, text, middle, taken), block.weight))
    chosen.sort(key=lambda one: -one[1])
    return tuple(Passage(place, weight / total) for place, weight in chosen)


def _readable(block: Block, text: Placed, middle: int, taken: Sequence[Place]) -> Place:
    """The block's characters and more, up to borders of sentences, none of them `taken` already; `middle` is not."""
    start, end = _begin(text.text, text.character(block.start)), _end(text.text, text.character(block.end))
    for place in taken:
        if place.end <= middle:
            start = max(start, place.end)
        else:
            end = min(end, place.start)
    words = text.text[start:end]
    return Place(block.document, start + len(words) - len(words.lstrip()), end - len(words) + len(words.rstrip()))


def _begin(text: str, at: int) -> int:
    """Where the sentence or line begins that character `at` is in."""
    low = max(0, at - FURTHER)
    for border in (_ENDS, _SPACE):
        ends = [match.end() for match in border.finditer(text, low, at)]
        if ends or low == 0:
            return ends[-1] if ends else 0
    return at


def _end(text: str, at: int) -> int:
    """Where the sentence or line ends that the character before `at` is in."""
    high = min(len(text), at + FURTHER)
    for border in (_ENDS, _SPACE):
        match = border.search(text, max(0, at - 1), high)
        if match is not None or high == len(text):
            return match.end() if match is not None else high
    return at
