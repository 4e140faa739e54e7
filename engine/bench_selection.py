"""The job `selection`: dense attention beside a selection of rows, in turns: writing over chosen pages (Quest), reading
over chosen blocks (XAttention), and what a model loses by either.

Writing is a model's own, at eight times its window, over rows of random numbers: what they are changes no time. Reading
is one layer of Qwen3-0.6B's heads over queries and keys with what is known of long texts: a few first rows that all
look at, a band of near ones, and stripes that all look at; beside it torch's causal scaled_dot_product_attention. What
a model loses is measured on a text within its window, with nothing looked at densely that need not be.
"""

import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn import functional

from engine import device
from engine.bench import Row
from engine.bench_corpus import paragraphs
from engine.memory.caches import Caches
from engine.memory.planner import PIECE
from engine.memory.selected_rows import SelectedRows
from engine.model.decoder import Decoder, Stopped, never
from engine.protocol import Precision, Selection
from engine.tokenizer import Tokenizer
from engine.weights import load, tokenizer_files
from kernels import block_choice, block_sparse_attention
from kernels.block_choice import Choice

TIMES = 8
"""Windows of a model at which writing is measured."""
READ = 32_768
"""Tokens that a layer reads."""
WRITTEN = 4
TURNS = {"write": 7, "read": 3}
KEPT = "tokenizers"
"""As in `engine.worker`."""
LONGEST = 8192
"""Tokens of the text that a model is judged by, at most."""
JUDGED = 256
"""Tokens of a text that are written to judge by."""
KINDS: dict[str, Selection] = {
    "quest": Selection("quest", budget=1024, least=0),
    "blocks": Selection("blocks", least=0),
}
"""By which a model is judged."""

Progress = Callable[[int, int], None]
Kind = TypeVar("Kind")


@dataclass(frozen=True)
class Shape:
    """Of a layer that reads."""

    heads: int = 16
    kv_heads: int = 8
    width: int = 128


@dataclass(frozen=True)
class Judged:
    """What a model loses. `density`: of each layer, None where it looked at everything. `tokens`: judged by."""

    kind: str
    tokens: int
    perplexity: float
    dense: float
    density: list[float | None]


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool] = never) -> str:
    """Measure. Options: `model` (a path, needed), `data` (the data folder, needed), `precision`, `device`, `threads`,
    `length` (tokens that a layer reads), `turns`.

    The report as JSON: `rows` (of `engine.bench`: the selection and beside it the dense layers), `reading` (`density`:
    blocks looked at of all, `error`: norm of the difference over the norm, `choosing`: the share of its time that the
    choice takes), `judged`. Raises BadModel, and Stopped between two measurements.
    """
    if "threads" in options:
        torch.set_num_threads(int(options["threads"]))
    path = Path(options["model"])
    precision: Precision = options.get("precision", "auto")  # type: ignore[assignment]
    turns = {name: int(options.get("turns", count)) for name, count in TURNS.items()}
    info = device.choose(options.get("device", "auto"))  # type: ignore[arg-type]
    model = load(path, precision, info.kind, stopped=stopped)
    window, decoder = model.config.window, model.decoder
    bench = Bench(turns, device.torch_device(info), progress, stopped)
    with torch.inference_mode():
        rows = [bench.writing(decoder, TIMES * window)] if model.config.selectable else []
        read, about = bench.reading(Shape(), int(options.get("length", READ)))
        ids = torch.tensor(
            text(path, Path(options["data"]) / KEPT, min(window, LONGEST)), dtype=torch.long, device=decoder.device
        )[None]
        judged = [bench.judged(decoder, ids, kind) for kind in KINDS] if model.config.selectable else []
    return json.dumps(
        {
            "model": model.name,
            "precision": model.precision,
            "device": info.name,
            "threads": torch.get_num_threads(),
            "torch": torch.__version__,
            "rows": [asdict(row) for row in (*rows, read)],
            "reading": about,
            "judged": [asdict(one) for one in judged],
        }
    )


