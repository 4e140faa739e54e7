"""The job `reading`: how fast a text far beyond the window is read, asked and re-opened, and in how much memory.

Ours is an engine in a process of its own, as everybody has it. Beside it, in turns, since a machine's speed drifts:
transformers with the same weights, a forward pass a segment of 4,000 tokens whose keys and values are kept, and a
question put to each of them. That would take longer than anybody waits, so of its segments a few are read and asked
and the times multiplied; the report says so. Of ours everything is done: each turn reads another third of the text.
"""

import asyncio
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

import torch
from msgspec.structs import replace

from engine import bench_needles, needles
from engine.bench import Row
from engine.bench_desk import Desk, data_folder, model_settings, temporary
from engine.bench_engine import Ours
from engine.bench_memory import Memory
from engine.bench_needles import Grid
from engine.bench_pages import let_go
from engine.model.decoder import Stopped
from engine.needles import Needle
from engine.peer import Peer
from engine.protocol import Document, Loaded, ReadingSettings
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.verify.asking import BEGAN, write_document
from engine.weights import tokenizer_files

LENGTH = 131_072
SHORT = 8_192
TURNS = 3
SEGMENT = 4_000
"""Tokens of transformers' segments."""
SAMPLED = 3
"""Of them, read and asked a turn."""
WARM = 256
"""Tokens that transformers read before anything is measured; ours tries its products when it loads."""
ANSWER = 24
"""Tokens of an answer, at most: a number and some words."""
SEED = 7
ALL = 1 << 40
"""Bytes that the readings of the job's own folder may take."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Taken:
    """The most memory of an engine while it did `what`, in bytes."""

    what: str
    anonymous: int | None
    mapped: int | None
    resident: int


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool]) -> str:
    """Measure. Options: `model` (a path, needed), `precision`, `threads`, `data` (the data folder), `length` (tokens),
    `kv`, `compare` ("no": without transformers), `needles` ("yes": the grid of planted numbers instead, as long as
    `length`).

    The report as JSON: see `bench_needles.run`, or `Bench.run`. Raises RequestFailed and Stopped.
    """
    settings, length = model_settings(options), int(options.get("length", LENGTH))
    reading = ReadingSettings(kv=options.get("kv", "auto"))  # type: ignore[arg-type]
    with temporary(data_folder(options)) as folder:
        if options.get("needles") == "yes":
            lengths = tuple(one for one in bench_needles.LENGTHS if one <= length)
            grid = Grid(lengths=lengths, reading=reading)
            return json.dumps(bench_needles.run(Desk(folder, settings, stopped), grid, progress, stopped))
        if settings.threads:
            torch.set_num_threads(settings.threads)  # transformers', which is in this process
        files = tokenizer_files.read(Path(settings.model), folder)
        tokenizer = Tokenizer(files)
        peer = Peer(Path(settings.model)) if options.get("compare") != "no" else None
        ours = Ours(folder, settings, stopped)
        asked = _Asked(tokenizer, Template(files.template or "", files.special), folder, length)
        return json.dumps(asyncio.run(Bench(ours, peer, asked, reading, progress, stopped).run()))


class _Asked:
    """What is read and asked: a long text with a number planted for every turn, and a short text for each."""

    def __init__(self, tokenizer: Tokenizer, template: Template, folder: Path, length: int) -> None:
        self.length = length
        self.facts = needles.needles(SEED, TURNS)
        self._tokenizer, self._template = tokenizer, template
        planted = [(fact, (number + 0.5) / TURNS) for number, fact in enumerate(self.facts)]
        text = needles.haystack(self._count, length, SEED).plant(planted)
        self.book = write_document(folder, text, "book.txt")
        shorts = [needles.haystack(self._count, SHORT, SEED + turn).text() for turn in range(1, TURNS + 1)]
        self.shorts: list[Document] = [write_document(folder, short, "short.txt") for short in shorts]
        self.ids = torch.from_numpy(tokenizer.encode(text).astype("int64"))[None]

    def tail(self, fact: Needle) -> torch.Tensor:
        """The question's tokens [1, T], up to where an answer begins."""
        *_, after = self._template.render(["user"], BEGAN, answer=True)
        words = self._tokenizer.encode(f"Question: {fact.question}")
        ids = [*words.tolist(), *self._tokenizer.encode_template(str(after), opens=False).tolist()]
        return torch.tensor([ids])

    def _count(self, text: str) -> int:
        return len(self._tokenizer.encode(text))


