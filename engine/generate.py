"""Reading and answering: prefill in pieces, then token by token, as a generator of events. It knows no process."""

import time
from collections import deque
from collections.abc import Callable, Iterator

from torch import Tensor

from engine.chain import Chain
from engine.model.decoder import Stopped
from engine.prompt import Prompt
from engine.protocol import Answered, Delta, Done, Event, Failed, Finish, Progress, Sampling, Usage
from engine.repetition import Repetition
from engine.sampling import Sampler
from engine.tokenizer import Characters, Ids, Tokenizer

ROOM = 256
"""Tokens that must be left for an answer, or `max_tokens` if that is less, before a prompt is read at all."""
SMOOTHED = 2.0
"""Seconds over which a rate is averaged."""
KNOWN_AFTER = 0.2
"""Seconds before a rate says anything."""

Clock = Callable[[], float]


class Rate:
    """Tokens a second over the last two seconds."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._seen = deque([(clock(), 0)])

    def now(self, done: int) -> float | None:
        at = self._clock()
        self._seen.append((at, done))
        while len(self._seen) > 2 and self._seen[1][0] <= at - SMOOTHED:
            self._seen.popleft()
        since, before = self._seen[0]
        return (done - before) / (at - since) if at - since >= KNOWN_AFTER else None


class Task:
    """One request's way through the chain, with the counts that its `Usage` is made of.

    `reading` and `writing`: tokens a second as of now, for the gauges; None when not doing it. `began`: when the
    request was taken up, by `time.monotonic`.
    """

    def __init__(
        self, id: str, chain: Chain, prompt: Prompt, piece: int, stopped: Callable[[], bool], began: float
    ) -> None:
        self.id = id
        self.reading: float | None = None
        self.writing: float | None = None
        self._chain = chain
        self._prompt = prompt
        self._piece = piece
        self._stopped = stopped
        self._began = began
        self._read = self._reused = self._written = 0
        self._logits: Tensor | None = None
        self._reading_seconds = self._writing_seconds = 0.0
        self._first_token: float | None = None

    def read(self) -> Iterator[Event]:
        """The whole prompt into memory; ends with `Done`."""
        ids = self._prompt.ids
        if (failed := self._too_long(len(ids), ROOM)) is not None:
            yield failed
            return
        try:
            yield from self._prefill(ids, answer=False)
        except Stopped:
            yield Done(self.id, "cancelled", self.usage())
        else:
            yield Done(self.id, "read", self.usage())

    def answer(self, tokenizer: Tokenizer, sampling: Sampling, *, only_read: bool) -> Iterator[Event]:
        """Read what is not in memory, then write; ends with `Done` and `Answered`.

        `only_read`: of the documents only what is in memory is kept; the rest of the prompt is read all the same.
        """
        ids = self._prompt.ids
        if only_read:
            ids = self._prompt.without_unread(self._chain.common(ids)).ids
        room = ROOM if sampling.max_tokens is None else min(sampling.max_tokens, ROOM)
        if (failed := self._too_long(len(ids), room)) is not None:
            yield failed
            return
        answer = _Answer(tokenizer, sampling)
        try:
            yield from self._prefill(ids, answer=True)
            yield from self._write(answer)
        except Stopped:
            answer.finish = "cancelled"
        if text := answer.rest():
            yield Delta(self.id, text)
        result = Answered(answer.text, tuple(answer.ids), answer.sampler.seed)
        yield Done(self.id, answer.finish or "complete", self.usage(), result)

    def usage(self) -> Usage:
        prompt = len(self._prompt.ids)
        return Usage(
            prompt=prompt,
            read=self._read,
            reused=self._reused,
            written=self._written,
            # By choice, or because it was cancelled before it came so far
            unread=prompt - self._read - self._reused,
            first_token=self._first_token,
            reading_rate=self._read / self._reading_seconds if self._read and self._reading_seconds else None,
            writing_rate=self._written / self._writing_seconds if self._written and self._writing_seconds else None,
            window=self._chain.window,
        )

    def _too_long(self, tokens: int, room: int) -> Failed | None:
        needed, available = tokens + room, self._chain.window
        if needed <= available:
            return None
        return Failed(self.id, "too_long", "the prompt is longer than the window", None, needed, available)

    def _prefill(self, ids: Ids, *, answer: bool) -> Iterator[Event]:
        if self._stopped():
            raise Stopped
        reused = self._chain.common(ids)
        if answer:
            reused = min(reused, len(ids) - 1)  # the last token's logits are wanted, and only reading gives them
        # Memory beyond the common prefix is another text's, and is given up only now that this one is sure to be read
        if len(ids) > reused or answer:
            self._chain.keep(reused)
        self._reused = reused
        rate, began = Rate(), time.monotonic()
        yield Progress(self.id, "read", reused, len(ids), reused)
        try:
            for done, logits in self._chain.read(ids[reused:], self._piece, answer=answer, stopped=self._stopped):
                self._read, self._logits = done, logits
                self._reading_seconds = time.monotonic() - began
                self.reading = rate.now(done)
                left = (len(ids) - reused - done) / self.reading if self.reading else None
                yield Progress(self.id, "read", reused + done, len(ids), reused, self.reading, left)
        finally:
            self.reading = None

    def _write(self, answer: "_Answer") -> Iterator[Event]:
        logits, rate, began = self._logits, Rate(), time.monotonic()
        self._logits = None
        limit = answer.sampler.sampling.max_tokens
        assert logits is not None
        if limit is not None and limit <= 0:
            answer.finish = "length"
            return
        try:
            while True:
                if self._stopped():
                    raise Stopped
                text = answer.add(answer.sampler.next(logits, answer.ids))
                if answer.finish == "complete":
                    return
                self._written += 1
                if self._first_token is None:
                    self._first_token = time.monotonic() - self._began
                self._writing_seconds = time.monotonic() - began
                self.writing = rate.now(self._written)
                if text:
                    yield Delta(self.id, text)
                if answer.finish is None and (self._written == limit or len(self._chain) == self._chain.window):
                    answer.finish = "length"
                if answer.finish is not None:
                    return
                logits = self._chain.write(answer.ids[-1])
        finally:
            self.writing = None


class _Answer:
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
