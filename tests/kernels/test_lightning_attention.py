"""Linear attention with a fixed decay against its recurrence: any length, any split, any layout."""

import importlib
import math

import pytest
import torch

from kernels import dispatch, lightning_attention
from kernels.lightning_attention import cpu, examples, reference

CPU = torch.device("cpu")
BF16, FP32 = torch.bfloat16, torch.float32
FORMS = pytest.mark.parametrize("form", ["lightning_attention.native", "lightning_attention.cpu"], indirect=True)
DTYPES = pytest.mark.parametrize("dtype", [FP32, BF16])


def rows(batch, heads, tokens, width, dtype=FP32, seed=0):
    random = torch.Generator().manual_seed(seed)
    q, k, v = torch.randn(3, batch, heads, tokens, width, generator=random).to(dtype)
    return q, k, v, lightning_attention.slopes(heads), torch.randn(batch, heads, width, width, generator=random)


def assert_like_reference(case, form):
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


def test_slopes_are_those_of_the_released_model():
    slopes = lightning_attention.slopes(32)
    assert slopes.dtype is FP32
    expected = [0.84089642, 0.70710678, 0.25, 0.0625, 0.015625, 0.00390625]
    assert slopes[[0, 1, 7, 15, 23, 31]].tolist() == pytest.approx(expected, rel=1e-7)


def test_slopes_between_powers_of_two_are_interpolated():
    assert lightning_attention.slopes(6).tolist() == pytest.approx([2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3])
    assert lightning_attention.slopes(1).tolist() == [2**-8]


def test_the_reference_is_the_sum_over_earlier_tokens():
    """Written out once more, without a state: scores that fade with the distance."""
    q, k, v, slopes, state = rows(2, 4, 40, 16)
    state.zero_()
    apart = torch.arange(40)[:, None] - torch.arange(40)
    fades = torch.where(apart >= 0, torch.exp(-slopes[:, None, None] * apart), 0)
    assert dispatch.relative(reference.read(q, k, v, slopes, state, 0.25), 0.25 * (q @ k.mT * fades) @ v) < 1e-6


@FORMS
@DTYPES
@pytest.mark.parametrize("tokens", [1, 2, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 129, 257, 1000])
def test_any_length(form, dtype, tokens):
    assert_like_reference(examples.read((1, 2, tokens, 32), dtype, CPU), form)


@FORMS
@DTYPES
@pytest.mark.parametrize("width", [16, 24, 32, 48, 64, 80, 96, 112, 128, 144])
def test_any_width(form, dtype, width):
    assert_like_reference(examples.read((1, 1, 70, width), dtype, CPU), form)


@FORMS
@DTYPES
@pytest.mark.parametrize("layout", ["wide", "heads", "channels"])
def test_any_layout(form, dtype, layout):
    assert_like_reference(examples.read((2, 3, 90, 32), dtype, CPU, layout), form)


@FORMS
@pytest.mark.parametrize("width", [16, 24, 64, 128, 256, 272])
def test_one_token(form, width):
    assert_like_reference(examples.write((2, 3, width), CPU), form)


@FORMS
@DTYPES
def test_nothing_returned_depends_on_what_comes_later(form, dtype):
    q, k, v, slopes, state = rows(1, 2, 100, 64, dtype)
    first = form.read(q[:, :, :50], k[:, :, :50], v[:, :, :50], slopes, state.clone(), 0.125)
    for x in (q, k, v):
        x[:, :, 50:] = 1000
    assert torch.equal(form.read(q, k, v, slopes, state.clone(), 0.125)[:, :, :50], first)


@FORMS
@pytest.mark.parametrize(("dtype", "tolerance"), [(FP32, 1e-5), (BF16, 1e-2)])
@pytest.mark.parametrize("piece", [1, 37, 64, 100, 256])
def test_pieces_give_what_the_whole_does(form, dtype, tolerance, piece):
    q, k, v, slopes, state = rows(1, 4, 300, 32, dtype)
    held, expected = state.clone(), state.clone()
    pieces = [
        form.read(*(x[:, :, at : at + piece] for x in (q, k, v)), slopes, held, 0.125) for at in range(0, 300, piece)
    ]
    assert dispatch.relative(torch.cat(pieces, 2), reference.read(q, k, v, slopes, expected, 0.125)) <= tolerance
    assert dispatch.relative(held, expected) <= tolerance


