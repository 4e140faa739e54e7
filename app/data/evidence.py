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
