"""The bench of policies, over a model of random weights: each text is read once, copies are pruned, nothing is kept."""

import json

import numpy as np
import pytest
import torch

from engine import bench_eviction, needles
from engine.bench_eviction import Plan, at_their_place, perplexity
from engine.bench_pruned import FAMILIES, Reader, held
from engine.model.decoder import Stopped
from engine.needles import Haystack
from engine.template import Template
from engine.tokenizer import Tokenizer
from engine.weights import load, tokenizer_files

SMALL = Plan(lengths=(420,), shares=(1.0, 0.5), facts=2, digits=6, next=40, written=2, reading=0.5)


@pytest.fixture(scope="module")
def reader(tiny_model, tmp_path_factory):
    files = tokenizer_files.read(tiny_model, tmp_path_factory.mktemp("tokenizer"))
    decoder = load(tiny_model, "fp32", "cpu").decoder
    return Reader(decoder, Tokenizer(files), Template(files.template, files.special), tmp_path_factory.mktemp("texts"))


@pytest.fixture
def texts(monkeypatch, desk):
    """Some 420 tokens in paragraphs."""

    def haystack(count, tokens, seed):
        parts = [desk.made_up_text(40, seed + number) for number in range(8)]
        return Haystack(tuple(parts), tuple(count(part) for part in parts))

    monkeypatch.setattr(needles, "haystack", haystack)
    monkeypatch.setattr(needles, "ANSWER", 3)


def test_every_policy_and_share_is_a_row_and_each_text_is_read_once(reader, texts, monkeypatch):
    read, told = [], []
    once = Reader.read
    monkeypatch.setattr(Reader, "read", lambda *given: read.append(len(given[1])) or once(*given))
    rows = bench_eviction.run(reader, SMALL, lambda done, total: told.append((done, total)))
    assert [(row.policy, row.share) for row in rows] == [("none", 1.0), *((name, 0.5) for name in FAMILIES)]
    assert all(row.reads > 0 for row in rows)
    assert len(read) == 3  # the one with the facts, the one with the digits, the plain one
    assert told == [(done + 1, len(SMALL)) for done in range(len(SMALL))]
    whole, *pruned = rows
    for row in pruned:
        assert row.rows == max(176, -(-read[0] // 2))
        assert row.of == 2
        assert 0 <= row.after <= 2
        assert row.bytes < 0.6 * whole.bytes
        assert row.rate > 0
        assert row.times > 0
        assert row.perplexity > 1
        assert row.perplexity != whole.perplexity
        assert 0 <= row.forward <= 1
    json.dumps([vars(row) for row in rows])


@pytest.mark.parametrize("policy", FAMILIES)
def test_a_copy_is_what_reading_with_the_policy_gives(policy, reader, desk):
    """The question read, then pruned: as a request does it with prompts pruned at their end."""
    from engine.chain import Chain
    from engine.reading.eviction import policies

    text, how = reader.tokenizer.encode(desk.made_up_text(260)), FAMILIES[policy]
    config = reader.decoder.config

    def prune(caches):
        pruning = policies.pruning(how, caches, config, 1024, lambda: reader.means)
        pruning.budget_of = lambda prompt: max(176, -(-prompt // 2))
        return pruning

    chain = Chain(reader.decoder, 1024, prune=prune)
    for _, logits in chain.read(text, 64, answer=True):  # noqa: B007
        pass
    copies = reader.read(text[:-30])
    with copies.followed(text[-30:]) as whole:
        caches = whole.pruned(policy, 0.5)
        assert torch.allclose(whole.logits, logits, atol=1e-4)
    assert copies.caches.length() == len(text) - 30
    assert torch.equal(caches.places().tokens, chain.caches.places().tokens)
    ours = reader.decoder.write(torch.tensor([5]), caches)[0]
    assert torch.allclose(ours, chain.write(5), atol=1e-4)


def test_questions_leave_a_copy_as_it_was(reader, desk):
    ids = reader.tokenizer.encode(desk.made_up_text(340))
    copies = reader.read(ids)
    caches = copies.pruned("h2o", 0.5)
    before = reader.logits(caches, ids[:7])
    first = reader.answer(caches, ids[:9], 4)
    assert reader.answer(caches, ids[:9], 4) == first
    reader.rate(caches, 2)
    assert torch.allclose(reader.logits(caches, ids[:7]), before, atol=1e-5)
    assert held(caches) * 2 == pytest.approx(held(copies.pruned("none", 1.0)), rel=0.05)


def test_likelihood_is_of_each_next_token(reader, desk):
    ids = reader.tokenizer.encode(desk.made_up_text(100))
    caches = reader.read(ids[:60]).caches
    logits = reader.decoder.read(
        torch.from_numpy(ids.astype(np.int64))[None], reader.decoder.make_caches(1024), logits="all"
    )[0]
    nats = [-float(logits[at - 1].log_softmax(-1)[ids[at]]) for at in range(61, len(ids))]
    assert perplexity(reader, caches, ids[60:]) == pytest.approx(float(np.exp(np.mean(nats))), rel=1e-3)


def test_digits_count_at_their_place():
    assert at_their_place("1 2 3, 4", "1234") == 1.0
    assert at_their_place("The digits: 1-2-9-4 5", "1234") == 0.75
    assert at_their_place("", "12") == 0.0
    assert at_their_place("4321", "1234") == 0.0


def test_it_stops_and_refuses_what_the_window_does_not_hold(reader, texts):
    with pytest.raises(Stopped):
        bench_eviction.run(reader, SMALL, lambda done, total: None, lambda: True)
    with pytest.raises(ValueError, match="window of 1024"):
        bench_eviction.run(reader, Plan(lengths=(1000,)), lambda done, total: None)
