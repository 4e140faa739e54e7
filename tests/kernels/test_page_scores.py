"""Bounds of pages and what is chosen by them: every form against the definition, and as bounds."""

import pytest
import torch

from kernels import dispatch
from kernels.full_attention import examples as full
from kernels.full_attention import reference as dense_reference
from kernels.page_scores import PAGE, Pages, bounds_dtype, examples, reference

CPU = torch.device("cpu")
BF16 = torch.bfloat16
DTYPES = pytest.mark.parametrize("dtype", [torch.float32, BF16])
FORMS = pytest.mark.parametrize("form", ["page_scores.native", "page_scores.cpu"], indirect=True)
LENGTHS = pytest.mark.parametrize("rows", [1, 63, 64, 65, 257, 1000])
HEADS = [(3, 3), (9, 3), (8, 2), (5, 1), (20, 2)]


def assert_like_reference(form, case):
    assert dispatch.relative(case.run(form), case.expected()) <= case.tolerance


def normal(*size, seed=0, dtype=torch.float32):
    return torch.randn(size, generator=torch.Generator().manual_seed(seed)).to(dtype)


@FORMS
@DTYPES
@LENGTHS
def test_bounds_of_pages(form, dtype, rows):
    assert_like_reference(form, examples.limits((2, 2, rows, 24), dtype, CPU))


@FORMS
def test_bounds_rounded_to_bf16_stay_bounds_whatever_the_number(form):
    """Of single keys, so that both bounds are of the same number: the nearest ones below and above it."""
    words = torch.randint(-(2**31), 2**31, (1, 1, 40 * PAGE, 32), generator=torch.Generator().manual_seed(1))
    keys = words.to(torch.int32).view(torch.float32).nan_to_num(0.0, 1.0, -1.0).clamp(-1e38, 1e38)
    keys[..., :16, :8] = 0.0
    keys[..., 16:32, :8] = -0.0
    keys = keys[:, :, ::PAGE].repeat_interleave(PAGE, 2)
    least, most = form.bounds(keys, BF16).unbind(3)
    one = keys[:, :, ::PAGE]
    assert (least.float() <= one).all()
    assert (most.float() >= one).all()
    assert ((most.float() == one) == (least.float() == one)).all()
    assert torch.equal(form.bounds(keys, BF16).float(), reference.bounds(keys, BF16).float())


@FORMS
@DTYPES
@LENGTHS
@pytest.mark.parametrize(("heads", "kv_heads"), HEADS)
def test_a_choice(form, dtype, rows, heads, kv_heads):
    assert_like_reference(form, examples.example((2, heads, kv_heads, rows, 24), examples.SMALL, dtype, CPU))


@FORMS
@DTYPES
@pytest.mark.parametrize("at", [0, 15, 16, 62, 63, 64, 256, 999])
@pytest.mark.parametrize(("heads", "kv_heads", "width"), [(9, 3, 64), (4, 4, 16), (10, 2, 48), (16, 2, 128)])
def test_a_step(form, dtype, at, heads, kv_heads, width):
    assert_like_reference(form, examples.step((1, heads, kv_heads, at, width), examples.SMALL, dtype, CPU))


@FORMS
@pytest.mark.parametrize("at", [0, 63, 64, 257])
def test_a_step_over_bytes(form, at):
    assert_like_reference(form, examples.step_bytes((2, 9, 3, at, 64), examples.SMALL, CPU))


@FORMS
@pytest.mark.parametrize("pages", [Pages(2, 0, 0, 1), Pages(3, 2, 1, 2), Pages(30, 0, 2, 9), Pages(10**6, 0)])
def test_budgets(form, pages):
    assert_like_reference(form, examples.step((2, 6, 2, 777, 32), pages, torch.float32, CPU))
    assert_like_reference(form, examples.example((2, 6, 2, 777, 32), pages, torch.float32, CPU))


@FORMS
@DTYPES
def test_a_score_is_an_upper_bound_of_every_product_of_its_page(form, dtype):
    q, k = normal(2, 6, 40), normal(2, 2, 333, 40, seed=1, dtype=dtype)
    products = torch.einsum("bhgd,bhsd->bhgs", q.unflatten(1, (2, 3)), k.float())
    bounds = form.bounds(k, bounds_dtype(dtype))
    shared = form.scores(q, bounds)
    for page in range(shared.shape[2]):
        some = products[..., page * PAGE : (page + 1) * PAGE]
        assert (shared[:, :, page] >= some.sum(2).amax(-1) - 1e-4).all()
    alone = form.scores(q, bounds.repeat_interleave(3, 1))  # every query head for itself
    for page in range(shared.shape[2]):
        most = products[..., page * PAGE : (page + 1) * PAGE].amax(-1).flatten(1)
        assert (alone[:, :, page] >= most - 1e-4).all()
    assert dispatch.relative(alone.unflatten(1, (2, 3)).sum(2), shared) < 1e-5


@FORMS
@DTYPES
def test_with_every_page_chosen_it_is_the_dense_step(form, dtype):
    heads, (k, v), norm, cos, sin = full.token(1, 9, 3, 500, 64, CPU, normed=True)
    held = [torch.cat((old, old.new_zeros(1, 3, 1, 64)), 2).to(dtype) for old in (k, v)]
    bounds = reference.bounds(held[0][:, :, :500], bounds_dtype(dtype))
    ours = form.step(heads.clone(), norm, cos, sin, *held, bounds, 500, Pages(10**6), 0.125)
    dense = dense_reference.step(heads.clone(), norm, cos, sin, *held, 500, None, 0.125)
    assert dispatch.relative(ours, dense) <= (1e-5 if dtype is torch.float32 else 1e-2)


@FORMS
def test_pages_that_are_not_chosen_may_hold_anything(form):
    heads, (k, v), norm, cos, sin = full.token(1, 6, 2, 500, 32, CPU, normed=True)
    held = [torch.cat((old, old.new_zeros(1, 2, 9, 32)), 2) for old in (k, v)]
    bounds = reference.bounds(held[0][:, :, :500], torch.float32)
    pages = Pages(5, 0, 1, 2)

    def step(rows):
        return form.step(heads.clone(), norm, cos, sin, *rows, bounds.clone(), 500, pages, 0.2)

    expected = step([rows.clone() for rows in held])
    own = heads.clone()
    dense_reference.step(own, norm, cos, sin, *(rows.clone() for rows in held), 500, None, 0.2)
    chosen = reference.choose(own[:, :6], bounds, 501, pages)
    left = torch.ones(2, 32 * PAGE, dtype=torch.bool)
    for head in range(2):
        for page in chosen[0, head].tolist():
            left[head, page * PAGE : (page + 1) * PAGE] = False
    for rows in held:
        rows[0, :, :500][left[:, :500]] = torch.nan
        rows[:, :, 501:] = torch.nan
    assert torch.equal(step(held), expected)


@pytest.mark.parametrize("form", ["page_scores.native"], indirect=True)
@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_number_of_threads_gives_the_same(form, threads):
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        assert_like_reference(form, examples.step((1, 9, 3, 700, 64), examples.SMALL, BF16, CPU))
        assert_like_reference(form, examples.step((1, 9, 3, 3, 64), examples.SMALL, BF16, CPU))
    finally:
        torch.set_num_threads(before)


def test_a_choice_has_room_for_what_is_always_chosen():
    with pytest.raises(ValueError, match="are not among 9"):
        Pages(count=9)
