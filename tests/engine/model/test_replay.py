"""Tokens that are repeated from a recording are the tokens that reading gives, also after trimming and growing."""

import pytest
import torch

from engine.memory.caches import STEP
from engine.weights import load


@pytest.fixture(scope="module")
def loaded(small_model):
    return load(small_model, "fp32", "cpu").decoder


@pytest.fixture(params=["native", *(pytest.param(name, marks=pytest.mark.full) for name in ("vector", "matrix"))])
def decoder(loaded, request):
    """With each product in turn, since which is the fastest here is chance; the compiled one alone is repeated."""
    linears = [loaded.head, *(linear for layer in loaded.layers for linear in layer.linears())]
    if request.param not in loaded.head.products:
        pytest.skip("needs a C compiler")
    chosen = loaded.head.product
    for linear in linears:
        linear.use(request.param)
    yield loaded
    for linear in linears:
        linear.use(chosen)


def tokens(decoder, count):
    return torch.randint(0, decoder.config.vocab, (1, count), generator=torch.Generator().manual_seed(0))


def written(decoder, caches, ids):
    return torch.cat([decoder.write(ids[:, i], caches) for i in range(ids.shape[1])])


def assert_equal(ours, expected):
    assert (ours - expected).norm() / expected.norm() < 1e-4


def test_writing_is_reading_across_the_growth_of_the_caches(decoder):
    ids = tokens(decoder, STEP + 6)
    caches = decoder.make_caches(2 * STEP)
    decoder.read(ids[:, : STEP - 6], caches, logits="none")
    ours = written(decoder, caches, ids[:, STEP - 6 :])
    whole = decoder.read(ids, decoder.make_caches(2 * STEP), logits="all")
    assert_equal(ours, whole[0, STEP - 6 :])


def test_writing_goes_on_after_trimming_and_reading(decoder):
    ids = tokens(decoder, 40)
    caches = decoder.make_caches(64)
    decoder.read(ids[:, :10], caches, logits="none")
    written(decoder, caches, ids[:, 20:25])
    caches.trim(10)
    decoder.read(ids[:, 10:30], caches, logits="none")
    ours = written(decoder, caches, ids[:, 30:])
    whole = decoder.read(ids, decoder.make_caches(64), logits="all")
    assert_equal(ours, whole[0, 30:])


def test_two_texts_take_turns_and_results_are_kept(decoder):
    ids = tokens(decoder, 12)
    one, two = decoder.make_caches(32), decoder.make_caches(32)
    ours, others = [], []
    for i in range(12):
        ours.append(decoder.write(ids[:, i], one))
        others.append(decoder.write(ids[:, 11 - i], two))
    for results, text in ((ours, ids), (others, ids.flip(1))):
        assert_equal(torch.cat(results), decoder.read(text, decoder.make_caches(32), logits="all")[0])


def test_writing_goes_on_after_rows_were_dropped(decoder):
    """The row that a token becomes and its position are two numbers from then on, in the recording as well."""
    ids = tokens(decoder, 90)
    ours, theirs = decoder.make_caches(128), decoder.make_caches(128)
    for caches in (ours, theirs):
        decoder.read(ids[:, :60], caches, logits="none")
    written(decoder, ours, ids[:, 60:70])
    decoder.read(ids[:, 60:70], theirs, logits="none")
    generator = torch.Generator().manual_seed(1)
    order = torch.rand(len(ours.rows), decoder.config.kv_heads, 70, generator=generator).argsort(-1)
    for caches in (ours, theirs):
        caches.prune(order[..., :40].sort(-1).values)
    assert (ours.length(), ours.next_pos) == (40, 70)
    expected = decoder.read(ids[:, 70:], theirs, logits="all")[0]
    assert_equal(written(decoder, ours, ids[:, 70:]), expected)
    ours.renumber()
    theirs.renumber()
    assert ours.next_pos == ours.length() == 60
    assert_equal(written(decoder, ours, ids[:, :9]), decoder.read(ids[:, :9], theirs, logits="all")[0])


def test_rows_that_lie_elsewhere_are_recorded_anew(decoder):
    """Given back and taken again, there is memory for as many rows as when a token was recorded, in another place."""
    ids = tokens(decoder, 60)
    caches = decoder.make_caches(8 * STEP)
    decoder.read(ids[:, :40], caches, logits="none")
    written(decoder, caches, ids[:, 40:43])
    caches.reserve(3 * STEP)
    caches.shrink(100)
    assert caches.allocated == STEP
    ours = written(decoder, caches, ids[:, 43:])
    assert_equal(ours, decoder.read(ids, decoder.make_caches(64), logits="all")[0, 43:])
