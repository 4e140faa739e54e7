"""Facts planted in long texts, and whether the passage that holds one is among those that attention read most."""

import bisect
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from engine import needles
from engine.bench_desk import Desk, talk
from engine.protocol import Done, Evidence, Generate, Sampling

KINDS = ("access", "order", "locker", "invoice", "licence", "ticket")
WRITTEN = 40
"""Tokens of an answer."""


@dataclass(frozen=True)
class Fact:
    """`wrong`: what a wrong answer would say. `apart`: neither question nor answer has a word of the sentence."""

    sentence: str
    question: str
    right: str
    wrong: str = ""
    apart: bool = False

    def answered_by(self, answer: str) -> bool:
        said = set(words(answer))
        if self.apart:
            return self.right in said and self.wrong not in said
        return self.right in re.sub(r"(?<=\d)[\s,.'-]+(?=\d)", "", answer)


OTHER_WORDS = (
    ("The automobile of the mayor is crimson.", "What colour is the car: red or blue?", "red", "blue"),
    ("The old fort was raised by soldiers of Rome.", "Who built this castle: Romans or Greeks?", "romans", "greeks"),
    ("The vicar has three girls.", "Does this priest have sons or daughters?", "daughters", "sons"),
    ("The physician is ninety years of age.", "Is our doctor young or old?", "old", "young"),
    ("The vessel sank near some rocks.", "What became of that ship: was it saved or lost?", "lost", "saved"),
    ("The baker begins his work at dawn.", "When do they make bread: in the morning or evening?", "morning", "evening"),
    ("The cellar is freezing all year.", "Does a basement like this feel cold or hot?", "cold", "hot"),
    (
        "Her timepiece was made in Geneva.",
        "Where does that watch come from: Switzerland or Spain?",
        "switzerland",
        "spain",
    ),
    ("The infant wept until midnight.", "Was that baby sad or happy?", "sad", "happy"),
    ("The hound guards the gate of the inn.", "Which animal is before this hotel: a dog or a cat?", "dog", "cat"),
)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())


SMALL_WORDS = frozenset(
    words("a an and are at be by for from has have in is it its of on or the to was were what which")
)


def shared(answer: str, fact: Fact) -> set[str]:
    """Words of the fact's sentence that an answer has, those aside that every text has."""
    return (set(words(answer)) & set(words(fact.sentence))) - SMALL_WORDS


def facts(seed: int) -> list[Fact]:
    """Six numbers, and two that share no word with what is asked about them."""
    planted = zip(KINDS, needles.needles(seed, len(KINDS)), strict=True)
    made = [
        Fact(
            f"The {kind} number for the {one.name} is {one.number}.",
            f"What is the {kind} number for the {one.name}?",
            one.number,
        )
        for kind, one in planted
    ]
    apart = [Fact(*one, apart=True) for one in OTHER_WORDS[2 * (seed % 5) : 2 * (seed % 5) + 2]]
    return [*made[:2], apart[0], *made[2:4], apart[1], *made[4:]]


@dataclass(frozen=True)
class Shown:
    """What came of a fact. `rank`: of the passage that holds it, among those of the sentence that says it; None: it is
    not among them."""

    length: int
    mode: str
    fact: Fact
    answer: str
    right: bool
    rank: int | None
    score: float
    shares: tuple[str, ...]
    without: str | None = None
    """The answer when the passage is left out; None: not asked, since nothing right was shown."""

    @property
    def changed(self) -> bool:
        return self.without is not None and not self.fact.answered_by(self.without)

    @property
    def line(self) -> str:
        kind = "apart" if self.fact.apart else "number"
        rank = f"rank {self.rank}" if self.rank is not None else "not shown"
        verdict = "right" if self.right else "wrong"
        without = "" if self.without is None else f", without it {self.without!r}"
        return f"{self.length} {self.mode} {kind} {verdict}, {rank}, {self.score:.2f}: {self.answer!r}{without}"


@dataclass(frozen=True)
class Planted:
    """A text of so many tokens, and the facts in it that are asked about."""

    length: int
    text: str
    facts: list[Fact]


def short(count: needles.Count, length: int, seed: int) -> Planted:
    haystack, asked = needles.haystack(count, length, seed), facts(seed)
    places = [(fact, (number + 0.5) / len(asked)) for number, fact in enumerate(asked)]
    return Planted(length, haystack.plant(places), asked)  # type: ignore[arg-type]


def long(count: needles.Count, lengths: Sequence[int], seed: int) -> Iterator[Planted]:
    """Each text begins with the one before it, so that what was read of it is not read again; its facts stand in what
    is new of it. Whatever was asked before is in it as well."""
    haystack = needles.haystack(count, lengths[-1], seed)
    before = [0, *itertools.accumulate(haystack.sizes)]
    parts: list[str] = []
    first = 0
    for number, length in enumerate(lengths):
        last = bisect.bisect_right(before, length) - 1
        asked = facts(seed + number)
        for place, fact in enumerate(asked, 1):
            tokens = before[first] + (before[last] - before[first]) // (len(asked) - place + 2)
            border = bisect.bisect_left(before, tokens)
            parts += [*haystack.paragraphs[first:border], fact.sentence]
            first = border
        parts += haystack.paragraphs[first:last]
        first = last
        yield Planted(length, needles.SEPARATOR.join(parts), asked)


def asked(desk: Desk, text: str, fact: Fact) -> tuple[Done, list[Evidence]]:
    events: list[object] = []
    request = Generate("1", talk([desk.document(text)], fact.question), Sampling(max_tokens=WRITTEN))
    done = desk.worker.run(request, events.append, lambda: False)
    assert isinstance(done, Done)
    return done, [event for event in events if isinstance(event, Evidence)]


def shown(desk: Desk, planted: Planted, only: int | None = None, *, without: bool = False) -> list[Shown]:
    """All facts of a text, or the first of them, asked one after the other. `without`: those that are answered right
    and shown again, with the passage left out."""
    text = planted.text
    found = []
    for fact in planted.facts[:only]:
        done, said = asked(desk, text, fact)
        answer = done.result.text
        at = answer.casefold().find(fact.right) if fact.apart else place_of(fact.right, answer)
        own = next((event for event in said if event.start <= at < event.end), None)
        rank, score = held(own, text.index(fact.sentence), fact.sentence)
        right = fact.answered_by(answer)
        again = None
        if without and right and own is not None and rank is not None:
            place = own.passages[rank - 1].place
            again = asked(desk, text[: place.start] + text[place.end :], fact)[0].result.text
        shares = tuple(sorted(shared(answer, fact))) if fact.apart else ()
        found.append(Shown(planted.length, done.usage.mode, fact, answer, right, rank, score, shares, again))
        print(found[-1].line, flush=True)
    return found


def place_of(number: str, answer: str) -> int:
    """Where its digits begin, whatever stands between them."""
    match = re.search(r"[\s,.'-]*".join(number), answer)
    return -1 if match is None else match.start()


def held(event: Evidence | None, at: int, sentence: str) -> tuple[int | None, float]:
    """The rank and the share of the passage that holds most of a sentence at character `at`."""
    for rank, passage in enumerate(event.passages if event is not None else (), 1):
        place = passage.place
        if min(place.end, at + len(sentence)) - max(place.start, at) > len(sentence) / 2:
            return rank, passage.score
    return None, 0.0
