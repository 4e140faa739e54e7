"""Which blocks are chosen: every form against the definition, where windows come into sight and scores tie."""

import importlib
from dataclasses import replace

import pytest
import torch

from kernels import dispatch
from kernels.block_scores import Blocks, examples, reference

CPU = torch.device("cpu")
RELEASED = Blocks(kernel=32, stride=16, block=64, initial=1, local=33, count=96)
SMALL = examples.SMALL
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
FORMS = pytest.mark.parametrize("form", ["block_scores.native", "block_scores.cpu"], indirect=True)


def assert_like_reference(form, case):
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


def normal(*size, seed=0, dtype=torch.bfloat16):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


def compressed(k, blocks):
    return [reference.compress(k, 0, by * blocks.kernel, by * blocks.stride) for by in (1, 4)]


@FORMS
@DTYPES
@pytest.mark.parametrize("normaliser", ["coarse", "exact"])
@pytest.mark.parametrize(
    ("shape", "blocks"),
    [
        ((1, 4, 2, 1, 1, 32), SMALL),
        ((1, 4, 2, 40, 40, 32), SMALL),  # the first queries see no coarse window
        ((2, 4, 2, 18, 257, 48), SMALL),
        ((1, 3, 3, 5, 500, 64), SMALL),
        ((1, 32, 2, 17, 300, 128), SMALL),
        ((1, 20, 1, 5, 300, 32), SMALL),  # more query heads than the compiled form adds over
        ((1, 4, 2, 19, 400, 32), replace(SMALL, initial=0, local=1)),
        ((1, 4, 2, 19, 400, 32), replace(SMALL, initial=3)),  # the best of none
        ((1, 4, 2, 19, 403, 32), replace(SMALL, block=32, count=7)),
        ((1, 4, 2, 19, 403, 32), replace(SMALL, block=4, count=23)),
        ((1, 4, 1, 3, 700, 24), replace(SMALL, count=17)),
    ],
)
def test_the_best_blocks_are_chosen(form, shape, blocks, normaliser, dtype):
    assert_like_reference(form, examples.example(shape, blocks, normaliser, dtype, CPU))


@FORMS
@DTYPES
@pytest.mark.parametrize("normaliser", ["coarse", "exact"])
@pytest.mark.parametrize("seen", [1, 7, 8, 33, 96, 97, 257])
def test_a_row_may_be_told_by_a_tensor(form, seen, normaliser, dtype):
    assert_like_reference(form, examples.example((2, 4, 2, 1, seen, 32), SMALL, normaliser, dtype, CPU, told=True))


@FORMS
@pytest.mark.parametrize("row", [63, 64, 79, 80, 127, 128])
def test_windows_come_into_sight_with_their_last_row(form, row):
    """The one window that matters is the query's newest, or the one that it does not see yet."""
    blocks = replace(SMALL, initial=0, local=1, count=2)
    for length in (row, row + 1):  # that window as the last one whole, or not yet
        k = normal(1, 1, row + 20, 32, seed=row, dtype=torch.float32) * 0.1
        k[:, :, length - 8 : length] = 3.0
        q = torch.ones(1, 2, 1, 32)
        k1, k2 = compressed(k, blocks)
        expected = reference.choose(q, k1, k2, row - 1, blocks, 0.2, "exact")
        for dtype in (torch.float32, torch.bfloat16):
            means = k1.to(dtype), k2.to(dtype)
            assert torch.equal(form.choose(q.to(dtype), *means, row - 1, blocks, 0.2, "exact"), expected)


@FORMS
@DTYPES
def test_of_equal_scores_the_lower_block_is_chosen(form, dtype):
    blocks = replace(SMALL, count=9)
    k = torch.zeros(1, 1, 1000, 32)
    k[:, :, 500:] = torch.randn(1, 1, 1, 32, generator=torch.Generator().manual_seed(0))
    q = torch.zeros(1, 4, 3, 32).to(dtype)
    chosen = form.choose(q, *(means.to(dtype) for means in compressed(k, blocks)), 950, blocks, 0.2, "coarse")
    assert chosen[0, 0].tolist() == [[0, 1, 2, 3, 4, 5, 57, 58, 59]] * 3


@FORMS
@DTYPES
def test_neighbours_that_share_a_window_tie(form, dtype):
    """Rows 316 to 323 are the last window of block 19 and the first that overlaps block 20: both score what it does."""
    blocks = replace(SMALL, initial=0, count=4)
    k = torch.zeros(1, 1, 700, 32)
    k[:, :, 316:324] = 1.0
    q = torch.ones(1, 2, 1, 32).to(dtype)
    k1, k2 = (means.to(dtype) for means in compressed(k, blocks))
    assert form.choose(q, k1, k2, 699, blocks, 1.0, "exact").flatten().tolist() == [19, 41, 42, 43]
    chosen = form.choose(q, k1, k2, 699, replace(blocks, count=5), 1.0, "exact")
    assert chosen.flatten().tolist() == [19, 20, 41, 42, 43]


