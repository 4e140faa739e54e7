"""Long texts for the job `peers`: three facts planted at random depths, and each engine asked for all of them.

Ours reads the text as it reads any that is longer than the window. A peer is used in both ways that a person has who
uses it: `dense`, the window stretched by YaRN over the whole text, with the peer's own cache of the prompt kept between
questions; and `search`, a prompt within the window of those passages that a plain search finds best.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from engine import needles, prompt
from engine.bench_engine import Ours
from engine.needles import ANSWER, Needle
from engine.peers import search
from engine.peers.process import Peer, PeerAbsent, PeerFailed, PeerLate
from engine.peers.theirs import Theirs
from engine.protocol import Document, ModelSettings, ReadingSettings
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.verify.asking import talk, write_document

OURS = "longread"
QUESTIONS = 3
SEARCHED = 7000
"""Tokens of passages that a search gives, at most."""
AROUND = 256
"""Tokens of a prompt beside its text and its answer, at most."""
STEP = 256
"""Stretched windows are multiples of it."""
ALL = 1 << 40
"""Bytes that readings in the job's own folder may take."""


class Steps(Protocol):
    def step(self) -> None: ...


@dataclass
class Asked:
    """One text with one engine in one `way`: parallel, whole, dense or search. `right` of `of` answers hold the number.
    Seconds: `first`, to the first token of the first question, reading and searching included; `later`, the median of
    the others'; `reopened`, from a new process's start to a first token. `memory`: the most bytes that the process
    took. `stopped`: the limit that a step ran into, when a `share` of its reading was done. `read`: tokens of the
    longest prompt. `failed`, `not_reopened`: why there is nothing. None: not had."""

    length: int
    engine: str
    way: str
    right: int = 0
    of: int = QUESTIONS
    first: float | None = None
    later: float | None = None
    memory: int | None = None
    reopened: float | None = None
    stopped: float | None = None
    share: float | None = None
    read: int | None = None
    failed: str = ""
    not_reopened: str = ""
    flags: dict[str, Any] = field(default_factory=dict)


