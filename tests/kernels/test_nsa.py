"""NSA's compressed branch against the definition, and its choice of blocks against the geometry of windows."""

import pytest
import torch

from kernels import block_scores, dispatch, nsa
from kernels.block_scores import cpu as scores
from kernels.block_scores import examples as scores_examples
from kernels.nsa import cpu, examples

CPU = torch.device("cpu")
BF16 = torch.bfloat16
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, BF16])
LENGTHS = pytest.mark.parametrize(
    "seen", [1, 65, 257, *(pytest.param(seen, marks=pytest.mark.full) for seen in (63, 64, 1000))]
)
HEADS = pytest.mark.parametrize(("heads", "kv_heads"), [(3, 3), (4, 2), (6, 1)])
PAPER = block_scores.Blocks(kernel=32, stride=16, block=64, initial=1, local=2, count=16, pooling="overlap")


def assert_like_reference(case):
    assert dispatch.relative(case.run(cpu), case.expected()) <= case.tolerance


@DTYPES
@HEADS
@LENGTHS
def test_attention_to_entries_is_that_of_the_definition(seen, heads, kv_heads, dtype):
    for kernel in (8, 32):
        case = examples.example((2, heads, kv_heads, min(seen, 40), seen, 32), dtype, CPU, kernel)
        assert_like_reference(case)


@DTYPES
@HEADS
@pytest.mark.parametrize("at", [0, 6, 7, 63, 64, 999])
def test_one_token(at, heads, kv_heads, dtype):
    assert_like_reference(examples.token((2, heads, kv_heads, at, 32), dtype, CPU))


@pytest.mark.parametrize("spread", [0.0, 10.0, 100.0])
def test_scores_of_any_size(spread):
    assert_like_reference(examples.example((1, 4, 2, 40, 300, 64), BF16, CPU, 8, spread))


def test_memory_is_bounded_by_taking_some_queries_at_a_time(monkeypatch):
    monkeypatch.setattr(cpu, "QUERIES", 7)
    assert_like_reference(examples.example((1, 4, 2, 40, 60, 32), torch.float32, CPU))
    assert_like_reference(examples.example((1, 4, 2, 40, 40, 32), torch.float32, CPU, 32))


def test_an_entry_is_seen_once_its_window_has_ended():
    entries = torch.eye(4)[None, None]
    for row, count in ((30, 0), (31, 1), (46, 1), (47, 2), (63, 3), (79, 4)):
        assert nsa.seen(row, 32, 16) == count
        mixed = nsa.read(torch.zeros(1, 1, 1, 4), entries, entries, row, 32, 16, 1.0)[0, 0, 0]
        assert mixed.tolist() == pytest.approx([1 / max(1, count)] * count + [0.0] * (4 - count))


def overlap(window: int, block: int) -> int:
    """Strides of rows 16 w to 16 w + 32 in rows 64 b to 64 b + 64."""
    rows = set(range(window * 16, window * 16 + 32)) & set(range(block * 64, block * 64 + 64))
    return len(rows) // 16


def test_a_block_is_as_important_as_the_windows_that_overlap_it():
    """One window after the other is all that a query looks at: block b is windows 4 b - 1 to 4 b + 3, once, twice,
    twice, twice, once."""
    count, width = 43, 64  # whole windows in 11 blocks
    k = torch.eye(count, width)[None, None] * 100
    rows = torch.tensor([11 * 64 - 1])
    for window in range(count):
        q = k[:, :, window : window + 1]
        found = scores.scores(q, k, k[:, :, :0], rows, PAPER, 1.0, "exact")[0, 0, 0]
        assert found.tolist() == pytest.approx([float(overlap(window, block)) for block in range(11)], abs=1e-6)
    assert [overlap(window, 3) for window in range(10, 17)] == [0, 1, 2, 2, 2, 1, 0]


def test_importances_of_a_group_are_added():
    random = torch.Generator().manual_seed(0)
    q, k = (torch.randn(1, heads, count, 16, generator=random) for heads, count in ((4, 1), (1, 43)))
    rows = torch.tensor([700])
    whole = scores.scores(q, k, k[:, :, :0], rows, PAPER, 0.25, "exact")
    each = [scores.scores(q[:, h : h + 1], k, k[:, :, :0], rows, PAPER, 0.25, "exact") for h in range(4)]
    assert torch.allclose(whole, sum(each), atol=1e-6)


@DTYPES
@HEADS
@LENGTHS
def test_choices_are_those_of_the_definition(seen, heads, kv_heads, dtype):
    case = scores_examples.example(
        (1, heads, kv_heads, min(seen, 20), seen, 32), scores_examples.OVERLAP, "exact", dtype, CPU
    )
    assert dispatch.relative(case.run(scores), case.expected()) <= case.tolerance


def test_of_equal_importances_the_lower_block_is_chosen():
    """Where a query looks at nothing: the first, two local ones, and those behind the first."""
    k = torch.zeros(1, 1, 199, 16)
    chosen = block_scores.choose(torch.zeros(1, 2, 1, 16), k, k[:, :, :0], 50 * 64, PAPER, 1.0, "exact")
    assert chosen.tolist() == [[[[*range(14), 49, 50]]]]
