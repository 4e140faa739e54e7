"""The job `attention`: that of MiniCPM-SALA's 32 layers over a text, beside that of as many dense layers of its heads.

One lightning and one sparse layer of the released shapes read a text in pieces, as a model does, of random numbers; 24
times the one and 8 times the other is what all layers take. In turns with them, torch's causal
scaled_dot_product_attention of the same heads, 32 times. Products with weights are on neither side.
"""

import json
import math
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass

import torch
from torch import Tensor
from torch.nn import functional

from engine import device
from engine.bench import Row
from engine.memory.planner import PIECE
from engine.model.decoder import Stopped, never
from kernels import block_scores, block_sparse_attention, lightning_attention
from kernels.block_scores import COARSE, Blocks

LENGTHS = (16_384, 32_768, 65_536, 131_072)
DENSE = 65_536
"""Tokens that the dense layer reads, at most: it takes minutes."""
TURNS = 3
ONCE = 40_000
"""Tokens beyond which one turn is enough."""

RELEASED = Blocks(kernel=32, stride=16, block=64, initial=1, local=33, count=96)

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Shape:
    """Of the layers; as released."""

    heads: int = 32
    kv_heads: int = 2
    width: int = 128
    blocks: Blocks = RELEASED
    lightning: int = 24
    sparse: int = 8

    def operations(self, tokens: int) -> float:
        """Of all layers: lightning with its state kept token by token, attention, and scores of windows."""
        state = 4 * self.width * self.width * tokens
        seen = min(tokens, self.blocks.count * self.blocks.block)
        rows = seen * seen / 2 + (tokens - seen) * seen
        windows = tokens * tokens / 2 / self.blocks.stride * (1 + 1 / COARSE)
        each = self.lightning * state + self.sparse * self.width * (4 * rows + 2 * windows)
        return self.heads * each


def work(options: dict[str, str], progress: Progress, stopped: Callable[[], bool] = never) -> str:
    """Measure. Options: `length` (the longest text, in tokens; four lengths to 131,072 when none is given), `threads`,
    `device`, `compare` ("no": without the dense layer), `turns`.

    The report as JSON: `rows` (of `engine.bench`: seconds, and how many times as long the dense layers take), `growth`:
    the slope of the logarithm of time over that of length, as measured and as the operations counted would have it, or
    None for one length. Raises Stopped between two pieces.
    """
    if "threads" in options:
        torch.set_num_threads(int(options["threads"]))
    info = device.choose(options.get("device", "auto"))  # type: ignore[arg-type]
    longest = int(options.get("length", LENGTHS[-1]))
    lengths = [length for length in LENGTHS if length < longest] + [longest]
    turns = int(options["turns"]) if "turns" in options else None
    bench = Bench(Shape(), device.torch_device(info), progress, stopped)
    report = bench.run(lengths, turns, dense=options.get("compare") != "no")
    about = {"device": info.name, "threads": torch.get_num_threads(), "torch": torch.__version__}
    return json.dumps(about | report)