class Asking:
    """`native`: tokens of the model's own window. `folder`: where texts and readings are kept while it lasts."""

    def __init__(
        self,
        tokenizer: Tokenizer,
        template: Template,
        folder: Path,
        settings: ModelSettings,
        native: int,
        stopped: Callable[[], bool],
    ) -> None:
        self._tokenizer, self._template = tokenizer, template
        self._folder, self._settings, self._native, self._stopped = folder, settings, native, stopped

    def run(self, length: int, seed: int, theirs: Sequence[Theirs], steps: Steps, *, turned: bool) -> list[Asked]:
        """`turned`: the peers before us. Raises RequestFailed and Stopped."""
        chooser = random.Random(seed)
        facts = needles.needles(seed, QUESTIONS)
        text = needles.haystack(self._count, length, seed).plant([(fact, chooser.random()) for fact in facts])
        asked = [self._ours(length, text, facts, steps)] if not turned else []
        for one in theirs:
            asked += [self._dense(one, length, text, facts), self._search(one, length, text, facts)]
            steps.step()
            steps.step()
        return asked if not turned else [self._ours(length, text, facts, steps), *asked]

    def _ours(self, length: int, text: str, facts: list[Needle], steps: Steps) -> Asked:
        asked = asyncio.run(self._ask_ours(length, text, facts))
        steps.step()
        return asked

    async def _ask_ours(self, length: int, text: str, facts: list[Needle]) -> Asked:
        reading = ReadingSettings(save=True, quota=ALL)
        book = write_document(self._folder, text, "book.txt")
        ours = Ours(self._folder / f"ours-{length}", self._settings, self._stopped)
        asked, firsts = Asked(length, OURS, ""), []
        try:
            await ours.open()
            for fact in facts:
                usage, answer = await ours.ask(book, fact.question, reading, ANSWER)
                asked.right += fact.found_in(answer)
                asked.way, asked.read = usage.mode, max(asked.read or 0, usage.read)
                if usage.first_token is not None:
                    firsts.append(usage.first_token)
            most = await ours.close()
            await ours.open()
            usage, _ = await ours.ask(book, facts[0].question, reading, ANSWER)
            asked.reopened = None if usage.first_token is None else ours.opened + usage.first_token
        finally:
            await ours.close()
        asked.memory = None if most is None else most.resident
        asked.flags = {"segments": len(usage.segments), "join": usage.join, "kv": usage.kv}
        return _timed(asked, firsts)

    def _dense(self, one: Theirs, length: int, text: str, facts: list[Needle]) -> Asked:
        book = write_document(self._folder, text, "book.txt")
        prompts = [self._prompt(book, fact) for fact in facts]
        window = -(-(max(map(len, prompts)) + ANSWER) // STEP) * STEP
        asked = Asked(length, one.name, "dense")
        state, kept = self._folder / "state", False

        def ask(peer: Peer) -> None:
            nonlocal kept
            firsts = []
            for fact, ids in zip(facts, prompts, strict=True):
                firsts.append(self._ask(one, peer, ids, fact, asked))
                _timed(asked, firsts)
            asked.read = len(prompts[0])
            kept = bool(peer.do("save", one.setup.limit, path=str(state))["result"])

        self._with(one, max(window, self._native), asked, ask)
        if kept:
            began = time.perf_counter()

            def reopen(peer: Peer) -> None:
                peer.do("restore", one.setup.limit, path=str(state), most=window)
                seconds = time.perf_counter() - began
                again.reopened = seconds + self._ask(one, peer, prompts[0], None, again)

            again = Asked(length, one.name, "dense")
            self._with(one, max(window, self._native), again, reopen)
            late = "" if again.stopped is None else f"stopped after {again.stopped:.0f} s"
            asked.reopened, asked.not_reopened = again.reopened, again.failed or late
            asked.memory = max(asked.memory or 0, again.memory or 0) or None
        state.unlink(missing_ok=True)
        return asked

    def _search(self, one: Theirs, length: int, text: str, facts: list[Needle]) -> Asked:
        asked = Asked(length, one.name, "search")
        most = min(SEARCHED, self._native - ANSWER - AROUND)

        def ask(peer: Peer) -> None:
            firsts = []
            for fact in facts:
                began = time.perf_counter()
                found = search.best(text, fact.question, most, self._count)
                ids = self._prompt(write_document(self._folder, found, "book.txt"), fact)
                seconds = time.perf_counter() - began
                firsts.append(seconds + self._ask(one, peer, ids, fact, asked))
                asked.read = max(asked.read or 0, len(ids))
                _timed(asked, firsts)

        self._with(one, self._native, asked, ask)
        return asked

    def _with(self, one: Theirs, window: int, asked: Asked, act: Callable[[Peer], None]) -> None:
        """A process for one act; what goes wrong in it is told in `asked`."""
        most = None
        try:
            peer = one.start(window)
            asked.flags = one.flags
            act(peer)
        except PeerLate as late:
            asked.stopped, asked.share = late.limit, late.done / late.of if late.of else None
        except (PeerAbsent, PeerFailed) as error:
            asked.failed = one.told(error)
        finally:
            most = one.close()
        if most is not None:
            asked.memory = max(most, asked.memory or 0)

    def _ask(self, one: Theirs, peer: Peer, ids: list[int], fact: Needle | None, asked: Asked) -> float:
        """Seconds to the first token. `fact` None: the answer does not count."""
        told = peer.do("ask", one.setup.limit, ids=ids, count=ANSWER, ends=sorted(self._tokenizer.ends))
        if fact is not None:
            asked.right += fact.found_in(self._tokenizer.decode(told["tokens"]))
        first: float = told["first"]
        return first

    def _prompt(self, document: Document, fact: Needle) -> list[int]:
        """The tokens that ours would read, were the window long enough."""
        texts = prompt.Texts(self._tokenizer)
        built = prompt.build(talk([document], fact.question), self._tokenizer, self._template, texts, answer=True)
        ids: list[int] = built.ids.tolist()
        return ids

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode(text))


def _timed(asked: Asked, firsts: list[float]) -> Asked:
    asked.first = firsts[0] if firsts else None
    asked.later = statistics.median(firsts[1:]) if len(firsts) > 1 else None
    return asked
