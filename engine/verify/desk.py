"""One subject at work: texts for it, questions to it, and how far all that is."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from msgspec.structs import replace

from engine.client import new_id
from engine.needles import ADJECTIVES, Haystack
from engine.protocol import (
    Answered,
    Conversation,
    Count,
    Counted,
    Delta,
    Document,
    Done,
    Event,
    Expect,
    Expected,
    Failed,
    Finish,
    Forget,
    Found,
    Generate,
    Loaded,
    ModelSettings,
    Progress,
    ReadingSettings,
    Sampling,
    Usage,
)
from engine.stream import RequestFailed, Stream
from engine.verify import texts
from engine.verify.asking import talk, write_document
from engine.verify.face import Face, Local
from engine.verify_results import Pace

NAME = "text.txt"
WORDS, WORDED = ADJECTIVES.split(), 10
PACED, PACE_WRITTEN = 1000, 32
"""Tokens that are read and written to see how fast that is."""
LEAST = 1e-3
"""Seconds."""
NO_USAGE = Usage(0, 0, 0, 0)
CLIENT = "verify"
"""It makes way for the person's own questions, as the programs of the local API do."""


@dataclass(frozen=True)
class Answer:
    """`first`: seconds that were waited for the first word, by our own clock. `found`: in coverage, what each part
    gave."""

    text: str
    usage: Usage
    finish: Finish
    seconds: float
    first: float
    found: tuple[Found, ...] = ()