@FORMS
def test_as_released_up_to_row_6143_everything_is_chosen_and_then_96(form):
    q, k = normal(1, 16, 70, 128), normal(1, 1, 6176, 128, seed=1)
    chosen = form.choose(q, *compressed(k, RELEASED), 6106, RELEASED, 128**-0.5, "coarse")
    assert chosen.shape == (1, 1, 70, 96)
    assert torch.equal(chosen[0, 0, :38], torch.arange(96, dtype=torch.int32).expand(38, 96))
    later = chosen[0, 0, 38:].tolist()
    assert all({0, *range(64, 97)} <= set(numbers) and len(set(numbers)) == 96 for numbers in later)


@FORMS
@DTYPES
@pytest.mark.parametrize("normaliser", ["coarse", "exact"])
def test_pieces_of_any_length_choose_as_the_whole_does(form, dtype, normaliser):
    q, k = normal(1, 6, 300, 32, dtype=dtype), normal(1, 2, 300, 32, seed=1, dtype=dtype)
    k1, k2 = compressed(k, SMALL)
    whole = form.choose(q, k1, k2, 0, SMALL, 0.2, normaliser)
    for size in (1, 37, 64):
        for at in range(0, 300, size):
            seen = min(at + size, 300)
            means = k1[:, :, : max(0, seen // 4 - 1)], k2[:, :, : max(0, seen // 16 - 1)]
            piece = form.choose(q[:, :, at:seen], *means, at, SMALL, 0.2, normaliser)
            expected = whole[:, :, at:seen]
            assert torch.equal(piece, expected[..., : piece.shape[3]])
            assert (expected[..., piece.shape[3] :] == -1).all()


def test_memory_is_bounded_by_taking_some_queries_at_a_time(monkeypatch):
    from kernels.block_scores import cpu

    q, k = normal(1, 6, 100, 32), normal(1, 2, 300, 32, seed=1)
    arguments = (q, *compressed(k, SMALL), 200, SMALL, 0.2, "coarse")
    expected = cpu.choose(*arguments)
    monkeypatch.setattr(cpu, "HELD", 7 * 6 * 19 * 4)
    assert torch.equal(cpu.choose(*arguments), expected)


@FORMS
@pytest.mark.parametrize("spread", [0.0, 30.0, 1000.0])
def test_scores_of_any_size(form, spread):
    assert_like_reference(form, examples.example((1, 4, 2, 9, 300, 32), SMALL, "exact", torch.bfloat16, CPU, spread))


@FORMS
def test_numbers_that_are_none_break_no_rule(form):
    q, k = normal(1, 4, 5, 32), normal(1, 2, 300, 32, seed=1)
    q[:, :, 2] = torch.nan
    chosen = form.choose(q, *compressed(k, SMALL), 295, SMALL, 0.2, "coarse")
    assert (chosen.diff(dim=-1) > 0).all()
    assert chosen.min() >= 0
    assert chosen.max() <= 299 // SMALL.block


@FORMS
@DTYPES
def test_means_are_the_same_bits_one_by_one_and_all_at_once(form, dtype):
    k = normal(2, 3, 300, 20, dtype=dtype)
    for kernel, stride in ((8, 4), (32, 16)):
        every = form.compress(k, 0, kernel, stride)
        assert every.shape == (2, 3, (300 - kernel) // stride + 1, 20)
        assert dispatch.relative(every, reference.compress(k, 0, kernel, stride)) < (1e-2 if k.itemsize == 2 else 1e-6)
        parts, made = [], 0
        for seen in range(0, 301, 7):
            parts.append(form.compress(k[:, :, :seen], made, kernel, stride))
            made += parts[-1].shape[2]
        assert torch.equal(torch.cat(parts, 2), every[:, :, :made])


def test_how_many_windows_there_are_as_released():
    k = torch.zeros(1, 1, 8192, 1)
    form = importlib.import_module("kernels.block_scores.cpu")
    assert [form.compress(k, 0, *size).shape[2] for size in ((32, 16), (128, 64))] == [511, 127]
    assert [form.compress(k[:, :, :31], 0, *size).shape[2] for size in ((32, 16), (128, 64))] == [0, 0]


@pytest.mark.parametrize(
    "wrong", [{"kernel": 24}, {"block": 40}, {"local": 0}, {"count": 33}, {"stride": 0}, {"initial": -1}]
)
def test_a_geometry_that_is_none_is_refused(wrong):
    with pytest.raises(ValueError, match=r"windows|blocks"):
        replace(RELEASED, **wrong)
