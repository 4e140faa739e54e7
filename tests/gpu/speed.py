"""Times of the kernels at the released shapes beside torch's own attention, and beside what the device can do.

Bytes are those that must be moved once, operations those of the definitions: what a kernel does beyond that is its own.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from kernels import (
    block_choice,
    block_scores,
    block_sparse_attention,
    dispatch,
    full_attention,
    lightning_attention,
    moba,
    nsa,
    page_scores,
    row_bytes,
    row_wise,
)
from kernels.block_scores import COARSE
from kernels.group_linear import GroupLinear
from kernels.group_linear import examples as groups
from kernels.low_bit_linear import Int8Linear
from kernels.low_bit_linear import examples as bytes_of
from kernels.row import Norm
from tests.gpu.clock import Clock, Rates
from tests.gpu.report import Report, Row, name_of
from tests.gpu.shapes import Shapes
from tests.gpu.slices import normal

MIX = (24, 8)
"""Lightning and sparse layers of the model."""


@dataclass(frozen=True)
class Timed:
    """`torch`: what it is compared with, by a name under which it is timed once."""

    operation: str
    case: str
    run: Callable[[], object]
    bytes: float
    operations: float
    torch: tuple[str, Callable[[], object]] | None = None


class Speed:
    def __init__(self, report: Report, shapes: Shapes, clock: Clock, rates: Rates) -> None:
        self._report, self._shapes, self._clock, self._rates = report, shapes, clock, rates
        self._place, self._dtype = report.place, report.dtypes[-1]
        self._kind = "bf16" if self._dtype is torch.bfloat16 else "fp32"
        self._theirs: dict[str, float] = {}
        self._rows: dict[tuple[str, str], Row] = {}

    def run(self) -> None:
        for text in self._shapes.texts:
            for made in (self._reading, self._writing):
                self._report.attempt(
                    "attention", f"{text} rows", "", lambda made=made, text=text: self._all(made(text))
                )
            self._mix(text)
        self._report.attempt("rows and products", "", "", lambda: self._all(self._rest()))

    def _all(self, every: Iterator[Timed]) -> None:
        for timed in every:
            form = name_of(dispatch.implementation(timed.operation, self._place))
            self._report.attempt(
                timed.operation, timed.case, form, lambda timed=timed, form=form: self._one(timed, form)
            )

    def _one(self, timed: Timed, form: str) -> None:
        seconds = self._clock.median(timed.run)
        theirs = None
        if timed.torch is not None:
            name, run = timed.torch
            if name not in self._theirs:
                self._theirs[name] = self._clock.median(run) * 1000
            theirs = self._theirs[name]
        least = self._rates.least(timed.bytes, timed.operations)
        row = Row(
            *(timed.operation, f"{timed.case}, {self._kind}", form, "measured"),
            ms=seconds * 1000,
            torch_ms=theirs,
            roofline=least / seconds,
        )
        self._rows[timed.operation, timed.case] = row
        self._report.add(row)

    def _mix(self, text: int) -> None:
        """All attention of the model's layers beside as many dense layers."""
        parts = [("lightning_attention", "read"), ("block_scores", "choose"), ("block_sparse_attention", "read")]
        rows = [self._rows.get((operation, f"{verb} {text}")) for operation, verb in parts]
        if any(row is None for row in rows):
            return
        found = [(row.ms or 0.0, row.torch_ms, row.roofline or 0.0) for row in rows if row is not None]
        ms, least = (
            MIX[0] * a + MIX[1] * (b + c) for a, b, c in ([ms for ms, _, _ in found], [ms * r for ms, _, r in found])
        )
        theirs = found[0][1]
        self._report.add(
            Row(
                *("all layers", f"{MIX[0]} lightning, {MIX[1]} sparse: read {text}, {self._kind}", "", "measured"),
                ms=ms,
                torch_ms=None if theirs is None else sum(MIX) * theirs,
                roofline=least / ms,
            )
        )

    def _normal(self, *size: int) -> Tensor:
        return normal(*size, dtype=self._dtype, place=self._place)

    def _reading(self, text: int) -> Iterator[Timed]:
        shapes, blocks = self._shapes, self._shapes.blocks
        heads, kv_heads, width, scale = shapes.heads, shapes.kv_heads, shapes.width, shapes.width**-0.5
        q = self._normal(1, heads, text, width)
        k, v = self._normal(2, 1, kv_heads, text, width)

        def dense() -> None:
            # Flash kernels take no grouped queries everywhere: repeated, as the engine's own form does it
            keys, values = (x.repeat_interleave(heads // kv_heads, 1) for x in (k, v))
            functional.scaled_dot_product_attention(q, keys, values, is_causal=True, scale=scale)

        theirs = f"causal {text}", dense
        queries, held = 2 * q.nbytes, k.nbytes + v.nbytes
        if self._dtype is torch.bfloat16:  # in fp32 torch holds all scores
            yield Timed(
                *("full_attention", f"read {text}", lambda: full_attention.read(q, k, v, scale)),
                *(queries + held, 2 * heads * width * text**2, theirs),
            )
        slopes = lightning_attention.slopes(heads).to(self._place)
        state = torch.zeros(1, heads, width, width, device=self._place)
        own = self._normal(3, 1, heads, text, width)  # as many heads of keys and values as of queries
        yield Timed(
            *("lightning_attention", f"read {text}", lambda: lightning_attention.read(*own, slopes, state, scale)),
            *(2 * queries + 2 * state.nbytes, 4 * heads * width**2 * text, theirs),
        )
        k1, k2 = (block_scores.compress(k, 0, by * blocks.kernel, by * blocks.stride) for by in (1, COARSE))
        chosen = block_scores.choose(q, k1, k2, 0, blocks, scale)
        means = k1.nbytes + k2.nbytes
        yield Timed(
            *("block_scores", f"choose {text}", lambda: block_scores.choose(q, k1, k2, 0, blocks, scale)),
            *(q.nbytes + means + chosen.nbytes, heads * width * text**2 * (1 + 1 / COARSE) / blocks.stride, theirs),
        )
        seen = min(text, blocks.count * blocks.block)
        rows = seen * seen / 2 + (text - seen) * seen
        yield Timed(
            *("block_sparse_attention", f"read {text}"),
            lambda: block_sparse_attention.read(q, k, v, chosen, 0, blocks.block, scale),
            *(queries + held + chosen.nbytes, 4 * heads * width * rows, theirs),
        )
        block, count = 8 * blocks.block, 3  # 512 rows, as MoBA was scaled with
        of_blocks = moba.means(k, block)
        chosen_by_head = moba.choose(q, of_blocks, 0, block, count)
        rows = text * min(text, (count - 0.5) * block)
        yield Timed(
            *("moba", f"choose {text}", lambda: moba.choose(q, of_blocks, 0, block, count)),
            *(q.nbytes + chosen_by_head.nbytes, heads * width * text**2 / block, theirs),
        )
        yield Timed(
            *("moba", f"read {text}", lambda: moba.read(q, k, v, chosen_by_head, 0, block, scale)),
            *(queries + held + chosen_by_head.nbytes, 4 * heads * width * rows, theirs),
        )
        yield Timed(
            *("nsa", f"read {text}", lambda: nsa.read(q, k1, k1, 0, blocks.kernel, blocks.stride, scale)),
            *(queries + 2 * k1.nbytes, 2 * heads * width * text**2 / blocks.stride, theirs),
        )
        tiled = block_choice.Choice()
        listed = block_choice.choose(q, k, 0, tiled, scale)
        yield Timed(
            *("block_choice", f"choose {text}", lambda: block_choice.choose(q, k, 0, tiled, scale)),
            *(q.nbytes + k.nbytes, heads * width * text**2 / tiled.stride, theirs),
        )
        looked = int((listed >= 0).sum()) * tiled.block**2
        yield Timed(
            *("block_sparse_attention", f"tiles of {text}"),
            lambda: block_sparse_attention.read_tiles(q, k, v, listed, 0, tiled.block, scale),
            *(queries + held + listed.nbytes, 4 * width * looked, theirs),
        )
        yield Timed(
            *("row_bytes", f"pack {text} keys", lambda: row_bytes.pack(k)),
            *(k.nbytes + k.numel() * (1 + 4 / width), k.numel() * 0.0),
        )

    def _writing(self, text: int) -> Iterator[Timed]:
        shapes, blocks = self._shapes, self._shapes.blocks
        heads, kv_heads, width, scale = shapes.heads, shapes.kv_heads, shapes.width, shapes.width**-0.5
        q = normal(1, heads, width, dtype=torch.float32, place=self._place)
        k, v = self._normal(2, 1, kv_heads, text, width)

        def dense() -> None:
            one = q[:, :, None].to(k.dtype)
            functional.scaled_dot_product_attention(one, k, v, scale=scale, enable_gqa=True)

        theirs = f"one of {text}", dense
        held = k.nbytes + v.nbytes
        yield Timed(
            *("full_attention", f"write row {text}", lambda: full_attention.write(q, k, v, text - 1, None, scale)),
            *(held, 4 * heads * width * text, theirs),
        )
        k1, k2 = (block_scores.compress(k, 0, by * blocks.kernel, by * blocks.stride) for by in (1, COARSE))
        means, at = k1.nbytes + k2.nbytes, text - 1
        chosen = block_scores.choose(q[:, :, None], k1, k2, at, blocks, scale)[:, :, 0].contiguous()
        yield Timed(
            *("block_scores", f"choose row {text}"),
            lambda: block_scores.choose(q[:, :, None], k1, k2, at, blocks, scale),
            *(means, means / k1.element_size() * 2 * heads / kv_heads, theirs),
        )
        rows = min(text, blocks.count * blocks.block)
        yield Timed(
            *("block_sparse_attention", f"write row {text}"),
            lambda: block_sparse_attention.write(q, k, v, chosen, at, blocks.block, scale),
            *(held * rows / text, 4 * heads * width * rows, theirs),
        )
        block = 8 * blocks.block
        by_head = moba.choose(q[:, :, None].to(k.dtype), moba.means(k, block), at, block, 3)[:, :, 0].contiguous()
        yield Timed(
            *("moba", f"write row {text}", lambda: moba.write(q, k, v, by_head, at, block, scale)),
            *(min(held, 2 * heads * width * 3 * block * k.element_size()), 4 * heads * width * 3 * block, theirs),
        )
        yield Timed(
            *("nsa", f"write row {text}", lambda: nsa.write(q, k1, k1, at, blocks.kernel, blocks.stride, scale)),
            *(2 * k1.nbytes, 4 * heads * width * k1.shape[2], theirs),
        )
        bounds = page_scores.bounds(k, page_scores.bounds_dtype(k.dtype))
        pages = page_scores.Pages()
        yield Timed(
            *("page_scores", f"choose row {text}", lambda: page_scores.choose(q, bounds, text, pages)),
            *(bounds.nbytes, 2 * kv_heads * width * bounds.shape[2] * 2, theirs),
        )
        slopes = lightning_attention.slopes(heads).to(self._place)
        state = torch.zeros(1, heads, width, width, device=self._place)
        yield Timed(
            *("lightning_attention", f"write row {text}"),
            lambda: lightning_attention.write(q, q, q, slopes, state, scale),
            *(2 * state.nbytes, 4 * heads * width**2, theirs),
        )

    def _rest(self) -> Iterator[Timed]:
        """What has nothing to do with the length of a text: a piece of it, and one token."""
        shapes, place, dtype = self._shapes, self._place, self._dtype
        piece, hidden, inner = shapes.piece, shapes.hidden, shapes.inner
        x, wide = self._normal(piece, hidden), self._normal(piece, 2 * inner)
        by = Norm(torch.ones(hidden, device=place), 1e-6)
        yield Timed("row_wise", f"norm {piece}", lambda: row_wise.norm(x, by), 2 * x.nbytes, 0.0)
        yield Timed("row_wise", f"gate {piece}", lambda: row_wise.gate(wide), 1.5 * wide.nbytes, 0.0)
        dense = self._normal(hidden, hidden)
        theirs = f"product of {piece}", lambda: functional.linear(x, dense)
        one = normal(1, hidden, dtype=torch.float32, place=place)
        few = "product of 1", lambda: functional.linear(one.to(dtype), dense)
        read, moved = 2.0 * piece * hidden * hidden, 2 * x.nbytes
        _, values, scales, _ = bytes_of.inputs(1, hidden, hidden, dtype, place)
        linears: list[tuple[str, str, Int8Linear | GroupLinear]] = [
            ("low_bit_linear", "8 bits", Int8Linear(values, scales))
        ]
        for bits, group in ((4, 32), (4, 128), (8, 32)):
            if hidden % group == 0:
                _, weight, _ = groups.inputs((1, hidden, hidden), bits, group, dtype, place)
                linears.append(("group_linear", f"{bits} bits in groups of {group}", GroupLinear(weight, dtype)))
        for operation, case, linear in linears:
            run = lambda linear=linear: linear.read(x)  # noqa: E731 - one line a product
            yield Timed(operation, f"read {piece}, {case}", run, moved + linear.nbytes, read, theirs)
            for product in linear.products:
                try:
                    linear.use(product)
                    linear.write(one)
                except (RuntimeError, AttributeError, NotImplementedError):
                    continue  # said where products are checked
                run = lambda linear=linear: linear.write(one)  # noqa: E731
                yield Timed(operation, f"write, {case}, {product}", run, linear.nbytes, 2.0 * hidden * hidden, few)
