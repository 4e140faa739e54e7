"""Rows whose last lie more than 2^31 elements behind the first, as in a long cache: products of places and strides that
do not fit into 32 bits. Views of one large allocation of which little is ever touched."""

from types import ModuleType

import torch
from torch import Tensor

from kernels import lightning_attention
from kernels.block_scores import COARSE
from kernels.block_scores import examples as scores
from kernels.block_scores import reference as scores_reference
from kernels.block_sparse_attention import examples as sparse
from kernels.block_sparse_attention import reference as sparse_reference
from kernels.example import Example
from kernels.full_attention import reference as full_reference
from kernels.lightning_attention import reference as lightning_reference
from kernels.moba import reference as moba_reference
from kernels.nsa import reference as nsa_reference
from tests.gpu.report import Report
from tests.gpu.shapes import Shapes
from tests.gpu.slices import normal, several

SPAN = 5
"""Queries, the last of the text."""
LAYOUTS = "rows", "heads"


def check(report: Report, operation: str, shapes: Shapes, dtype: torch.dtype, kind: str) -> None:
    """Rows far apart, and heads."""
    if operation not in EXAMPLES:
        return
    if report.place.type == "cuda":
        torch.cuda.empty_cache()
    needed = (shapes.reach + spare(shapes)) * dtype.itemsize
    for layout in LAYOUTS:
        case = f"{layout} {shapes.reach:,} elements apart, {kind}"
        if report.place.type == "cuda" and needed > torch.cuda.mem_get_info(report.place)[0] * 0.9:
            report.skip(operation, case, "", f"It takes {needed / 1e9:.1f} GB, and less is free.")
            continue
        report.compare(operation, case, lambda layout=layout: EXAMPLES[operation](shapes, layout, dtype, report.place))
        if report.place.type == "cuda":
            torch.cuda.empty_cache()


def seen(shapes: Shapes) -> int:
    return max(shapes.lengths)


def spare(shapes: Shapes) -> int:
    """Elements beyond the reach: what lies side by side there."""
    return 8 * shapes.heads * seen(shapes) * shapes.width


