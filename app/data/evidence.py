"""What the attention read while an answer was written: passages, best first, for each of its sentences."""

from typing import Literal

from msgspec import Struct

from app.data.quote import QuotePlace

How = Literal["blocks", "heads", "segments"]
"""blocks: those that sparse layers chose; heads: attention mass of calibrated heads; segments: self-information."""


class Passage(Struct, frozen=True):
    place: QuotePlace
    score: float
    """Its share of what the sentence's passages weigh together, 0 to 1."""


class SentenceEvidence(Struct, frozen=True):
    """Characters `start` to `end` of the answer, and the passages that were read most for them."""

    start: int
    end: int
    passages: tuple[Passage, ...]
    how: How


class ShownPassage(Struct, frozen=True):
    """A passage with its words, as a list shows it. `document`: its name, where an answer had several."""

    passage: Passage
    words: str
    document: str = ""


class ShownSentence(Struct, frozen=True):
    words: str
    passages: tuple[ShownPassage, ...]
    how: How


class Without(Struct, frozen=True):
    """An answer to the same question without one passage. `changed`: it says something else; None: not known yet."""

    place: QuotePlace
    text: str = ""
    changed: bool | None = None
    problem: str = ""
    """A sentence, when it could not be asked."""
