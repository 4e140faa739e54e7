"""The Triton form of pages' scores, compiled for every card of the kind, and interpreted."""

import importlib

import pytest

from tests.kernels import triton_targets
from tests.kernels.triton_targets import CARDS, DTYPES, KINDS, LENGTHS, assert_fits, assert_like_reference, compiled


@pytest.fixture
def gpu():
    triton_targets.available()
    return importlib.import_module("kernels.page_scores.gpu")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
@pytest.mark.parametrize(("group", "width"), [(4, 128), (3, 64)])
def test_scores_compile_without_spills(gpu, dtype, cc, group, width):
    constants = gpu.sizes(group, width)
    names = [name for name in gpu.kernel.arg_names if name not in constants]
    types = dict.fromkeys(names, "i32") | {"q": "*fp32", "bounds": f"*{dtype}", "found": "*fp32"}
    divisible = ("q", "bounds", "found", "width")
    assert_fits(compiled(gpu.kernel, types, constants, cc, divisible=divisible, stages=3))


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_it_is_right(gpu, dtype):
    assert_like_reference(
        "page_scores",
        f"example((2, 6, 2, 333, 24), SMALL, {dtype}, CPU)",
        f"example((1, 5, 1, 1, 32), SMALL, {dtype}, CPU)",
        f"step((1, 6, 2, 0, 32), SMALL, {dtype}, CPU)",
        f"step((1, 6, 2, 150, 32), SMALL, {dtype}, CPU)",
        "step_bytes((1, 4, 2, 100, 32), SMALL, CPU)",
    )


@pytest.mark.full
@pytest.mark.parametrize("dtype", DTYPES.values())
def test_choices_among_very_many_pages_are_right(gpu, dtype):
    assert_like_reference("page_scores", f"example((1, 4, 4, 2500, 64), Pages(), {dtype}, CPU, 30.0)")


@pytest.mark.full
@pytest.mark.parametrize("rows", LENGTHS)
def test_choices_are_those_of_the_definition_at_every_length(gpu, rows):
    assert_like_reference(
        "page_scores",
        *(
            f"example((1, {heads}, {kv_heads}, {rows}, {width}), SMALL, {dtype}, CPU)"
            for heads, kv_heads, width in ((9, 3, 64), (16, 8, 128), (20, 1, 40))
            for dtype in DTYPES.values()
        ),
    )
