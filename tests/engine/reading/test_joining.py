"""Joined rows are attended like one text: compared with a twin that is given every row and its position."""

import numpy as np
import pytest
import torch

from engine.reading.joining import Alone, join, turned_on
from tests.engine.reading.conftest import Rows

WITHIN = 1e-3


def logits(joined, tail, more):
    """[1 + len(more), vocab]: after the tail, and after each token written behind it."""
    return torch.stack([joined.read(tail), *(joined.write(int(id)).clone() for id in more)])


def twins(model, texts, tail, more, how, said=()):
    """The same by the twin: every segment is read alone, then all rows are put behind each other, what was `said`
    before them."""
    read = [model.twin.read(segment.ids)[1] for segment in texts]
    preamble = texts[0].preamble
    joined = [[own.taken(slice(0, preamble))] for own in read[0]]
    if len(said):
        history = model.twin.read(said, preamble, [parts[0] for parts in joined])[1]
        for parts, own in zip(joined, history, strict=True):
            parts.append(own)
    after = preamble + len(said)
    for segment, rows in zip(texts, read, strict=True):
        shift = (after if how == "consecutive" else preamble + len(said)) - preamble
        for layer, own in enumerate(rows):
            joined[layer].append(own.taken(slice(preamble, None), shift))
        after = max(after, len(segment.ids) + shift)
    before = [Rows.together(parts) for parts in joined]
    said, _, _ = model.twin.read(np.concatenate((tail, more)), after, before)
    return said[len(tail) - 1 :]


@pytest.fixture
def more(tail):
    return tail[::-1][:5].copy()


@pytest.mark.parametrize("how", ["shared", "consecutive"])
@pytest.mark.parametrize("numbers", [[3], [0, 1], [1, 0], [0, 1, 2, 3]])
def test_joined_rows_are_attended_as_one_text(numbers, how, model, texts, tail, more, read, distance):
    parts = [texts[number] for number in numbers]
    joined = join(model.decoder, parts, read(model, parts), [None] * len(parts), how, 40, 1000)
    expected = twins(model, parts, tail, more, how)
    for ours, theirs in zip(logits(joined, tail, more), expected, strict=True):
        assert distance(ours, theirs) < WITHIN


@pytest.mark.parametrize("how", ["shared", "consecutive"])
@pytest.mark.parametrize("numbers", [[3], [0, 1, 2, 3]])
@pytest.mark.parametrize("piece", [1000, 16])
def test_what_was_said_before_stands_before_the_segments(piece, numbers, how, model, texts, tail, more, read, distance):
    """It sees the preamble and none of them; they lie behind it as if they had been read there without seeing it."""
    parts, said = [texts[number] for number in numbers], tail[::-1].repeat(3)
    joined = join(model.decoder, parts, read(model, parts), [None] * len(parts), how, 40, piece, before=said)
    assert len(joined) == 5 + len(said) + sum(len(part.ids) - 5 for part in parts)
    expected = twins(model, parts, tail, more, how, said)
    for ours, theirs in zip(logits(joined, tail, more), expected, strict=True):
        assert distance(ours, theirs) < WITHIN


def test_what_was_said_before_is_read_again_before_the_segments(model, texts, tail, more, read, distance):
    said = tail[::-1].repeat(3)
    joined = join(model.decoder, texts, read(model, texts), [None] * 4, "reread", 40, 1000, before=said)
    ids = np.concatenate([texts[0].ids[:5], said, *(segment.ids[5:] for segment in texts)])
    whole, _, _ = model.twin.read(np.concatenate((ids, tail, more)))
    assert len(joined) == len(ids)
    assert distance(logits(joined, tail, more), whole[-len(more) - 1 :]) < WITHIN


