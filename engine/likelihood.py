"""How likely the tokens of an answer were, and which others were likely in their place."""

from collections import deque

from torch import Tensor

from engine.protocol import Likely, Written
from engine.tokenizer import Tokenizer

LEAST = -9999.0
"""Told of what is impossible: JSON has no infinity."""


class Likelihoods:
    """Of an answer's tokens, each told when the text that it begins in is given out. `top`: others told of each."""

    def __init__(self, tokenizer: Tokenizer, top: int) -> None:
        self._tokenizer, self._top = tokenizer, top
        self._waiting: deque[tuple[int, Written]] = deque()
        """With the byte of the answer's text that each begins at."""
        self._bytes = self._given = 0

    def add(self, logits: Tensor, id: int) -> None:
        """A token was written. `logits` [vocab], float32, are the model's own."""
        logits = logits.float()
        sure = logits - logits.logsumexp(0)
        best, ids = sure.topk(min(self._top, len(sure)))
        top = tuple(self._likely(*pair) for pair in zip(ids.tolist(), best.tolist(), strict=True))
        written = Written(self._likely(id, float(sure[id])), top)
        self._waiting.append((self._bytes, written))
        self._bytes += 0 if self._tokenizer.hides(id) else len(written.token.bytes)

    def given(self, text: str, *, last: bool = False) -> tuple[Written, ...]:
        """`text` was given out: the tokens that begin in it. `last`: all that were not told yet."""
        self._given += len(text.encode("utf-8", "replace"))
        told = []
        while self._waiting and (last or self._waiting[0][0] < self._given):
            told.append(self._waiting.popleft()[1])
        return tuple(told)

    def _likely(self, id: int, logprob: float) -> Likely:
        return Likely(self._tokenizer.bytes(id), max(logprob, LEAST))
