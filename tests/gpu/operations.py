"""Every operation on inputs of real widths and odd lengths, made as those of its check at load."""

from collections.abc import Callable, Iterator
from typing import get_args

import torch

from kernels import dispatch
from kernels.block_choice import examples as choice
from kernels.block_scores import examples as scores
from kernels.block_sparse_attention import examples as sparse
from kernels.example import Example
from kernels.full_attention import examples as full
from kernels.group_linear import examples as groups
from kernels.lightning_attention import examples as lightning
from kernels.low_bit_linear import examples as bytes_of
from kernels.moba import examples as moba
from kernels.nsa import examples as nsa
from kernels.page_scores import examples as pages
from kernels.row_bytes import examples as row_bytes
from kernels.row_wise import examples as row_wise
from tests.gpu import far, slices
from tests.gpu.report import Report, Row, had
from tests.gpu.shapes import Shapes

Case = tuple[str, Callable[[], Example]]
SPAN = 40
"""Queries, at most, for which references look at one after another."""


def check(report: Report, shapes: Shapes) -> None:
    for operation in dispatch.FORMS:
        for form, said in had(operation, report.place.type):
            if form is None and report.place.type == "cuda":  # or nothing would be checked, and all be well
                report.add(Row(operation, "the form itself", said.partition(":")[0], "fails", said=f"No {said}"))
            elif form is None:
                report.skip(operation, "the form itself", said.partition(":")[0], f"No {said}")
        for dtype in (torch.float32, torch.bfloat16):
            kind = "bf16" if dtype is torch.bfloat16 else "fp32"
            if dtype not in report.dtypes:
                report.skip(operation, kind, "", "This card's tensor cores have no bf16.")
                continue
            made = CASES[operation](shapes, dtype, report.place)
            for case, make in (*made, *slices.cases(operation, shapes, dtype, report.place)):
                report.compare(operation, f"{case}, {kind}", make)
            far.check(report, operation, shapes, dtype, kind)
    report.attempt("linears", "write", "", lambda: products(report, shapes))


