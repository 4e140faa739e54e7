"""Texts of a wanted number of tokens, in which facts can be planted."""

import random
from collections.abc import Awaitable, Callable, Sequence

from engine import bench_corpus
from engine.needles import ADJECTIVES, NOUNS, SEPARATOR, Haystack

LETTERS = 4.0
"""Characters a token, to begin with."""
ROUNDS = 5
EXACT = 0.02
"""Share by which a text may be shorter than asked for; longer it never is."""
ENOUGH = 200
"""Paragraphs; where a computer has fewer of its own, made ones are taken."""
VERBS = "borders brightens faces follows guards hides keeps leaves marks meets needs outlives passes shelters watches"

Count = Callable[[str], Awaitable[int]]
"""Tokens of a text."""


class TooShort(Exception):
    """The person's own text has `tokens`, fewer than were to be verified."""

    def __init__(self, tokens: int) -> None:
        super().__init__(f"{tokens} tokens")
        self.tokens = tokens


def prose() -> tuple[str, ...]:
    """Paragraphs of this computer, or made ones. Takes seconds, the first time."""
    found = bench_corpus.paragraphs()
    return found if len(found) >= ENOUGH else made_up()


def made_up(paragraphs: int = 1000) -> tuple[str, ...]:
    """Sentences that say nothing, no two paragraphs alike."""
    chooser = random.Random(0)
    adjectives, nouns, verbs = ADJECTIVES.split(), NOUNS.split(), VERBS.split()

    def thing() -> str:
        return f"the {chooser.choice(adjectives)} {chooser.choice(nouns)}"

    def sentence() -> str:
        said = f"{thing()} {chooser.choice(verbs)} {thing()}, and {thing()} {chooser.choice(verbs)} {thing()}."
        return said[0].upper() + said[1:]

    return tuple(" ".join(sentence() for _ in range(chooser.randint(3, 9))) for _ in range(paragraphs))


def paragraphs_of(text: str) -> tuple[str, ...]:
    """Of the person's own text, in its order; lines where it has no empty ones."""
    parts = [part.strip() for part in text.split(SEPARATOR)]
    if len(parts) < 20:
        parts = [line.strip() for line in text.splitlines()]
    return tuple(part for part in parts if part)


async def sized(count: Count, paragraphs: Sequence[str], tokens: int, seed: int, *, own: bool = False) -> Haystack:
    """Paragraphs of together `tokens` or a little less. In an order of the seed's, or with `own` in their own.

    `sizes` are characters, which say well enough where a share of a text is. Raises `TooShort` for an `own` text.
    """
    order = list(paragraphs)
    if not own:
        random.Random(seed).shuffle(order)
    characters, off = int(tokens * LETTERS), Haystack((), ())
    best = 0
    for _ in range(ROUNDS):
        taken = _taken(order, characters, own)
        found = await count(taken.text())
        if found <= tokens and found > best:
            off, best = taken, found
        whole = own and sum(map(len, order)) <= characters
        if whole and found <= tokens:
            if found < tokens * (1 - EXACT):
                raise TooShort(found)
            break
        if tokens * (1 - EXACT) <= found <= tokens:
            break
        # a little less than what would do, since being over is worth nothing
        characters = int(sum(taken.sizes) * tokens / max(found, 1) * (1 - EXACT / 4))
    return off


def _taken(order: Sequence[str], characters: int, own: bool) -> Haystack:
    """The first so many characters, the last paragraph cut at a word; of prose again from the start."""
    chosen: list[str] = []
    left, at = characters, 0
    while left > 0 and (at < len(order) or not own):
        part = order[at % len(order)]
        if len(part) > left:
            part = part[:left].rpartition(" ")[0]
        if part:
            chosen.append(part)
        left -= len(order[at % len(order)]) + len(SEPARATOR)
        at += 1
    return Haystack(tuple(chosen), tuple(len(part) + len(SEPARATOR) for part in chosen))
