"""The two streams of a terminal: answers on one, everything else on the other."""

import re
import shutil
import sys
import time
from typing import TextIO

EVERY = 0.1
"""Seconds between two drawings of the progress line on a terminal."""
SPARSE = 15.0
"""Seconds between two lines of progress where it goes to a file."""

CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""All but tab and line end, and the signs that turn the order of letters round: they would command the terminal."""


def plain(text: str) -> str:
    """Text that shows itself on a terminal and does nothing else."""
    return CONTROLS.sub("�", text)


class Terminal:
    """`answer` writes to stdout, `say` and `progress` to stderr, where progress is one line that is drawn over."""

    def __init__(self, out: TextIO | None = None, error: TextIO | None = None) -> None:
        self._out = out or sys.stdout
        self._error = error or sys.stderr
        self._answers, self._talks = self._out.isatty(), self._error.isatty()
        self._drawn = False
        self._last = float("-inf")
        self._stage = ""

    def answer(self, text: str) -> None:
        """A piece of the answer, at once; as it is when a program reads it. Raises BrokenPipeError."""
        self._wipe()
        self._out.write(plain(text) if self._answers else text)
        self._out.flush()

    def say(self, sentence: str) -> None:
        """One or more lines beside the answer."""
        self._wipe()
        self._error.write("\n".join(plain(line) for line in sentence.split("\n")) + "\n")
        self._error.flush()

    def progress(self, stage: str, told: str) -> None:
        """How far something is; where it is not a terminal, only when the stage changes and now and then."""
        now = time.monotonic()
        fresh, self._stage = stage != self._stage, stage
        if now - self._last < (EVERY if self._talks else SPARSE) and not fresh:
            return
        self._last = now
        line = plain(f"{stage}  {told}".rstrip())
        if self._talks:
            self._error.write(f"\r\x1b[K{line[: shutil.get_terminal_size().columns - 1]}")
            self._drawn = True
        else:
            self._error.write(line + "\n")
        self._error.flush()

    def _wipe(self) -> None:
        if self._drawn:
            self._error.write("\r\x1b[K")
            self._error.flush()
            self._drawn = False
