"""Attention mass beside what is written is the twin's attention, over a text read whole and over joined segments."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from engine.evidence import layout
from engine.evidence.mass import Head, HeadMass
from engine.evidence.passages import BLOCK
from engine.reading import budget
from engine.reading.joining import join
from engine.reading.segments import Body
from kernels import row_bytes
from tests.engine.reading.conftest import Rows, ids

HEADS = [Head(3, 3), Head(0, 0), Head(3, 2), Head(1, 1), Head(3, 0)]
GROUP = 2


def looked(mass, write, more):
    """Mass while `more` was chosen, one token after the other."""
    for id in more:
        mass.take()
        write(int(id))
    mass.take()
    return len(more) + 1


def theirs(seen, first, heads=HEADS):
    """The twin's attention [L][Hq, T, R], from query `first` on, of these heads: [T, R] each."""
    return [seen[one.layer][one.head, first:] for one in heads]


def write(model, caches):
    return lambda id: model.decoder.write(torch.tensor([id]), caches)


@pytest.mark.parametrize("gathered", [[8], [1] * 8, [3, 5]])
def test_over_a_whole_text(model, gathered):
    text, more = ids(90, 4), ids(7, 5)
    caches = model.decoder.make_caches(128)
    mass = HeadMass(caches, model.decoder.config, HEADS)
    model.decoder.read(torch.from_numpy(text[:50]).long()[None], caches, logits="none")
    model.decoder.read(torch.from_numpy(text[50:]).long()[None], caches, logits="last")
    assert looked(mass, write(model, caches), more) == sum(gathered)
    ours = torch.zeros(97)
    for count in gathered:
        some = mass.gather(count)
        ours[: len(some)] += some
    _, _, seen = model.twin.read(np.concatenate((text, more)))
    expected = sum(attention.sum(0) for attention in theirs(seen, 89))
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-4)
    assert ours.sum() == pytest.approx(8 * len(HEADS), rel=1e-4)


def test_squares_of_blocks_where_no_head_is_known(model):
    text, more = ids(200, 4), ids(3, 5)
    every = [Head(layer, head) for layer in range(4) for head in range(4)]
    caches = model.decoder.make_caches(256)
    mass = HeadMass(caches, model.decoder.config, every, squared=True)
    model.decoder.read(torch.from_numpy(text).long()[None], caches, logits="last")
    ours = mass.gather(looked(mass, write(model, caches), more))
    assert len(ours) == 203
    _, _, seen = model.twin.read(np.concatenate((text, more)))
    attention = torch.stack(theirs(seen, 199, every))  # [heads, T, R]
    for first in range(0, 203, BLOCK):
        expected = attention[..., first : first + BLOCK].sum(-1).square().sum().item() / BLOCK
        assert ours[first : first + BLOCK].tolist() == pytest.approx([expected] * min(BLOCK, 203 - first), rel=1e-4)


def test_after_rewinding_it_is_the_new_answers(model):
    """The second answer's first queries are those of reading, though a token's operations were recorded before."""
    text, question, more = ids(60, 4), ids(9, 6), ids(4, 5)
    caches = model.decoder.make_caches(128)
    model.decoder.read(torch.from_numpy(text).long()[None], caches, logits="last")
    looked(HeadMass(caches, model.decoder.config, HEADS), write(model, caches), ids(20, 8))
    caches.trim(40)
    model.decoder.read(torch.from_numpy(question).long()[None], caches, logits="last")
    mass = HeadMass(caches, model.decoder.config, HEADS)
    ours = mass.gather(looked(mass, write(model, caches), more))
    _, _, seen = model.twin.read(np.concatenate((text[:40], question, more)))
    expected = sum(attention.sum(0) for attention in theirs(seen, 48))
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-4)


