"""Attention over chosen blocks: every form against the definition, and against attention over everything."""

import pytest
import torch

from kernels import dispatch, full_attention
from kernels.block_scores import Blocks
from kernels.block_scores import reference as scores
from kernels.block_sparse_attention import cpu, examples, reference
from kernels.native import Unavailable, attend

CPU = torch.device("cpu")
BF16 = torch.bfloat16
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, BF16])
FORMS = pytest.mark.parametrize("form", ["block_sparse_attention.native", "block_sparse_attention.cpu"], indirect=True)


@pytest.fixture
def native(monkeypatch):
    """The compiled form, which must compute all this itself: falling back would be right as well."""
    try:
        if not attend.here():
            pytest.skip("this processor does not multiply tiles")
    except Unavailable as problem:
        pytest.skip(str(problem))
    monkeypatch.setattr(cpu, "read", None)
    from kernels.block_sparse_attention import native

    return native


def assert_like_reference(form, case):
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


def normal(*size, seed=0, dtype=BF16):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


@FORMS
@DTYPES
@pytest.mark.parametrize(
    ("shape", "block", "count"),
    [
        ((1, 4, 2, 1, 1, 32), 64, 3),
        ((1, 4, 2, 33, 33, 32), 32, 2),
        ((2, 6, 2, 35, 200, 80), 32, 4),
        ((1, 3, 3, 7, 300, 64), 64, 3),
        ((1, 20, 1, 5, 130, 32), 64, 2),  # more query heads than one tile holds
        ((1, 4, 2, 9, 130, 24), 64, 2),  # a width that the compiled form leaves to the plain one
        ((1, 4, 2, 9, 130, 32), 16, 5),  # a block that it leaves
    ],
)
def test_a_piece_of_queries(form, shape, block, count, dtype):
    assert_like_reference(form, examples.example(shape, block, count, dtype, CPU))


@FORMS
@DTYPES
@pytest.mark.parametrize("at", [0, 63, 64, 199])
def test_one_token(form, dtype, at):
    for told in (False, True):
        assert_like_reference(form, examples.token((2, 8, 2, at, 64), 64, 3, dtype, CPU, told=told))


@FORMS
@DTYPES
@pytest.mark.parametrize("choices", [4, 8])
def test_query_heads_of_a_key_head_may_choose_apart(form, dtype, choices):
    assert_like_reference(form, examples.example((2, 8, 2, 9, 200, 32), 32, 3, dtype, CPU, choices=choices))
    assert_like_reference(form, examples.token((2, 8, 2, 150, 32), 64, 2, dtype, CPU, choices=choices))


@pytest.mark.parametrize("tokens", [1, 2, 31, 32, 33, 65, 100])
@pytest.mark.parametrize("seen", [100, 127, 128, 129, 161])
def test_pieces_end_where_a_block_does(native, tokens, seen):
    assert_like_reference(native, examples.example((1, 4, 1, tokens, seen, 32), 32, 3, BF16, CPU))


@pytest.mark.parametrize("width", [32, 48, 64, 112, 128])
@pytest.mark.parametrize(("heads", "kv_heads", "block"), [(2, 2, 32), (9, 3, 96), (32, 2, 64), (17, 1, 128)])
def test_widths_groups_and_blocks(native, width, heads, kv_heads, block):
    assert_like_reference(native, examples.example((1, heads, kv_heads, 5, 290, width), block, 2, BF16, CPU))


@FORMS
@pytest.mark.parametrize("spread", [0.0, 10.0, 100.0])
def test_scores_of_any_size(form, spread):
    assert_like_reference(form, examples.example((1, 4, 2, 9, 300, 64), 32, 5, BF16, CPU, spread))


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_score_rises_and_falls_along_the_rows(native, sign):
    k = torch.linspace(-40, 40, 512)[:, None].expand(512, 64).mul(sign).to(BF16)[None, None]
    q, v = torch.full((1, 2, 40, 64), 3.0, dtype=BF16), normal(1, 1, 512, 64)
    chosen = torch.tensor([0, 3, 7], dtype=torch.int32).expand(1, 1, 40, 3)
    expected = reference.read(q, k, v, chosen, 472, 64, 0.125)
    assert dispatch.relative(native.read(q, k, v, chosen, 472, 64, 0.125), expected) <= 1e-2


