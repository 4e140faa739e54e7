"""Which blocks of a long text are looked at: against the definition, and against the mass of attention itself."""

import pytest
import torch

from kernels import dispatch
from kernels.block_choice import Choice, cpu, examples, reference

CPU = torch.device("cpu")
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
SMALL = Choice(block=16, stride=4, threshold=0.9)


def assert_like_reference(case):
    assert dispatch.relative(case.run(cpu), case.expected()) <= case.tolerance


def normal(*size, seed=0, dtype=torch.float32):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


@DTYPES
@pytest.mark.parametrize("seen", [1, 63, 64, 65, 257])
@pytest.mark.parametrize(("heads", "kv_heads"), [(3, 3), (4, 2)])
@pytest.mark.parametrize("shared", [False, True])
def test_masses_and_choices(dtype, seen, heads, kv_heads, shared):
    """Of a piece that begins and ends within a tile, and of a whole text."""
    choice = Choice(block=32, stride=8, threshold=0.8, shared=shared)
    for tokens in {seen, -(-seen // 3)}:
        assert_like_reference(examples.example((1, heads, kv_heads, tokens, seen, 16), choice, dtype, CPU))


@pytest.mark.full
@DTYPES
@pytest.mark.parametrize("tokens", [1, 63, 64, 65, 257, 1000])
def test_masses_of_the_published_sizes(dtype, tokens):
    assert_like_reference(examples.example((1, 2, 1, tokens, 1000, 64), Choice(), dtype, CPU))


@pytest.mark.parametrize("spread", [0.0, 0.1, 30.0])
def test_scores_of_any_size(spread):
    assert_like_reference(examples.example((1, 4, 2, 40, 200, 32), SMALL, torch.float32, CPU, spread))


@DTYPES
def test_pieces_of_whole_tiles_choose_as_the_text(dtype):
    q, k = normal(1, 4, 300, 32, dtype=dtype) * 3, normal(1, 2, 300, 32, seed=1, dtype=dtype)
    whole = cpu.masses(q, k, 0, SMALL, 0.2)
    for at, end in ((0, 16), (16, 64), (64, 272), (272, 300)):
        some = cpu.masses(q[:, :, at:end], k[:, :, :end], at, SMALL, 0.2)
        assert dispatch.relative(some, whole[:, :, at // 16 : -(-end // 16), : some.shape[3]]) < 1e-5


def test_a_piece_is_not_taken_for_the_beginning_of_the_text():
    """A stripe far behind is seen by queries that come after it, and its block by none that come before."""
    q, k = normal(1, 1, 64, 32) * 0.1, normal(1, 1, 320, 32, seed=1) * 0.1
    q[..., 0] += 8
    k[:, :, 100, 0] += 40
    chosen = cpu.choose(q, k, 256, SMALL, 0.2)
    assert (chosen == 100 // 16).any(-1).all()
    early = cpu.choose(q, k[:, :, :80], 16, SMALL, 0.2)
    assert early.max() == 79 // 16


def test_the_first_and_the_own_block_are_always_chosen_and_count_first():
    q, k = normal(1, 1, 160, 32) * 0.1, normal(1, 1, 160, 32, seed=1) * 0.1
    q[..., 0] += 8
    k[:, :, 70, 0] += 60  # all of the mass, where it is seen
    chosen = cpu.choose(q, k, 0, Choice(block=16, stride=4, threshold=0.5), 0.2)[0, 0]
    for tile in range(4, 10):
        assert chosen[tile][chosen[tile] >= 0].tolist() == sorted({0, 4, tile})


@DTYPES
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("threshold", [0.3, 0.9, 0.99])
def test_every_tile_holds_what_was_promised_and_no_block_more(dtype, threshold, shared):
    choice = Choice(block=16, stride=4, threshold=threshold, shared=shared)
    q, k = normal(2, 4, 150, 32, dtype=dtype) * 3, normal(2, 2, 290, 32, seed=1, dtype=dtype)
    found = cpu.masses(q, k, 140, choice, 0.2)
    chosen = cpu.choose(q, k, 140, choice, 0.2)
    of = found.gather(-1, chosen.clamp(min=0).long()).masked_fill(chosen < 0, 0.0)
    assert (of.sum(-1) >= threshold - 1e-6).all()
    own = torch.arange(140 // 16, 289 // 16 + 1)[:, None]
    free = (chosen > 0) & (chosen < own)
    least = of.masked_fill(~free, 2.0).amin(-1)
    assert ((of.sum(-1) - least < threshold + 1e-6) | ~free.any(-1)).all()


def test_the_estimate_is_close_to_the_mass_itself():
    """Where attention has structure, runs of rows and what is near: the chosen hold what was asked for, nearly. Single
    rows that draw all of it are the estimate's weak side: it takes the mean over a group."""
    tokens, width = 512, 64
    q, k = normal(1, 1, tokens, width) * 0.5, normal(1, 1, tokens, width, seed=1) * 0.5
    q[..., 0] += 6
    for first in (0, 130, 300):
        k[:, :, first : first + 16, 0] += 8
    angles = torch.arange(tokens) * 0.02
    for x in (q, k):
        x[..., 1], x[..., 2] = 6 * angles.cos(), 6 * angles.sin()
    scores = (q @ k.transpose(2, 3) * width**-0.5).masked_fill(torch.ones(tokens, tokens).triu(1).bool(), -torch.inf)
    mass = scores.softmax(-1).unflatten(2, (-1, 32)).sum(3).unflatten(3, (-1, 32)).sum(4) / 32  # [1, 1, 16, 16]
    chosen = cpu.choose(q, k, 0, Choice(block=32, stride=8, threshold=0.9), width**-0.5)
    held = mass.gather(-1, chosen.clamp(min=0).long()).masked_fill(chosen < 0, 0.0).sum(-1)
    assert held.min() > 0.85
    assert (chosen >= 0).sum() < 0.4 * 16 * 17 / 2, "too much was chosen"


def test_at_one_all_is_chosen():
    q, k = normal(1, 2, 100, 32) * 9, normal(1, 2, 100, 32, seed=1)
    chosen = cpu.choose(q, k, 0, Choice(block=16, stride=4, threshold=1.0), 1.0)
    assert ((chosen >= 0).sum(-1) == torch.arange(1, 8)).all()
    assert torch.equal(chosen, reference.choose(q, k, 0, Choice(block=16, stride=4, threshold=1.0), 1.0))


def test_memory_is_bounded_by_taking_some_tiles_at_a_time(monkeypatch):
    q, k = normal(1, 2, 290, 32), normal(1, 2, 300, 32, seed=1)
    whole = cpu.masses(q, k, 10, SMALL, 0.2)
    monkeypatch.setattr(cpu, "SCORES", 1)
    assert dispatch.relative(cpu.masses(q, k, 10, SMALL, 0.2), whole) < 1e-6


@pytest.mark.parametrize("wrong", [{"stride": 7}, {"stride": 0}, {"threshold": 0.0}, {"threshold": 1.1}])
def test_what_makes_no_choice_is_refused(wrong):
    with pytest.raises(ValueError, match="in groups of"):
        Choice(**wrong)
