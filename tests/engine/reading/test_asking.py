"""What a question costs after each segment is what transformers says of segment and question read alone."""

import pytest
import torch

from engine.memory.rows import SegmentRows
from engine.model.decoder import Stopped
from engine.reading import asking
from engine.reading.asking import read_beside, surprises

WORDS = 3, 9
"""Of the tail: tokens stand before and behind them."""
WITHIN = 1e-3
INT8_WITHIN = 0.02
"""Relative; the random models' own values lie 20 times as far apart."""


@torch.inference_mode()
def theirs(model, segment, tail, words):
    ids = torch.cat((torch.from_numpy(segment.ids), torch.from_numpy(tail))).long()
    logits = model.theirs(ids[None]).logits[0]
    first, last = (len(segment.ids) + word for word in words)
    return torch.nn.functional.cross_entropy(logits[first - 1 : last - 1], ids[first:last]).item()


def asked(model, rows, tail, words=WORDS, **options):
    tail = torch.from_numpy(tail).long()
    return list(surprises(model.decoder, rows, tail, words, rotation=model.rotation, **options))


@pytest.mark.parametrize("words", [WORDS, (1, 2), (3, 13)])
def test_surprises_are_those_of_transformers(words, model, texts, tail, read):
    expected = [theirs(model, segment, tail, words) for segment in texts]
    assert max(expected) - min(expected) > 0.1  # nothing is proven by scores that are all alike
    assert asked(model, read(model, texts), tail, words) == pytest.approx(expected, rel=WITHIN)


def test_bytes_are_near(model, texts, tail, read):
    expected = [theirs(model, segment, tail, WORDS) for segment in texts]
    assert asked(model, read(model, texts, "int8"), tail) == pytest.approx(expected, rel=INT8_WITHIN)


def test_bytes_are_exactly_what_they_stand_for(model, texts, tail, read):
    packed = read(model, texts, "int8")
    layers = range(len(model.decoder.layers))
    plain = [
        SegmentRows(*map(torch.stack, zip(*(rows.layer(n, torch.float32) for n in layers), strict=True)))
        for rows in packed
    ]
    assert asked(model, packed, tail) == pytest.approx(asked(model, plain, tail), rel=1e-5)


def test_others_beside_it_and_their_order_change_nothing(model, texts, tail, read, monkeypatch):
    rows = read(model, texts)
    together = asked(model, rows, tail)
    assert asked(model, rows[::-1], tail)[::-1] == pytest.approx(together, rel=1e-5)
    assert [asked(model, [one], tail)[0] for one in rows] == pytest.approx(together, rel=1e-5)
    monkeypatch.setattr(asking, "TOGETHER", 2 * len(tail))
    assert asked(model, rows, tail) == pytest.approx(together, rel=1e-5)
    monkeypatch.setattr(asking, "SCORED", 1)
    assert asked(model, rows, tail) == pytest.approx(together, rel=1e-5)


def test_asking_leaves_the_rows_as_they_were(model, texts, tail, read):
    rows = read(model, texts)
    before = [one.keys.clone() for one in rows], [one.values.clone() for one in rows]
    first = asked(model, rows, tail)
    assert asked(model, rows, tail) == first
    assert all(map(torch.equal, before[0], [one.keys for one in rows]))
    assert all(map(torch.equal, before[1], [one.values for one in rows]))


def test_what_follows_the_words_is_not_looked_at(make_model, texts, tail, read):
    model = make_model("full")
    rows = read(model, texts)
    assert asked(model, rows, tail) == asked(model, rows, tail[: WORDS[1]])


def test_words_that_nothing_stands_before_count_from_the_second(make_model, texts, tail, read):
    model = make_model("full")
    rows = read(model, texts)
    assert asked(model, rows, tail, (0, 9)) == asked(model, rows, tail, (1, 9))


def test_the_states_behind_a_segment_are_the_twins(model, texts, tail, read, distance):
    """Queries and keys that are told are those that attention takes."""
    (segment,), (rows,) = texts[1:2], read(model, texts[1:2])
    told = []
    x = read_beside(
        model.decoder,
        [rows],
        torch.from_numpy(tail).long(),
        model.rotation,
        keep=4,
        queries=lambda layer, queries, keys: told.append((layer, queries.clone(), keys.clone())),
    )
    _, before, _ = model.twin.read(segment.ids)
    logits, own, _ = model.twin.read(tail, rows.count, before)
    assert distance(model.decoder.head.read(model.decoder.norm(x[0])), logits[-4:]) < WITHIN
    assert [layer for layer, _, _ in told] == [0, 1, 2, 3]
    for (_, queries, keys), twin in zip(told, own, strict=True):
        assert queries.shape == (4, len(tail), 16)
        assert distance(keys, model.twin.turned(twin)) < WITHIN


def test_stopping(make_model, texts, tail, read):
    model = make_model("full")
    rows = read(model, texts)
    looks = iter([False, False, True])
    with pytest.raises(Stopped):
        asked(model, rows, tail, stopped=lambda: next(looks))
    assert next(looks, None) is None
