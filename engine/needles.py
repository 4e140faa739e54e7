"""Numbers planted in long varied texts, and whether an answer holds the one that was asked for."""

import itertools
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from engine import bench_corpus

SEPARATOR = "\n\n"
EXACT = 0.005
"""Share by which a text's tokens may differ from those asked for."""
FILLED_BY_CHOICE = 250
"""Tokens at a text's end for which paragraphs of the right length are looked for."""
OFFERED = 200
"""Paragraphs looked at for one of the right length."""
TRIES = 64
AIMED = 2
"""Tokens that it may differ by to be taken without looking further; of long texts a twentieth of a percent."""
DIGITS = 7
ANSWER = 64
"""Tokens of an answer in which the number must stand."""

ADJECTIVES = (
    "amber brisk copper dusty early frozen gentle hollow ivory jolly kindly lonely marble narrow orange purple quiet "
    "rusty silver tidy upper velvet windy yellow"
)
NOUNS = (
    "abbey bridge castle desert engine forest garden harbour island jetty kitchen lantern meadow needle orchard "
    "palace quarry river station tower uplands valley windmill yard"
)

Count = Callable[[str], int]
"""Tokens of a text."""


@dataclass(frozen=True)
class Needle:
    """`name`: adjective and noun. `number`: its digits."""

    name: str
    number: str

    @property
    def sentence(self) -> str:
        return f"The access number for the {self.name} is {self.number}."

    @property
    def question(self) -> str:
        return f"What is the access number for the {self.name}?"

    def found_in(self, answer: str) -> bool:
        """Whether the digits stand in it in this order, commas and spaces between digits aside."""
        return self.number in re.sub(r"(?<=\d)[\s,.'-]+(?=\d)", "", answer)


@dataclass(frozen=True)
class Haystack:
    """`sizes`: tokens of each paragraph with the empty line before it."""

    paragraphs: tuple[str, ...]
    sizes: tuple[int, ...]

    def text(self) -> str:
        return SEPARATOR.join(self.paragraphs)

    def plant(self, needles: Sequence[tuple[Needle, float]]) -> str:
        """The text with each needle as a paragraph of its own, where `depth` (0 to 1) of the tokens stand before it."""
        return self.with_sentences([(needle.sentence, depth) for needle, depth in needles])

    def with_sentences(self, sentences: Sequence[tuple[str, float]]) -> str:
        """As `plant`, of any sentences. Where several stand at one border, they do in their order here."""
        return SEPARATOR.join(self._planted(sentences))

    def with_planted(self, needles: Sequence[tuple[Needle, float]], count: Count) -> "Haystack":
        """The same text with these in it, to plant more in."""
        parts = self._planted([(needle.sentence, depth) for needle, depth in needles])
        known = dict(zip(self.paragraphs, self.sizes, strict=True))
        return Haystack(tuple(parts), tuple(known.get(part) or count(SEPARATOR + part) for part in parts))

    def _planted(self, sentences: Sequence[tuple[str, float]]) -> list[str]:
        parts = list(self.paragraphs)
        places = sorted((self._border(depth), number) for number, (_, depth) in enumerate(sentences))
        for place, number in reversed(places):
            parts.insert(place, sentences[number][0])
        return parts

    def _border(self, depth: float) -> int:
        """Paragraphs before the border that is nearest to `depth`."""
        before = [0, *itertools.accumulate(self.sizes)]
        return min(range(len(before)), key=lambda place: abs(before[place] - depth * before[-1]))


def haystack(count: Count, tokens: int, seed: int) -> Haystack:
    """Varied paragraphs in an order of the seed's, together `tokens` long within half a percent.

    Where the computer has less text than that, paragraphs come again in another order. Raises ValueError when no
    paragraph makes the length exact, as for a few hundred tokens.
    """
    order = _endless(random.Random(seed))
    chosen: list[str] = []
    sizes: list[int] = []
    while sum(sizes) + FILLED_BY_CHOICE < tokens:
        chosen.append(next(order))
        sizes.append(count(SEPARATOR + chosen[-1]))
    best, off = Haystack((), ()), tokens
    for _ in range(TRIES):
        gap = tokens - count(SEPARATOR.join(chosen))
        if abs(gap) < off:
            best, off = Haystack(tuple(chosen), tuple(sizes)), abs(gap)
        if off <= max(AIMED, tokens // 2000):
            break
        if gap < FILLED_BY_CHOICE / 5 and chosen:  # no paragraph is so short
            chosen.pop()
            sizes.pop()
            continue
        offered = {part: count(SEPARATOR + part) for part in itertools.islice(order, OFFERED)}
        fitting = min(offered, key=lambda part: abs(gap - offered[part]))
        chosen.append(fitting)
        sizes.append(offered[fitting])
    if off > EXACT * tokens:
        raise ValueError(f"no paragraphs make {tokens} tokens within {EXACT:.1%}")
    return best


def needles(seed: int, count: int) -> list[Needle]:
    """With no adjective, noun or digit of a number twice."""
    chooser = random.Random(seed)
    names = zip(chooser.sample(ADJECTIVES.split(), count), chooser.sample(NOUNS.split(), count), strict=True)
    return [Needle(f"{adjective} {noun}", _number(chooser)) for adjective, noun in names]


def wilson(found: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's formula; (0, 1) of nothing."""
    if not of:
        return 0.0, 1.0
    z, share = 1.96, found / of
    middle = share + z * z / (2 * of)
    around = z * math.sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    return max(0.0, (middle - around) / scale), min(1.0, (middle + around) / scale)


def _number(chooser: random.Random) -> str:
    # No digit twice: whether a second one follows the first is nearly a tie for a small model. And no nought first,
    # which would make it a number of fewer digits
    first = chooser.choice("123456789")
    return first + "".join(chooser.sample([digit for digit in "0123456789" if digit != first], DIGITS - 1))


def _endless(chooser: random.Random) -> Iterator[str]:
    while True:
        order = list(bench_corpus.paragraphs())
        chooser.shuffle(order)
        yield from order
