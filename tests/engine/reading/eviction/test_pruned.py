"""What is left after rows went is attended to as if nothing else had ever been, at the positions that it says."""

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from engine.memory.caches import STEP
from engine.protocol import Eviction
from engine.reading.eviction import guard

POLICIES = {
    "triattention": Eviction("triattention", rows=180, prompt="pieces"),
    "triattention, for itself": Eviction("triattention", rows=180, mode="per_layer_per_head", prompt="end"),
    "triattention, together": Eviction("triattention", rows=180, mode="union", prompt="pieces"),
    "h2o": Eviction("h2o", rows=180, prompt="pieces"),
    "snapkv": Eviction("snapkv", rows=180),
    "snapkv, most": Eviction("snapkv", rows=180, mode="max"),
    "streaming": Eviction("streaming", rows=180),
}


def ids(count, seed=5):
    return np.random.default_rng(seed).integers(0, 120, count, np.int32)


@pytest.fixture(params=POLICIES)
def how(request):
    return POLICIES[request.param]


def read(chain, text, piece=64):
    logits = None
    for _, logits in chain.read(text, piece, answer=True):  # noqa: B007
        pass
    return logits


@pytest.mark.parametrize("kind", ["full", "full, norms", "both, norms"])
def test_attention_is_that_of_the_kept_rows(kind, how, make_model, make_chain, make_follower, follow, distance):
    model = make_model(kind)
    chain = make_chain(model, how)
    follower = make_follower(model, chain)
    for text in (ids(420), ids(31, seed=6)):  # a prompt, and the next of the chat
        ours, theirs = follow(model, chain, text, 64, follower)
        assert chain.caches.length() == 180
        assert distance(ours, theirs) < 2e-4
    for number, token in enumerate(ids(20, seed=7)):
        first = chain.caches.next_pos
        ours = chain.write(int(token))
        assert distance(ours, follower.read([token], first)[-1]) < 2e-4, number


def test_writing_prunes_and_goes_on(how, make_model, make_chain, make_follower, follow, distance):
    """Beyond what a recorded token was recorded with: row and position have long parted."""
    model = make_model("full")
    chain = make_chain(model, how)
    follower = make_follower(model, chain)
    follow(model, chain, ids(320), 64, follower)
    before, slack = chain.caches.dropped, chain.pruning.slack
    for token in ids(slack + 9, seed=8):
        first = chain.caches.next_pos
        ours = chain.write(int(token))
        assert distance(ours, follower.read([token], first)[-1]) < 2e-4
    assert chain.caches.dropped == before + slack
    assert chain.caches.length() == 180 + 9


@pytest.mark.parametrize("form", ["model", "int8"])
def test_with_room_for_all_nothing_changes(how, form, make_model, make_chain, distance):
    model = make_model("full")
    chain, plain = make_chain(model, replace(how, rows=300), form), make_chain(model, None, form)
    for text in (ids(250), ids(40, seed=6)):
        assert distance(read(chain, text), read(plain, text)) < 1e-5
    for token in ids(10, seed=7):
        assert distance(chain.write(int(token)), plain.write(int(token))) < 1e-5
    assert chain.caches.dropped == 0
    assert not chain.pruning.inactive


def test_the_first_and_the_newest_always_stay(how, make_model, make_chain):
    chain = make_chain(make_model("full"), how)
    read(chain, ids(420))
    tokens = chain.caches.places().tokens
    assert tokens.shape[2] == 180
    assert (tokens[..., :4] == torch.arange(4)).all()
    assert (tokens[..., -128:] == torch.arange(420 - 128, 420)).all()
    assert (tokens.diff(dim=2) > 0).all()
    assert list(chain.caches.positions[-128:]) == list(chain.caches.places().positions[0, 0, -128:])


@pytest.mark.parametrize("name", POLICIES)
def test_what_is_kept_does_not_hang_on_pieces(name, make_model, make_chain):
    """Pruned at the end of a prompt; streaming however it is pruned."""
    how = POLICIES[name]
    how = how if how.policy == "streaming" else replace(how, prompt="end")
    kept = []
    for piece in (64, 37, 420):
        chain = make_chain(make_model("full"), how)
        read(chain, ids(420), piece)
        kept.append(chain.caches.places().tokens)
    assert all(torch.equal(kept[0], other) for other in kept[1:])


@pytest.mark.parametrize("name", [name for name in POLICIES if "union" not in name])
def test_bytes_forget_as_numbers_do(name, make_model, make_chain, distance):
    model = make_model("full")
    ours, plain = (make_chain(model, replace(POLICIES[name], prompt="end"), form) for form in ("int8", "model"))
    assert distance(read(ours, ids(400)), read(plain, ids(400))) < 0.05
    assert ours.caches.length() == plain.caches.length() == 180
    assert distance(ours.write(7), plain.write(7)) < 0.5  # few of the rows that they keep differ


