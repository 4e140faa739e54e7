"""`python -m engine bench`: how fast this computer reads and writes with a model, beside transformers on the same one.

Both run in this process with the same threads and take turns, since a machine's speed drifts by more than what is to be
measured. Of transformers' runs in a turn the better of two counts; ratios are medians over the turns' ratios.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import torch

from engine import bench_report, device
from engine.memory import planner
from engine.model.decoder import Decoder, Stopped, never
from engine.peer import Peer
from engine.protocol import Precision
from engine.weights import load

READ = 4096
CONTEXTS = (2048, 8000)
WRITTEN = 8
"""Tokens written in a turn."""
QUESTION = 32
PIECE = planner.PIECE
TURNS = {"read": 3, "write": 9, "question": 3}

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Row:
    """`ours` and `theirs`: medians over the turns, in `unit`. `ratio`: how many times as fast as they we are."""

    name: str
    unit: str
    ours: float
    theirs: float | None
    ratio: float | None


def run(options: dict[str, str], progress: Progress, stopped: Callable[[], bool] = never) -> dict[str, object]:
    """Measure. Options: `model` (a path, needed), `precision`, `compare` ("no": without transformers), `turns`.

    Raises BadModel, and Stopped between two measurements.
    """
    path = Path(options["model"])
    precision: Precision = options.get("precision", "auto")  # type: ignore[assignment]
    model = load(path, precision, "auto", stopped=stopped)
    peer = Peer(path) if options.get("compare") != "no" else None
    turns = {name: int(options.get("turns", count)) for name, count in TURNS.items()}
    bench = _Bench(model.decoder, peer, turns, progress, stopped)
    with torch.inference_mode():
        rows = bench.rows(model.config.window)
    return {
        "model": model.name,
        "precision": model.precision,
        "writing": model.writing,
        "candidates": model.candidates,
        "device": device.choose("auto").name,
        "threads": torch.get_num_threads(),
        "torch": torch.__version__,
        "rows": [asdict(row) for row in rows],
    }


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool]) -> str:
    """`run` as the engine's job: its report as JSON."""
    return json.dumps(run(options, progress, stopped))


class _Bench:
    """The measurements over one decoder. `peer` None: nothing to compare with."""

    def __init__(
        self,
        decoder: Decoder,
        peer: Peer | None,
        turns: dict[str, int],
        progress: Progress,
        stopped: Callable[[], bool],
    ) -> None:
        self.decoder = decoder
        self.peer = peer
        self.turns = turns
        self._progress = progress
        self._stopped = stopped
        self._done = 0
        self._total = 1

    def rows(self, window: int) -> list[Row]:
        """Reading, writing at each context, and the first and second question; only what fits the window."""
        contexts = [context for context in CONTEXTS if context + WRITTEN <= window]
        length = min(READ, window - QUESTION - 1)
        self._total = self.turns["read"] + self.turns["write"] * len(contexts) + self.turns["question"]
        ids = torch.randint(0, self.decoder.config.vocab, (1, max([length, *contexts])), generator=_random())
        ids = ids.to(self.decoder.device)
        rows = [self._reading(ids[:, :length])]
        rows += [self._writing(ids[:, :context]) for context in contexts]
        return [*rows, self._questions(ids[:, :length])]

    def _reading(self, ids: torch.Tensor) -> Row:
        peer = self.peer
        ours, theirs = self._alternate(
            self.turns["read"], lambda: self._read(ids), None if peer is None else lambda: peer.read(ids)
        )
        return _row(f"read {ids.shape[1]} tokens", "tokens/s", ids.shape[1], ours, theirs)

    def _writing(self, ids: torch.Tensor) -> Row:
        peer, context = self.peer, ids.shape[1]
        caches = self._read(ids, room=WRITTEN)
        if peer is not None:
            peer.read(ids)

        def write() -> None:
            token = torch.zeros(1, dtype=torch.long, device=ids.device)
            for _ in range(WRITTEN):
                token = self.decoder.write(token, caches).argmax(-1)
            caches.trim(context)

        write()
        ours, theirs = self._alternate(
            self.turns["write"], write, None if peer is None else lambda: peer.write(WRITTEN)
        )
        return _row(f"write at {context} tokens", "tokens/s", WRITTEN, ours, theirs)

    def _questions(self, ids: torch.Tensor) -> Row:
        """Seconds to the first token of a second question on the text just read, against those of the first."""
        question = ids[:, :QUESTION]
        first, second = [], []
        for _ in range(self.turns["question"]):
            began = time.perf_counter()
            caches = self._read(torch.cat((ids, question), 1))
            first.append(time.perf_counter() - began)
            caches.trim(ids.shape[1])
            began = time.perf_counter()
            self.decoder.read(question, caches, logits="last")
            second.append(time.perf_counter() - began)
            self._turn()
        ratio = statistics.median(a / b for a, b in zip(first, second, strict=True))
        name = f"first token of a second question on {ids.shape[1]} tokens, beside the first's"
        return Row(name, "s", statistics.median(second), statistics.median(first), ratio)

    def _read(self, ids: torch.Tensor, room: int = 0):
        caches = self.decoder.make_caches(ids.shape[1] + room)
        caches.reserve(ids.shape[1] + room)
        for first in range(0, ids.shape[1], PIECE):
            piece = ids[:, first : first + PIECE]
            last = first + PIECE >= ids.shape[1]
            self.decoder.read(piece, caches, logits="last" if last else "none")
        return caches

    def _alternate(
        self, turns: int, ours: Callable[[], object], theirs: Callable[[], object] | None
    ) -> tuple[list[float], list[float]]:
        """Seconds of each turn: one run of ours, the better of two of theirs."""
        times: tuple[list[float], list[float]] = ([], [])
        for turn in range(turns):
            if theirs is not None and turn % 2:
                times[1].append(min(_seconds(theirs), _seconds(theirs)))
            times[0].append(_seconds(ours))
            if theirs is not None and not turn % 2:
                times[1].append(min(_seconds(theirs), _seconds(theirs)))
            self._turn()
        return times

    def _turn(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)
        if self._stopped():
            raise Stopped


