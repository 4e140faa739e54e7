"""Rows and positions are counted apart, and memory comes as rows come."""

import pytest
import torch

from engine.memory.caches import STEP, Caches, KeyValues
from engine.memory.held import ModelRows


@pytest.fixture
def layer():
    return KeyValues(ModelRows(1, 2, 4, torch.float32, torch.device("cpu"), in_order=False), 10_000)


@pytest.fixture
def caches(layer):
    return Caches([layer], None, 10_000, 1)


def rows(count, value):
    return torch.full((1, 2, count, 4), float(value))


def test_memory_comes_in_steps_and_never_beyond_the_capacity(layer):
    assert layer.bytes() == 0
    seen = set()
    for at in range(0, 10_000, 50):
        k, v = layer.store(rows(50, at), rows(50, -at), at).part(0, at + 50)
        assert k.shape == v.shape == (1, 2, at + 50, 4)
        assert layer.allocated <= max(at + 50 + STEP, (at + 50) * 5 // 4 + STEP)
        seen.add(layer.allocated)
    assert layer.allocated == 10_000
    assert layer.bytes() == 2 * 10_000 * 2 * 4 * 4
    assert len(seen) < 10
    assert torch.equal(k[0, 0, ::50, 0], torch.arange(0.0, 10_000, 50))
    assert torch.equal(v, -k)


def test_a_reserve_takes_what_is_needed_at_once(caches, layer):
    k, _ = layer.store(rows(3, 7), rows(3, 7), 0).part(0, 3)
    caches.advance(3)
    caches.reserve(6_000)
    assert 6_000 <= layer.allocated < 6_000 + STEP
    before = layer.allocated
    caches.reserve(100)
    assert layer.allocated == before
    caches.reserve(20_000)
    assert layer.allocated == 10_000
    assert torch.equal(layer.held.part(0, 3)[0], k)


def test_rows_count_only_when_advanced(caches, layer):
    layer.store(rows(5, 1), rows(5, 1), 0)
    assert (caches.length(), caches.next_pos, caches.room()) == (0, 0, 10_000)
    caches.advance(5)
    assert (caches.length(), caches.next_pos, caches.room()) == (5, 5, 9_995)


def test_positions_go_on_where_rows_were_dropped(caches, layer):
    layer.store(torch.arange(10.0)[:, None].expand(1, 2, 10, 4), rows(10, 0), 0)
    caches.advance(10)
    caches.prune(torch.tensor([[[0, 1, 5, 6, 7, 8, 9], [0, 1, 2, 6, 7, 8, 9]]]))
    assert (caches.length(), caches.next_pos, caches.dropped) == (7, 10, 3)
    assert layer.held.part(0, 7)[0][0, :, :, 0].tolist() == [[0, 1, 5, 6, 7, 8, 9], [0, 1, 2, 6, 7, 8, 9]]
    layer.store(rows(1, 10), rows(1, 10), 7)
    caches.advance(1)
    assert list(caches.positions) == [0, 1, -1, 6, 7, 8, 9, 10]
    caches.prune(torch.tensor([[[0, 2, 3, 4, 5, 6, 7], [0, 2, 3, 4, 5, 6, 7]]]))
    assert caches.places().tokens.tolist() == [[[0, 5, 6, 7, 8, 9, 10], [0, 2, 6, 7, 8, 9, 10]]]
    assert torch.equal(caches.places().positions, caches.places().tokens)
    caches.advance(2)
    assert caches.places().tokens[0, 1].tolist() == [0, 2, 6, 7, 8, 9, 10, 11, 12]
    caches.trim(8)
    assert (caches.length(), caches.next_pos, caches.dropped) == (8, 12, 4)
    with pytest.raises(ValueError, match="do not come back"):
        caches.trim(6)
    caches.trim(0)
    assert (caches.length(), caches.next_pos, caches.dropped) == (0, 0, 0)
    with pytest.raises(ValueError, match="cannot trim 0 rows to 1"):
        caches.trim(1)


def test_several_texts_and_states_forget_nothing(layer):
    with pytest.raises(ValueError, match="one text"):
        Caches([layer], None, 10_000, 2).prune(torch.zeros(1, 2, 0, dtype=torch.int64))