def test_a_chain_is_not_rewound_before_its_cut(how, make_model, make_chain):
    chain = make_chain(make_model("full"), how)
    text = ids(420)
    read(chain, text)
    longer = np.concatenate((text, ids(50, seed=6)))
    assert chain.usable(longer) == 420
    edited = longer.copy()
    edited[300] += 1
    assert chain.usable(edited) == 0
    read(chain, ids(50, seed=6))
    chain.keep(0)
    assert (len(chain), chain.caches.dropped, chain.pruning.cut) == (0, 0, 0)
    again, fresh = read(chain, edited[:400]), read(make_chain(make_model("full"), how), edited[:400])
    assert torch.allclose(again, fresh, atol=1e-5)


def test_before_any_cut_tokens_are_taken_back(how, make_model, make_chain):
    model = make_model("full")
    chain, text = make_chain(model, how), ids(150)
    read(chain, text)
    again = {"h2o": 0, "snapkv": 88}.get(how.policy, 100)
    other = np.concatenate((text[:100], ids(20, seed=9)))
    assert chain.usable(other) == again
    chain.keep(again)
    read(chain, other[again:])
    fresh = make_chain(model, how)
    read(fresh, other)
    rest = ids(250, seed=10)
    assert torch.allclose(read(chain, rest), read(fresh, rest), atol=1e-4)
    assert torch.equal(chain.caches.places().tokens, fresh.caches.places().tokens)


@pytest.mark.parametrize("saved", [False, True])
@pytest.mark.parametrize("how", [name for name, how in POLICIES.items() if how.policy != "h2o"], indirect=True)
def test_rows_that_were_read_without_the_policy_are_pruned_as_if_with_it(saved, how, make_model, make_chain):
    """H2O knows what was asked of every row, and never takes any: see below."""
    model, how = make_model("full"), replace(how, prompt="end")
    plain, text = make_chain(model, None), ids(420)
    read(plain, text[:380])
    chain, fresh = make_chain(model, how), make_chain(model, how)
    if saved:
        chain.take(text[:380], plain.rows(380))
    else:
        chain.copy(plain, 380)
    usable = chain.usable(text)
    assert usable == 380
    chain.keep(usable)
    assert torch.allclose(read(chain, text[usable:]), read(fresh, text), atol=1e-4)
    assert torch.equal(chain.caches.places().tokens, fresh.caches.places().tokens)


def test_h2o_takes_no_rows_that_it_did_not_see_being_read(make_model, make_chain):
    model, text = make_model("full"), ids(420)
    plain = make_chain(model, None)
    read(plain, text[:380])
    chain = make_chain(model, replace(POLICIES["h2o"], prompt="end"))
    assert not chain.pruning.takes
    chain.copy(plain, 380)
    assert chain.usable(text) == 0


def test_memory_that_was_needed_for_reading_is_given_back(make_model, make_chain, monkeypatch):
    monkeypatch.setattr("engine.memory.caches.STEP", 16)
    chain = make_chain(make_model("full"), Eviction("triattention", rows=180, prompt="end"))
    monkeypatch.setattr(chain.pruning, "slack", 20)
    monkeypatch.setattr(guard, "SLACK", 20)
    before = chain.write(3)
    read(chain, ids(500))
    assert chain.caches.allocated == 208 < STEP
    assert not torch.equal(before, chain.write(4))  # recorded anew: the rows lie elsewhere
    plain = make_chain(make_model("full"), Eviction("triattention", rows=180, prompt="end"))
    read(plain, ids(3))
    assert plain.caches.allocated == 16


def test_more_than_may_be_kept_and_nothing_forgotten_is_noticed(make_model, make_chain, monkeypatch):
    chain = make_chain(make_model("full"), POLICIES["h2o"])
    monkeypatch.setattr(chain.pruning, "prune", lambda: None)
    read(chain, ids(400))
    assert chain.pruning.inactive


def test_the_same_wherever_the_text_stands(how, make_model, make_chain):
    """A constant added to all positions changes nothing: neither what is kept nor what is said."""
    model, text = make_model("full"), ids(330)
    near, far = make_chain(model, how), make_chain(model, how)
    far.caches.next_pos = 600
    assert torch.allclose(read(far, text), read(near, text), atol=2e-3)
    assert torch.equal(far.caches.places().tokens, near.caches.places().tokens)
    for token in (5, 6, 7):
        assert torch.allclose(far.write(token), near.write(token), atol=2e-3)
    assert far.caches.next_pos == near.caches.next_pos + (0 if how.policy == "streaming" else 600)
