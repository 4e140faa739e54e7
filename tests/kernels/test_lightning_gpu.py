"""The Triton form of lightning attention, compiled for every card it is meant for, and interpreted."""

import importlib

import pytest
import torch

from tests.kernels import triton_targets
from tests.kernels.triton_targets import TARGETS, assert_fits, assert_like_reference, compiled

BF16, FP32 = torch.bfloat16, torch.float32
LENGTHS = (1, 63, 64, 65, 257, 1000)


@pytest.fixture
def gpu():
    triton_targets.available()
    return importlib.import_module("kernels.lightning_attention.gpu")


def arguments(kernel, constants, dtype):
    """The types of a kernel's arguments at the released shape, and those that are multiples of 16."""
    names = [name for name in kernel.arg_names if name not in constants]
    rows = "*bf16" if dtype is BF16 else "*fp32"
    of_rows, others = ("q", "k", "v", "y", "states"), {"slopes": "*fp32", "state": "*fp32", "scale": "fp32"}
    types = {name: rows if name in of_rows else others.get(name, "i32") for name in names}
    return types, tuple(name for name in names if name not in ("scale", "tokens"))


@pytest.mark.parametrize("cc", TARGETS)
@pytest.mark.parametrize("dtype", [BF16, FP32])
@pytest.mark.parametrize("name", ["states_kernel", "read_kernel"])
def test_reading_compiles_without_spills(gpu, name, dtype, cc):
    kernel, constants = getattr(gpu, name), {"CHUNK": gpu.CHUNK, "BLOCK": gpu.BLOCK[dtype]}
    types, multiples = arguments(kernel, constants, dtype)
    assert_fits(compiled(kernel, types, constants, cc, divisible=multiples, stages=gpu.STAGES[dtype]))


@pytest.mark.parametrize("cc", TARGETS)
def test_writing_compiles_without_spills(gpu, cc):
    constants = {"WIDTH": 128, "BLOCK": gpu.WRITE_BLOCK}
    types, multiples = arguments(gpu.write_kernel, constants, FP32)
    assert_fits(compiled(gpu.write_kernel, types, constants, cc, divisible=multiples))


def test_it_is_right_at_every_length(gpu):
    assert_like_reference(
        "lightning_attention",
        *(f"read((1, 2, {tokens}, 32), {dtype}, CPU)" for tokens in LENGTHS for dtype in (BF16, FP32)),
        "read((2, 3, 65, 80), torch.float32, CPU, 'heads')",
        "read((2, 1, 70, 16), torch.bfloat16, CPU, 'channels')",
        "write((2, 3, 32), CPU)",
        "write((1, 2, 80), CPU)",
    )


@pytest.mark.full
def test_it_is_right_at_the_released_width_and_in_pieces(gpu):
    assert_like_reference(
        "lightning_attention",
        *(f"read((1, 2, {tokens}, 128), {dtype}, CPU)" for tokens in LENGTHS for dtype in (BF16, FP32)),
        "read((1, 1, 8192 + 70, 16), torch.float32, CPU)",
        "write((2, 32, 128), CPU)",
    )
