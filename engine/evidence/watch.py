"""An answer's evidence as it is written: what was attended to while the tokens of each sentence were chosen."""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Literal, Protocol

import numpy as np
from torch import Tensor

from engine.evidence.passages import BLOCK, Stretch, blocks, passages
from engine.evidence.sentences import Sentences
from engine.prompt import Placed
from engine.protocol import Evidence

TOGETHER = 32
"""Tokens whose attention is looked at at once, at most: products of several cost little more than of one."""

How = Literal["blocks", "heads", "segments"]


class Attended(Protocol):
    """What of all rows was attended to."""

    def take(self) -> None:
        """Remember what is needed of the newest row."""
        ...

    def gather(self, count: int) -> Tensor:
        """How much the first `count` tokens that were taken attended to each row [rows]; they are then forgotten."""
        ...


class Watch:
    """`stretches`: the rows that hold text of documents, whose `texts` are given. `count`: passages a sentence.
    `every`: so many tokens are looked at once. `block`: rows of a block.

    For each token `token` is called, before it is read, and `written` with what can be given out; at the end `ended`.
    """

    def __init__(
        self,
        id: str,
        attended: Attended,
        how: How,
        stretches: Sequence[Stretch],
        texts: Sequence[Placed],
        count: int,
        *,
        every: int = 1,
        block: int = BLOCK,
    ) -> None:
        self._id, self._attended, self._how = id, attended, how
        self._stretches, self._texts, self._count = stretches, texts, count
        self._every, self._block = every, block
        self._sentences = Sentences()
        self._places: deque[int] = deque()
        """Characters of the answer before each token that was taken."""
        self._left = 0
        """Tokens until the next that is looked at."""
        self._weights: np.ndarray | None = None
        """Of all rows, of the tokens gathered so far of the sentence that is being written."""

    def token(self, text: str, before: int) -> None:
        """A token was chosen, and can be given out as `text` behind `before` characters."""
        if self._left == 0:
            self._attended.take()
            # The space before a word is no sentence's, so the word's own place counts
            self._places.append(before + (len(text) - len(text.lstrip()) if text.strip() else 0))
            self._left = self._every
        self._left -= 1

    def written(self, text: str) -> Iterator[Evidence]:
        """`text` was given out: the evidence of the sentences that it ended."""
        for start, end in self._sentences.add(text):
            yield from self._sentence(start, end)
        if len(self._places) >= TOGETHER:
            self.gather()

    def gather(self) -> None:
        """Look at all that was taken: rows are about to go."""
        self._gather(len(self._places))

    def ended(self, text: str) -> Iterator[Evidence]:
        """`text` was the last."""
        yield from self.written(text)
        for start, end in self._sentences.rest():
            yield from self._sentence(start, end)

    def _sentence(self, start: int, end: int) -> Iterator[Evidence]:
        self._gather(sum(place < end for place in self._places))
        weights, self._weights, self._left = self._weights, None, 0
        if weights is None:
            return
        found = blocks(weights, self._stretches, self._block)
        if chosen := passages(found, self._texts, self._count):
            yield Evidence(self._id, start, end, chosen, self._how)

    def _gather(self, count: int) -> None:
        if count == 0:
            return
        for _ in range(count):
            self._places.popleft()
        weights = self._attended.gather(count).cpu().numpy()
        if self._weights is not None:
            weights[: len(self._weights)] += self._weights
        self._weights = weights
