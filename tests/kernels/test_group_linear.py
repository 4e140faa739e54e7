"""Every product with weights in groups against the definition."""

import pytest
import torch

from kernels import dispatch, timing
from kernels.dense_linear import DenseLinear
from kernels.group_linear import GroupLinear, cpu, examples, reference
from kernels.group_linear.packing import Groups, packed, unpacked
from kernels.low_bit_linear import cpu as tiles
from kernels.native import Unavailable
from kernels.native.program import recording
from kernels.row import Norm

CPU = torch.device("cpu")
DTYPES = [torch.float32, torch.bfloat16]
KINDS = [(4, 32), (4, 64), (4, 128), (8, 32), (8, 128)]
SHAPE = (5, 70, 384)


def use(linear, product):
    """Skips where there is no C compiler to make the product."""
    try:
        linear.use(product)
    except Unavailable as problem:
        pytest.skip(str(problem))


def test_packing_goes_there_and_back():
    steps = torch.randint(0, 16, (7, 96), generator=torch.Generator().manual_seed(0), dtype=torch.uint8)
    values = packed(steps)
    assert values.shape == (7, 48)
    assert values[3, 5] == steps[3, 5] | steps[3, 21] << 4
    assert torch.equal(unpacked(values), steps)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["group_linear.native", "group_linear.cpu"], indirect=True)
@pytest.mark.parametrize(("bits", "group"), KINDS)
def test_reading_is_the_definition(form, bits, group, dtype, ordered):
    case = examples.example(SHAPE, bits, group, dtype, CPU, ordered=ordered)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("form", ["group_linear.native"], indirect=True)
@pytest.mark.parametrize("dtype", [*DTYPES, torch.float16])
def test_forms_dequantise_alike(form, dtype):
    _, weight, _ = examples.inputs(SHAPE, 4, 32, dtype, CPU)
    # Scales of any size: the largest, those below the normal ones, none
    weight.scales[0, :5] = torch.tensor([65504, 6e-5, 6e-8, 1e-6, 0])
    expected = cpu.dequantized(weight, dtype)
    assert torch.allclose(form.dequantized(weight, dtype), expected, rtol=1e-2 if dtype is torch.bfloat16 else 1e-5)


def test_a_weight_larger_than_a_tile(monkeypatch):
    monkeypatch.setattr(tiles, "TILE", 1000)
    case = examples.example(SHAPE, 4, 64, torch.float32, CPU, ordered=True)
    assert dispatch.relative(case.run(cpu), case.expected()) <= case.tolerance


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize(
    ("product", "batch", "bits", "group"),
    [
        (product, batch, bits, group)
        for product, batch in [("native", 1), ("native", 3), ("tiles", 3), ("fused", 1), ("fused", 3)]
        for bits, group in KINDS
        if product != "fused" or bits == 4  # torch has none of 8
    ],
)
def test_writing_is_the_definition(product, batch, bits, group, dtype, ordered):
    x, weight, bias = examples.inputs((batch, 64, 384), bits, group, dtype, CPU, ordered=ordered)
    linear = GroupLinear(weight, dtype, bias)
    use(linear, product)
    expected = reference.linear(x, weight, bias)
    assert dispatch.relative(linear.write(x), expected) <= examples.TOLERANCE[dtype]
    residual = torch.randn(expected.shape, generator=torch.Generator().manual_seed(0))
    assert dispatch.relative(linear.write(x, onto=residual), expected + residual) <= examples.TOLERANCE[dtype]


@pytest.mark.parametrize("product", ["native", "tiles"])
@pytest.mark.parametrize("ordered", [False, True])
def test_writing_of_a_norm_and_of_a_gate(product, ordered):
    x, weight, _ = examples.inputs((1, 70, 192), 4, 32, torch.float32, CPU, ordered=ordered)
    linear = GroupLinear(weight, torch.float32)
    use(linear, product)
    dense = DenseLinear(linear.dequantized())
    norm = Norm(torch.rand(192, generator=torch.Generator().manual_seed(0)), 1e-5)
    assert dispatch.relative(linear.write(x, norm), dense.write(x, norm)) <= 1e-5
    both = torch.cat((x, x.flip(1)), 1)
    assert dispatch.relative(linear.write(both, gated=True), dense.write(both, gated=True)) <= 1e-5


def test_a_recorded_program_holds_its_products():
    x, weight, bias = examples.inputs((1, 70, 192), 4, 64, torch.float32, CPU, ordered=True)
    linear = GroupLinear(weight, torch.float32, bias)
    use(linear, "native")
    with recording() as program:
        y = linear.write(x)
    x.mul_(-2)
    program.run(at=0)
    assert torch.equal(y, linear.write(x))


def test_a_group_may_be_the_whole_row():
    x, weight, bias = examples.inputs(SHAPE, 4, 384, torch.float32, CPU)
    linear = GroupLinear(weight, torch.float32, bias)
    timed = timing.time_products([linear], torch.float32, CPU)
    assert dispatch.relative(linear.read(x), reference.linear(x, weight, bias)) <= 1e-5
    assert "fused" in [dropped.product for dropped in timed.dropped]  # torch knows no such group


def test_what_a_weight_takes():
    _, weight, _ = examples.inputs((1, 64, 128), 4, 32, torch.float32, CPU)
    assert (weight.rows, weight.columns, weight.bits) == (64, 128, 4)
    assert GroupLinear(weight, torch.float32).nbytes == 64 * 128 // 2 + 2 * 2 * 64 * 4
    wide = Groups(torch.zeros(64, 128, dtype=torch.uint8), weight.scales, weight.least, 32)
    assert wide.bits == 8
