"""Norms, gates and rotary positions of many rows against their definitions."""

import pytest
import torch

from kernels import dispatch
from kernels.row_wise import examples

CPU = torch.device("cpu")
FORMS = pytest.mark.parametrize("form", ["row_wise.native", "row_wise.cpu"], indirect=True)
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])


def assert_like_reference(case, form):
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@FORMS
@DTYPES
@pytest.mark.parametrize(("rows", "width"), [(1, 16), (7, 576), (5, 40)])
def test_norm(form, rows, width, dtype):
    assert_like_reference(examples.norm(rows, width, dtype, CPU), form)


@FORMS
@DTYPES
@pytest.mark.parametrize(("rows", "width"), [(1, 16), (7, 1536), (5, 40)])
def test_gate(form, rows, width, dtype):
    assert_like_reference(examples.gate(rows, width, dtype, CPU), form)


@FORMS
@DTYPES
@pytest.mark.parametrize("normed", [False, True])
@pytest.mark.parametrize(
    ("batch", "tokens", "every", "count", "width"), [(1, 1, 3, 2, 32), (2, 7, 15, 12, 64), (1, 5, 6, 6, 80)]
)
def test_turn(form, batch, tokens, every, count, width, normed, dtype):
    assert_like_reference(examples.turn(batch, tokens, every, count, width, dtype, CPU, normed=normed), form)


@FORMS
def test_a_gate_of_large_numbers_neither_overflows_nor_vanishes(form):
    x = torch.tensor([[-200.0, -90.0, -1.0, 0.0, 1.0, 90.0, 200.0, 3.0] * 4, [2.0] * 32]).view(1, 64)
    expected = torch.nn.functional.silu(x[:, :32]) * x[:, 32:]
    assert torch.allclose(form.gate(x), expected, rtol=1e-5, atol=1e-30)