def twins(model, texts, chosen, tail, more, how):
    """The twin's attention to each segment's own rows [heads][T, len(segment)], those that are not joined zero."""
    preamble = texts[0].preamble
    read = [model.twin.read(segment.ids)[1] for segment in texts]
    before, numbers = [], []
    for layer in range(4):
        after, parts, every = preamble, [], []
        for number, (segment, rows, own) in enumerate(zip(texts, read, chosen, strict=True)):
            shift = after - preamble if number and how == "consecutive" else 0
            count = len(segment.ids)
            held = torch.arange(count).expand(2, -1) if own is None else own[layer]
            held = held[:, preamble if number else 0 :]
            parts.append(rows[layer].taken(held, shift))
            every.append(held)
            after = max(after, count + shift)
        before.append(Rows.together(parts))
        numbers.append(every)
    _, _, seen = model.twin.read(np.concatenate((tail, more)), after, before)
    found = []
    for one in HEADS:
        attention, at, parts = seen[one.layer][one.head, len(tail) - 1 :], 0, []
        for segment, held in zip(texts, numbers[one.layer], strict=True):
            mine = torch.zeros(len(attention), len(segment.ids), dtype=torch.float64)
            own = held[one.head // GROUP]
            mine[:, own] = attention[:, at : at + len(own)]
            at += len(own)
            parts.append(mine)
        found.append(parts)
    return found


def budgets(model, texts, rows, tail):
    """Half of the rows of the first and the last segment."""
    tail = torch.from_numpy(tail).long()
    half = [
        budget.chosen(budget.attention(model.decoder, one, tail, model.rotation), 0.5, texts[0].preamble, GROUP)
        for one in rows
    ]
    return [half[0], None, None, half[3]]


@pytest.mark.parametrize("how", ["shared", "consecutive"])
@pytest.mark.parametrize("share", [1.0, 0.5])
def test_over_joined_segments(how, share, make_model, texts, tail, read):
    model, more = make_model("full"), tail[:4]
    rows = read(model, texts)
    chosen = [None] * 4 if share == 1 else budgets(model, texts, rows, tail)
    joined = join(model.decoder, texts, rows, chosen, how, 40, 1000)
    spread = None if share == 1 else layout.Picked(texts, joined.laid, chosen)
    mass = HeadMass(joined.caches, model.decoder.config, HEADS, spread=spread)
    joined.read(tail)
    ours = mass.gather(looked(mass, joined.write, more))
    expected = twins(model, texts, chosen, tail, more, how)
    begins = layout.begins(texts, joined.laid, chosen)
    for number, (segment, begin) in enumerate(zip(texts, begins, strict=True)):
        # Of the segments after the first the preamble's rows are not joined
        first = segment.preamble if number else 0
        theirs = sum(head[number].sum(0) for head in expected)[first:]
        mine = ours[begin + first : begin + len(segment.ids)].double()
        torch.testing.assert_close(mine, theirs, rtol=0, atol=1e-4)


def test_over_rows_that_are_kept_as_bytes(make_model, texts, tail, read):
    model, more = make_model("full"), tail[:4]
    rows = read(model, texts, "int8")
    joined = join(model.decoder, texts, rows, [None] * 4, "shared", 40, 1000)
    joined.read(tail)
    mass, expected = HeadMass(joined.caches, model.decoder.config, HEADS), torch.zeros(len(joined) + len(more))
    for id in (*more, None):
        mass.take()
        for one in HEADS:
            whole = [row_bytes.unpack(own.keys[one.layer], own.key_scales[one.layer], torch.float32) for own in rows]
            packed = torch.cat([keys[:, 5 if number else 0 :] for number, keys in enumerate(whole)], 1)
            written = joined.caches[one.layer].held.part(0, len(joined))[0][0, :, packed.shape[1] :]
            keys = torch.cat((packed, written), 1)[one.head // GROUP]
            attention = (keys @ joined.caches[one.layer].queries[0, one.head] / 4).softmax(0)
            expected[: len(attention)] += attention
        if id is not None:
            joined.write(int(id))
    torch.testing.assert_close(mass.gather(5), expected, rtol=0, atol=1e-4)


def test_read_again_it_is_one_text(make_model, texts, tail, read):
    model, more = make_model("full"), tail[:4]
    said = tail[::-1].repeat(3)
    joined = join(model.decoder, texts, read(model, texts), [None] * 4, "reread", 40, 1000, before=said)
    mass = HeadMass(joined.caches, model.decoder.config, HEADS)
    joined.read(tail)
    ours = mass.gather(looked(mass, joined.write, more))
    whole = np.concatenate([texts[0].ids[:5], said, *(segment.ids[5:] for segment in texts), tail, more])
    _, _, seen = model.twin.read(whole)
    expected = sum(attention.sum(0) for attention in theirs(seen, len(whole) - 5))
    torch.testing.assert_close(ours.double(), expected, rtol=0, atol=1e-4)
    for segment, begin in zip(texts, layout.begins(texts, joined.laid, [None] * 4), strict=True):
        assert np.array_equal(whole[begin + 5 : begin + len(segment.ids)], segment.ids[5:])


@pytest.mark.parametrize("how", ["shared", "consecutive", "reread"])
@pytest.mark.parametrize("said", [0, 9])
def test_where_segments_lie(how, said, make_model, texts, read):
    """Whatever is said before them: the keys at a segment's rows are its own."""
    model, before = make_model("full"), ids(said, 3)
    rows = read(model, texts)
    joined = join(model.decoder, texts, rows, [None] * 4, how, 40, 1000, before=before)
    begins = layout.begins(texts, joined.laid, [None] * 4)
    assert begins[0] + 5 == 5 + said
    for number, (segment, begin) in enumerate(zip(texts, begins, strict=True)):
        if how == "shared" and not said:
            first = 5 if number else 0
            mine = joined.caches[2].held.part(0, len(joined))[0][0, :, begin + first : begin + len(segment.ids)]
            assert torch.equal(mine, rows[number].keys[2][:, first:])
    lengths = [len(segment.ids) - 5 for segment in texts]
    assert [b - a for a, b in pairwise(begins)] == lengths[:-1]


def test_stretches_are_the_documents_tokens_and_likely_segments_count_more(texts):
    bodies = [(Body(0, 0, 20, 12),), (Body(0, 20, 60, 18, 6),), (Body(1, 0, 5, 8), Body(2, 0, 5, 15)), ()]
    cut = [replace(segment, bodies=own) for segment, own in zip(texts, bodies, strict=True)]
    found = layout.of_segments(cut, [0, 100, 200, 300], [2.0, 1.5, 2.5, 9.0])
    assert [(one.document, one.token, one.row, one.count) for one in found] == [
        (0, 0, 12, 20),
        (0, 14, 112, 46),
        (1, 0, 208, 5),
        (2, 0, 215, 5),
    ]
    assert found[1].weight == 1
    assert found[1].weight > found[0].weight > found[2].weight == found[3].weight > 0
