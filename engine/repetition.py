"""Whether an answer repeats itself without end."""

import numpy as np

PERIOD = 256
"""Tokens of the longest repeated text that is looked for."""
RUN = 640
"""Tokens of exact repetition, and at least `TIMES` times, before an answer counts as endless. Tables, lists, rulers and
matrices of zeros repeat exactly as well, but not for so long: a 16 by 16 matrix of zeros is 530 tokens."""
TIMES = 8


class Repetition:
    """Told each token, it knows for every period at once how long the answer has been repeating with it."""

    def __init__(self) -> None:
        self._last = np.full(PERIOD, -1, np.int64)  # the newest first
        self._runs = np.zeros(PERIOD, np.int64)
        self._periods = np.arange(1, PERIOD + 1)
        self._needed = np.maximum(RUN, self._periods * TIMES) - self._periods

    def add(self, id: int) -> bool:
        """True once the answer is a loop."""
        self._runs = np.where(self._last == id, self._runs + 1, 0)
        self._last[1:] = self._last[:-1]
        self._last[0] = id
        return bool((self._runs >= self._needed).any())
