"""A chat that goes on for ever: what stood between the first and the newest is forgotten, and memory stays as it is."""

import numpy as np
import pytest
import torch

from engine.protocol import Eviction

WINDOW = 512


def ids(count, seed):
    return np.random.default_rng(seed).integers(0, 120, count, np.int32)


def test_two_hundred_turns(make_model, make_chain):
    chain = make_chain(make_model("both, norms"), Eviction("streaming", rows=200))
    said, sizes = np.empty(0, np.int32), set()
    for turn in range(200):
        said = np.concatenate((said, ids(13, turn)))
        usable = chain.usable(said, len(said) - 1)
        assert usable == len(said) - 13, "nothing is read again"
        logits = None
        for _, logits in chain.read(said[usable:], 64, answer=True):  # noqa: B007
            pass
        for _ in range(5):
            said = np.append(said, np.int32(logits.argmax()))
            logits = chain.write(int(said[-1]))
            assert chain.caches.next_pos == chain.caches.length() <= 200 + 128
        places = chain.caches.places()
        assert int(places.positions.max()) < 200 + 128
        sizes.add(chain.caches.bytes())
    assert len(chain) == len(said) == 200 * 18
    assert len(sizes) == 1
    assert not chain.full
    assert torch.isfinite(logits).all()
    assert np.array_equal(chain.ids, said)
    assert places.tokens[0, 0, :4].tolist() == [0, 1, 2, 3]
    assert places.tokens[0, 0, -1] == len(said) - 1


@pytest.mark.parametrize("form", ["model", "int8"])
def test_a_text_longer_than_the_window_is_read(form, make_model, make_chain):
    chain = make_chain(make_model("full"), Eviction("streaming", rows=400), form)
    text, rows = ids(1500, 1), []
    for _ in chain.read(text, 1000, answer=False):
        rows.append(chain.caches.length())
    assert max(rows) <= WINDOW
    assert torch.isfinite(chain.write(5)).all()
    assert rows[-1] == chain.pruning.budget == WINDOW * 5 // 8
    assert chain.caches.places().tokens[0, 0, 4:].tolist() == list(range(1500 - WINDOW * 5 // 8 + 4, 1501))


def test_turned_keys_are_those_of_their_new_positions(make_model, make_chain):
    """Many times over: as if the rows had been read where they stand now."""
    model = make_model("full")
    chain = make_chain(model, Eviction("streaming", rows=200))
    text = ids(1100, 3)
    for _ in chain.read(text, 64, answer=False):
        pass
    first = chain.caches.rows[0].held.part(0, 200)[0][0]
    kept = text[chain.caches.places().tokens[0, 0].numpy()]
    fresh = make_chain(model, None)
    for _ in fresh.read(kept, 200, answer=False):
        pass
    # keys of the first layer hang on the token and its position alone
    expected = fresh.caches.rows[0].held.part(0, 200)[0][0]
    assert (first - expected).norm() / expected.norm() < 1e-5
