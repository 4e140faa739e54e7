"""Queries beside rows that lie elsewhere, as numbers and as bytes, against the definition; behind the rows is NaN."""

import pytest
import torch

from kernels import dispatch
from kernels.full_attention import examples

CPU = torch.device("cpu")
FORMS = pytest.mark.parametrize(
    "form", ["full_attention.native", "full_attention.cpu", "full_attention.sdpa"], indirect=True
)
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])


@FORMS
@DTYPES
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize(
    "shape",
    [
        (1, 9, 3, 1, 1, 64),
        (1, 9, 3, 40, 129, 64),
        (2, 6, 2, 23, 300, 80),
        (1, 8, 1, 60, 7, 128),
        (1, 4, 4, 2, 64, 32),
        (1, 6, 2, 70, 0, 64),
        (1, 2, 1, 3, 5, 24),
    ],
)
def test_beside(form, shape, packed, dtype):
    case = examples.beside("case", shape, dtype, CPU, packed=packed)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance
