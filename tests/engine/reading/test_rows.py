"""Rows of a segment are those that it has alone, whatever it is read with; as bytes they stay near."""

import pytest
import torch
import transformers

from engine.memory.rows import SegmentRows
from engine.reading.joining import join

WITHIN = 1e-3


@torch.inference_mode()
def theirs(model, ids):
    """Logits [T, vocab], keys and values [L, Hkv, T, D] of transformers."""
    cache = transformers.DynamicCache()
    logits = model.theirs(torch.from_numpy(ids).long()[None], cache=cache).logits[0]
    return logits, *(torch.stack([getattr(layer, name)[0] for layer in cache.layers]) for name in ("keys", "values"))


def test_the_twin_is_transformers(model, texts, distance):
    logits, _, _ = model.twin.read(texts[3].ids)
    assert distance(logits, theirs(model, texts[3].ids)[0]) < 1e-5


@pytest.mark.parametrize("piece", [1000, 32])
def test_rows_are_those_of_transformers(piece, model, texts, read, distance):
    """A piece of 1,000 tokens takes all segments in one batch, one of 32 takes each alone and in parts."""
    for segment, rows in zip(texts, read(model, texts, piece=piece), strict=True):
        _, keys, values = theirs(model, segment.ids)
        assert rows.count == len(segment.ids)
        assert distance(rows.keys, keys) < WITHIN
        assert distance(rows.values, values) < WITHIN


def test_what_follows_a_segment_is_what_transformers_says(model, texts, tail, read, distance):
    for segment, rows in zip(texts, read(model, texts), strict=True):
        logits, _, _ = theirs(model, torch.cat(list(map(torch.from_numpy, (segment.ids, tail)))).numpy())
        joined = join(model.decoder, [segment], [rows], [None], "shared", 40, 1000)
        assert distance(joined.read(tail), logits[-1]) < WITHIN


def test_a_batch_changes_nothing(model, texts, read, distance):
    alone = read(model, texts, piece=1)
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3]):
        together = read(model, [texts[number] for number in order])
        for number, rows in zip(order, together, strict=True):
            assert distance(rows.keys, alone[number].keys) < 1e-5
            assert distance(rows.values, alone[number].values) < 1e-5


def test_bytes_are_within_half_a_step(model, texts, read):
    for rows, packed in zip(read(model, texts), read(model, texts, "int8"), strict=True):
        assert packed.form == "int8"
        assert packed.count == rows.count
        assert packed.bytes() < 0.4 * rows.bytes()
        for number in range(len(rows.keys)):
            for exact, near in zip(rows.layer(number, torch.float32), packed.layer(number, torch.float32), strict=True):
                assert ((near - exact).abs() <= exact.abs().amax(-1, keepdim=True) / 253).all()


@pytest.mark.parametrize("form", ["model", "int8"])
def test_what_is_saved_comes_back(form, make_model, texts, read):
    (rows,) = read(make_model("full"), texts[:1], form)
    back = SegmentRows.of(rows.tensors())
    assert back.form == rows.form == form
    assert back.packed() is back if form == "int8" else back.packed().form == "int8"
    part = back.part(5, 20, 30)
    assert part.count == 15
    for number in range(4):
        whole = rows.layer(number, torch.float32)
        for taken, exact in zip(part.layer(number, torch.float32), whole, strict=True):
            assert torch.equal(taken, torch.cat((exact[:, :5], exact[:, 20:30]), 1))


def test_rows_are_copies(make_model, texts, read):
    """A batch's memory is not held for one of its segments."""
    for rows in read(make_model("full"), texts):
        assert rows.keys.untyped_storage().nbytes() == rows.keys.nbytes
