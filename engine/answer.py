"""An answer as it is written: its text in whole characters, and why it ended."""

from collections.abc import Iterator

from torch import Tensor

from engine.calls import Calls
from engine.grammar import Grammar
from engine.likelihood import Likelihoods
from engine.overlap import overlap
from engine.protocol import Answered, Delta, Finish, Sampling
from engine.repetition import Repetition
from engine.sampling import Sampler
from engine.tokenizer import Characters, Tokenizer


class Answer:
    """What has been written. `finish` is None as long as it goes on. `limit`: tokens at most; None: as many as fit.
    `grammar`: what it is held to. `calls`: what takes calls of tools out of it."""

    def __init__(
        self, tokenizer: Tokenizer, sampling: Sampling, grammar: Grammar | None = None, calls: Calls | None = None
    ) -> None:
        self.sampler = Sampler(sampling)
        self.limit = sampling.max_tokens
        self.ids: list[int] = []
        self.text = ""
        """Words given out so far."""
        self.finish: Finish | None = None
        self._ends = tokenizer.ends
        self._characters = Characters(tokenizer)
        self._stop = StopStrings(sampling.stop)
        self._repetition = Repetition()
        self._grammar, self._calls = grammar, calls
        self._likelihoods = None if sampling.logprobs is None else Likelihoods(tokenizer, sampling.logprobs)

    def next(self, logits: Tensor) -> str:
        """Choose a token by logits [vocab], float32, of what comes next; text that can be given out now. Raises
        BadFormat where a grammar cannot be followed on."""
        id = self.sampler.next(logits if self._grammar is None else self._grammar.allowed(logits), self.ids)
        if self._likelihoods is not None and id not in self._ends:
            self._likelihoods.add(logits, id)
        text = self.add(id)
        if self._grammar is not None and self.finish is None:
            self._grammar.take(id)
            self.finish = "complete" if self._grammar.complete else None
        return text

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
        if self._calls is not None:
            text = self._calls.add(text)
        self.text += text
        return text

    def rest(self) -> str:
        """What was held back for a character or a stop string that never came."""
        text = "" if self._stop.found else self._stop.add(self._characters.rest()) + self._stop.rest()
        if self._stop.found and self.finish != "cancelled":
            self.finish = "stop"
        if self._calls is not None:
            text = self._calls.add(text) + self._calls.rest()
            if self._calls.found and self.finish == "complete":
                self.finish = "calls"
        self.text += text
        return text

    def deltas(self, id: str, text: str, *, last: bool = False) -> Iterator[Delta]:
        """What request `id` tells of `text`, which is given out. `last`: nothing follows."""
        tokens = ()
        if self._likelihoods is not None and not self._called:
            tokens = self._likelihoods.given(text, last=last and self.finish != "stop")
        if text or tokens:
            yield Delta(id, text, tokens)

    def answered(self, text: str | None = None) -> Answered:
        """`text`: where it is another than what was written."""
        text = self.text if text is None else text
        calls = tuple(self._calls.found) if self._calls is not None else ()
        return Answered(text, tuple(self.ids), self.sampler.seed, calls, self._stop.which)

    @property
    def _called(self) -> bool:
        return self._calls is not None and bool(self._calls.found)


class StopStrings:
    """Text in pieces, with the end held back as long as a stop string may begin there: none is ever given in part."""

    def __init__(self, strings: tuple[str, ...]) -> None:
        self.which: str | None = None
        """The one that ended it: of several that are whole at once the first in the text, and the shortest there."""
        self._strings = tuple(string for string in strings if string)
        self._held = ""

    @property
    def found(self) -> bool:
        return self.which is not None

    def add(self, text: str) -> str:
        self._held += text
        starts = [(at, len(string), string) for string in self._strings if (at := self._held.find(string)) != -1]
        if starts:
            at, _, self.which = min(starts)
            text, self._held = self._held[:at], ""
            return text
        hold = max((overlap(self._held, string) for string in self._strings), default=0)
        at = len(self._held) - hold
        text, self._held = self._held[:at], self._held[at:]
        return text

    def rest(self) -> str:
        text, self._held = ("" if self.found else self._held), ""
        return text
