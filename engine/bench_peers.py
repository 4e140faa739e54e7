"""The job `peers`: this engine beside llama.cpp and transformers, with the same file, tokens, threads and machine.

Each peer is a process of its own, run by a Python that has it. Reading and writing within the window go in rounds, all
in turns, since a machine's speed drifts. Then long texts are asked about, where each does what a sensible person would
do with it: see `engine.bench_peers_documents`. Everything runs on the processor.
"""

import json
import os
import secrets
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

import torch
from msgspec.structs import replace

from engine import needles
from engine.bench import PIECE
from engine.bench_desk import data_folder, model_settings, temporary
from engine.bench_peers_documents import Asking
from engine.model.decoder import Decoder, Stopped
from engine.peers.process import PROGRAM, PeerFailed, PeerLate
from engine.peers.theirs import VARIANTS, WARM, Setup, Theirs, setup
from engine.protocol import Precision
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import LoadedModel, load, tokenizer_files
from engine.worker import KEPT

PEERS = ("llama-cpp", "transformers")
LENGTHS = (512, 2048, 4096, 8192)
DOCUMENTS = (32_768, 131_072)
QUICK = (512, 4096)
ROUNDS = 3
LIMIT = 600.0
"""Seconds that a peer's step may take."""
WRITTEN = 32
"""Tokens written in a turn."""
ROOM = 64
"""Tokens of the window left free behind the longest text, those written included."""
SHORTEST = 2048
"""Tokens of which paragraphs make an exact text."""
OURS = "longread"
WIDE = ("bf16", "fp32")
"""Precisions of ours beside which int8 is measured as well: the file itself holds fewer bits than that."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Plan:
    """What is measured. `pythons`: where peers are looked for first."""

    peers: tuple[str, ...] = PEERS
    pythons: tuple[str, ...] = ()
    lengths: tuple[int, ...] = LENGTHS
    documents: tuple[int, ...] = DOCUMENTS
    rounds: int = ROUNDS
    limit: float = LIMIT
    seed: int = 0
    program: Path = PROGRAM


@dataclass(frozen=True)
class Speed:
    """`what`: read or write. `length`: tokens that are read, or stand before what is written. Over the rounds;
    `failed`: why there is nothing."""

    what: str
    length: int
    engine: str
    unit: str
    median: float | None
    least: float | None
    most: float | None
    failed: str = ""


class Contender(Protocol):
    name: str

    def read(self, ids: list[int]) -> float:
        """Seconds for a text from its beginning. Raises PeerFailed and PeerLate."""

    def write(self, count: int) -> float:
        """Seconds for tokens behind it, which are forgotten again."""

    def told(self, error: PeerFailed | PeerLate) -> str:
        """For a report that is passed on: with no place of this computer."""

    def close(self) -> object: ...


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool]) -> str:
    """Measure. Options: `model` (a path, needed), `precision`, `threads`, `window`, `data`, and those of `plan`.

    The report as JSON: see `run`. Raises BadModel, RequestFailed and Stopped.
    """
    return json.dumps(run(options, plan(options), progress, stopped))


def plan(options: dict[str, str]) -> Plan:
    """`peers`, `python` (several, as in a PATH), `lengths`, `documents` ("none": none), `limit` (seconds), `seed` (a
    new one each time), `quick` ("yes")."""
    quick = options.get("quick") == "yes"
    return Plan(
        peers=tuple(options["peers"].split(",")) if options.get("peers") else PEERS,
        pythons=tuple(filter(None, options.get("python", "").split(os.pathsep))),
        lengths=_numbers(options.get("lengths"), QUICK if quick else LENGTHS),
        documents=_numbers(options.get("documents"), () if quick else DOCUMENTS),
        rounds=1 if quick else ROUNDS,
        limit=float(options.get("limit", LIMIT)),
        seed=int(options["seed"]) if "seed" in options else secrets.randbelow(1 << 31),
    )


def _numbers(said: str | None, default: tuple[int, ...]) -> tuple[int, ...]:
    if said is None:
        return default
    return () if said == "none" else tuple(int(one) for one in said.split(","))


def run(options: dict[str, str], wanted: Plan, progress: Progress, stopped: Callable[[], bool]) -> dict[str, object]:
    """`threads`, `rounds`, `limit`, `seed`; `engines` (each with what it is and how it was run, or `absent` and why);
    `rows` (`Speed`); `documents` (`bench_peers_documents.Asked`)."""
    settings = replace(model_settings(options), device="cpu")
    torch.set_num_threads(settings.threads or torch.get_num_threads())
    threads, path = torch.get_num_threads(), Path(settings.model)
    with temporary(data_folder(options)) as folder:
        files = tokenizer_files.read(path, data_folder(options) / KEPT)
        tokenizer = Tokenizer(files)
        given = setup(path, folder, threads, wanted.pythons, wanted.limit, wanted.program)
        theirs, engines = _found(wanted.peers, given, stopped)
        readers = [one for one in theirs if one.name == one.program]
        steps = Steps(len(wanted.documents) * (1 + 2 * len(readers)), progress, stopped)
        rows: list[Speed] = []
        if wanted.lengths:
            ours = _ours(path, settings.precision, stopped)
            engines = [*({"name": one.name, "flags": one.flags} for one in ours), *engines]
            ids = _text(tokenizer, wanted, given.native)
            rows = Rounds([*ours, *theirs], wanted, ids, steps).run()
        template = Template(files.template or "", files.special)
        asking = Asking(tokenizer, template, folder, settings, given.native, stopped)
        documents = [
            asdict(asked)
            for number, length in enumerate(wanted.documents)
            for asked in asking.run(length, wanted.seed + number, readers, steps, turned=bool(number % 2))
        ]
    about = {"threads": threads, "rounds": wanted.rounds, "limit": wanted.limit, "seed": wanted.seed}
    return about | {"engines": engines, "rows": [asdict(row) for row in rows], "documents": documents}


def _found(
    names: Sequence[str], given: Setup, stopped: Callable[[], bool]
) -> tuple[list[Theirs], list[dict[str, Any]]]:
    """Those that can be measured, and what there is to say of each."""
    theirs, engines = [], []
    for name in names:
        for label, chosen in VARIANTS[name]:
            one = Theirs(label, name, chosen, given, stopped)
            missing = one.missing()
            one.close()
            if missing is not None:
                engines.append({"name": label, "absent": missing})
                break
            theirs.append(one)
            engines.append({"name": label, "about": one.about, "flags": one.flags})
    return theirs, engines


def _ours(path: Path, precision: Precision, stopped: Callable[[], bool]) -> list["Ours"]:
    ours = [Ours(OURS, load(path, precision, "cpu", stopped=stopped))]
    if ours[0].flags["precision"] in WIDE:
        ours.append(Ours(f"{OURS}, int8", load(path, "int8", "cpu", stopped=stopped)))
    return ours


def _text(tokenizer: Tokenizer, wanted: Plan, native: int) -> list[int]:
    """As many tokens as the longest length, and as the window has room for."""
    length = min(max(wanted.lengths), native - ROOM)
    text = needles.haystack(lambda said: len(tokenizer.encode(said)), max(length + ROOM, SHORTEST), wanted.seed).text()
    ids: list[int] = tokenizer.encode(text)[:length].tolist()
    return ids


class Steps:
    """How far the job is: steps done, `of` how many. Raises Stopped."""

    def __init__(self, of: int, progress: Progress, stopped: Callable[[], bool]) -> None:
        self._done, self.of = 0, of
        self._progress, self._stopped = progress, stopped

    def step(self) -> None:
        self._done += 1
        self._progress(self._done, self.of)
        if self._stopped():
            raise Stopped


class Rounds:
    """Everybody reads a text of each length and writes behind it, in another order each round."""

    def __init__(self, contenders: list[Contender], wanted: Plan, ids: list[int], steps: Steps) -> None:
        self._contenders, self._wanted, self._ids, self._steps = contenders, wanted, ids, steps
        self._lengths = sorted({min(length, len(ids)) for length in wanted.lengths})
        steps.of += len(self._lengths) * wanted.rounds * len(contenders)
        self._rates: dict[tuple[str, int, str], list[float]] = {}
        self._failed: dict[tuple[str, int], str] = {}

    def run(self) -> list[Speed]:
        try:
            for one in self._contenders:
                self._measure(one, min(WARM, len(self._ids)))
            self._rates.clear()
            for number in range(self._wanted.rounds):
                turn = number % len(self._contenders)
                for length in self._lengths:
                    for one in [*self._contenders[turn:], *self._contenders[:turn]]:
                        self._measure(one, length)
                        self._steps.step()
        finally:
            for one in self._contenders:
                one.close()
        return [
            self._row(what, length, one.name)
            for what in ("read", "write")
            for length in self._lengths
            for one in self._contenders
        ]

    def _measure(self, one: Contender, length: int) -> None:
        if (one.name, length) in self._failed:
            return
        try:
            read, write = one.read(self._ids[:length]), one.write(WRITTEN)
        except (PeerFailed, PeerLate) as error:
            self._failed[one.name, length] = one.told(error)
            return
        self._rates.setdefault(("read", length, one.name), []).append(length / read)
        self._rates.setdefault(("write", length, one.name), []).append(WRITTEN / write)

    def _row(self, what: str, length: int, name: str) -> Speed:
        rates = self._rates.get((what, length, name), [])
        if (failed := self._failed.get((name, length))) or not rates:
            return Speed(what, length, name, "tokens/s", None, None, None, failed or "not measured")
        return Speed(what, length, name, "tokens/s", statistics.median(rates), min(rates), max(rates))


class Ours:
    """This engine's decoder, in this process."""

    def __init__(self, name: str, model: LoadedModel) -> None:
        self.name = name
        self.flags = {"precision": model.precision, "writing": model.writing, "threads": torch.get_num_threads()}
        self._decoder: Decoder | None = model.decoder
        self._caches: Any = None
        self._length = 0

    @torch.inference_mode()
    def read(self, ids: list[int]) -> float:
        began = time.perf_counter()
        tokens = torch.tensor([ids])
        self._length = len(ids)
        assert self._decoder is not None
        self._caches = self._decoder.make_caches(self._length + WRITTEN)
        self._caches.reserve(self._length + WRITTEN)
        for first in range(0, self._length, PIECE):
            last = first + PIECE >= self._length
            logits = self._decoder.read(
                tokens[:, first : first + PIECE], self._caches, logits="last" if last else "none"
            )
        self._first = logits.argmax(-1)
        return time.perf_counter() - began

    @torch.inference_mode()
    def write(self, count: int) -> float:
        assert self._decoder is not None
        began = time.perf_counter()
        token = self._first
        for _ in range(count):
            token = self._decoder.write(token, self._caches).argmax(-1)
        seconds = time.perf_counter() - began
        self._caches.trim(self._length)
        return seconds

    def close(self) -> None:
        self._caches = self._decoder = None