def views(
    count: int, heads: int, rows: int, shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device
) -> list[Tensor]:
    """`count` of [1, heads, rows, D], random, among each other in one allocation. `layout`: what lies far apart."""
    width = shapes.width
    held = torch.empty(shapes.reach + spare(shapes), dtype=dtype, device=place)
    if layout == "rows":
        apart = -(-shapes.reach // (rows - 1) // 16) * 16  # the last begins at or beyond the reach
        apart += 16 if apart * (rows - 1) < shapes.reach else 0
        strides, beside = (apart * rows, width, apart, 1), heads * width
    else:
        strides, beside = (shapes.reach, -(-shapes.reach // (heads - 1)), width * count, 1), width
    made = [held.as_strided((1, heads, rows, width), strides, number * beside) for number in range(count)]
    for number, view in enumerate(made):
        view.copy_(normal(1, heads, rows, width, dtype=dtype, place=place, seed=number))
    return made


def _full(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    scale = shapes.width**-0.5
    k, v = views(2, shapes.kv_heads, seen(shapes), shapes, layout, dtype, place)
    q = normal(1, shapes.heads, SPAN, shapes.width, dtype=dtype, place=place)
    return Example(
        "",
        lambda form: form.read(q, k, v, scale),
        lambda: full_reference.read(q, k.contiguous(), v.contiguous(), scale),
        sparse.TOLERANCE[dtype],
    )


def _sparse(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    """A piece, and one token behind each other."""
    scale, block, at = shapes.width**-0.5, shapes.blocks.block, seen(shapes) - SPAN
    k, v = views(2, shapes.kv_heads, seen(shapes), shapes, layout, dtype, place)
    q = normal(1, shapes.heads, SPAN, shapes.width, dtype=dtype, place=place)
    random = torch.Generator().manual_seed(0)
    chosen = sparse.choice(1, shapes.kv_heads, at, SPAN, block, 6, random).to(place)

    def both(form: ModuleType, k: Tensor, v: Tensor) -> list[Tensor]:
        read = form.read(q, k, v, chosen, at, block, scale)
        one = form.write(q[:, :, -1].float(), k, v, chosen[:, :, -1].contiguous(), seen(shapes) - 1, block, scale)
        return [read, one]

    return several(
        lambda form: both(form, k, v),
        lambda: both(sparse_reference, k.contiguous(), v.contiguous()),
        sparse.TOLERANCE[dtype],
    )


def _moba(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    """Means of far keys, a piece, and one token behind each other."""
    scale, block, at = shapes.width**-0.5, shapes.blocks.block, seen(shapes) - SPAN
    k, v = views(2, shapes.kv_heads, seen(shapes), shapes, layout, dtype, place)
    q = normal(1, shapes.heads, SPAN, shapes.width, dtype=dtype, place=place)
    random = torch.Generator().manual_seed(0)
    chosen = sparse.choice(1, shapes.heads, at, SPAN, block, 4, random).to(place)

    def all_of(form: ModuleType, k: Tensor, v: Tensor) -> list[Tensor]:
        read = form.read(q, k, v, chosen, at, block, scale)
        one = form.write(q[:, :, -1].float(), k, v, chosen[:, :, -1].contiguous(), seen(shapes) - 1, block, scale)
        return [form.means(k, block), read, one]

    return several(
        lambda form: all_of(form, k, v),
        lambda: all_of(moba_reference, k.contiguous(), v.contiguous()),
        sparse.TOLERANCE[dtype],
    )


def _nsa(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    """A piece, and one token, over far entries."""
    scale, kernel, stride = shapes.width**-0.5, shapes.blocks.kernel, shapes.blocks.stride
    k, v = views(2, shapes.kv_heads, seen(shapes), shapes, layout, dtype, place)
    q = normal(1, shapes.heads, SPAN, shapes.width, dtype=dtype, place=place)
    last = (seen(shapes) - 1) * stride + kernel - 1  # the row that sees all of them

    def both(form: ModuleType, k: Tensor, v: Tensor) -> list[Tensor]:
        read = form.read(q, k, v, last - SPAN + 1, kernel, stride, scale)
        return [read, form.write(q[:, :, -1].float(), k, v, last, kernel, stride, scale)]

    return several(
        lambda form: both(form, k, v),
        lambda: both(nsa_reference, k.contiguous(), v.contiguous()),
        sparse.TOLERANCE[dtype],
    )


def _scores(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    """Means of far keys, and a choice by far means."""
    blocks, scale, fine = scores.SMALL, shapes.width**-0.5, seen(shapes)
    rows = (fine - 1) * blocks.stride + blocks.kernel  # of the text that has so many windows
    k1, k2 = views(2, shapes.kv_heads, fine, shapes, layout, dtype, place)
    k2 = k2[:, :, : (rows - COARSE * blocks.kernel) // (COARSE * blocks.stride) + 1]
    q = normal(1, shapes.heads, SPAN, shapes.width, dtype=dtype, place=place)
    at = rows - SPAN
    found = scores_reference.scores(q, k1.contiguous(), k2.contiguous(), at, blocks, scale, "coarse")

    def run(form: ModuleType) -> list[Tensor]:
        chosen = form.choose(q, k1, k2, at, blocks, scale, "coarse")
        return [scores.judged(chosen, found, blocks.count), form.compress(k1, 0, blocks.kernel, blocks.stride)]

    def expected() -> list[Tensor]:
        best = scores.judged(scores_reference.best(found, at, blocks), found, blocks.count)
        return [best, scores_reference.compress(k1.contiguous(), 0, blocks.kernel, blocks.stride)]

    return several(run, expected, scores.TOLERANCE if dtype is torch.float32 else 1e-2)


def _lightning(shapes: Shapes, layout: str, dtype: torch.dtype, place: torch.device) -> Example:
    heads, width = shapes.kv_heads, shapes.width
    q, k, v = views(3, heads, seen(shapes), shapes, layout, dtype, place)
    slopes = lightning_attention.slopes(heads).to(place)

    def through(form: ModuleType, *rows: Tensor) -> list[Tensor]:
        state = torch.zeros(1, heads, width, width, device=place)
        return [form.read(*rows, slopes, state, width**-0.5), state]

    return several(
        lambda form: through(form, q, k, v),
        lambda: through(lightning_reference, *(x.contiguous() for x in (q, k, v))),
        sparse.TOLERANCE[dtype],
    )


EXAMPLES = {
    "full_attention": _full,
    "block_sparse_attention": _sparse,
    "moba": _moba,
    "nsa": _nsa,
    "block_scores": _scores,
    "lightning_attention": _lightning,
}