@FORMS
@DTYPES
def test_with_every_block_chosen_it_is_attention_over_all(form, dtype):
    q, k, v = normal(1, 8, 70, 64, dtype=dtype), *(normal(1, 2, 200, 64, seed=s, dtype=dtype) for s in (1, 2))
    rows = torch.arange(130, 200)[:, None]
    numbers = torch.arange(7, dtype=torch.int32)
    chosen = torch.where(numbers <= rows // 32, numbers, -1).expand(1, 2, 70, 7)
    expected = full_attention.read(q, k, v, 0.125)
    tolerance = 1e-5 if dtype is torch.float32 else 1e-2
    assert dispatch.relative(form.read(q, k, v, chosen, 130, 32, 0.125), expected) <= tolerance


@FORMS
def test_one_token_is_the_last_of_a_piece(form):
    blocks = Blocks(kernel=16, stride=8, block=32, initial=1, local=2, count=5)
    q, k, v = normal(1, 8, 1, 64), normal(1, 2, 300, 64, seed=1), normal(1, 2, 300, 64, seed=2)
    means = (scores.compress(k, 0, by * 16, by * 8) for by in (1, 4))
    chosen = scores.choose(q, *means, 299, blocks, 0.125, "coarse")
    piece = form.read(q, k, v, chosen, 299, 32, 0.125)[:, :, 0]
    token = form.write(q[:, :, 0].float(), k, v, chosen[:, :, 0], 299, 32, 0.125)
    assert token.dtype is torch.float32
    assert dispatch.relative(token, piece) <= 1e-2


@FORMS
@DTYPES
def test_what_is_not_chosen_may_be_anything(form, dtype):
    q, k, v = normal(1, 4, 20, 32, dtype=dtype), *(normal(1, 2, 300, 32, seed=s, dtype=dtype) for s in (1, 2))
    chosen = torch.tensor([1, 4, 7], dtype=torch.int32).expand(1, 2, 20, 3)
    expected = form.read(q, k, v, chosen, 230, 32, 0.2)
    for rows in (k, v):
        rows[:, :, :32] = rows[:, :, 64:128] = rows[:, :, 160:224] = rows[:, :, 250:] = torch.nan
    assert torch.equal(form.read(q, k, v, chosen, 230, 32, 0.2), expected)


def test_the_definition_reads_no_row_that_a_query_did_not_choose():
    q, k, v = (
        normal(1, 2, 3, 8, dtype=torch.float32),
        *(normal(1, 1, 12, 8, seed=s, dtype=torch.float32) for s in (1, 2)),
    )
    chosen = torch.tensor([[0, 2], [1, 2], [-1, -1]], dtype=torch.int32)[None, None]  # of blocks of 4 rows
    expected = reference.read(q, k, v, chosen, 9, 4, 0.3)
    for rows in (k, v):
        rows[:, :, 4:8] = rows[:, :, 11] = torch.nan
        found = reference.read(q, k, v, chosen, 9, 4, 0.3)
        assert torch.equal(found[:, :, 0], expected[:, :, 0])
        assert found[:, :, 1].isnan().all(), "who sees it is told"
        assert not found[:, :, 2].any(), "who sees nothing gets nothing"


def test_memory_is_bounded_by_gathering_for_some_queries_at_a_time(monkeypatch):
    case = examples.example((1, 4, 2, 19, 300, 32), 32, 4, torch.float32, CPU)
    monkeypatch.setattr(cpu, "GATHERED", 5 * 4 * 32 * 32)
    assert_like_reference(cpu, case)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_number_of_threads_gives_the_same(native, threads):
    case = examples.example((2, 4, 2, 70, 400, 32), 64, 3, BF16, CPU)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        assert_like_reference(native, case)
    finally:
        torch.set_num_threads(before)


@FORMS
@DTYPES
@pytest.mark.parametrize("tokens", [1, 63, 64, 65, 257, pytest.param(1000, marks=pytest.mark.full)])
@pytest.mark.parametrize(
    ("heads", "kv_heads", "lists"),
    [(4, 2, 4), (4, 2, 2), (3, 3, 3), (9, 3, 3), pytest.param(20, 2, 2, marks=pytest.mark.full)],
)
def test_tiles_of_queries(form, dtype, tokens, heads, kv_heads, lists):
    seen = tokens + 100 if tokens < 1000 else tokens
    assert_like_reference(form, examples.tiled((1, heads, kv_heads, tokens, seen, 32), lists, 3, dtype, CPU))


@pytest.mark.parametrize("width", [32, 48, 112, 128])
@pytest.mark.parametrize("lists", [6, pytest.param(2, marks=pytest.mark.full)])
def test_widths_of_tiles(tiled_native, width, lists):
    assert_like_reference(tiled_native, examples.tiled((2, 6, 2, 140, 400, width), lists, 2, BF16, CPU))
    assert_like_reference(tiled_native, examples.tiled((2, 6, 2, 140, 400, width), lists, 2, BF16, CPU, packed=True))


@pytest.fixture
def tiled_native(native, monkeypatch):
    monkeypatch.setattr(cpu, "read_tiles", None)
    monkeypatch.setattr(cpu, "read_tiles_bytes", None)
    return native


@FORMS
@DTYPES
def test_with_every_block_chosen_tiles_see_all(form, dtype):
    q, k, v = normal(1, 8, 170, 64, dtype=dtype), *(normal(1, 2, 300, 64, seed=s, dtype=dtype) for s in (1, 2))
    chosen = torch.tensor([[0, 1, -1], [0, 1, 2]], dtype=torch.int32).expand(1, 8, 2, 3)
    expected = full_attention.read(q, k, v, 0.125)
    tolerance = 1e-5 if dtype is torch.float32 else 1e-2
    assert dispatch.relative(form.read_tiles(q, k, v, chosen, 130, 128, 0.125), expected) <= tolerance


@FORMS
@DTYPES
def test_what_no_tile_chose_may_be_anything(form, dtype):
    q, k, v = normal(1, 2, 100, 32, dtype=dtype), *(normal(1, 2, 640, 32, seed=s, dtype=dtype) for s in (1, 2))
    chosen = torch.tensor([[1, 4]], dtype=torch.int32).expand(1, 2, 1, 2)
    expected = form.read_tiles(q, k, v, chosen, 515, 128, 0.2)
    for rows in (k, v):
        rows[:, :, :128] = rows[:, :, 256:512] = rows[:, :, 615:] = torch.nan
    assert torch.equal(form.read_tiles(q, k[:, :, :615], v[:, :, :615], chosen, 515, 128, 0.2), expected)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_tiles_by_every_number_of_threads(tiled_native, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        assert_like_reference(tiled_native, examples.tiled((1, 4, 2, 300, 700, 64), 4, 3, BF16, CPU))
    finally:
        torch.set_num_threads(before)
