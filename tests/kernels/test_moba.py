"""MoBA: every form against the definition, and against attention over everything."""

import pytest
import torch

from kernels import block_sparse_attention, dispatch, full_attention, moba
from kernels.moba import cpu, examples, reference

CPU = torch.device("cpu")
BF16 = torch.bfloat16
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, BF16])
LENGTHS = pytest.mark.parametrize(
    "seen", [1, 65, 257, *(pytest.param(seen, marks=pytest.mark.full) for seen in (63, 64, 1000))]
)
HEADS = pytest.mark.parametrize(("heads", "kv_heads"), [(3, 3), (4, 2), (6, 1)])


def assert_like_reference(case):
    assert dispatch.relative(case.run(cpu), case.expected()) <= case.tolerance


def normal(*size, seed=0, dtype=torch.float32):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


@DTYPES
@HEADS
@LENGTHS
def test_choices_are_those_of_the_definition(seen, heads, kv_heads, dtype):
    assert_like_reference(examples.choose((1, heads, kv_heads, min(seen, 20), seen, 16), 64, 4, dtype, CPU))


@DTYPES
@HEADS
@LENGTHS
def test_attention_is_that_of_the_definition(seen, heads, kv_heads, dtype):
    for block, tokens in ((16, 70), (64, 33)):
        assert_like_reference(examples.example((2, heads, kv_heads, min(seen, tokens), seen, 32), block, 3, dtype, CPU))


@DTYPES
@HEADS
@pytest.mark.parametrize("at", [0, 63, 64, 256, 999])
def test_one_token(at, heads, kv_heads, dtype):
    assert_like_reference(examples.token((2, heads, kv_heads, at, 32), 64, 3, dtype, CPU))


@pytest.mark.parametrize("spread", [10.0, 100.0])
def test_scores_of_any_size(spread):
    assert_like_reference(examples.example((1, 4, 2, 9, 300, 64), 32, 5, BF16, CPU, spread))


def test_of_equal_gates_the_lower_block_is_chosen():
    q, k = torch.zeros(1, 2, 3, 16), normal(1, 1, 200, 16)
    chosen = moba.choose(q, moba.means(k, 16), 165, 16, 4)
    assert chosen.tolist() == [[[[0, 1, 2, 10]] * 3] * 2]
    k[:, :, 32:48], k[:, :, 96:112] = 1.0, 1.0  # blocks 2 and 6 are equal and the best
    chosen = moba.choose(torch.ones(1, 1, 1, 16), moba.means(k, 16), 165, 16, 2)
    assert chosen.tolist() == [[[[2, 10]]]]


def test_a_block_is_a_candidate_once_it_has_ended_and_no_sooner():
    """Whatever stands in its rows behind the query, and in blocks behind that."""
    q, k = normal(1, 2, 1, 16), normal(1, 2, 96, 16, seed=1)
    for at in (31, 32, 47, 48):
        other = k.clone()
        other[:, :, at + 1 :] = 100.0
        first, second = (moba.choose(q, moba.means(keys, 16), at, 16, 9) for keys in (k, other))
        assert torch.equal(first, second)
        assert first[0, 0, 0].tolist() == list(range(at // 16 + 1))


def test_the_own_block_is_one_of_those_that_are_counted():
    assert moba.choose(normal(1, 1, 1, 16), moba.means(normal(1, 1, 96, 16), 16), 90, 16, 1).tolist() == [[[[5]]]]


@DTYPES
@HEADS
@pytest.mark.parametrize(("seen", "tokens"), [(1, 1), (65, 65), (257, 40), (1000, 70)])
def test_with_as_many_blocks_as_there_are_it_is_attention_over_all(seen, tokens, heads, kv_heads, dtype):
    q = normal(1, heads, tokens, 64, dtype=dtype)
    k, v = (normal(1, kv_heads, seen, 64, seed=seed, dtype=dtype) for seed in (1, 2))
    at = seen - tokens
    chosen = moba.choose(q, moba.means(k, 64), at, 64, 16)
    tolerance = 1e-5 if dtype is torch.float32 else 1e-2
    expected = full_attention.read(q, k, v, 0.125)
    assert dispatch.relative(moba.read(q, k, v, chosen, at, 64, 0.125), expected) <= tolerance
    one = moba.write(q[:, :, -1].float(), k, v, moba.choose(q[:, :, -1:], moba.means(k, 64), seen - 1, 64, 16)[:, :, 0],
                     seen - 1, 64, 0.125)  # fmt: skip
    assert one.dtype is torch.float32
    assert dispatch.relative(one, expected[:, :, -1]) <= tolerance


@DTYPES
def test_means_are_the_same_bits_one_by_one_and_all_at_once(dtype):
    k = normal(2, 2, 500, 24, dtype=dtype)
    whole = cpu.means(k, 37)
    for number in range(13):
        assert torch.equal(cpu.means(k[:, :, number * 37 : number * 37 + 40], 37)[:, :, 0], whole[:, :, number])
    assert dispatch.relative(whole, reference.means(k.double(), 37)) < 1e-6


def test_memory_is_bounded_by_taking_some_at_a_time(monkeypatch):
    expected = cpu.means(normal(1, 2, 500, 32), 16)
    monkeypatch.setattr(cpu, "HELD", 5 * 4 * 16)
    assert torch.equal(cpu.means(normal(1, 2, 500, 32), 16), expected)
    assert_like_reference(examples.choose((1, 4, 2, 31, 257, 32), 16, 4, BF16, CPU))


def test_blocks_that_nobody_chose_may_be_anything():
    q, k, v = normal(1, 4, 20, 32), *(normal(1, 2, 300, 32, seed=s) for s in (1, 2))
    chosen = torch.tensor([1, 4, 7], dtype=torch.int32).expand(1, 4, 20, 3)
    expected = moba.read(q, k, v, chosen, 230, 32, 0.2)
    for rows in (k, v):
        rows[:, :, :32] = rows[:, :, 64:128] = rows[:, :, 160:224] = rows[:, :, 250:] = torch.nan
    assert torch.equal(moba.read(q, k, v, chosen, 230, 32, 0.2), expected)


def test_every_query_head_chooses_for_itself():
    q, k, v = normal(1, 4, 8, 32), *(normal(1, 1, 400, 32, seed=seed) for seed in (1, 2))
    chosen = moba.choose(q, moba.means(k, 16), 392, 16, 3)
    assert len({tuple(one) for one in chosen[0, :, 0].tolist()}) > 1
    found = moba.read(q, k, v, chosen, 392, 16, 0.2)
    for head in range(4):
        own = slice(head, head + 1)
        alone = block_sparse_attention.read(q[:, own], k, v, chosen[:, own], 392, 16, 0.2)
        assert dispatch.relative(found[:, own], alone) < 1e-6
