"""Reading and answering: prefill in pieces, then token by token, as a generator of events. It knows no process."""

from collections.abc import Callable, Generator, Iterator, Sequence

from torch import Tensor

from engine.answer import Answer
from engine.awake import awake_over
from engine.chain import Chain
from engine.evidence.watch import Watch
from engine.model.decoder import Stopped
from engine.prompt import Placed, Prompt
from engine.protocol import Done, Event, Failed, Progress, Usage
from engine.reading.eviction import report
from engine.tokenizer import Ids
from engine.writing import Clock, Rate, Writer

ROOM = 256
"""Tokens that must be left for an answer, or `max_tokens` if that is less, before a prompt is read at all."""


class Task:
    """One request's way through the chain, with the counts that its `Usage` is made of.

    `reading` and `writing`: tokens a second as of now, for the gauges; None when not doing it. `began`: when the
    request was taken up, by `time.monotonic`.
    """

    def __init__(
        self,
        id: str,
        chain: Chain,
        prompt: Prompt,
        piece: int,
        stopped: Callable[[], bool],
        began: float,
        tell: bool = False,
    ) -> None:
        """`tell`: say at the end which ids the prompt has."""
        self.id = id
        self.reading: float | None = None
        self._chain = chain
        self._prompt = self._asked = prompt
        self._piece = piece
        self._stopped = stopped
        self._tell = tell
        self._read = self._reused = 0
        self._ran = chain.ran
        self._logits: Tensor | None = None
        self._reading_seconds = 0.0
        self.clock = Clock()
        """Of its rates: other requests that are served in between count in none."""
        self.writer = Writer(id, began, stopped, self.clock)
        self.reopened = 0
        """Tokens of the chain that came from disk for this."""
        self.watch: Callable[[Prompt], Watch | None] = lambda prompt: None
        """What looks at an answer to this prompt while it is written."""
        self.texts: Sequence[Placed] = ()
        """Of the prompt's documents, where a policy gives up some of them."""

    @property
    def chain(self) -> Chain:
        return self._chain

    @property
    def writing(self) -> float | None:
        return self.writer.now

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
            yield Done(self.id, "read", self.usage(), ids=self._told(ids))

    def answer(self, answer: Answer, *, only_read: bool) -> Iterator[Event | None]:
        """Read what is not in memory, then write; ends with `Done` and `Answered`.

        `only_read`: of the documents only what is in memory is kept; the rest of the prompt is read all the same.
        """
        prompt = self._prompt
        if only_read:
            self._asked = prompt = prompt.without_unread(self._chain.usable(prompt.ids))
        ids = prompt.ids
        room = ROOM if answer.limit is None else min(answer.limit, ROOM)
        if (failed := self._too_long(len(ids), room)) is not None:
            yield failed
            return
        if self._chain.endless and answer.limit is None:
            answer.limit = self._chain.window  # an answer ends all the same
        watch = None
        try:
            yield from self._prefill(ids, answer=True)
            if (failed := self._inactive()) is not None:
                yield failed
                return
            logits, self._logits = self._logits, None
            assert logits is not None
            watch = self.watch(prompt)
            if watch is not None and self._chain.pruning is not None:
                self._chain.pruning.before = watch.gather
            for event in self.writer.write(answer, logits, self._chain, watch):
                yield event
                while answer.finish is None and len(self._chain) < len(ids) + len(answer.ids) - 1:
                    with self.writer.clock.aside():
                        yield from self._again(ids, answer.ids[:-1])
        except Stopped:
            answer.finish = "cancelled"
        finally:
            if self._chain.pruning is not None:
                self._chain.pruning.before = lambda: None
        yield from answer.deltas(self.id, text := answer.rest(), last=True)
        if watch is not None:
            yield from watch.ended(text)
        if (failed := self._inactive()) is not None:
            yield failed
            return
        yield Done(self.id, answer.finish or "complete", self.usage(), answer.answered(), ids=self._told(ids))

    def usage(self) -> Usage:
        prompt, chain = len(self._prompt.ids), self._chain
        pruned = None
        if chain.pruning is not None:
            pruned = report.pruned(chain.pruning, chain.caches, self._asked.documents, self.texts)
        return Usage(
            prompt=prompt,
            read=self._read,
            reused=self._reused,
            written=self.writer.written,
            # By choice, or because it was cancelled before it came so far
            unread=prompt - self._read - self._reused,
            first_token=self.writer.first_token,
            reading_rate=self._read / self._reading_seconds if self._read and self._reading_seconds else None,
            writing_rate=self.writer.rate,
            window=self._chain.window,
            reopened=min(self.reopened, self._reused),
            kv=self._chain.form,
            evicted=0 if pruned is None else pruned.forgotten,
            pruned=pruned,
            calls={what: count - self._ran.get(what, 0) for what, count in self._chain.ran.items()},
        )

    def _told(self, ids: Ids) -> tuple[int, ...]:
        """Those of which the memory now holds the rows: what the model has before it, not what it was to have."""
        return tuple(map(int, ids[: self._chain.common(ids)])) if self._tell else ()

    def _too_long(self, tokens: int, room: int) -> Failed | None:
        pruning, needed, available = self._chain.pruning, tokens + room, self._chain.window
        if pruning is not None and pruning.refuses(tokens):
            about = ("the prompt is longer than what is kept", None, tokens, pruning.budget_of(tokens))
            return Failed(self.id, "evict_refused", *about)
        if needed <= available or self._chain.endless:
            return None
        return Failed(self.id, "too_long", "the prompt is longer than the window", None, needed, available)

    def _inactive(self) -> Failed | None:
        pruning = self._chain.pruning
        if pruning is None or not pruning.inactive:
            return None
        about = ("nothing was forgotten", None, len(self._chain), pruning.budget)
        return Failed(self.id, "evict_inactive", *about)

    def _prefill(self, ids: Ids, *, answer: bool) -> Iterator[Event]:
        if self._stopped():
            raise Stopped
        try:
            while not (yield from self._read_on(ids, answer=answer)):
                pass
        finally:
            self.reading = None

    def _read_on(self, ids: Ids, *, answer: bool) -> Generator[Event, None, bool]:
        """Read what is not in memory; False: another request needed the memory, and it is to be done again."""
        # The last token's logits are wanted for an answer, and only reading gives them
        reused = self._chain.usable(ids, len(ids) - 1 if answer else len(ids))
        # Memory beyond the common prefix is another text's, and is given up only now that this one is sure to be read
        if len(ids) > reused or answer:
            self._chain.keep(reused)
        self._reused, self._read = reused, 0
        rate, began = Rate(self.clock), self.clock()
        yield Progress(self.id, "read", reused, len(ids), reused)
        if len(self._chain) < reused:
            return False
        with awake_over(len(ids) - reused):
            borders = [span.end for span in self._prompt.documents]
            for done, logits in self._chain.read(
                ids[reused:], self._piece, answer=answer, borders=borders, stopped=self._stopped
            ):
                self._read, self._logits = done, logits
                self._reading_seconds = self.clock() - began
                self.reading = rate.now(done)
                left = (len(ids) - reused - done) / self.reading if self.reading else None
                yield Progress(self.id, "read", reused + done, len(ids), reused, self.reading, left)
                if len(self._chain) < reused + done:
                    return False
        return True

    def _again(self, ids: Ids, written: Sequence[int]) -> Iterator[Event | None]:
        """Another request needed the memory: do over what was done to it, the same in the same order."""
        yield from self._prefill(ids, answer=True)
        self._logits = None
        for count, id in enumerate(written):
            if self._stopped():
                raise Stopped
            if len(self._chain) < len(ids) + count:
                return
            self._chain.write(id)
            yield None
