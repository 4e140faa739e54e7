"""The bench of selections on a small model, quickly: that it measures what it says."""

import json

import pytest

from engine import bench_selection
from engine.bench_selection import Shape
from engine.memory import selected_rows
from engine.model.decoder import Stopped


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(bench_selection, "TIMES", 2)
    monkeypatch.setattr(bench_selection, "JUDGED", 8)
    monkeypatch.setattr(bench_selection, "PIECE", 256)
    monkeypatch.setattr(bench_selection, "LONGEST", 500)
    monkeypatch.setattr(bench_selection, "Shape", lambda: Shape(2, 1, 32))
    monkeypatch.setattr(bench_selection, "paragraphs", lambda: ("bal bel bil bol. " * 40, "dal del. " * 90))
    monkeypatch.setattr(selected_rows, "DENSE_LAYERS", 1)


def test_the_report(tiny_model, tmp_path):
    seen = []
    options = {"model": str(tiny_model), "data": str(tmp_path), "length": "700", "turns": "2", "precision": "fp32"}
    report = json.loads(bench_selection.work(options, lambda *at: seen.append(at)))
    assert [row["name"] for row in report["rows"]] == [
        "write at 2,048 tokens, over chosen pages",
        "read 700 tokens in a layer, over chosen blocks",
    ]
    assert all(row["ratio"] > 0 and row["ours"] > 0 and row["theirs"] > 0 for row in report["rows"])
    assert 0 < report["reading"]["density"] <= 1
    assert 0 < report["reading"]["choosing"] < 1
    quest, blocks = report["judged"]
    assert (quest["kind"], quest["tokens"], quest["density"][0]) == ("quest", 8, None)
    assert (blocks["kind"], blocks["tokens"]) == ("blocks", 499)
    assert all(0 < share <= 1 for share in [quest["density"][1], *blocks["density"]])
    assert all(one["perplexity"] > 1 and one["dense"] > 1 for one in report["judged"])
    assert seen == [(number, 8) for number in range(1, 9)]


def test_it_can_be_stopped(tiny_model, tmp_path):
    with pytest.raises(Stopped):
        bench_selection.work({"model": str(tiny_model), "data": str(tmp_path)}, lambda *at: None, lambda: True)
