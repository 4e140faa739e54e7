"""Every form of attention against the definition; rows that nobody wrote are NaN."""

import pytest
import torch

from kernels import dispatch, full_attention
from kernels.full_attention import cpu, examples, reference
from kernels.row_bytes import reference as cpu_bytes

CPU = torch.device("cpu")
DTYPES = [torch.float32, torch.bfloat16]
FORMS = ["full_attention.native", "full_attention.cpu", "full_attention.sdpa"]


def assert_like_reference(form, shape, dtype, spread=1.0):
    case = examples.example("case", shape, dtype, CPU, spread)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["full_attention.cpu", "full_attention.sdpa"], indirect=True)
@pytest.mark.parametrize(
    "shape",
    [
        (1, 9, 3, 1, 1, 64),
        (1, 9, 3, 1, 777, 64),
        (1, 4, 4, 1, 130, 32),
        (1, 8, 1, 1, 41, 128),
        (2, 6, 2, 1, 65, 64),
        (1, 16, 8, 1, 67, 128),  # more key heads than fit in one block
        (1, 40, 2, 1, 33, 16),  # more queries than one column block
    ],
)
def test_one_query(form, shape, dtype):
    assert_like_reference(form, shape, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", ["full_attention.cpu", "full_attention.sdpa"], indirect=True)
@pytest.mark.parametrize(
    "shape",
    [
        (1, 9, 3, 2, 2, 64),
        (1, 9, 3, 131, 131, 64),
        (1, 9, 3, 7, 300, 64),
        (2, 4, 4, 33, 64, 32),
        (1, 8, 1, 40, 41, 128),
        (2, 6, 2, 5, 70, 16),
    ],
)
def test_a_piece_of_queries(form, shape, dtype):
    assert_like_reference(form, shape, dtype)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spread", [0.001, 30.0])
def test_one_query_with_scores_that_overflow_without_their_largest_subtracted(dtype, spread):
    case = examples.example("case", (1, 9, 3, 1, 200, 64), dtype, CPU, spread)
    # Rounding a score of some hundreds to bf16 moves it by one: what is asked there is the same winner and no NaN
    allowed = 0.3 if dtype is torch.bfloat16 and spread > 1 else case.tolerance
    assert dispatch.relative(case.run(cpu), case.expected()) <= allowed


def test_the_definition_reads_no_row_that_a_query_does_not_see():
    q, k, v = torch.randn(3, 1, 2, 4, 8, generator=torch.Generator().manual_seed(5))
    expected = reference.read(q, k, v, 0.3)
    for unset in ((k,), (v,), (k, v)):
        held = [rows.clone() if any(rows is one for one in unset) else rows for rows in (k, v)]
        for rows, one in zip(held, (k, v), strict=True):
            if rows is not one:
                rows[:, :, 3] = torch.nan
        found = reference.read(q, *held, 0.3)
        assert torch.equal(found[:, :, :3], expected[:, :, :3])
        assert found[:, :, 3].isnan().all(), "who sees it is told"


@pytest.mark.parametrize("sign", [1, -1])
def test_scores_beyond_the_range_of_the_exponential(sign):
    k, v = cpu.rows(1, 2, 50, 64, torch.float32, CPU)
    k.fill_(sign * 20.0)
    k[..., ::2] *= 0.9
    v.copy_(torch.randn(1, 2, 50, 64, generator=torch.Generator().manual_seed(0)))
    q = torch.full((1, 4, 1, 64), 10.0)
    expected = reference.write(q[:, :, 0], k, v, 49, None, 0.125)
    assert dispatch.relative(cpu.write(q[:, :, 0], k, v, 49, None, 0.125), expected) <= 1e-5


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_head_by_head_are_taken_too(dtype):
    generator = torch.Generator().manual_seed(1)
    q, k, v = (
        torch.randn(2, heads, rows, 64, generator=generator).to(dtype) for heads, rows in ((6, 1), (2, 45), (2, 45))
    )
    q = q[:, :, 0]
    for at, window in ((44, None), (30, None), (30, 7)):
        expected = reference.write(q, k, v, at, window, 0.1)
        for place in (at, torch.tensor([at])):
            assert dispatch.relative(cpu.write(q, k, v, place, window, 0.1), expected) <= examples.TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", DTYPES)
def test_rows_of_a_window_in_the_middle_of_a_cache(dtype):
    """A sliding layer looks at rows 30 to 50 of a cache, its other rows being unset."""
    k, v = (rows[:, :, 30:50] for rows in cpu.rows(1, 3, 80, 64, dtype, CPU))
    generator = torch.Generator().manual_seed(2)
    k.copy_(torch.randn(k.shape, generator=generator))
    v.copy_(torch.randn(v.shape, generator=generator))
    for tokens in (1, 4):
        q = torch.randn(1, 9, tokens, 64, generator=generator).to(dtype)
        expected = reference.read(q, k, v, 0.1)
        found = cpu.read(q, k, v, 0.1) if tokens > 1 else cpu.write(q[:, :, 0], k, v, 19, None, 0.1)[:, :, None]
        assert dispatch.relative(found, expected) <= examples.TOLERANCE[dtype]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMS, indirect=True)
