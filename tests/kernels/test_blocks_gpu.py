"""The Triton forms of block scores and block-sparse attention, compiled for every card of the kind, and interpreted."""

import importlib

import pytest

from tests.kernels import triton_targets
from tests.kernels.triton_targets import (
    CARDS,
    DTYPES,
    KINDS,
    LENGTHS,
    TARGETS,
    assert_fits,
    assert_like_reference,
    compiled,
)

PLACES = ("i32", "*i64")
"""A token's row, as a number or told by a tensor."""
TYPES = {"logs": "*fp32", "chosen": "*i32", "factor": "fp32"}
ROWS = ("q", "k", "v", "y", "means")
MULTIPLES = ("width", "block", *(f"{name}_{of}" for name in (*ROWS, "m") for of in "bhtj"))
"""At the released shape, beside all addresses."""


def fits(kernel, constants, dtype, cc, stages, **others):
    names = [name for name in kernel.arg_names if name not in constants]
    types = {name: f"*{dtype}" if name in ROWS else "*fp32" if name.endswith("_by") else "i32" for name in names}
    types |= {name: kind for name, kind in (TYPES | others).items() if name in types}
    divisible = tuple(name for name in names if types[name].startswith("*") or name in MULTIPLES)
    assert_fits(compiled(kernel, types, constants, cc, divisible=divisible, stages=stages))


@pytest.fixture
def scores():
    triton_targets.available()
    return importlib.import_module("kernels.block_scores.gpu")


@pytest.fixture
def attention():
    triton_targets.available()
    return importlib.import_module("kernels.block_sparse_attention.gpu")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
def test_scores_compile_without_spills(scores, dtype, cc):
    sizes = scores.sizes(16, 128, DTYPES[dtype])
    for at in PLACES:
        fits(scores.log_sum_kernel, sizes, dtype, cc, 2, at=at)
        fits(scores.score_kernel, sizes | {"WINDOWS": 4, "ADDED": False}, dtype, cc, 1, at=at)
    fits(scores.score_kernel, sizes | {"WINDOWS": 4, "ADDED": True}, dtype, cc, 1)


@pytest.mark.parametrize("cc", TARGETS)
def test_the_choice_compiles_without_spills(scores, cc):
    for at in PLACES:
        fits(scores.pick_kernel, {"ADDED": False, "SIZE": scores.PICKED}, "bf16", cc, 3, at=at)


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
def test_means_compile_without_spills(scores, dtype, cc):
    for stride in (16, 64):
        fits(scores.compress_kernel, {"STRIDE": stride, "WIDTH": 128}, dtype, cc, 3, means=f"*{dtype}")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
def test_attention_compiles_without_spills(attention, dtype, cc):
    sizes = attention.sizes(16, 64, 128, DTYPES[dtype])
    splits = {"SPLITS": attention.SPLITS}
    fits(attention.read_kernel, sizes, dtype, cc, 2)
    for at in PLACES:
        fits(attention.write_kernel, sizes | splits, dtype, cc, 2, q="*fp32", at=at)
    fits(attention.join_kernel, {"GROUP": 16, "WIDTH": 128} | splits, dtype, cc, 3, y="*fp32")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
@pytest.mark.parametrize("width", [64, 128])
def test_attention_of_tiles_compiles_without_spills(attention, dtype, cc, width):
    fits(attention.tiles_kernel, attention.tile_sizes(128, width, DTYPES[dtype]), dtype, cc, 2)


def test_choices_are_those_of_the_definition(scores):
    sizes = [((1, 4, 2, 1, 1, 32), "coarse"), ((1, 4, 2, 2, 65, 32), "exact"), ((1, 6, 2, 2, 257, 24), "coarse")]
    assert_like_reference(
        "block_scores",
        *(f"example({size}, SMALL, {name!r}, {dtype}, CPU)" for size, name in sizes for dtype in DTYPES.values()),
        *(f"example((1, 6, 2, 2, 257, 24), OVERLAP, 'exact', {dtype}, CPU)" for dtype in DTYPES.values()),
        *(f"example((1, 4, 2, 1, {seen}, 32), SMALL, 'coarse', torch.bfloat16, CPU, told=True)" for seen in (40, 270)),
        "example((1, 4, 2, 1, 270, 32), OVERLAP, 'exact', torch.bfloat16, CPU, told=True)",
    )


