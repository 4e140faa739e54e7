"""A chain of MoBA and NSA layers: saved, restored, rewound and cut short, it is as if read anew."""

import numpy as np
import pytest
import torch

from engine.chain import Chain
from engine.memory.planner import kv_bytes, means_bytes
from engine.model.decoder import Stopped

WINDOW = 512
MIXED = ("full", "moba", "nsa", "sparse")
WITHIN = 1e-4


def ids(model, count, seed=5):
    return np.array(model.ids(count, seed), np.int32)


def read(chain, prompt, piece=64):
    """Tokens that were in memory, and the logits of the last."""
    kept = chain.usable(prompt, len(prompt) - 1)
    chain.keep(kept)
    *_, (_, logits) = chain.read(prompt[kept:], piece, answer=True)
    return kept, logits


@pytest.fixture
def model(checkpoint):
    return checkpoint(*MIXED)


@pytest.fixture
def chain(model):
    return Chain(model.load(), WINDOW)


def test_saved_and_restored(model, chain, expected, distance):
    prompt = ids(model, 200)
    _, logits = read(chain, prompt)
    other = Chain(model.load(), WINDOW)
    other.take(prompt[:150], chain.rows(150), chain.saved_as(150))
    kept, again = read(other, prompt)
    assert kept == 150
    assert distance(again, logits) < 1e-5
    assert distance(again, expected(model, prompt.tolist())[-1]) < WITHIN
    assert distance(*(one.write(7) for one in (other, chain))) < 1e-5


def test_rewound_to_any_token(model, chain, expected, distance):
    """In the middle of a block and of a window; what stood there is forgotten, and what was made of it."""
    prompt, other = ids(model, 200), ids(model, 200, 9)
    read(chain, prompt)
    for kept in (133, 97, 64):
        changed = np.concatenate((prompt[:kept], other[: 180 - kept]))
        common, logits = read(chain, changed)
        assert common >= kept
        assert distance(logits, expected(model, changed.tolist())[-1]) < WITHIN
        for id in other[:9]:
            chain.write(int(id))


def test_what_is_written_goes_on_from_what_was_read(model, chain, expected, distance):
    prompt, more = ids(model, 100), model.ids(40, 3)
    _, logits = read(chain, prompt)
    out = [logits, *(chain.write(id) for id in more)]
    whole = expected(model, [*prompt.tolist(), *more])
    assert distance(torch.stack(out), whole[99:]) < WITHIN


def test_a_piece_that_is_cut_short_leaves_no_trace(model, expected, distance):
    """Nor in means and entries, which other tokens then take the place of, without anybody saying so."""
    decoder, prompt, other = model.load(), ids(model, 128), ids(model, 128, 9)
    caches = decoder.make_caches(WINDOW)
    decoder.read(torch.from_numpy(prompt[:70].astype(np.int64))[None], caches, logits="none")
    asked = iter([False, False, False, True])
    with pytest.raises(Stopped):
        decoder.read(
            torch.from_numpy(prompt[70:].astype(np.int64))[None], caches, logits="last", stopped=lambda: next(asked)
        )
    assert caches.length() == 70
    changed = np.concatenate((prompt[:70], other[70:]))
    logits = decoder.read(torch.from_numpy(changed[70:].astype(np.int64))[None], caches, logits="last")
    assert distance(logits[0], expected(model, changed.tolist())[-1]) < WITHIN


def test_the_planner_counts_what_is_kept(checkpoint):
    model = checkpoint("moba", "nsa", "full")
    decoder, window = model.load(), 1024
    chain, config = Chain(decoder, window), decoder.config
    read(chain, ids(model, window), 512)
    assert (config.row_layers, len(chain.caches.rows)) == (5, 5)
    rows = kv_bytes(config, window, 4)
    assert sum(rows.held.bytes() for rows in chain.caches) == pytest.approx(rows, rel=0.2)
    made = sum(layer.bytes() - layer.held.bytes() for layer in chain.caches)
    assert made == pytest.approx(means_bytes(config, window, 4), rel=0.02)