@pytest.mark.parametrize(
    ("batch", "queries", "kv_heads", "at", "width", "window", "normed"),
    [
        (1, 9, 3, 0, 64, None, False),
        (1, 9, 3, 700, 64, None, False),
        (1, 4, 4, 129, 32, 200, True),
        (1, 8, 1, 65, 128, 46, False),
        (2, 6, 2, 64, 80, None, True),
        (1, 16, 2, 63, 192, 57, True),
        (1, 2, 1, 31, 24, 1, False),  # a width that the compiled form leaves to the plain one
        (1, 5, 1, 40, 64, None, False),
    ],
)
def test_a_step_norms_turns_stores_and_attends(form, batch, queries, kv_heads, at, width, window, normed, dtype):
    for told in (False, True):
        case = examples.step(batch, queries, kv_heads, at, width, dtype, CPU, window=window, normed=normed, told=told)
        assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("form", FORMS, indirect=True)
@pytest.mark.parametrize(
    ("batch", "queries", "kv_heads", "at", "width", "window", "normed"),
    [
        (1, 9, 3, 0, 64, None, False),
        (1, 9, 3, 700, 64, None, False),
        (1, 8, 1, 65, 128, 46, False),  # more queries a head than are taken at once
        (2, 6, 2, 64, 80, None, True),
        (1, 16, 2, 63, 192, 57, True),
        (1, 2, 1, 31, 24, 1, False),
    ],
)
def test_a_step_over_bytes(form, batch, queries, kv_heads, at, width, window, normed):
    for told in (False, True):
        case = examples.step_bytes(batch, queries, kv_heads, at, width, CPU, window=window, normed=normed, told=told)
        assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_reading_over_bytes_is_reading_over_what_they_stand_for(form, dtype, monkeypatch):
    monkeypatch.setattr(
        dispatch, "implementation", lambda name, device: form if name == full_attention.NAME else cpu_bytes
    )
    generator = torch.Generator().manual_seed(4)
    q = torch.randn(1, 6, 9, 64, generator=generator).to(dtype)
    k, v = torch.randn(2, 1, 2, 150, 64, generator=generator)
    (kb, ks), (vb, vs) = cpu_bytes.pack(k), cpu_bytes.pack(v)
    expected = reference.read(q, cpu_bytes.unpack(kb, ks, dtype), cpu_bytes.unpack(vb, vs, dtype), 0.125)
    assert dispatch.relative(full_attention.read_bytes(q, kb, ks, vb, vs, 0.125), expected) <= examples.TOLERANCE[dtype]


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_a_step_with_scores_that_overflow_without_their_largest_subtracted(form):
    k, v = form.rows(1, 2, 50, 64, torch.float32, CPU)
    k.fill_(20.0)
    k[..., ::2] *= -0.9
    v.copy_(torch.randn(1, 2, 50, 64, generator=torch.Generator().manual_seed(0)))
    heads = torch.full((1, 8, 64), 10.0)
    turns = torch.ones(1, 64), torch.zeros(1, 64)
    expected = reference.step(heads.clone(), None, *turns, k.clone(), v.clone(), 49, None, 0.125)
    assert dispatch.relative(form.step(heads.clone(), None, *turns, k, v, 49, None, 0.125), expected) <= 1e-5


@pytest.mark.parametrize("causal", [True, False])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_products_alone_do_what_the_flash_kernel_does(dtype, causal):
    """Where there is no such kernel: more queries than are taken at once, and heads that share keys."""
    random = torch.Generator().manual_seed(3)
    q = torch.randn(2, 6, 300, 16, generator=random).to(dtype)
    k, v = (torch.randn(2, 2, 300, 16, generator=random).to(dtype) for _ in "kv")
    ours, sums = cpu._anywhere(q, k, v, 0.3, causal)
    theirs, their_sums = cpu.flash(q, k, v, 0.3, causal)
    allowed = 1e-5 if dtype is torch.float32 else 1e-2
    assert dispatch.relative(ours, theirs) < allowed
    assert dispatch.relative(sums, their_sums) < allowed
