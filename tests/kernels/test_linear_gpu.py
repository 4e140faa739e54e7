"""The Triton forms of products with weights of few bits, compiled for every card of the kind, and interpreted."""

import importlib

import pytest
import torch

from tests.kernels import triton_targets
from tests.kernels.triton_targets import TARGETS, assert_fits, assert_like_reference, compiled

LENGTHS = (1, 63, 64, 65, 257)
BF16, FP32 = torch.bfloat16, torch.float32
WAYS = ("plain", "normed", "gated", "onto")

TYPES = {
    **dict.fromkeys(("x", "gain", "onto", "y"), "*fp32"),
    "bias": "*bf16",
    "order": "*i32",
    "least": "*fp16",
    "epsilon": "fp32",
}
BYTES = {"values": "*i8", "scales": "*bf16"}
GROUPS = {"values": "*u8", "scales": "*fp16"}
ANY = ("epsilon", "count")
"""Arguments that are no multiples of 16; all others are at the released shapes."""


@pytest.fixture
def bytes_of():
    triton_targets.available()
    return importlib.import_module("kernels.low_bit_linear.gpu")


@pytest.fixture
def groups():
    triton_targets.available()
    return importlib.import_module("kernels.group_linear.gpu")


def fits(kernel, constants, cc, launch=None, **types):
    """`launch`: constants among which is how it is launched."""
    launch = launch or {}
    constants = constants | {name: value for name, value in launch.items() if name.isupper()}
    names = [name for name in kernel.arg_names if name not in constants]
    signature = {name: (TYPES | types).get(name, "i32") for name in names}
    divisible = tuple(name for name in names if name not in ANY)
    warps, stages = launch.get("num_warps", 4), launch.get("num_stages", 3)
    assert_fits(compiled(kernel, signature, constants, cc, divisible=divisible, warps=warps, stages=stages))


def writing(of, **changed):
    """Constants of a kernel that writes: a norm, and nothing else to add."""
    wide = {"COLUMNS": of.WRITE_COLUMNS} if hasattr(of, "WRITE_COLUMNS") else {"BLOCKS": of.WRITE_BLOCKS}
    return {"ROWS": of.WRITE_ROWS, "STAGES": of.WRITE_STAGES, **wide, "GATED": False, "bias": None} | changed


@pytest.mark.parametrize("cc", TARGETS)
def test_int8_compiles_without_spills(bytes_of, cc):
    fits(bytes_of.write_kernel, writing(bytes_of), cc, **BYTES)
    sizes = bytes_of.sizes(64, BF16)
    fits(bytes_of.read_kernel, {"bias": None, "ONTO": True}, cc, sizes, x="*bf16", y="*bf16", **BYTES)


@pytest.mark.parametrize("cc", TARGETS)
def test_groups_of_4_bits_compile_without_spills(groups, cc):
    fits(groups.write_kernel, writing(groups, BITS=4, order=None), cc, **GROUPS)
    sizes = groups.sizes(64, BF16, 32)
    fits(groups.read_kernel, {"bias": None, "ONTO": True, "BITS": 4}, cc, sizes, x="*bf16", y="*bf16", **GROUPS)


@pytest.mark.full
@pytest.mark.parametrize("cc", TARGETS)
def test_every_other_kernel_compiles_without_spills(bytes_of, groups, cc):
    fits(bytes_of.write_kernel, writing(bytes_of, GATED=True, gain=None), cc, **BYTES)
    rows, columns = bytes_of.DEQUANTIZED
    fits(bytes_of.dequantize_kernel, {"ROWS": rows, "COLUMNS": columns}, cc, y="*bf16", **BYTES)
    for tokens, dtype in ((1, BF16), (64, FP32)):
        kind = "*bf16" if dtype is BF16 else "*fp32"
        sizes = bytes_of.sizes(tokens, dtype)
        fits(bytes_of.read_kernel, {"ONTO": False}, cc, sizes, x=kind, y=kind, **BYTES | {"scales": kind})
        for bits, group in ((4, 64), (8, 32), (8, 64)):
            sizes = groups.sizes(tokens, dtype, group)
            fits(groups.read_kernel, {"ONTO": False, "BITS": bits}, cc, sizes, x=kind, y=kind, **GROUPS)
    for bits in (4, 8):
        fits(groups.write_kernel, writing(groups, BITS=bits, GATED=True, gain=None, order=None), cc, **GROUPS)
        fits(groups.write_kernel, writing(groups, BITS=bits), cc, **GROUPS)
        rows, blocks = groups.DEQUANTIZED
        fits(groups.dequantize_kernel, {"BITS": bits, "ROWS": rows, "BLOCKS": blocks}, cc, y="*bf16", **GROUPS)


