"""The bench of attention: every layer that is counted runs over the whole text, and turns take turns."""

import json

import pytest
import torch

from engine import bench_attention
from engine.bench_attention import Bench, Shape
from engine.model.decoder import Stopped
from kernels.block_scores import Blocks

SMALL = Shape(heads=4, kv_heads=2, width=32, blocks=Blocks(8, 4, 16, 1, 5, 8))
CPU = torch.device("cpu")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(bench_attention, "PIECE", 100)
    monkeypatch.setattr(bench_attention, "Shape", lambda: SMALL)
    monkeypatch.setattr(bench_attention, "LENGTHS", (200, 350, 700))
    monkeypatch.setattr(bench_attention, "ONCE", 300)


def test_operations_grow_as_counted_for_the_released_shape():
    shape = Shape()
    assert shape.operations(16_384) == pytest.approx(1.22e13, rel=0.01)
    growth = Bench(shape, CPU, lambda done, total: None)._growth([16_384, 131_072], [1.0, 8.0])
    assert growth["measured"] == pytest.approx(1.0)
    assert growth["counted"] == pytest.approx(1.21, abs=0.01)


def test_every_length_has_its_rows_and_only_those_that_are_not_too_long_a_dense_one():
    seen = []
    bench = Bench(SMALL, CPU, lambda done, total: seen.append((done, total)))
    report = bench.run([200, 450], None, dense=True, longest_dense=300)
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
    rows = report["rows"]
    assert [row["name"] for row in rows[::3]] == ["a lightning layer, 200 tokens", "a lightning layer, 450 tokens"]
    assert all(row["ours"] > 0 for row in rows)
    assert [row["ratio"] is None for row in rows] == [True, True, False, True, True, True]
    assert rows[2]["ours"] == pytest.approx(24 * rows[0]["ours"] + 8 * rows[1]["ours"], rel=0.9)
    assert (report["growth"]["first"], report["growth"]["last"]) == (200, 450)


def test_what_is_told_is_done():
    report = json.loads(bench_attention.work({"length": "350", "compare": "no", "turns": "1"}, lambda *at: None))
    assert report["threads"] == torch.get_num_threads()
    assert [row["name"][-10:] for row in report["rows"][::3]] == ["200 tokens", "350 tokens"]
    assert all(row["theirs"] is None for row in report["rows"])
    assert json.loads(bench_attention.work({"length": "150"}, lambda *at: None))["growth"] is None


def test_it_stops_between_two_pieces():
    looked = iter([False, False, True])
    with pytest.raises(Stopped):
        bench_attention.work({}, lambda *at: None, lambda: next(looked))
