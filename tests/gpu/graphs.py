"""The step of one token through the hybrid's three kernels, captured in a CUDA graph and repeated with other inputs for
another row; and whole tokens of a small hybrid decoder, repeated as the engine does it, beside those that are computed
one by one. Where a device has no graphs, the step is computed again instead.
"""

import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from engine.memory.held import Form
from engine.model.graph import Graph
from engine.model.replay import Replay
from engine.weights import load
from kernels import block_scores, block_sparse_attention, dispatch, lightning_attention, moba
from kernels.block_scores import COARSE, examples
from kernels.block_scores import reference as scores_reference
from kernels.block_sparse_attention import reference as sparse_reference
from kernels.lightning_attention import reference as lightning_reference
from kernels.moba import reference as moba_reference
from tests.engine.hybrid.conftest import Checkpoint
from tests.engine.hybrid.recorded import Computer
from tests.gpu.hybrid import ALLOWED
from tests.gpu.report import Report, Row, name_of
from tests.gpu.shapes import Shapes
from tests.gpu.slices import normal

OPERATION = "a step in a CUDA graph"
TOKENS = "a token in a CUDA graph"
PROMPT, WRITTEN = 100, 200
CASES: tuple[tuple[str, Form], ...] = (("fp32", "model"), ("fp32", "int8"), ("bf16", "model"))


Parts = Callable[[], list[Tensor]]


@dataclass(frozen=True)
class Step:
    """`run` computes from tensors whose contents may change; `expected` gives what it should be, now. `begin` puts what
    the step changes to where it was; `shown` makes what is compared of what it gave."""

    case: str
    form: str
    run: Parts
    expected: Parts
    inputs: Sequence[Tensor]
    allowed: float
    rounded: torch.dtype
    """Inputs are numbers of this kind."""
    begin: Callable[[int], object] = lambda turn: None
    shown: Callable[[list[Tensor]], list[Tensor]] = list


def check(report: Report, shapes: Shapes) -> None:
    report.attempt(OPERATION, "all", "", lambda: _all(report, shapes))
    with tempfile.TemporaryDirectory() as folder:
        model = Checkpoint(Path(folder) / "model", 0)
        for precision, form in CASES:
            if precision == "bf16" and torch.bfloat16 not in report.dtypes:
                report.skip(TOKENS, f"{precision}, rows as {form}", "", "This card's tensor cores have no bf16.")
                continue
            report.attempt(
                TOKENS,
                f"{precision}, rows as {form}",
                "",
                lambda precision=precision, form=form: _tokens(report, model, precision, form),
            )