KINDS = ((4, 32, 96), (4, 64, 192), (4, 128, 384), (4, 416, 416), (8, 32, 160), (8, 64, 192))
"""Bits, columns of a group, columns of the weight. A group may be the whole row."""


SOME = ((1, FP32), (65, BF16), (257, FP32))
"""Tokens, and what they are."""


def added(inputs, dtype):
    """Read onto ones that lie in one piece, and onto ones that do not: they are changed where they are."""
    for ones in ("torch.ones(5, 37)", "torch.ones(37, 5).t()"):
        read = f"lambda form: (lambda onto: (form.read(*{inputs}, onto), onto)[1])({ones}.to({dtype}))"
        yield f"Example('onto', {read}, lambda: reference.linear(*{inputs}) + 1, TOLERANCE[{dtype}])"


def test_int8_is_right(bytes_of):
    assert_like_reference(
        "low_bit_linear",
        *(f"example({tokens}, 37, 100, {dtype}, CPU)" for tokens, dtype in SOME),
        "example(3, 129, 40, torch.bfloat16, CPU)",
        *(f"written(1, 33, 40, {way!r}, 'fused', {dtype}, CPU)" for way in WAYS for dtype in (BF16, FP32)),
        "written(3, 17, 600, 'normed', 'fused', torch.float32, CPU)",
        *added(f"inputs(5, 37, 40, {FP32}, CPU)", FP32),
    )


def test_groups_are_right(groups):
    assert_like_reference(
        "group_linear",
        *(f"example(({tokens}, 37, 96), 4, 32, {dtype}, CPU)" for tokens, dtype in SOME),
        *(
            f"example((3, 37, {columns}), {bits}, {group}, {BF16}, CPU, ordered={group < 64})"
            for bits, group, columns in KINDS
        ),
        *(
            f"written((1, 17, {columns}), {bits}, {group}, {WAYS[n % 4]!r}, 'fused', {FP32}, CPU, ordered={n % 2 == 1})"
            for n, (bits, group, columns) in enumerate(KINDS)
        ),
        "written((3, 17, 1120), 4, 32, 'normed', 'fused', torch.bfloat16, CPU, ordered=True)",
        *added(f"inputs((5, 37, 96), 4, 32, {BF16}, CPU)", BF16),
    )


@pytest.mark.full
@pytest.mark.parametrize("dtype", [BF16, FP32])
def test_int8_is_right_at_every_length_and_in_every_way(bytes_of, dtype):
    assert_like_reference(
        "low_bit_linear",
        *(f"example({tokens}, 70, 100, {dtype}, CPU)" for tokens in LENGTHS),
        *(f"example(3, {rows}, {columns}, {dtype}, CPU)" for rows, columns in ((1, 7), (129, 600))),
        *(f"written(2, 33, 600, {way!r}, 'fused', {dtype}, CPU)" for way in WAYS),
    )


@pytest.mark.full
@pytest.mark.parametrize("dtype", [BF16, FP32])
@pytest.mark.parametrize("ordered", [False, True])
def test_groups_are_right_at_every_length_and_in_every_way(groups, dtype, ordered):
    assert_like_reference(
        "group_linear",
        *(f"example(({tokens}, 37, 96), 4, 32, {dtype}, CPU, ordered={ordered})" for tokens in LENGTHS),
        *(
            f"example(({tokens}, 70, {columns}), {bits}, {group}, {dtype}, CPU, ordered={ordered})"
            for bits, group, columns in KINDS
            for tokens in (3, 65)
        ),
        *(
            f"written((2, 33, {columns}), {bits}, {group}, {way!r}, 'fused', {dtype}, CPU, ordered={ordered})"
            for bits, group, columns in KINDS
            for way in WAYS
        ),
    )


@pytest.mark.full
def test_they_are_right_at_real_widths(bytes_of, groups):
    assert_like_reference(
        "low_bit_linear",
        *(f"example({tokens}, 100, 4096, {BF16}, CPU)" for tokens in (1, 17, 65)),
        *(f"written(1, 100, 4096, {way!r}, 'fused', {BF16}, CPU)" for way in WAYS),
    )
    assert_like_reference(
        "group_linear",
        *(f"example(({tokens}, 100, 4096), 4, 128, {BF16}, CPU)" for tokens in (1, 17, 65)),
        *(f"written((1, 100, 4096), 4, 32, {way!r}, 'fused', {BF16}, CPU)" for way in WAYS),
    )
