"""The Triton form of NSA's compressed branch, compiled for every card of the kind, and interpreted."""

import importlib

import pytest

from tests.kernels import triton_targets
from tests.kernels.triton_targets import CARDS, DTYPES, KINDS, LENGTHS, assert_fits, assert_like_reference, compiled


@pytest.fixture
def gpu():
    triton_targets.available()
    return importlib.import_module("kernels.nsa.gpu")


@pytest.mark.parametrize(("dtype", "cc"), CARDS)
def test_it_compiles_without_spills(gpu, dtype, cc):
    kernel, constants = gpu.read_kernel, gpu.sizes(16, 128, DTYPES[dtype])
    names = [name for name in kernel.arg_names if name not in constants]
    types = {name: f"*{dtype}" if name in ("q", "k", "v", "y") else "i32" for name in names} | {"factor": "fp32"}
    divisible = tuple(set(names) - {"kv_heads", "group", "tokens", "at", "factor"})
    warps = gpu.WARPS[DTYPES[dtype]]
    assert_fits(compiled(kernel, types, constants, cc, divisible=divisible, warps=warps, stages=2))


@pytest.mark.parametrize("dtype", KINDS, ids=str)
def test_it_is_right(gpu, dtype):
    assert_like_reference(
        "nsa",
        f"example((1, 4, 2, 3, 200, 32), {dtype}, CPU)",
        f"example((1, 3, 1, 40, 40, 24), {dtype}, CPU)",
        f"example((1, 2, 2, 1, 1, 32), {dtype}, CPU)",
        f"example((1, 20, 1, 3, 300, 32), {dtype}, CPU, 32, 30.0)",
    )


@pytest.mark.full
@pytest.mark.parametrize("tokens", LENGTHS)
def test_it_is_right_at_every_length(gpu, tokens):
    shapes = (1, 4, 2, min(tokens, 40), tokens, 32), (2, 20, 1, 1, tokens, 128)
    assert_like_reference(
        "nsa", *(f"example({shape}, {dtype}, CPU, 32)" for dtype in DTYPES.values() for shape in shapes)
    )
