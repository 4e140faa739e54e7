"""The step of one token through the hybrid's three kernels, captured in a CUDA graph and repeated with other inputs.

A graph repeats the numbers that it was given: a captured `at` stays what it was. So what is compared is the same row
with other queries; where a device has no graphs, the step is computed again instead.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from kernels import block_scores, block_sparse_attention, dispatch, lightning_attention, moba
from kernels.block_scores import COARSE, examples
from kernels.block_scores import reference as scores_reference
from kernels.block_sparse_attention import reference as sparse_reference
from kernels.lightning_attention import reference as lightning_reference
from kernels.moba import reference as moba_reference
from tests.gpu.report import Report, name_of
from tests.gpu.shapes import Shapes
from tests.gpu.slices import normal

OPERATION = "a step in a CUDA graph"


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
    begin: Callable[[], object] = lambda: None
    shown: Callable[[list[Tensor]], list[Tensor]] = list


def check(report: Report, shapes: Shapes) -> None:
    report.attempt(OPERATION, "all", "", lambda: _all(report, shapes))


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
        step.begin()
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
    at, scale = shapes.text - 1, shapes.width**-0.5
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
        return scores_reference.scores(q[:, :, None], k1, k2, at, blocks, scale, "coarse")

    def judged(chosen: list[Tensor]) -> list[Tensor]:
        return [examples.judged(chosen[0], found(), blocks.count)]

    def attend(chosen: Tensor) -> list[Tensor]:
        return [block_sparse_attention.write(q, k, v, chosen[:, :, 0], at, blocks.block, scale)]

    def attended(chosen: Tensor) -> list[Tensor]:
        return [sparse_reference.write(q, k, v, chosen[:, :, 0], at, blocks.block, scale)]

    of_blocks, rows_each = moba.means(k, 4 * blocks.block), 4 * blocks.block

    def attend_by_head() -> list[Tensor]:
        chosen = moba.choose(q[:, :, None], of_blocks, at, rows_each, 3)
        return [moba.write(q, k, v, chosen[:, :, 0], at, rows_each, scale)]

    def attended_by_head() -> list[Tensor]:
        chosen = moba_reference.choose(q[:, :, None], of_blocks, at, rows_each, 3)
        return [moba_reference.write(q, k, v, chosen[:, :, 0], at, rows_each, scale)]

    fixed = choose()[0]
    of_rows = 1e-5 if dtype is torch.float32 else 1e-2

    def form(operation: str) -> str:
        return name_of(dispatch.implementation(operation, place))

    def begin() -> None:
        state.copy_(first)

    return [
        Step(
            *("lightning write", form("lightning_attention"), remember, remembered),
            *(rows, 1e-5, torch.float32, begin),
        ),
        Step(
            *(f"choose, row {at} for good", form("block_scores"), choose),
            *(lambda: judged([scores_reference.best(found(), at, blocks)]), [q], examples.TOLERANCE, dtype),
            shown=judged,
        ),
        Step(
            *(f"sparse write, row {at} for good", form("block_sparse_attention"), lambda: attend(fixed)),
            *(lambda: attended(fixed), [q], of_rows, dtype),
        ),
        Step(
            *(f"MoBA, row {at} for good", form("moba"), attend_by_head, attended_by_head),
            *([q], of_rows, dtype),
        ),
        Step(
            *("all three in one", "", lambda: attend(choose()[0]) + remember()),
            *(lambda: attended(choose()[0]) + remembered(), [q, *rows], of_rows, dtype, begin),
        ),
    ]
