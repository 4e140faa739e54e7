"""Which rows are joined, and that nothing but them is attended: per layer and head, against the twin."""

import numpy as np
import pytest
import torch

from engine.reading import budget
from engine.reading.budget import ABNORMAL, EDGE, RECENT, attention, chosen
from engine.reading.joining import join
from tests.engine.reading.conftest import Rows

WITHIN = 1e-3
PREAMBLE = 5
GROUP = 2
"""Query heads to a key head in all these models."""


def told(model, rows, tail):
    return attention(model.decoder, rows, torch.from_numpy(tail).long(), model.rotation)


def twins(model, segment, tail):
    """S by the twin, and the segment's rows."""
    _, before, _ = model.twin.read(segment.ids)
    _, _, seen = model.twin.read(tail, len(segment.ids), before)
    recent = [layer[:, -RECENT:, : len(segment.ids)].unflatten(0, (-1, GROUP)) for layer in seen]
    return torch.stack([layer.sum((1, 2)) for layer in recent]), before


@pytest.mark.parametrize("form", ["model", "int8"])
@pytest.mark.parametrize("length", [13, 4])
def test_attention_is_the_twins(length, form, model, texts, tail, read, distance):
    """A layer that slides gives nothing to rows that it does not see."""
    for segment, rows in zip(texts, read(model, texts, form), strict=True):
        ours, (expected, _) = told(model, rows, tail[:length]), twins(model, segment, tail[:length])
        assert ours.shape == expected.shape == (4, 2, len(segment.ids))
        assert distance(ours, expected) < (WITHIN if form == "model" else 0.1)
        assert ours.sum(-1).max() <= RECENT * GROUP * (1 + 1e-5)


def test_a_whole_budget_is_all_rows(model, texts, tail, read):
    (rows,) = read(model, texts[3:])
    assert chosen(told(model, rows, tail), 1.0, PREAMBLE, GROUP) is None
    every = torch.arange(90).expand(4, 2, -1)
    said = [
        join(model.decoder, texts[3:], [rows], [own], "shared", 40, 1000).read(tail) for own in (None, every.clone())
    ]
    assert torch.equal(*said)


@pytest.mark.parametrize("share", [0.5, 0.1, 1e-6])
def test_the_rows_attended_most_are_kept(share, model, texts, tail, read):
    (rows,) = read(model, texts[3:])
    attended = told(model, rows, tail)
    own = chosen(attended, share, PREAMBLE, GROUP)
    count = max(1, round(share * 85 + 1e-9))
    assert own.shape == (4, 2, PREAMBLE + count)
    assert (own.diff(dim=-1) > 0).all()
    assert torch.equal(own[..., :PREAMBLE], torch.arange(PREAMBLE).expand(4, 2, -1))
    kept = attended.gather(-1, own)[..., PREAMBLE:]
    dropped = attended.scatter(-1, own, -1.0)
    assert (kept.amin(-1) >= dropped.amax(-1)).all()


@pytest.mark.parametrize("how", ["shared", "consecutive"])
@pytest.mark.parametrize("share", [0.6, 0.2])
def test_nothing_but_the_kept_rows_is_attended(share, how, model, texts, tail, read, distance):
    """Per layer and head, at the positions that they were read at; one segment is joined whole, one by a budget."""
    parts = [texts[1], texts[3], texts[0]]
    rows = read(model, parts)
    owns = [chosen(told(model, one, tail), share, PREAMBLE, GROUP) for one in rows]
    owns[1] = None
    joined = join(model.decoder, parts, rows, owns, how, 40, 1000)
    before, after = [[] for _ in range(4)], 0
    for number, (segment, own) in enumerate(zip(parts, owns, strict=True)):
        first, count = PREAMBLE if number else 0, len(segment.ids)
        shift = after - first if how == "consecutive" else 0
        for layer, whole in enumerate(twins(model, segment, tail)[1]):
            taken = torch.arange(count).expand(2, -1) if own is None else own[layer]
            before[layer].append(whole.taken(taken[:, first:], shift))
        after = max(after, count + shift)
    more = tail[::-1][:4].copy()
    said, _, _ = model.twin.read(np.concatenate((tail, more)), after, [Rows.together(layer) for layer in before])
    assert len(joined) == sum(part.keys.shape[1] for part in before[0])
    assert joined._caches.next_pos == after
    for ours, expected in zip(
        [joined.read(tail), *map(joined.write, more.tolist())], said[len(tail) - 1 :], strict=True
    ):
        assert distance(ours, expected) < WITHIN


