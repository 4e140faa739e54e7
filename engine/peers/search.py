"""A plain search for the passages of a text that have most to do with a question: what stands in for reading it all.

Okapi BM25 over words (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009):

    score = sum over the question's words of idf * f * (k1 + 1) / (f + k1 * (1 - b + b * length / mean length))
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

K1, B = 1.5, 0.75
PASSAGE = 800
"""Characters from which a passage is long enough to stand alone."""
SEPARATOR = "\n\n"

_BORDER = re.compile(r"\n\s*\n")
_WORD = re.compile(r"\w+")


def passages(text: str) -> list[str]:
    """Neighbouring paragraphs, joined until they are long enough; all of the text, in order."""
    made: list[str] = []
    for paragraph in filter(None, map(str.strip, _BORDER.split(text))):
        if made and len(made[-1]) < PASSAGE:
            made[-1] += SEPARATOR + paragraph
        else:
            made.append(paragraph)
    return made


def scores(parts: list[str], question: str) -> list[float]:
    """BM25 of each part."""
    words = [Counter(_WORD.findall(part.lower())) for part in parts]
    lengths = [sum(counted.values()) for counted in words]
    mean = sum(lengths) / max(1, len(lengths)) or 1.0
    known = [0.0] * len(parts)
    for word in set(_WORD.findall(question.lower())):
        having = sum(word in counted for counted in words)
        rare = math.log(1 + (len(parts) - having + 0.5) / (having + 0.5))
        for number, counted in enumerate(words):
            often = counted[word]
            known[number] += rare * often * (K1 + 1) / (often + K1 * (1 - B + B * lengths[number] / mean))
    return known


def best(text: str, question: str, tokens: int, count: Callable[[str], int]) -> str:
    """The passages that match best and together have no more than `tokens`, in the text's order; what is left out
    between two is marked. The first that no longer fits ends it."""
    parts = passages(text)
    known = scores(parts, question)
    chosen: list[int] = []
    for number in sorted(range(len(parts)), key=lambda one: -known[one]):
        if count(_joined(parts, sorted([*chosen, number]))) > tokens:
            break
        chosen.append(number)
    return _joined(parts, sorted(chosen))


def _joined(parts: list[str], chosen: list[int]) -> str:
    gaps = [SEPARATOR if after == before + 1 else f"{SEPARATOR}[…]{SEPARATOR}" for before, after in pairwise(chosen)]
    return "".join(parts[number] + gap for number, gap in zip(chosen, [*gaps, ""], strict=False))
