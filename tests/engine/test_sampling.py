from collections import Counter

import pytest
import torch

from engine.protocol import Sampling
from engine.sampling import Sampler

LOGITS = torch.tensor([1.0, 3.0, 2.0, -1.0, 2.9])


def drawn(sampling, logits=LOGITS, count=300):
    sampler = Sampler(sampling)
    return [sampler.next(logits, []) for _ in range(count)]


def test_greedy_takes_the_best_and_has_no_seed():
    sampler = Sampler(Sampling())
    assert sampler.next(LOGITS, []) == 1
    assert sampler.seed is None


def test_a_seed_comes_again():
    first = drawn(Sampling(temperature=1.0, seed=4))
    assert first == drawn(Sampling(temperature=1.0, seed=4))
    assert first != drawn(Sampling(temperature=1.0, seed=5))


@pytest.mark.parametrize("written", [[], [0, 1]])
@pytest.mark.parametrize("how", [{"temperature": 5e-324}, {"temperature": 1.0, "repetition_penalty": 5e-324}])
def test_numbers_that_are_almost_nothing_break_no_logit(how, written):
    sampler = Sampler(Sampling(seed=1, **how))
    assert sampler.next(LOGITS, written) in (0, 1)


def test_a_new_seed_is_reported():
    sampler = Sampler(Sampling(temperature=0.5))
    assert isinstance(sampler.seed, int)


@pytest.mark.parametrize(
    ("sampling", "possible"),
    [
        (Sampling(temperature=1.0, seed=1), {0, 1, 2, 3, 4}),
        (Sampling(temperature=1.0, top_k=2, seed=1), {1, 4}),
        (Sampling(temperature=1.0, top_k=100, top_p=0.5, seed=1), {1, 4}),
        (Sampling(temperature=1.0, top_p=0.01, seed=1), {1}),
        (Sampling(temperature=0.05, seed=1), {1, 4}),
    ],
)
def test_what_can_be_drawn(sampling, possible):
    assert set(drawn(sampling, count=2000)) == possible


def test_as_often_as_it_should():
    counts = Counter(drawn(Sampling(temperature=2.0, seed=1), count=20000))
    expected = (LOGITS / 2).softmax(0)
    for id, probability in enumerate(expected.tolist()):
        assert counts[id] / 20000 == pytest.approx(probability, abs=0.015)


def test_the_penalty_is_for_what_was_written():
    sampler = Sampler(Sampling(repetition_penalty=1.2))
    before = LOGITS.clone()
    assert sampler.next(LOGITS, [1, 1]) == 4
    assert sampler.next(torch.tensor([-1.0, -1.1]), [0]) == 1
    assert torch.equal(LOGITS, before)
