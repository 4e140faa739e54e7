"""The Triton form of MoBA, compiled for every card of the kind, and interpreted."""

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


@pytest.fixture
def gpu():
    triton_targets.available()
    return importlib.import_module("kernels.moba.gpu")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
def test_reading_compiles_without_spills(gpu, dtype, cc):
    kernel, constants = gpu.read_kernel, gpu.sizes(12, 128, DTYPES[dtype])
    names = [name for name in kernel.arg_names if name not in constants]
    types = {name: f"*{dtype}" if name in ("q", "k", "v", "y") else "i32" for name in names}
    types |= {"chosen": "*i32", "factor": "fp32"}
    others = ("heads", "group", "tokens", "count", "at", "factor")
    divisible = tuple(set(names) - set(others))
    assert_fits(compiled(kernel, types, constants, cc, divisible=divisible, warps=gpu.WARPS, stages=2))


@pytest.mark.parametrize("cc", TARGETS)
def test_the_choice_compiles_without_spills(gpu, cc):
    kernel, constants = gpu.pick_kernel, {"MOST": 16, "SIZE": gpu.PICKED}
    names = [name for name in kernel.arg_names if name not in constants]
    types = dict.fromkeys(names, "i32") | {"gates": "*fp32", "chosen": "*i32"}
    assert_fits(compiled(kernel, types, constants, cc, divisible=("gates", "chosen", "block"), stages=3))


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_it_is_right(gpu, dtype):
    assert_like_reference(
        "moba",
        f"choose((1, 1, 1, 1, {(gpu.PICKED + 3) * 4}, 16), 4, 6, torch.float32, CPU)",  # not all are looked at at once
        f"means((1, 2, 77, 32), 24, {dtype}, CPU)",
        f"choose((1, 4, 2, 1, 1, 32), 16, 3, {dtype}, CPU)",
        f"choose((1, 6, 2, 3, 257, 24), 16, 5, {dtype}, CPU)",
        f"choose((1, 4, 2, 2, 257, 32), 16, 5, {dtype}, CPU, 0.0)",
        f"example((1, 4, 2, 3, 200, 32), 32, 3, {dtype}, CPU)",
        f"example((1, 3, 1, 70, 70, 24), 24, 2, {dtype}, CPU)",
        f"example((1, 4, 2, 1, 300, 32), 64, 3, {dtype}, CPU, 30.0)",
        f"token((1, 4, 2, 199, 32), 32, 3, {dtype}, CPU)",
        f"token((2, 6, 2, 0, 40), 16, 3, {dtype}, CPU)",
    )


@pytest.mark.full
@pytest.mark.parametrize("tokens", LENGTHS)
def test_it_is_right_at_every_length(gpu, tokens):
    shapes = (1, 2, 1, min(tokens, 70), tokens, 32), (1, 3, 1, 3 if tokens > 3 else 1, tokens, 128)
    assert_like_reference(
        "moba",
        *(
            expression
            for dtype in DTYPES.values()
            for expression in (
                *(f"choose({shape}, 32, 4, {dtype}, CPU)" for shape in shapes),
                *(f"example({shape}, 64, 5, {dtype}, CPU)" for shape in shapes),
                f"token((1, 4, 2, {tokens - 1}, 128), 64, 12, {dtype}, CPU)",
            )
        ),
    )