def test_dropping_rows_changes_what_is_said(make_model, texts, tail, read, distance):
    """Or the tests above would prove nothing."""
    model = make_model("full")
    (rows,) = read(model, texts[3:])
    own = chosen(told(model, rows, tail), 0.2, PREAMBLE, GROUP)
    whole, fewer = (join(model.decoder, texts[3:], [rows], [o], "shared", 40, 1000).read(tail) for o in (None, own))
    assert distance(fewer, whole) > 0.05


ROWS = PREAMBLE + 2 * EDGE + 200
ABOVE = ABNORMAL * RECENT * GROUP * 1.01
BEGINNING, MIDDLE, END = PREAMBLE + 3, PREAMBLE + EDGE + 50, ROWS - 4


@pytest.fixture
def even():
    """S of eight layers and two heads, no row attended abnormally."""
    return torch.rand(8, 2, ROWS, generator=torch.Generator().manual_seed(2)) * 0.01


def test_abnormal_rows_are_dropped_where_their_layers_say(even):
    even[..., [BEGINNING, MIDDLE, END]] = ABOVE
    own = chosen(even, 1.0, PREAMBLE, GROUP, calibrate=True)
    for layer, region in enumerate((MIDDLE, MIDDLE, END, END, None, None, BEGINNING, BEGINNING)):
        for head in range(2):
            kept = set(own[layer, head].tolist())
            assert {BEGINNING, MIDDLE, END} - kept == ({region} if region else set())
            # Every head keeps as many: where nothing is abnormal, the least attended goes
            missing = set(range(ROWS)) - kept
            least = even[layer, head, PREAMBLE:].argmin().item() + PREAMBLE
            assert missing == ({region} if region else {least})


def test_edges_of_the_regions(even):
    layers = {0: (EDGE, ROWS - PREAMBLE - EDGE), 2: (ROWS - PREAMBLE - EDGE, ROWS - PREAMBLE), 7: (0, EDGE)}
    for layer, (first, last) in layers.items():
        for at, dropped in [(first, True), (last - 1, True), (first - 1, False), (last, False)]:
            if 0 <= at < ROWS - PREAMBLE:
                one = even.clone()
                one[layer, 1, PREAMBLE + at] = ABOVE
                own = chosen(one, 1.0, PREAMBLE, GROUP, calibrate=True)
                assert dropped == (own is not None)
                assert own is None or PREAMBLE + at not in own[layer, 1]


def test_heads_keep_as_many(even):
    even[0, 0, MIDDLE : MIDDLE + 7] = ABOVE
    even[0, 1, MIDDLE] = ABOVE
    own = chosen(even, 1.0, PREAMBLE, GROUP, calibrate=True)
    assert own.shape == (8, 2, ROWS - 7)
    assert not set(range(MIDDLE, MIDDLE + 7)) & set(own[0, 0].tolist())
    assert MIDDLE not in own[0, 1]
    assert (own.diff(dim=-1) > 0).all()


def test_calibration_and_compression_together(even):
    even[0, :, MIDDLE] = ABOVE
    own = chosen(even, 0.25, PREAMBLE, GROUP, calibrate=True)
    assert own.shape == (8, 2, PREAMBLE + 100)
    assert MIDDLE not in own[0]
    even[4, :, MIDDLE] = ABOVE
    assert all(MIDDLE in head for head in chosen(even, 0.25, PREAMBLE, GROUP, calibrate=True)[4])


def test_nothing_abnormal_is_all_rows(even):
    assert chosen(even, 1.0, PREAMBLE, GROUP, calibrate=True) is None
    even[..., MIDDLE] = ABNORMAL * RECENT * GROUP  # so much is not abnormal yet
    assert chosen(even, 1.0, PREAMBLE, GROUP, calibrate=True) is None


@pytest.mark.parametrize("calibrate", [False, True])
def test_the_preamble_is_always_kept(calibrate, even):
    for value in (0.0, ABOVE):
        even[..., :PREAMBLE] = value
        even[..., MIDDLE] = ABOVE
        own = chosen(even, 0.01, PREAMBLE, GROUP, calibrate=calibrate)
        assert torch.equal(own[..., :PREAMBLE], torch.arange(PREAMBLE).expand(8, 2, -1))


def test_short_segments_have_no_middle():
    attended = torch.full((4, 2, PREAMBLE + 30), ABOVE)
    own = chosen(attended[:1].expand(4, -1, -1), 1.0, PREAMBLE, GROUP, calibrate=True)
    # Everything is beginning and end there: whole layers would be dropped, and the preamble is what remains
    assert own.shape == (4, 2, PREAMBLE)
    assert not budget._regions(4, 30, torch.device("cpu"))[0].any()