def test_means_are_those_of_the_definition_one_by_one_too(scores):
    sizes = ((77, 2), (8, 0), (13, 1))
    assert_like_reference(
        "block_scores",
        *(f"means((1, 2, {rows}, 24), {first}, torch.bfloat16, CPU)" for rows, first in sizes),
        *(f"same((2, 3, 50, 20), {dtype}, CPU)" for dtype in DTYPES.values()),
    )


@pytest.mark.full
@pytest.mark.parametrize("tokens", LENGTHS)
def test_choices_are_those_of_the_definition_at_every_length(scores, tokens):
    sizes = (1, 4, 2, min(tokens, 40), tokens, 32), (2, 20, 2, 1, tokens, 40)
    names = "coarse", "exact"
    assert_like_reference(
        "block_scores",
        *(
            f"example({size}, SMALL, {name!r}, {dtype}, CPU)"
            for size in sizes
            for name in names
            for dtype in DTYPES.values()
        ),
    )


def test_attention_is_that_of_the_definition(attention):
    assert_like_reference(
        "block_sparse_attention",
        *(
            expression
            for dtype in DTYPES.values()
            for expression in (
                f"example((1, 4, 2, 3, 200, 32), 32, 3, {dtype}, CPU)",
                f"example((1, 3, 1, 7, 17, 24), 16, 3, {dtype}, CPU)",
                f"example((1, 2, 1, 2, 300, 32), 128, 2, {dtype}, CPU)",
                f"example((1, 4, 2, 1, 300, 32), 64, 3, {dtype}, CPU, 30.0)",
                f"token((1, 4, 2, 199, 32), 32, 3, {dtype}, CPU)",
                f"token((1, 4, 2, 199, 32), 32, 3, {dtype}, CPU, told=True)",
                f"token((2, 6, 2, 0, 40), 16, 3, {dtype}, CPU)",
                f"token((1, 4, 2, 300, 32), 128, 2, {dtype}, CPU, choices=4, told=True)",
                f"example((1, 8, 2, 2, 100, 32), 32, 2, {dtype}, CPU, choices=4)",
            )
        ),
    )


@pytest.mark.full
@pytest.mark.parametrize("tokens", LENGTHS)
def test_attention_is_that_of_the_definition_at_every_length(attention, tokens):
    shapes = (1, 4, 2, tokens, tokens, 32), (2, 20, 1, 3 if tokens > 3 else 1, tokens, 128)
    assert_like_reference(
        "block_sparse_attention",
        *(
            expression
            for dtype in DTYPES.values()
            for expression in (
                *(f"example({shape}, 64, 5, {dtype}, CPU)" for shape in shapes),
                f"token((1, 32, 2, {tokens - 1}, 128), 64, 96, {dtype}, CPU)",
            )
        ),
    )


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_attention_of_tiles_is_that_of_the_definition(attention, dtype):
    assert_like_reference(
        "block_sparse_attention",
        f"tiled((1, 4, 2, 37, 90, 32), 4, 3, {dtype}, CPU, 16)",
        f"tiled((2, 4, 2, 70, 70, 24), 2, 2, {dtype}, CPU, 32)",
        f"tiled((1, 3, 3, 1, 130, 32), 3, 2, {dtype}, CPU)",
    )


@pytest.mark.full
@pytest.mark.parametrize("tokens", LENGTHS)
def test_attention_of_tiles_is_that_of_the_definition_at_every_length(attention, tokens):
    assert_like_reference(
        "block_sparse_attention",
        *(
            f"tiled((1, {heads}, {kv_heads}, {tokens}, {tokens + more}, 64), {lists}, 3, {dtype}, CPU)"
            for heads, kv_heads, lists, more in ((4, 2, 4, 0), (9, 3, 3, 100))
            for dtype in DTYPES.values()
        ),
    )