class Bench:
    """`peer` None: nothing to compare with."""

    def __init__(
        self,
        ours: Ours,
        peer: Peer | None,
        asked: _Asked,
        reading: ReadingSettings,
        progress: Progress,
        stopped: Callable[[], bool],
    ) -> None:
        self._ours, self._peer, self._asked = ours, peer, asked
        self._reading = replace(reading, mode="parallel", save=True, quota=ALL)
        self._progress, self._stopped = progress, stopped
        self._steps = 0
        self._total = TURNS * (4 + 2 * (peer is not None)) + 2
        self._kept: list[Any] = []
        """Transformers' keys and values."""
        self._segments = -(-asked.length // SEGMENT)
        self._taken: list[Taken] = []
        self._found = self._questions = 0

    async def run(self) -> dict[str, object]:
        """What it was measured with, `rows` (of `engine.bench`), `memory` (`Taken`), `found` of `asked` questions, and
        `sampled`: of how many segments transformers' times are."""
        try:
            loaded = await self._ours.open()
            rows = await self._reading_and_asking()
            self._keep(await self._ours.close(), f"reading and asking, K/V as {self._reading.kv}")
            rows += await self._opening()
            await self._as_int8()
        finally:
            await self._ours.close()
        self._progress(self._total, self._total)
        return self._report(loaded, rows)

    async def _reading_and_asking(self) -> list[Row]:
        length = self._asked.length
        if self._peer is not None:
            self._peer.read(self._asked.ids[:, :WARM])
        long, short, asks = [], [], []
        theirs: list[float] = []
        their_asks: list[float] = []
        for turn in range(TURNS):
            if turn % 2:
                self._theirs(theirs, partial(self._read_theirs, turn))
            usage = await self._ours.read(self._asked.book, self._reading, (turn + 1) / TURNS)
            long.append(usage.reading_rate or 0.0)
            self._step()
            brief = self._asked.shorts[turn]
            usage = await self._ours.read(brief, replace(self._reading, save=False))
            short.append(usage.reading_rate or 0.0)
            await self._ours.forget(brief)  # its memory shall not count as the long one's
            self._step()
            if not turn % 2:
                self._theirs(theirs, partial(self._read_theirs, turn))
        for turn in range(TURNS):
            if turn % 2:
                self._theirs(their_asks, partial(self._ask_theirs, turn))
            asks.append(await self._ask(turn))
            self._step()
            if not turn % 2:
                self._theirs(their_asks, partial(self._ask_theirs, turn))
        self._kept = []
        return [
            _row(f"read {length:,} tokens in segments", "tokens/s", long, theirs, faster=True),
            _row(f"read {length:,} tokens, beside {SHORT:,}", "tokens/s", long, short, faster=True),
            _row(f"first token of a question on {length:,} tokens", "s", asks, their_asks),
        ]

    def _theirs(self, times: list[float], measure: Callable[[Peer], float]) -> None:
        if self._peer is not None:
            times.append(measure(self._peer))
            self._step()

    def _read_theirs(self, turn: int, peer: Peer) -> float:
        """Tokens a second over some segments, which are kept until the next turn's."""
        self._kept = []
        some = range(turn * SAMPLED, (turn + 1) * SAMPLED)
        parts = [self._asked.ids[:, at % self._segments * SEGMENT :][:, :SEGMENT] for at in some]
        began = time.perf_counter()
        self._kept = [peer.read_segment(part) for part in parts]
        return sum(part.shape[1] for part in parts) / (time.perf_counter() - began)

    def _ask_theirs(self, turn: int, peer: Peer) -> float:
        """Seconds of a question put to all segments, by those that are kept; the better of two, as the first may find
        the processor's caches cold."""
        tail, times = self._asked.tail(self._asked.facts[turn]), []
        for _ in range(2):
            began = time.perf_counter()
            for one in self._kept:
                peer.ask(one, tail)
            times.append(time.perf_counter() - began)
        return min(times) * self._segments / len(self._kept)

    async def _opening(self) -> list[Row]:
        """A new process answers from the saved reading: the first question beside the second in the same one."""
        opened, warm = [], []
        for turn in range(TURNS):
            await self._ours.open()
            opened.append(await self._ask(turn))
            warm.append(await self._ask((turn + 1) % TURNS))
            self._keep(await self._ours.close(), "re-opened and asked" if turn == 0 else "")
            self._step()
        name = f"first token after re-opening {self._asked.length:,} tokens"
        rows = [_row(f"{name}, beside a warm question's", "s", opened, warm)]
        if let_go(self._ours.data):
            await self._ours.open()
            cold = await self._ask(0)
            await self._ours.close()
            rows.append(_row(f"{name} that the system had let go of", "s", [cold], warm))
        self._step()
        return rows

    async def _as_int8(self) -> None:
        """Rows that were saved as the model computes them are taken into memory as int8: what that takes."""
        if self._reading.kv == "int8":
            return
        whole, self._reading = self._reading, replace(self._reading, kv="int8")
        await self._ours.open()
        await self._ask(0)
        self._keep(await self._ours.close(), "re-opened as int8 and asked")
        self._reading = whole

    async def _ask(self, turn: int) -> float:
        """Seconds to the first token."""
        fact = self._asked.facts[turn]
        usage, answer = await self._ours.ask(self._asked.book, fact.question, self._reading, ANSWER)
        self._questions += 1
        self._found += fact.found_in(answer)
        # A question that reads the text would be a reading's time, and one that has nothing to say no time at all
        if usage.first_token is None or usage.unread or usage.read > self._asked.length // 2:
            raise ValueError("the text was not in memory, or nothing was answered")
        return usage.first_token

    def _keep(self, most: Memory | None, what: str) -> None:
        if most is not None and what:
            self._taken.append(Taken(what, **asdict(most)))

    def _step(self) -> None:
        self._steps += 1
        self._progress(min(self._steps, self._total - 1), self._total)
        if self._stopped():
            raise Stopped

    def _report(self, loaded: Loaded, rows: list[Row]) -> dict[str, object]:
        sampled = None if self._peer is None else {"read": SAMPLED, "of": self._segments, "tokens": SEGMENT}
        return {
            "model": loaded.name,
            "precision": loaded.precision,
            "writing": loaded.writing,
            "device": loaded.device.name,
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "length": self._asked.length,
            "kv": self._reading.kv,
            "question": int(self._asked.tail(self._asked.facts[0]).shape[1]),
            "rows": [asdict(row) for row in rows],
            "memory": [asdict(one) for one in self._taken],
            "found": self._found,
            "asked": self._questions,
            "sampled": sampled,
        }


def _row(name: str, unit: str, ours: list[float], theirs: list[float], *, faster: bool = False) -> Row:
    """Medians over the turns. `faster`: more is better. The ratio says how many times as fast we are."""
    if not theirs:
        return Row(name, unit, statistics.median(ours), None, None)
    pairs = list(zip(ours, theirs, strict=False))
    ratio = statistics.median(a / b if faster else b / a for a, b in pairs)
    return Row(name, unit, statistics.median(ours), statistics.median(theirs), ratio)