@pytest.mark.parametrize("how", ["shared", "consecutive", "reread"])
@pytest.mark.parametrize("piece", [1000, 16])
def test_one_segment_is_going_on_after_it(piece, how, model, texts, tail, more, read):
    """Bit for bit, also when it is read in pieces."""
    segment = texts[3]
    caches = model.decoder.make_caches(512)
    for start in range(0, len(segment.ids), piece):
        ids = torch.from_numpy(segment.ids[start : start + piece]).long()[None]
        model.decoder.read(ids, caches, logits="none")
    expected = [model.decoder.read(torch.from_numpy(tail).long()[None], caches, logits="last")[0]]
    expected += [model.decoder.write(torch.tensor([id]), caches)[0].clone() for id in more]
    joined = join(model.decoder, [segment], read(model, [segment], piece=piece), [None], how, 40, piece=1000)
    if how == "reread":
        joined = join(model.decoder, [segment], read(model, [segment]), [None], how, 40, piece)
        joined._piece = 1000
    assert torch.equal(logits(joined, tail, more), torch.stack(expected))


@pytest.mark.parametrize("rope", ["default", "dynamic", "yarn", "longrope"])
def test_positions_are_turned_alike_in_segments_and_behind_them(rope, make_model, texts, tail, read, distance):
    """Kinds that choose their frequencies by a length choose them by the window, however short a segment is."""
    scaling = {
        "default": {},
        "dynamic": {"factor": 2.0},
        "yarn": {"factor": 4.0, "original_max_position_embeddings": 64},
        "longrope": {
            "short_factor": [1.0 + 0.1 * pair for pair in range(8)],
            "long_factor": [3.0 + 0.3 * pair for pair in range(8)],
            "original_max_position_embeddings": 128,
        },
    }[rope]
    model = make_model("full", rope_parameters={"rope_type": rope, "rope_theta": 5000.0} | scaling)
    segment, decoder = texts[3], model.decoder
    caches = decoder.make_caches(decoder.config.window)
    ids = torch.from_numpy(np.concatenate((segment.ids, tail))).long()[None]
    expected = decoder.read(ids, caches, logits="last")[0]
    (rows,) = read(model, [segment])
    assert distance(rows.keys, torch.stack([layer.held.part(0, rows.count)[0][0] for layer in caches])) < 1e-5
    # More rows than the window, so that frequencies are not chosen by those either
    assert distance(join(decoder, [segment], [rows], [None], "shared", 600, 1000).read(tail), expected) < 1e-5
    alone = Alone(decoder, rows.count, 40, 1000)
    alone.take(rows, rows.count)
    assert distance(alone.read(tail), expected) < 1e-5


@pytest.mark.parametrize("options", [{}, {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128}])
@pytest.mark.parametrize("shift", [1, 17, 300])
def test_turning_on_is_reading_further_on(shift, options, make_model, texts, read, distance):
    """With nothing before it a text sees only distances, so only its keys' turns differ."""
    rope = {"rope_parameters": {"rope_theta": 5000.0} | options} if options else {}
    model = make_model("full, norms", **rope)
    (rows,) = read(model, texts[3:])
    caches = model.decoder.make_caches(512)
    caches.next_pos = shift
    model.decoder.read(torch.from_numpy(texts[3].ids).long()[None], caches, logits="none")
    for number, layer in enumerate(caches):
        keys, values = layer.held.part(0, rows.count)
        assert distance(turned_on(rows.keys[number], model.rotation, shift), keys[0]) < 1e-5
        assert distance(rows.values[number], values[0]) < 1e-5
    narrow = turned_on(rows.keys[0].bfloat16(), model.rotation, shift)
    assert narrow.dtype == torch.bfloat16
    assert distance(narrow, turned_on(rows.keys[0], model.rotation, shift)) < 5e-3


def test_consecutive_rows_lie_behind_each_other(model, texts, read, distance):
    joined = join(model.decoder, texts, read(model, texts), [None] * 4, "consecutive", 40, 1000)
    caches = joined._caches
    assert len(joined) == 40 + 56 + 18 + 85
    assert list(caches.positions) == list(range(len(joined)))
    assert caches.next_pos == len(joined)
    at = 0
    for number, segment in enumerate(texts):
        first = segment.preamble if number else 0
        count = len(segment.ids) - first
        own = [layer.taken(slice(first, None), at - first) for layer in model.twin.read(segment.ids)[1]]
        for layer, twin in zip(caches, own, strict=True):
            keys, values = layer.held.part(0, len(joined))
            assert distance(keys[0, :, at : at + count], model.twin.turned(twin)) < WITHIN
            assert distance(values[0, :, at : at + count], twin.values) < WITHIN
        at += count


