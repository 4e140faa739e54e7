"""Rows as int8 with a scale each: every form gives the bits of the definition, and what is no number stays none."""

import pytest
import torch

from kernels import dispatch
from kernels.row_bytes import examples, reference

CPU = torch.device("cpu")
FORMS = pytest.mark.parametrize("form", ["row_bytes.native", "row_bytes.cpu"], indirect=True)
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])


def same(one, other):
    return torch.equal(one.nan_to_num(-1e9), other.nan_to_num(-1e9))


@FORMS
@DTYPES
@pytest.mark.parametrize("shape", [(3, 4, 64), (1, 3, 70, 64), (2, 2, 9, 80), (2, 2, 2, 5, 128), (7, 40)])
def test_packed_and_back(form, shape, dtype):
    case = examples.example(shape, dtype, CPU)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@FORMS
@DTYPES
def test_every_bit_is_that_of_the_definition_in_any_layout(form, dtype):
    x = torch.randn(2, 50, 3, 64, generator=torch.Generator().manual_seed(0)).to(dtype)
    for rows in (x.transpose(1, 2)[:, :, 3:40], x[1, 5], x.transpose(2, 3)):
        packed, scales = form.pack(rows)
        assert packed.is_contiguous()
        assert scales.is_contiguous()
        assert scales.dtype is torch.float32
        expected = reference.pack(rows)
        assert torch.equal(packed, expected[0])
        assert torch.equal(scales, expected[1])
        assert torch.equal(form.unpack(packed, scales, dtype), reference.unpack(packed, scales, dtype))


@FORMS
def test_rows_of_a_file_come_back_from_where_they_lie(form):
    x = torch.randn(1, 3, 40, 64, generator=torch.Generator().manual_seed(0))
    packed, scales = reference.pack(x)
    wide = torch.full((1, 40, 3, 80), 99, dtype=torch.int8)
    wide[..., :64] = packed.transpose(1, 2)
    lying = scales.transpose(1, 2).contiguous().transpose(1, 2)
    back = form.unpack(wide[..., :64].transpose(1, 2), lying, torch.bfloat16)
    assert torch.equal(back, reference.unpack(packed, scales, torch.bfloat16))


@FORMS
@DTYPES
def test_half_a_step_is_the_most_that_a_value_moves(form, dtype):
    x = torch.randn(40, 64, generator=torch.Generator().manual_seed(0)).to(dtype)
    packed, scales = form.pack(x)
    back = form.unpack(packed, scales, torch.float32)
    assert ((back - x.float()).abs() <= scales[:, None] * 0.5001).all()
    assert dispatch.relative(back, x) < 7e-3
    assert packed.abs().amax(-1).eq(127).all()


@FORMS
@DTYPES
def test_rows_of_zeros_come_back_as_zeros_and_what_is_no_number_as_nan(form, dtype):
    x = torch.ones(6, 64, dtype=dtype)
    x[0] = 0
    x[1, 5] = torch.nan
    x[2, 6] = -torch.inf
    x[3] = 1e-31
    x[4] = 3e38
    packed, scales = form.pack(x)
    assert scales[[0, 3]].tolist() == [0, 0]
    assert scales[1:3].isnan().all()
    assert packed[:4].eq(0).all()
    assert packed[4:].eq(127).all()
    assert same(form.unpack(packed, scales, dtype), reference.unpack(packed, scales, dtype))
    assert form.unpack(packed, scales, dtype)[1:3].isnan().all()


@FORMS
def test_no_rows_at_all(form):
    packed, scales = form.pack(torch.empty(1, 3, 0, 64))
    assert packed.shape == (1, 3, 0, 64)
    assert scales.shape == (1, 3, 0)
    assert form.unpack(packed, scales, torch.bfloat16).shape == (1, 3, 0, 64)