def _full(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, kv_heads, width = shapes.heads, shapes.kv_heads, shapes.width
    for n in shapes.lengths:
        own = heads if n < 300 else heads // 4  # the reference takes the queries of every head one by one
        yield f"first {n}", lambda n=n, own=own: full.example("", (1, own, kv_heads, n, n, width), dtype, place)
        yield f"{n} after 70", lambda n=n, own=own: full.example("", (1, own, kv_heads, n, n + 70, width), dtype, place)
    for packed in (False, True):
        name = "bytes" if packed else "rows"
        shape = 1, heads, kv_heads, 65, 203, width
        yield f"65 beside 203 {name}", lambda p=packed, s=shape: full.beside("", s, dtype, place, packed=p)
    for window in (None, 148):
        name = "step 150" if window is None else "step 150, window 148"
        yield name, lambda w=window: full.step(1, heads, kv_heads, 150, width, dtype, place, window=w, normed=True)


def _lightning(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, width = shapes.heads, shapes.width
    for n in (*shapes.lengths, shapes.piece, shapes.long):
        yield f"read {n}", lambda n=n: lightning.read((1, heads, n, width), dtype, place)
    for layout in ("heads", "channels"):
        yield f"read 65, {layout}", lambda layout=layout: lightning.read((2, heads, 65, width), dtype, place, layout)
    if dtype is torch.float32:
        yield "write", lambda: lightning.write((2, heads, width), place)


def _scores(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, kv_heads, width = shapes.heads, shapes.kv_heads, shapes.width
    for n in shapes.lengths:
        if n > 1:  # there are no windows in one row
            yield f"means of {n}", lambda n=n: scores.means((1, kv_heads, n, width), 2, dtype, place)
        for normaliser in ("coarse", "exact"):
            shape = 1, heads, kv_heads, min(n, SPAN), n, width
            yield (
                f"choose {min(n, SPAN)} of {n}, {normaliser}",
                lambda s=shape, by=normaliser: scores.example(s, scores.SMALL, by, dtype, place),
            )
        shape = 1, heads, kv_heads, min(n, SPAN), n, width
        name = f"choose {min(n, SPAN)} of {n}, by overlap"
        yield name, lambda s=shape: scores.example(s, scores.OVERLAP, "exact", dtype, place)


def _sparse(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, kv_heads, width, blocks = shapes.heads, shapes.kv_heads, shapes.width, shapes.blocks
    count = min(blocks.count, 8)  # or at these lengths every block would be chosen
    for n in shapes.lengths:
        shape, one = (1, heads, kv_heads, min(n, SPAN), n, width), (1, heads, kv_heads, n - 1, width)
        yield f"{min(n, SPAN)} of {n}", lambda s=shape: sparse.example(s, blocks.block, count, dtype, place)
        yield f"write row {n - 1}", lambda s=one: sparse.token(s, blocks.block, count, dtype, place)
        few = heads if n < 300 else 2 * kv_heads
        for lists in (few, kv_heads):
            tiles = 1, few, kv_heads, min(n, SPAN), n, width
            yield (
                f"tiles of {min(n, SPAN)} of {n}, {lists} choices",
                lambda s=tiles, lists=lists: sparse.tiled(s, lists, 3, dtype, place),
            )


def _choice(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    kv_heads, width = shapes.kv_heads, shapes.width
    for n in shapes.lengths:
        for by in (choice.SMALL, choice.SHARED):
            shape = 1, 2 * kv_heads, kv_heads, min(n, SPAN), n, width
            yield (
                f"choose {min(n, SPAN)} of {n}" + ", shared" * by.shared,
                lambda s=shape, by=by: choice.example(s, by, dtype, place),
            )


def _pages(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, kv_heads, width = shapes.heads, shapes.kv_heads, shapes.width
    for n in shapes.lengths:
        rows, one = (1, heads, kv_heads, n, width), (1, heads, kv_heads, n - 1, width)
        yield f"bounds of {n}", lambda n=n: pages.limits((1, kv_heads, n, width), dtype, place)
        yield f"choose of {n}", lambda s=rows: pages.example(s, pages.SMALL, dtype, place)
        yield f"step {n - 1}", lambda s=one: pages.step(s, pages.SMALL, dtype, place)
    yield "step 150, bytes", lambda: pages.step_bytes((1, heads, kv_heads, 150, width), pages.SMALL, place)


def _moba(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    kv_heads, width, block = shapes.kv_heads, shapes.width, shapes.blocks.block
    heads = max(kv_heads, shapes.heads // 4)  # the reference takes the queries of every head one by one
    for n in shapes.lengths:
        shape, one = (1, heads, kv_heads, min(n, SPAN), n, width), (1, heads, kv_heads, n - 1, width)
        if n > block:
            yield f"means of {n}", lambda n=n: moba.means((1, kv_heads, n, width), block, dtype, place)
        yield f"choose {min(n, SPAN)} of {n}", lambda s=shape: moba.choose(s, block, 4, dtype, place)
        yield f"{min(n, SPAN)} of {n}", lambda s=shape: moba.example(s, block, 4, dtype, place)
        yield f"write row {n - 1}", lambda s=one: moba.token(s, block, 4, dtype, place)


def _nsa(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    heads, kv_heads, width, kernel = shapes.heads, shapes.kv_heads, shapes.width, shapes.blocks.kernel
    for n in shapes.lengths:
        shape, one = (1, heads, kv_heads, min(n, SPAN), n, width), (1, heads, kv_heads, n - 1, width)
        yield f"{min(n, SPAN)} of {n}", lambda s=shape: nsa.example(s, dtype, place, kernel)
        yield f"write row {n - 1}", lambda s=one: nsa.token(s, dtype, place)


def _row_bytes(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    for n in (max(2, n) for n in shapes.lengths):  # the first is zeros
        yield f"{n} rows", lambda n=n: row_bytes.example((1, shapes.kv_heads, n, shapes.width), dtype, place)


def _row_wise(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    every, count = shapes.heads + 2 * shapes.kv_heads, shapes.heads + shapes.kv_heads
    for n in shapes.lengths:
        yield f"norm {n}", lambda n=n: row_wise.norm(n, shapes.hidden, dtype, place)
        yield f"gate {n}", lambda n=n: row_wise.gate(n, shapes.inner, dtype, place)
        yield f"turn {n}", lambda n=n: row_wise.turn(1, n, every, count, shapes.width, dtype, place, normed=True)


def _bytes(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    for n in shapes.lengths:
        yield f"read {n}", lambda n=n: bytes_of.example(n, shapes.rows, shapes.hidden, dtype, place)
    yield "read 3, widest", lambda: bytes_of.example(3, shapes.hidden, shapes.inner, dtype, place)


def _groups(shapes: Shapes, dtype: torch.dtype, place: torch.device) -> Iterator[Case]:
    for bits, group in ((4, 32), (8, 32)):
        for n in shapes.lengths:
            shape = n, shapes.rows, shapes.hidden
            yield f"read {n}, {bits} bits", lambda s=shape, b=bits, g=group: groups.example(s, b, g, dtype, place)
        shape = 3, shapes.rows, shapes.inner
        yield (
            f"read 3, {bits} bits in order",
            lambda s=shape, b=bits: groups.example(s, b, 64, dtype, place, ordered=True),
        )
    for group in (128, shapes.inner):
        for n in (3, 65) if shapes.inner % group == 0 else ():
            shape = n, shapes.rows, shapes.inner
            yield f"read {n}, group {group}", lambda s=shape, g=group: groups.example(s, 4, g, dtype, place)


CASES: dict[str, Callable[[Shapes, torch.dtype, torch.device], Iterator[Case]]] = {
    "row_bytes": _row_bytes,
    "full_attention": _full,
    "lightning_attention": _lightning,
    "low_bit_linear": _bytes,
    "group_linear": _groups,
    "block_scores": _scores,
    "block_sparse_attention": _sparse,
    "moba": _moba,
    "nsa": _nsa,
    "block_choice": _choice,
    "page_scores": _pages,
    "row_wise": _row_wise,
}


def products(report: Report, shapes: Shapes) -> None:
    """Writing with weights of few bits. A product that differs or does not run is dropped at load; "tiles" never is."""
    dtype, place = report.dtypes[-1], report.place
    shape = 1, shapes.rows, shapes.hidden
    for way in get_args(bytes_of.Way):
        for product in dispatch.implementation("low_bit_linear", place).PRODUCTS:
            case = f"write, {way}, {product}"
            _product(
                *(report, "low_bit_linear", case, product),
                lambda way=way, product=product: bytes_of.written(*shape, way, product, dtype, place),
            )
        for product in dispatch.implementation("group_linear", place).PRODUCTS:
            for bits, group in ((4, 32), (4, 64), (8, 32)):
                for ordered in (False, True) if shapes.hidden % group == 0 else ():
                    case = f"write {bits} bits of {group}, {way}, {product}" + ", in order" * ordered
                    about = (shape, bits, group, way, product, dtype, place)
                    _product(
                        *(report, "group_linear", case, product),
                        lambda about=about, ordered=ordered: groups.written(*about, ordered=ordered),
                    )


def _product(report: Report, operation: str, case: str, product: str, make: Callable[[], Example]) -> None:
    example = make()
    try:
        error = dispatch.relative(example.run(dispatch.implementation(operation, report.place)), example.expected())
    except (RuntimeError, AttributeError, NotImplementedError) as problem:
        if product == "tiles":
            raise
        report.skip(operation, case, product, f"Not here: {str(problem).splitlines()[0]}")
        return
    if product != "tiles" and not error <= example.tolerance:
        report.skip(operation, case, product, f"It differs by {error:.1e}, and is not used.")
    else:
        report.judge(operation, case, product, error, example.tolerance)