@dataclass
class Desk:
    """`folder`: an empty one for texts and readings. `own`: the person's text, in which facts are planted instead of
    prose. `settings`: with what the model was loaded, where it may be loaded again.

    Every method raises `RequestFailed` for what the subject refuses, and passes cancelling on to it.
    """

    face: Face
    folder: Path
    seed: str
    reading: ReadingSettings = field(default_factory=ReadingSettings)
    local: Local | None = None
    settings: ModelSettings | None = None
    own: str = ""
    prose: Sequence[str] = ()
    clock: Callable[[], float] = time.perf_counter
    on_step: Callable[[int, int, float], None] = lambda done, total, within: None
    """Steps done, of how many, and how far within the next one (0 to 1)."""

    def __post_init__(self) -> None:
        # Evidence costs time, and readings are kept by the test of them alone
        self.reading = replace(self.reading, save=False, evidence=0, folder=None)
        self._own = texts.paragraphs_of(self.own) if self.own else ()
        self._steps = self._done = 0
        self.exact = True
        """Whether all texts of this test were read whole, with nothing forgotten or passed over: neither is asked for,
        and neither is told."""
        self.segmented = False
        """Whether a text of this test was read in segments."""
        self._made: list[str] = []
        self.reloaded = False
        """Whether the model was loaded anew, by whatever form: what was in memory before is gone."""
        self._ready: dict[tuple[int, int], Haystack] = {}

    @property
    def loaded(self) -> Loaded:
        loaded = self.face.loaded
        if loaded is None:
            raise RequestFailed(Failed("", "engine_died", "no model is loaded"))
        return loaded

    @property
    def blame(self) -> str:
        """The code of what loses facts of the texts of this test, where that is known: the model itself, or reading in
        segments."""
        return "weak" if self.exact else "segments" if self.segmented else ""

    @property
    def remote(self) -> bool:
        return self.loaded.host is not None

    def random(self, *names: object) -> random.Random:
        """The same for the same names in a run with the same seed."""
        return random.Random("/".join(map(str, (self.seed, *names))))

    def begin(self, steps: int) -> None:
        self._steps, self._done, self.segmented = max(steps, 1), 0, False
        self.exact = not self.remote and is_plain(self.reading)
        self.on_step(0, self._steps, 0.0)

    def step(self) -> None:
        self._done = min(self._done + 1, self._steps)
        self.on_step(self._done, self._steps, 0.0)

    def document(self, text: str) -> Document:
        document = write_document(self.folder, text, NAME)
        self._made.append(document.sha256)
        return document

    async def text(self, tokens: int, *names: object, own: bool = False) -> Haystack:
        """Prose of so many tokens at most, of its own for each name; with `own` the person's text, where there is one.
        Raises `TooShort`."""
        mine = own and bool(self._own)
        seed = 0 if mine else self.random("text", *names).getrandbits(32)
        key = (tokens, seed)
        if key not in self._ready:
            if not self._own and not self.prose:
                self.prose = await asyncio.to_thread(texts.prose)
            paragraphs = self._own if mine else self.prose or await asyncio.to_thread(texts.prose)
            self._ready = {key: await texts.sized(self._count, paragraphs, tokens, seed, own=mine)}
        return self._ready[key]

    async def _count(self, text: str) -> int:
        return (await self.counted([self.document(text)]))[0]

    def nonce(self, *names: object) -> str:
        """A first line that no other text has, so that nothing read before can stand in for it. Of words: a number
        could be taken for one that is asked for."""
        chosen = self.random("nonce", *names).choices(WORDS, k=WORDED)
        return f"A copy in {', '.join(chosen)}."

    async def counted(self, documents: Sequence[Document]) -> tuple[int, ...]:
        done = await self._through(self.face.send(Count(new_id(), tuple(documents))))
        return done.result.tokens if isinstance(done.result, Counted) else (0,) * len(documents)

    async def expected(self, conversation: Conversation) -> Expected | None:
        done = await self._through(self.face.send(Expect(new_id(), conversation, self.reading)))
        return done.result if isinstance(done.result, Expected) else None

    async def ask(
        self, conversation: Conversation, max_tokens: int, reading: ReadingSettings | None = None, *, step: bool = True
    ) -> Answer:
        """Greedily."""
        how = reading or self.reading
        request = Generate(
            new_id(), conversation, Sampling(max_tokens=max_tokens), reading=how, whose="client", client=CLIENT
        )
        began, first, found = self.clock(), None, []
        stream = self.face.send(request)

        def heard(event: Event) -> None:
            nonlocal first
            if isinstance(event, Delta) and first is None:
                first = self.clock() - began
            elif isinstance(event, Found):
                found.append(event)

        done = await self._through(stream, heard)
        seconds = self.clock() - began
        text = done.result.text if isinstance(done.result, Answered) else ""
        if step:
            self.step()
        if done.usage is not None:
            self.exact &= is_exact(done.usage)
            self.segmented |= done.usage.mode == "parallel"
        first = seconds if first is None else first
        return Answer(text, done.usage or NO_USAGE, done.finish, seconds, first, tuple(found))

    async def cancelled(self, conversation: Conversation, *, writing: bool) -> None:
        """Ask, and stop when some has been read, or with `writing` when some has been written."""
        request = Generate(new_id(), conversation, reading=self.reading, whose="client", client=CLIENT)
        stream = self.face.send(request)

        def heard(event: Event) -> None:
            if isinstance(event, Delta) if writing else isinstance(event, Progress) and event.stage == "read":
                stream.cancel()

        await self._through(stream, heard)
        self.step()

    async def load(self, settings: ModelSettings) -> None:
        assert self.local is not None
        self.reloaded = True
        await self.local.load(settings)

    async def pace(self) -> Pace:
        """Of a short text, just now."""
        text = await self.text(PACED, "pace")
        document = self.document(f"{self.nonce('pace')}\n\n{text.text()}")
        question = "Tell in a few sentences what this text is about."
        answer = await self.ask(talk([document], question), PACE_WRITTEN, step=False)
        await self.forget()
        usage = answer.usage
        reading = usage.reading_rate or (usage.prompt or PACED) / max(answer.first, LEAST)
        writing = usage.writing_rate or PACE_WRITTEN / max(answer.seconds - answer.first, LEAST)
        return Pace(PACED, reading, writing)

    async def forget(self) -> None:
        """What was read of the texts that were made here, and of nothing else."""
        if self.local is not None and self._made:
            await self._through(self.local.send(Forget(new_id(), tuple(dict.fromkeys(self._made)))))

    async def _through(self, stream: Stream, heard: Callable[[Event], None] = lambda event: None) -> Done:
        def told(event: Event) -> None:
            heard(event)
            if isinstance(event, Progress) and event.stage == "read" and event.total:
                self.on_step(self._done, self._steps, event.done / event.total)

        ended = await stream.through(told)
        if not isinstance(ended, Done):
            raise RequestFailed(Failed(stream.id, "internal", "no ending came"))
        return ended


def is_plain(how: ReadingSettings) -> bool:
    """Whether nothing is asked for by which rows are lost, coarser or not looked at."""
    return how.eviction is None and how.selection.kind == "none" and how.kv != "int8"


def is_exact(usage: Usage) -> bool:
    """As the engine says it: the tests of what was cut stand for that."""
    passed_over = {"quest", "blocks", "sparse"} & usage.calls.keys()
    return (
        usage.mode == "whole"
        and usage.kv == "model"
        and not (usage.unread or usage.pruned or usage.evicted or passed_over)
    )