class Bench:
    def __init__(
        self, shape: Shape, place: torch.device, progress: Progress, stopped: Callable[[], bool] = never
    ) -> None:
        self._shape, self._place = shape, place
        self._progress, self._stopped = progress, stopped
        self._random = torch.Generator().manual_seed(0)

    @torch.inference_mode()
    def run(
        self, lengths: list[int], turns: int | None, *, dense: bool, longest_dense: int = DENSE
    ) -> dict[str, object]:
        """`rows` and `growth`. `turns`: at every length; three, or one at the longer ones, when None."""
        each = {length: turns or (TURNS if length < ONCE else 1) for length in lengths}
        done, total = 0, sum(each.values())
        rows, mixed = [], []
        for length in lengths:
            times: tuple[list[float], list[float], list[float]] = ([], [], [])
            for turn in range(each[length]):
                measured = [self._lightning, self._sparse]
                if dense and length <= longest_dense:
                    measured.insert(2 if turn % 2 == 0 else 0, self._dense)
                for measure in measured:
                    times[[self._lightning, self._sparse, self._dense].index(measure)].append(measure(length))
                done += 1
                self._progress(done, total)
            rows += self._rows(length, *times)
            mixed.append(rows[-1].ours)
        return {"rows": [asdict(row) for row in rows], "growth": self._growth(lengths, mixed)}

    def _rows(self, tokens: int, lightning: list[float], sparse: list[float], dense: list[float]) -> list[Row]:
        shape = self._shape
        all_layers = [shape.lightning * a + shape.sparse * b for a, b in zip(lightning, sparse, strict=True)]
        every = shape.lightning + shape.sparse
        theirs = every * statistics.median(dense) if dense else None
        ratio = statistics.median(every * b / a for a, b in zip(all_layers, dense, strict=True)) if dense else None
        return [
            Row(f"a lightning layer, {tokens:,} tokens", "s", statistics.median(lightning), None, None),
            Row(f"a sparse layer, {tokens:,} tokens", "s", statistics.median(sparse), None, None),
            Row(
                f"{shape.lightning} lightning and {shape.sparse} sparse layers beside {every} dense, {tokens:,} tokens",
                *("s", statistics.median(all_layers), theirs, ratio),
            ),
        ]

    def _growth(self, lengths: list[int], seconds: list[float]) -> dict[str, float] | None:
        if len(lengths) < 2:
            return None
        first, last = lengths[0], lengths[-1]
        longer = math.log(last / first)
        counted = self._shape.operations(last) / self._shape.operations(first)
        return {
            "first": first,
            "last": last,
            "measured": math.log(seconds[-1] / seconds[0]) / longer,
            "counted": math.log(counted) / longer,
        }

    def _lightning(self, tokens: int) -> float:
        shape = self._shape
        q, k, v = (self._normal(min(tokens, PIECE), shape.heads) for _ in range(3))
        slopes = lightning_attention.slopes(shape.heads).to(self._place)
        state = torch.zeros(1, shape.heads, shape.width, shape.width, device=self._place)

        def piece(at: int, count: int) -> None:
            some = (x[:, :, :count] for x in (q, k, v))
            lightning_attention.read(*some, slopes, state, shape.width**-0.5)

        return self._pieces(tokens, piece)

    def _sparse(self, tokens: int) -> float:
        shape, blocks, scale = self._shape, self._shape.blocks, self._shape.width**-0.5
        q = self._normal(min(tokens, PIECE), shape.heads)
        k, v = (self._normal(tokens, shape.kv_heads).contiguous() for _ in range(2))
        sizes = [(by * blocks.kernel, by * blocks.stride) for by in (1, COARSE)]
        means = [k.new_empty(1, shape.kv_heads, tokens // stride + 1, shape.width) for _, stride in sizes]

        def piece(at: int, count: int) -> None:
            seen, some = at + count, []
            for held, (kernel, stride) in zip(means, sizes, strict=True):
                first, whole = (max(0, (rows - kernel) // stride + 1) for rows in (at, seen))
                held[:, :, first:whole] = block_scores.compress(k[:, :, :seen], first, kernel, stride)
                some.append(held[:, :, :whole])
            queries = q[:, :, :count]
            chosen = block_scores.choose(queries, some[0], some[1], at, blocks, scale)
            block_sparse_attention.read(queries, k[:, :, :seen], v[:, :, :seen], chosen, at, blocks.block, scale)

        return self._pieces(tokens, piece)

    def _dense(self, tokens: int) -> float:
        shape = self._shape
        q = self._normal(tokens, shape.heads).contiguous()
        group = shape.heads // shape.kv_heads
        k, v = (self._normal(tokens, shape.kv_heads).repeat_interleave(group, 1) for _ in range(2))
        if self._stopped():
            raise Stopped
        return self._seconds(lambda: functional.scaled_dot_product_attention(q, k, v, is_causal=True))

    def _pieces(self, tokens: int, piece: Callable[[int, int], None]) -> float:
        seconds = 0.0
        for at in range(0, tokens, PIECE):
            if self._stopped():
                raise Stopped
            count = min(PIECE, tokens - at)
            seconds += self._seconds(lambda at=at, count=count: piece(at, count))  # type: ignore[misc]
        return seconds

    def _seconds(self, compute: Callable[[], object]) -> float:
        began = time.perf_counter()
        compute()
        if self._place.type == "cuda":
            torch.cuda.synchronize(self._place)
        return time.perf_counter() - began

    def _normal(self, tokens: int, heads: int) -> Tensor:
        """bf16 [1, heads, tokens, width], token by token as a product leaves it."""
        shape = 1, tokens, heads, self._shape.width
        return torch.randn(shape, generator=self._random).bfloat16().to(self._place).transpose(1, 2)