def _random() -> torch.Generator:
    return torch.Generator().manual_seed(0)


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    if torch.cuda.is_available():
        torch.cuda.synchronize()
    return time.perf_counter() - began


def _row(name: str, unit: str, tokens: int, ours: list[float], theirs: list[float]) -> Row:
    rate = tokens / statistics.median(ours)
    if not theirs:
        return Row(name, unit, rate, None, None)
    ratio = statistics.median(b / a for a, b in zip(ours, theirs, strict=True))
    return Row(name, unit, rate, tokens / statistics.median(theirs), ratio)


def table(report: dict[str, object]) -> str:
    """The report's rows for a terminal."""
    lines = [
        f"{report['model']}, {report['precision']}, writing by {report['writing']}; {report['device']}, "
        f"{report['threads']} threads, torch {report['torch']}",
        "",
        f"{'':64}{'Longread':>10}{'transformers':>14}{'times':>8}",
    ]
    for row in report["rows"]:  # type: ignore[attr-defined]
        theirs = "" if row["theirs"] is None else f"{row['theirs']:.2f}"
        ratio = "" if row["ratio"] is None else f"{row['ratio']:.2f}"
        lines.append(f"{row['name'] + ', ' + row['unit']:64}{row['ours']:>10.2f}{theirs:>14}{ratio:>8}")
    return "\n".join(lines)


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m engine bench", description=__doc__)
    parser.add_argument("--model", type=Path, required=True, help="a folder with a checkpoint, or a .gguf file")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16", "int8", "int4"), default="auto")
    parser.add_argument("--threads", type=int, help="of both; as many as the machine has cores")
    parser.add_argument("--alone", action="store_true", help="do not compare with transformers")
    parser.add_argument("--turns", type=int, help="of every measurement")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args(argv)
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    options = {"model": str(arguments.model), "precision": arguments.precision}
    options |= {"compare": "no"} if arguments.alone else {}
    options |= {"turns": str(arguments.turns)} if arguments.turns else {}

    def progress(done: int, total: int) -> None:
        print(f"\r{done}/{total}", end="\n" if done == total else "", file=sys.stderr, flush=True)

    if arguments.json:
        print(bench_report.made("bench", options, lambda: work(options, progress, never)))
    else:
        print(table(run(options, progress)))
    return 0