def _tokens(report: Report, model: Checkpoint, precision: str, form: Form) -> None:
    """From a prompt that is seen whole on, and on when blocks are chosen; the caches grow on the way."""
    decoder = load(model.path, precision, report.place.type).decoder  # type: ignore[arg-type]
    ids = torch.tensor([model.ids(PROMPT + WRITTEN)], device=decoder.device)
    cuda = report.place.type == "cuda"
    found, seconds = [], []
    for repeated in (True, False):
        caches = decoder.make_caches(PROMPT + WRITTEN, form=form)
        if not repeated:
            caches.repeats = Replay(-1)
        elif not cuda:
            caches.repeats = Graph(Computer(), report.place)
        decoder.read(ids[:, :PROMPT], caches, logits="none")
        logits, began = [], 0.0
        for number, at in enumerate(range(PROMPT, PROMPT + WRITTEN)):
            if number == WRITTEN // 2:  # the first half has prepared and captured
                if cuda:
                    torch.cuda.synchronize()
                began = time.perf_counter()
            logits.append(decoder.write(ids[:, at], caches))
        if cuda:
            torch.cuda.synchronize()
        seconds.append((time.perf_counter() - began) / (WRITTEN - WRITTEN // 2))
        found.append(torch.stack(logits))
        refused = caches.repeats.refused if isinstance(caches.repeats, Graph) else ""
        if refused:
            raise RuntimeError(f"it cannot be captured: {refused}")
    case = f"{WRITTEN} tokens, {precision}, rows as {form}"
    said = "" if cuda else "Computed, not captured: only CUDA has graphs."
    report.judge(TOKENS, case, "", dispatch.relative(*found), ALLOWED[precision], said)
    if cuda:
        told = f"{1 / seconds[0]:.0f} tokens/s, and {1 / seconds[1]:.0f} launched one by one"
        ms = [each * 1000 for each in seconds]
        report.add(
            Row(TOKENS, f"a token, {precision}, rows as {form}", "", "measured", ms=ms[0], torch_ms=ms[1], said=told)
        )


def _all(report: Report, shapes: Shapes) -> None:
    for step in steps(shapes, report.dtypes[-1], report.place):
        report.attempt(OPERATION, step.case, step.form, lambda step=step: _one(report, step))


def _one(report: Report, step: Step) -> None:
    repeat, said = step.run, "Computed, not captured: only CUDA has graphs."
    if report.place.type == "cuda":
        graph = captured(step)
        repeat, said = (step.run, f"It cannot be captured: {graph}") if isinstance(graph, str) else (graph, "")
    errors = []
    for turn in range(2):
        for number, given in enumerate(step.inputs):
            new = normal(*given.shape, dtype=step.rounded, place=report.place, seed=10 * turn + number)
            given.copy_(new)
        step.begin(turn)
        out = step.shown(repeat())
        errors += [dispatch.relative(part, own) for part, own in zip(out, step.expected(), strict=True)]
    report.judge(OPERATION, step.case, step.form, max(errors), step.allowed, said)


def captured(step: Step) -> Parts | str:
    """What repeats the step, or why it cannot be captured."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step.run()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    try:
        with torch.cuda.graph(graph):
            out = step.run()
    except RuntimeError as problem:
        return str(problem).splitlines()[0]

    def repeat() -> list[Tensor]:
        graph.replay()
        return out

    return repeat


def steps(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> list[Step]:
    heads, kv_heads, width, blocks = shapes.heads, shapes.kv_heads, shapes.width, shapes.blocks
    at, scale = torch.tensor([shapes.text - 1], device=place), shapes.width**-0.5
    k, v = normal(2, 1, kv_heads, shapes.text, width, dtype=dtype, place=place)
    k1, k2 = (block_scores.compress(k, 0, by * blocks.kernel, by * blocks.stride) for by in (1, COARSE))
    q, *rows = normal(4, 1, heads, width, dtype=torch.float32, place=place)  # fp32, as a written token's are
    first = normal(1, heads, width, width, dtype=torch.float32, place=place)
    state, slopes = first.clone(), lightning_attention.slopes(heads).to(place)

    def remember() -> list[Tensor]:
        return [lightning_attention.write(*rows, slopes, state, scale), state]

    def remembered() -> list[Tensor]:
        held = first.clone()
        return [lightning_reference.write(*rows, slopes, held, scale), held]

    def choose() -> list[Tensor]:
        return [block_scores.choose(q[:, :, None], k1, k2, at, blocks, scale)]

    def found() -> Tensor:
        return scores_reference.scores(q[:, :, None], k1, k2, int(at), blocks, scale, "coarse")

    def judged(chosen: list[Tensor]) -> list[Tensor]:
        return [examples.judged(chosen[0], found(), blocks.count)]

    def attend(chosen: Tensor) -> list[Tensor]:
        return [block_sparse_attention.write(q, k, v, chosen[:, :, 0], at, blocks.block, scale)]

    def attended(chosen: Tensor) -> list[Tensor]:
        return [sparse_reference.write(q, k, v, chosen[:, :, 0], at, blocks.block, scale)]

    of_blocks, rows_each, row = moba.means(k, 4 * blocks.block), 4 * blocks.block, shapes.text - 1

    def attend_by_head() -> list[Tensor]:
        chosen = moba.choose(q[:, :, None], of_blocks, row, rows_each, 3)
        return [moba.write(q, k, v, chosen[:, :, 0], row, rows_each, scale)]

    def attended_by_head() -> list[Tensor]:
        chosen = moba_reference.choose(q[:, :, None], of_blocks, row, rows_each, 3)
        return [moba_reference.write(q, k, v, chosen[:, :, 0], row, rows_each, scale)]

    fixed = choose()[0]
    of_rows = 1e-5 if dtype is torch.float32 else 1e-2

    def form(operation: str) -> str:
        return name_of(dispatch.implementation(operation, place))

    def begin(turn: int) -> None:
        at.fill_(shapes.text - 1 - turn * (blocks.block + blocks.stride + 1))
        state.copy_(first)

    return [
        Step(
            *("lightning write", form("lightning_attention"), remember, remembered),
            *(rows, 1e-5, torch.float32, begin),
        ),
        Step(
            *("choose", form("block_scores"), choose),
            *(lambda: judged([scores_reference.best(found(), int(at), blocks)]), [q], examples.TOLERANCE, dtype, begin),
            shown=judged,
        ),
        Step(
            *("sparse write", form("block_sparse_attention"), lambda: attend(fixed)),
            *(lambda: attended(fixed), [q], of_rows, dtype, begin),
        ),
        Step(
            *(f"MoBA, row {row} for good", form("moba"), attend_by_head, attended_by_head),
            *([q], of_rows, dtype),
        ),
        Step(
            *("all three in one", "", lambda: attend(choose()[0]) + remember()),
            *(lambda: attended(choose()[0]) + remembered(), [q, *rows], of_rows, dtype, begin),
        ),
    ]
