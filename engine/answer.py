"""An answer as it is written: its text in whole characters, and why it ended."""

from engine.protocol import Finish, Sampling
from engine.repetition import Repetition
from engine.sampling import Sampler
from engine.tokenizer import Characters, Tokenizer


class Answer:
    """What has been written. `finish` is None as long as it goes on."""

    def __init__(self, tokenizer: Tokenizer, sampling: Sampling) -> None:
        self.sampler = Sampler(sampling)
        self.ids: list[int] = []
        self.text = ""
        """Given out so far."""
        self.finish: Finish | None = None
        self._ends = tokenizer.ends
        self._characters = Characters(tokenizer)
        self._stop = StopStrings(sampling.stop)
        self._repetition = Repetition()

    def add(self, id: int) -> str:
        """Text that can be given out now."""
        if id in self._ends:
            self.finish = "complete"
            return ""
        self.ids.append(id)
        new = self._characters.add(id)
        text = self._stop.add(new)
        if self._stop.found:
            self.finish = "stop"
        elif self._repetition.add(id, letters=any(map(str.isalpha, new))):
            self.finish = "loop"
        self.text += text
        return text

    def rest(self) -> str:
        """What was held back for a character or a stop string that never came."""
        text = "" if self._stop.found else self._stop.add(self._characters.rest()) + self._stop.rest()
        self.text += text
        return text


class StopStrings:
    """Text in pieces, with the end held back as long as a stop string may begin there: none is ever given in part."""

    def __init__(self, strings: tuple[str, ...]) -> None:
        self.found = False
        self._strings = tuple(string for string in strings if string)
        self._held = ""

    def add(self, text: str) -> str:
        self._held += text
        starts = [at for string in self._strings if (at := self._held.find(string)) != -1]
        if starts:
            self.found = True
            text, self._held = self._held[: min(starts)], ""
            return text
        hold = max((_overlap(self._held, string) for string in self._strings), default=0)
        at = len(self._held) - hold
        text, self._held = self._held[:at], self._held[at:]
        return text

    def rest(self) -> str:
        text, self._held = ("" if self.found else self._held), ""
        return text


def _overlap(text: str, string: str) -> int:
    """Characters at the text's end that the string begins with."""
    return next((n for n in range(min(len(string) - 1, len(text)), 0, -1) if text.endswith(string[:n])), 0)
