"""Whether an answer repeats itself without end."""

import numpy as np

PERIOD = 256
"""Tokens of the longest repeated text that is looked for."""
TIMES = 8
RUN = 512
"""Tokens of exact repetition, `TIMES` times at least, before an answer counts as endless."""
RUN_OF_SIGNS = 1024
"""The same where what is repeated has no letters. Tables, rulers and matrices of zeros repeat exactly and mean it: 16
by 16 zeros are 800 tokens of SmolLM2's, which has one for each digit, comma and space."""


class Repetition:
    """Told each token, it knows for every period at once how long the answer has been repeating with it."""

    def __init__(self) -> None:
        self._last = np.full(PERIOD, -1, np.int64)  # the newest first
        self._runs = np.zeros(PERIOD, np.int64)
        self._periods = np.arange(1, PERIOD + 1)
        self._of_words = np.maximum(RUN, self._periods * TIMES) - self._periods
        self._of_signs = np.maximum(RUN_OF_SIGNS, self._periods * TIMES) - self._periods
        self._since_letters = 0

    def add(self, id: int, *, letters: bool) -> bool:
        """True once the answer is a loop. `letters`: whether the token's text has some."""
        self._since_letters = 0 if letters else self._since_letters + 1
        self._runs = np.where(self._last == id, self._runs + 1, 0)
        self._last[1:] = self._last[:-1]
        self._last[0] = id
        needed = np.where(self._periods > self._since_letters, self._of_words, self._of_signs)
        return bool((self._runs >= needed).any())
