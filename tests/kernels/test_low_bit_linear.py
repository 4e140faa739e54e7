"""Every product of the int8 and dense linears against the definition, and how the fastest is chosen."""

import itertools
from types import SimpleNamespace

import pytest
import torch

from kernels import dispatch, timing
from kernels.dense_linear import DenseLinear
from kernels.low_bit_linear import Int8Linear, cpu, examples, reference
from kernels.native import Unavailable
from kernels.row import prepare

CPU = torch.device("cpu")
DTYPES = [torch.float32, torch.bfloat16]


def use(linear, product):
    """Skips where there is no C compiler to make the product."""
    try:
        linear.use(product)
    except Unavailable as problem:
        pytest.skip(str(problem))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["low_bit_linear.native", "low_bit_linear.cpu"], indirect=True)
@pytest.mark.parametrize(("rows", "columns"), [(70, 192), (33, 100), (1, 7), (129, 64)])
def test_reading_is_the_definition(form, rows, columns, dtype):
    case = examples.example(5, rows, columns, dtype, CPU)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kept", [slice(None), slice(2, None)])
def test_reading_onto_a_residual(kept, dtype):
    """`slice(2, None)`: of two texts the last tokens alone, which do not lie in one piece."""
    x, values, scales, bias = examples.inputs(10, 70, 192, dtype, CPU)
    x = x.view(2, 5, 192)[:, kept]
    residual = torch.randn(2, 5, 70, generator=torch.Generator().manual_seed(0)).to(dtype)
    for linear in (Int8Linear(values, scales, bias), DenseLinear(cpu.dequantized(values, scales), bias)):
        expected = residual[:, kept] + linear.read(x)
        assert dispatch.relative(linear.read(x, onto=residual.clone()[:, kept]), expected) <= examples.TOLERANCE[dtype]


def test_a_weight_larger_than_a_tile(monkeypatch):
    monkeypatch.setattr(cpu, "TILE", 1000)
    case = examples.example(5, 70, 96, torch.float32, CPU)
    assert dispatch.relative(case.run(cpu), case.expected()) <= case.tolerance


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("product", ["native", "integer", "fused", "tiles"])
def test_writing_is_the_definition(product, dtype, batch):
    x, values, scales, bias = examples.inputs(batch, 70, 192, dtype, CPU)
    linear = Int8Linear(values, scales, bias)
    use(linear, product)
    expected = reference.linear(x, values, scales, bias)
    assert dispatch.relative(linear.write(x), expected) <= examples.TOLERANCE[dtype]
    assert dispatch.relative(linear.read(x[None]), expected[None]) <= examples.TOLERANCE[dtype]


@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("product", DenseLinear.products)
def test_dense_writing(product, dtype, batch):
    generator = torch.Generator().manual_seed(0)
    weight, bias = (torch.randn(size, generator=generator).to(dtype) for size in ((70, 192), (70,)))
    x = torch.randn(batch, 192, generator=generator).to(dtype)
    linear = DenseLinear(weight, bias)
    use(linear, product)
    expected = x.float() @ weight.float().T + bias.float()
    assert dispatch.relative(linear.write(x), expected) <= examples.TOLERANCE[dtype]


def test_a_product_that_rounds_the_activations_too_coarsely_drops_out():
    _, values, scales, _ = examples.inputs(1, 70, 192, torch.bfloat16, CPU)
    linear = Int8Linear(values, scales)
    timed = timing.time_products([linear], torch.bfloat16, CPU)
    assert "dynamic" in [dropped.product for dropped in timed.dropped]
    assert {"integer", "fused", "tiles"} <= set(timed.milliseconds)
    assert linear.product == timed.fastest
    assert linear.nbytes == values.nbytes + scales.nbytes  # no copy is left behind


def test_a_product_that_does_not_run_drops_out_with_its_reason(monkeypatch):
    class Missing:
        extra = 0

        def __init__(self, values, scales, bias):
            raise RuntimeError("not in this build")

    monkeypatch.setitem(cpu.PRODUCTS, "fused", Missing)
    _, values, scales, _ = examples.inputs(1, 70, 192, torch.bfloat16, CPU)
    timed = timing.time_products([Int8Linear(values, scales)], torch.bfloat16, CPU)
    assert timing.Dropped("fused", "does not run: not in this build") in timed.dropped


def test_a_product_that_other_work_often_delays_is_chosen_by_its_least_time(monkeypatch):
    class Delayed:
        products, columns, nbytes = ("quick", "slow"), 8, 1

        def __init__(self):
            self.now = 0.0
            self.seconds = {"quick": itertools.cycle((9.0, 9.0, 1.0)), "slow": itertools.repeat(2.0)}

        def use(self, product):
            self.product = product

        def read(self, x):
            return x

        def write(self, x, norm=None, gated=False):
            self.now += next(self.seconds[self.product])
            x, factor = prepare(x, norm, gated)
            return x * factor

    linear = Delayed()
    monkeypatch.setattr(timing, "time", SimpleNamespace(perf_counter=lambda: linear.now))
    timed = timing.time_products([linear], torch.float32, CPU)
    assert (timed.fastest, linear.product) == ("quick", "quick")
    assert timed.milliseconds == {"quick": 1000.0, "slow": 2000.0}
