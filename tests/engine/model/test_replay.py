"""Tokens that are repeated from a recording are the tokens that reading gives, also after trimming and growing."""

import pytest
import torch

from engine.memory.caches import STEP
from engine.weights import load


@pytest.fixture(scope="module")
def loaded(small_model):
    return load(small_model, "fp32", "cpu").decoder


@pytest.fixture(params=["native", "vector", "matrix"])
def decoder(loaded, request):
    """With each product in turn: only the compiled one is repeated, and which is the fastest here is chance."""
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
