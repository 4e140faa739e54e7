"""The Triton form of full attention, compiled for every card of the kind, and interpreted."""

import importlib

import pytest
import torch

from tests.kernels import triton_targets
from tests.kernels.triton_targets import TARGETS, assert_fits, assert_like_reference, compiled

DTYPES = {"*bf16": torch.bfloat16, "*fp32": torch.float32, "*i8": torch.int8}
# Written tokens tell their row by a tensor; fp32 is for tests and small models
CASES = [("*bf16", "*i64"), ("*i8", "*i64"), *(pytest.param(*case, marks=pytest.mark.full) for case in (
    ("*bf16", "i32"), ("*i8", "i32"), ("*fp32", "i32"), ("*fp32", "*i64"),
))]  # fmt: skip
OTHERS = {"q": "*fp32", "mixed_by": "*fp32", "largest_by": "*fp32", "sums_by": "*fp32", "y": "*fp32", "factor": "fp32"}


@pytest.fixture
def gpu():
    triton_targets.available()
    return importlib.import_module("kernels.full_attention.gpu")


@pytest.mark.parametrize("cc", TARGETS)
@pytest.mark.parametrize(("kind", "at"), CASES)
def test_writing_compiles_without_spills(gpu, kind, cc, at):
    constants: dict[str, object] = gpu.sizes(8, 128, DTYPES[kind]) | {"SPLITS": gpu.SPLITS}
    if kind != "*i8":
        constants |= {"k_scales": None, "v_scales": None}
    names = [name for name in gpu.write_kernel.arg_names if name not in constants]
    told = OTHERS | {"k": kind, "v": kind, "k_scales": "*fp32", "v_scales": "*fp32", "at": at}
    types = {name: told.get(name, "i32") for name in names}
    multiples = tuple(name for name in names if name not in ("at", "window", "factor", "group", "kv_heads"))
    assert_fits(compiled(gpu.write_kernel, types, constants, cc, divisible=multiples, stages=2))


@pytest.mark.parametrize("cc", TARGETS)
def test_what_was_found_is_joined_without_spills(gpu, cc):
    constants = {"SPLITS": gpu.SPLITS, "GROUP": 16, "WIDTH": 128}
    types = {name: OTHERS.get(name, "i32") for name in gpu.join_kernel.arg_names if name not in constants}
    assert_fits(compiled(gpu.join_kernel, types, constants, cc, divisible=("mixed_by", "largest_by", "sums_by", "y")))


def test_it_is_right(gpu):
    assert_like_reference(
        "full_attention",
        "step(1, 3, 1, 70, 32, torch.bfloat16, CPU, normed=True, told=True)",
        "step(1, 2, 1, 0, 24, torch.float32, CPU)",
        "step(1, 2, 1, 31, 192, torch.float32, CPU, told=True)",  # a width that it leaves to torch
        "step_bytes(2, 2, 1, 129, 32, CPU, window=50, told=True)",
        "example('far', (1, 2, 1, 1, 100, 64), torch.float32, CPU, 30.0)",
    )


@pytest.mark.full
def test_it_is_right_at_every_row(gpu):
    steps = [
        *((1, 9, 3, at, 64, None, False) for at in (0, 1, 31, 700)),
        (1, 4, 4, 129, 32, 200, True),
        (1, 8, 1, 165, 128, 46, False),
        (2, 6, 2, 64, 80, None, True),
        (1, 2, 1, 31, 24, 1, False),
    ]
    expressions = []
    for batch, queries, kv_heads, at, width, window, normed in steps:
        sizes, more = f"{batch}, {queries}, {kv_heads}, {at}, {width}", f"window={window}, normed={normed}"
        for told in (False, True):
            expressions += [
                *(f"step({sizes}, {dtype}, CPU, {more}, told={told})" for dtype in (torch.float32, torch.bfloat16)),
                f"step_bytes({sizes}, CPU, {more}, told={told})",
            ]
    assert_like_reference("full_attention", *expressions)