@FORMS
def test_written_tokens_follow_on_those_read(form):
    q, k, v, slopes, state = rows(1, 8, 300, 32)
    expected = state.clone()
    out = reference.read(q, k, v, slopes, expected, 1.0)
    assert (
        dispatch.relative(form.read(*(x[:, :, :100] for x in (q, k, v)), slopes, state, 1.0), out[:, :, :100]) <= 1e-5
    )
    for t in range(100, 300):
        one = form.write(*(x[:, :, t] for x in (q, k, v)), slopes, state, 1.0)
        assert one.dtype is FP32
        assert dispatch.relative(one, out[:, :, t]) <= 1e-5
    assert dispatch.relative(state, expected) <= 1e-5


@FORMS
@DTYPES
def test_it_neither_overflows_nor_forgets_too_soon(form, dtype):
    """The fastest head fades by e^-54 within a chunk, and one that never does adds up to the end."""
    q, k, v, _, state = rows(1, 2, 700, 32, dtype)
    slopes, expected = torch.tensor([0.84089642, 0.0]), state.clone()
    out = form.read(q, k, v, slopes, state, 1.0)
    assert out.isfinite().all()
    assert dispatch.relative(out, reference.read(q, k, v, slopes, expected, 1.0)) <= examples.TOLERANCE[dtype]
    for head in range(2):
        assert dispatch.relative(state[:, head], expected[:, head]) <= examples.TOLERANCE[dtype]


@FORMS
@DTYPES
def test_the_result_is_like_the_queries_and_inputs_stay(form, dtype):
    q, k, v, slopes, state = rows(2, 3, 70, 64, dtype)
    before = [x.clone() for x in (q, k, v, slopes)]
    out = form.read(q, k, v, slopes, state, 0.125)
    assert (out.shape, out.dtype) == (q.shape, dtype)
    assert all(torch.equal(x, old) for x, old in zip((q, k, v, slopes), before, strict=True))


@FORMS
def test_a_state_within_a_larger_one_is_changed_alone(form):
    q, k, v, slopes, _ = rows(1, 3, 70, 64)
    states = torch.zeros(3, 3, 64, 64)
    form.read(q, k, v, slopes, states[1:2], 0.125)
    form.write(q[:, :, 0], k[:, :, 0], v[:, :, 0], slopes, states[1:2], 0.125)
    assert states[1].any()
    assert not states[[0, 2]].any()


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_number_of_threads_gives_the_same(threads):
    form = dispatch.implementation(lightning_attention.NAME, CPU)
    q, k, v, slopes, state = rows(2, 5, 150, 64, BF16)
    expected = form.read(q, k, v, slopes, state.clone(), 0.125)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        assert torch.equal(form.read(q, k, v, slopes, state.clone(), 0.125), expected)
    finally:
        torch.set_num_threads(before)


def test_tiles_compute_bf16_themselves(monkeypatch):
    """The native form, where it can, must not fall back: that would be right as well."""
    from kernels.native import Unavailable, attend

    try:
        if not attend.here():
            pytest.skip("this processor does not multiply tiles")
    except Unavailable as problem:
        pytest.skip(str(problem))
    native = importlib.import_module("kernels.lightning_attention.native")
    monkeypatch.setattr(cpu, "read", None)
    for width in (32, 80, 128):
        assert_like_reference(examples.read((1, 2, 150, width), BF16, CPU), native)


def test_the_decay_is_exact_over_long_distances():
    """A token that nothing follows leaves exp(-slope n) of itself."""
    form = dispatch.implementation(lightning_attention.NAME, CPU)
    q, k, v = torch.zeros(3, 1, 1, 1001, 32)
    k[:, :, 0], v[:, :, 0], q[:, :, 1000] = 1, 1, 1
    out = form.read(q, k, v, torch.tensor([0.00390625]), torch.zeros(1, 1, 32, 32), 1.0)
    assert out[0, 0, 1000, 0].item() == pytest.approx(32 * math.exp(-1000 / 256), rel=1e-5)