def test_shared_rows_lie_at_the_same_positions(model, texts, read):
    """The first keeps its preamble, the others go without; what follows stands behind the longest."""
    rows = read(model, texts)
    caches = join(model.decoder, texts, rows, [None] * 4, "shared", 40, 1000)._caches
    assert list(caches.positions) == [*range(40), *range(5, 61), *range(5, 23), *range(5, 90)]
    assert caches.next_pos == 90
    for number, layer in enumerate(caches):
        keys, values = layer.held.part(0, caches.length())
        own = [one.layer(number, torch.float32) for one in rows]
        first, others = own[0], [(key[:, 5:], value[:, 5:]) for key, value in own[1:]]
        assert torch.equal(keys[0], torch.cat([first[0], *(key for key, _ in others)], 1))
        assert torch.equal(values[0], torch.cat([first[1], *(value for _, value in others)], 1))


@pytest.mark.parametrize("how", ["shared", "consecutive"])
def test_bytes_are_joined_as_what_they_stand_for(how, model, texts, tail, more, read, distance):
    parts = texts[:2]
    ours = logits(join(model.decoder, parts, read(model, parts, "int8"), [None] * 2, how, 40, 1000), tail, more)
    assert 0 < distance(ours, twins(model, parts, tail, more, how)) < 0.05


@pytest.mark.parametrize("piece", [1000, 16])
def test_reread_is_the_text_read_as_one(piece, model, texts, tail, more, read):
    ids = np.concatenate([texts[0].ids, *(segment.ids[5:] for segment in texts[1:])])
    caches = model.decoder.make_caches(512)
    for start in range(0, len(ids), piece):
        model.decoder.read(torch.from_numpy(ids[start : start + piece]).long()[None], caches, logits="none")
    joined = join(model.decoder, texts, read(model, texts), [None] * 4, "reread", 40, piece)
    assert len(joined) == joined._caches.next_pos == len(ids)
    expected = [model.decoder.read(torch.from_numpy(tail).long()[None], caches, logits="last")[0]]
    expected += [model.decoder.write(torch.tensor([id]), caches)[0].clone() for id in more]
    joined._piece = 1000
    assert torch.equal(logits(joined, tail, more), torch.stack(expected))
    with pytest.raises(ValueError, match="whole"):
        join(model.decoder, texts[:1], read(model, texts[:1]), [torch.zeros(4, 2, 1).long()], "reread", 40, piece)


def test_a_part_stands_where_it_stood(model, texts, tail, more, read, distance):
    """Head rows and those of a part, what follows right behind the part; nothing is left of the part before."""
    (rows,) = read(model, texts[3:])
    _, whole, _ = model.twin.read(texts[3].ids)
    joined = Alone(model.decoder, 40, 40, 1000)
    for start, end in [(20, 50), (60, 70), (8, 40), (60, 70)]:
        joined.take(rows.part(8, start, end), end)
        before = [Rows.together((layer.taken(slice(0, 8)), layer.taken(slice(start, end)))) for layer in whole]
        said, _, _ = model.twin.read(np.concatenate((tail, more)), end, before)
        assert len(joined) == 8 + end - start
        assert distance(logits(joined, tail, more), said[len(tail) - 1 :]) < WITHIN


def test_nothing_joined_is_reading_from_the_start(make_model, tail, more, distance):
    model = make_model("full")
    joined = join(model.decoder, [], [], [], "shared", 40, 1000)
    assert len(joined) == 0
    said, _, _ = model.twin.read(np.concatenate((tail, more)))
    assert distance(logits(joined, tail, more), said[len(tail) - 1 :]) < WITHIN
