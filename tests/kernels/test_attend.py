"""The compiled attention of many queries against the definition, where there is AMX."""

import pytest
import torch

from kernels import dispatch, row_bytes
from kernels.full_attention import cpu, examples, reference
from kernels.native import Unavailable, attend

CPU = torch.device("cpu")
BF16 = torch.bfloat16


@pytest.fixture
def form(monkeypatch):
    """The native form, which must compute all this itself: falling back would be right as well."""
    try:
        if not attend.here():
            pytest.skip("this processor does not multiply tiles")
    except Unavailable as problem:
        pytest.skip(str(problem))
    for name in ("read", "beside", "beside_bytes"):
        monkeypatch.setattr(cpu, name, None)
    from kernels.full_attention import native

    return native


def normal(*size, seed=0):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(BF16)


def assert_close(result, expected, tolerance=1e-2):
    assert result.shape == expected.shape
    assert result.dtype is expected.dtype
    assert dispatch.relative(result, expected) <= tolerance


@pytest.mark.parametrize(
    ("tokens", "seen"),
    [
        (2, 2),
        (5, 31),
        (15, 32),
        (16, 33),
        (17, 127),
        (31, 128),
        (40, 129),
        (70, 256),
        (43, 300),
        (129, 129),
        (200, 385),
    ],
)
def test_masks_end_where_a_block_of_rows_or_queries_does(form, tokens, seen):
    case = examples.example("case", (1, 3, 1, tokens, seen, 64), BF16, CPU)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("tokens", range(1, 71, 3))
def test_any_number_of_queries(form, tokens):
    case = examples.beside("case", (1, 6, 2, tokens, 100 + tokens, 64), BF16, CPU, packed=tokens % 2 == 0)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("width", [32, 64, 80, 96, 112, 128])
@pytest.mark.parametrize(("heads", "kv_heads"), [(4, 4), (9, 3), (14, 2), (5, 1)])
def test_widths_and_groups(form, width, heads, kv_heads, packed):
    case = examples.beside("case", (2, heads, kv_heads, 19, 141, width), BF16, CPU, packed=packed)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("spread", [0.001, 10.0, 100.0])
def test_scores_of_any_size(form, spread):
    case = examples.example("case", (1, 6, 2, 33, 300, 64), BF16, CPU, spread)
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_score_rises_and_falls_along_the_rows(form, sign):
    """By far more than the exponential can hold, so that what was found before must fade to nothing, or stay alone."""
    k = torch.linspace(-40, 40, 500)[:, None].expand(500, 64).mul(sign).to(BF16)[None, None]
    v, q = normal(1, 1, 500, 64), torch.full((1, 2, 40, 64), 3.0, dtype=BF16)
    assert_close(form.read(q, k, v, 0.125), reference.read(q, k, v, 0.125))


def test_equal_scores_give_the_mean(form):
    v = normal(1, 1, 1000, 64)
    q, k = torch.zeros(1, 1, 20, 64, dtype=BF16), normal(1, 1, 1000, 64)
    own_k, own_v = torch.zeros(1, 1, 20, 64, dtype=BF16), torch.zeros(1, 1, 20, 64, dtype=BF16)
    expected = v.float().sum(2, keepdim=True) / torch.arange(1001, 1021)[:, None]
    assert_close(form.beside(q, k, v, own_k, own_v, 0.125), expected.to(BF16))


@pytest.mark.parametrize("layout", ["native", "cpu", "sdpa", "tokens"])
def test_rows_of_any_layout_with_nothing_behind_them_looked_at(form, layout):
    if layout == "tokens":
        held = [torch.empty(1, 250, 3, 64, dtype=BF16).transpose(1, 2) for _ in "kv"]
    else:
        held = cpu.rows(1, 3, 250, 64, BF16, CPU) if layout == "cpu" else form.rows(1, 3, 250, 64, BF16, CPU)
    for rows in held:
        rows.fill_(torch.nan)
    k, v = (rows[:, :, 20:213] for rows in held)
    for seed, rows in enumerate((k, v)):
        rows.copy_(normal(1, 3, 193, 64, seed=seed))
    wide = normal(1, 37, 12, 64, seed=2)
    for q in (wide[:, :, :9].transpose(1, 2), wide[:, 20:, 3:].transpose(1, 2), wide[:, :, 3:].transpose(1, 2).mT.mT):
        assert_close(form.read(q, k, v, 0.125), reference.read(q, k, v, 0.125))


def test_bytes_give_what_their_numbers_would(form):
    q, k, v = normal(1, 6, 40, 64), normal(1, 2, 333, 64, seed=1), normal(1, 2, 333, 64, seed=2)
    own = normal(1, 2, 40, 64, seed=3), normal(1, 2, 40, 64, seed=4)
    (kb, ks), (vb, vs) = row_bytes.pack(k), row_bytes.pack(v)
    numbers = row_bytes.unpack(kb, ks, BF16), row_bytes.unpack(vb, vs, BF16)
    bytes_ = form.beside_bytes(q, kb, ks, vb, vs, *own, 0.125)
    assert torch.equal(bytes_, form.beside(q, *numbers, *own, 0.125))
    # What the bytes themselves cost, of which the contract of row_bytes says how much a row moves
    assert_close(bytes_, reference.beside(q, k, v, *own, 0.125), 2e-2)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_number_of_threads_gives_the_same(form, threads):
    q, k, v = normal(2, 6, 150, 64), normal(2, 2, 222, 64, seed=1), normal(2, 2, 222, 64, seed=2)
    expected = form.read(q, k, v, 0.125)
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        assert_close(form.read(q, k, v, 0.125), expected, 1e-3)
    finally:
        torch.set_num_threads(before)


def test_shapes_that_others_gave_to_tiles_are_left_to_them(form):
    """torch's own products use the same registers, and keep their shapes from one call to the next."""
    one, two = normal(70, 90), normal(90, 50, seed=1)
    expected = one @ two
    q, k, v = normal(1, 3, 40, 64), normal(1, 1, 100, 64), normal(1, 1, 100, 64)
    flash = torch.nn.functional.scaled_dot_product_attention
    beside = flash(q, k, v, enable_gqa=True)
    for _ in range(3):
        form.read(q, k, v, 0.125)
        assert torch.equal(one @ two, expected)
        assert torch.equal(flash(q, k, v, enable_gqa=True), beside)


def test_what_it_does_not_take_is_left_to_torch():
    assert not attend.fits(torch.empty(1, 1, 1, 64))
    assert not attend.fits(torch.empty(1, 1, 1, 72, dtype=BF16))