class Bench:
    """`place`: where layers without a model read."""

    def __init__(
        self, turns: dict[str, int], place: torch.device, progress: Progress, stopped: Callable[[], bool] = never
    ) -> None:
        self._turns, self._place = turns, place
        self._progress, self._stopped = progress, stopped
        self._done, self._total = 0, sum(turns.values()) + 2 * len(KINDS)

    def writing(self, decoder: Decoder, rows: int) -> Row:
        """Tokens a second after `rows` rows, by Quest's default and densely."""
        caches = filled(decoder, rows, rows + WRITTEN)
        token = torch.zeros(1, dtype=torch.long, device=decoder.device)

        def write(selection: Selection) -> float:
            caches.select(selection)
            decoder.write(token, caches)  # which makes the bounds, and is recorded
            caches.trim(rows)
            seconds = self._seconds(lambda: [decoder.write(token, caches) for _ in range(WRITTEN - 1)])
            caches.trim(rows)
            return seconds / (WRITTEN - 1)

        times: list[tuple[float, float]] = []
        for turn in range(self._turns["write"]):
            taken = [write(selection) for selection in _turned(Selection("quest"), Selection(), turn)]
            times.append(_turned(*taken, turn))
            self._turn()
        return _row(f"write at {rows:,} tokens, over chosen pages", "tokens/s", 1, times)

    def reading(self, shape: Shape, tokens: int) -> tuple[Row, dict[str, float]]:
        """Seconds of a layer over its chosen blocks, the choice among them, beside torch's dense one."""
        q, k, v = (x.to(self._place) for x in structured(shape, tokens))
        group = shape.heads // shape.kv_heads
        scale, choice = shape.width**-0.5, Choice()
        parts = {"choosing": 0.0, "chosen": 0.0, "all": 0.0}

        def sparse() -> Tensor:
            mixed = []
            for at in range(0, tokens, PIECE):
                end = min(at + PIECE, tokens)
                some, keys, values = q[:, :, at:end], k[:, :, :end], v[:, :, :end]
                began = time.perf_counter()
                chosen = block_choice.choose(some, keys, at, choice, scale)
                parts["choosing"] += time.perf_counter() - began
                parts["chosen"] += int((chosen >= 0).sum())
                tiles = range(at // choice.block, (end - 1) // choice.block + 1)
                parts["all"] += sum(tile + 1 for tile in tiles) * shape.heads
                mixed.append(block_sparse_attention.read_tiles(some, keys, values, chosen, at, choice.block, scale))
            return torch.cat(mixed, 2)

        def dense() -> Tensor:
            keys, values = (x.repeat_interleave(group, 1) for x in (k, v))
            return functional.scaled_dot_product_attention(q, keys, values, is_causal=True, scale=scale)

        times: list[tuple[float, float]] = []
        error = 0.0
        for turn in range(self._turns["read"]):
            found: list[Tensor] = []
            taken = [
                self._seconds(lambda run=run, found=found: found.append(run())) for run in _turned(sparse, dense, turn)
            ]
            ours, theirs = _turned(*found, turn)
            error = ((ours.float() - theirs.float()).norm() / theirs.float().norm()).item()
            times.append(_turned(*taken, turn))
            self._turn()
        about = {
            "density": parts["chosen"] / parts["all"],
            "error": error,
            "choosing": parts["choosing"] / sum(ours for ours, _ in times),
        }
        return _row(f"read {tokens:,} tokens in a layer, over chosen blocks", "tokens/s", tokens, times), about

    def judged(self, decoder: Decoder, ids: Tensor, kind: str) -> Judged:
        """Perplexity of a text [1, T]: of all of it when blocks are read, of its end when it is written over pages."""
        (dense, _), (chosen, density) = (self._perplexity(decoder, ids, kind, of) for of in (Selection(), KINDS[kind]))
        tokens = ids.shape[1] - 1 if kind == "blocks" else min(JUDGED, ids.shape[1] // 2)
        return Judged(kind, tokens, chosen, dense, density)

    def _perplexity(
        self, decoder: Decoder, ids: Tensor, kind: str, selection: Selection
    ) -> tuple[float, list[float | None]]:
        caches = decoder.make_caches(ids.shape[1])
        caches.select(selection)
        whole, losses = ids.shape[1], []
        written = 0 if kind == "blocks" else min(JUDGED, whole // 2)
        for at in range(0, whole - written, PIECE):
            some = ids[:, at : min(at + PIECE, whole - written)]
            logits = decoder.read(some, caches, logits="none" if written else "all", prompt=whole)
            if logits is not None:
                ahead = ids[0, at + 1 : at + 1 + some.shape[1]]
                losses.append(functional.cross_entropy(logits[0, : len(ahead)], ahead, reduction="none"))
            if self._stopped():
                raise Stopped
        for at in range(whole - written, whole - 1):
            losses.append(functional.cross_entropy(decoder.write(ids[:, at], caches), ids[:, at + 1])[None])
        self._turn()
        layers = [layer for layer in caches if isinstance(layer, SelectedRows)]
        return torch.cat(losses).mean().exp().item(), [layer.density for layer in layers]

    def _turn(self) -> None:
        self._done += 1
        self._progress(self._done, self._total)
        if self._stopped():
            raise Stopped

    def _seconds(self, compute: Callable[[], object]) -> float:
        began = time.perf_counter()
        compute()
        if torch.cuda.is_available():
            torch.cuda.synchronize()
        return time.perf_counter() - began


def filled(decoder: Decoder, rows: int, room: int) -> Caches:
    """Caches with `rows` rows of random numbers in every layer."""
    caches, numbers = decoder.make_caches(room), torch.Generator().manual_seed(0)
    caches.reserve(room)
    config = decoder.config
    for layer in caches:
        for at in range(0, rows, PIECE):
            size = 1, config.kv_heads, min(PIECE, rows - at), config.head_width
            layer.store(*(torch.randn(size, generator=numbers).to(decoder.device, decoder.dtype) for _ in "kv"), at)
    caches.advance(rows)
    return caches


def structured(shape: Shape, tokens: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries and keys of which half the channels are turned by their positions, so that near rows match, and half have
    a direction that all queries share with the first four keys and with runs of 16 keys, one of them in some 600 rows;
    values at random. bf16, [1, heads, tokens, width]."""
    numbers = torch.Generator().manual_seed(0)
    half = shape.width // 2

    def normal(*size: int) -> Tensor:
        return torch.randn(size, generator=numbers)

    speeds = 0.5 * torch.exp(-torch.linspace(0, 5, half // 2))
    angles = torch.arange(tokens)[:, None] * speeds
    turned = torch.cat((angles.cos(), angles.sin()), 1) * (11.6 / (half // 2) ** 0.5)  # [tokens, half]
    shared = functional.normalize(normal(half), dim=0)
    q, k = (torch.empty(1, heads, tokens, shape.width) for heads in (shape.heads, shape.kv_heads))
    for x in (q, k):
        x[..., half:] = turned
        x[..., :half] = 0.3 * normal(*x.shape[:3], half)
    q[..., :half] += 11 * shared
    k[..., :half] -= shared
    k[:, :, :4, :half] += 11.5 * shared
    for head in range(shape.kv_heads):
        marked = torch.zeros(tokens, dtype=torch.bool)  # where runs meet they draw no more than one
        for first in torch.randperm(tokens, generator=numbers)[: max(1, tokens // 600)].tolist():
            marked[first : first + 16] = True
        k[0, head, marked, :half] += 7 * shared
    return q.bfloat16(), k.bfloat16(), normal(1, shape.kv_heads, tokens, shape.width).bfloat16()


def text(path: Path, data: Path, count: int) -> list[int]:
    """So many tokens of prose, or as many as there is."""
    tokenizer, ids = Tokenizer(tokenizer_files.read(path, data)), []
    order = list(paragraphs())
    random.Random(0).shuffle(order)
    for part in order:
        if len(ids) >= count:
            break
        ids += list(tokenizer.encode(part + "\n\n"))
    return ids[:count]


def _turned(ours: Kind, theirs: Kind, turn: int) -> tuple[Kind, Kind]:
    """The one and the other, whose turn it is first."""
    return (ours, theirs) if turn % 2 else (theirs, ours)


def _row(name: str, unit: str, tokens: int, times: list[tuple[float, float]]) -> Row:
    ours, theirs = (tokens / statistics.median(of) for of in zip(*times, strict=True))
    return Row(name, unit, ours, theirs, statistics.median(dense / chosen for chosen, dense in times))
