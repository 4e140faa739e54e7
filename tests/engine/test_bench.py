"""The bench measures, reports, moves on and stops; how fast anything is stays out of the tests."""

import json

import pytest
import torch

from engine import bench
from engine.model.decoder import Stopped
from engine.peer import Peer
from engine.weights import load

SMALL = {"READ": 96, "CONTEXTS": (64, 80), "WRITTEN": 2, "QUESTION": 8, "PIECE": 64}


@pytest.fixture(autouse=True)
def _small(monkeypatch):
    for name, value in SMALL.items():
        monkeypatch.setattr(bench, name, value)


@pytest.mark.full
def test_the_report_holds_every_measurement_and_progress_reaches_its_end(small_model):
    seen = []
    options = {"model": str(small_model), "precision": "int8", "turns": "1"}
    report = json.loads(bench.work(options, lambda done, total: seen.append((done, total)), lambda: False))
    assert [row["name"].split(",")[0] for row in report["rows"]] == [
        "read 96 tokens",
        "write at 64 tokens",
        "write at 80 tokens",
        "first token of a second question on 96 tokens",
    ]
    assert all(row["ours"] > 0 and row["theirs"] > 0 and row["ratio"] > 0 for row in report["rows"])
    assert report["writing"] in report["candidates"]
    assert seen == [(done, 4) for done in range(1, 5)]
    assert "write at 80 tokens" in bench.table(report)


def test_alone_it_compares_with_nothing(small_model):
    options = {"model": str(small_model), "precision": "int8", "turns": "1", "compare": "no"}
    report = bench.run(options, lambda done, total: None)
    assert [row["theirs"] for row in report["rows"][:3]] == [None] * 3


def test_it_stops_between_two_measurements(small_model):
    seen = []
    options = {"model": str(small_model), "precision": "int8", "compare": "no"}
    with pytest.raises(Stopped):
        bench.run(options, lambda done, total: seen.append(done), lambda: bool(seen))
    assert seen == [1]


def test_the_peer_is_the_same_model(small_model):
    """Both bf16: a bench against something else would mean nothing."""
    decoder = load(small_model, "bf16", "cpu").decoder
    ids = torch.randint(0, decoder.config.vocab, (1, 40), generator=torch.Generator().manual_seed(0))
    ours = decoder.read(ids, decoder.make_caches(40), logits="last")
    theirs = Peer(small_model).read(ids)
    assert (ours - theirs).norm() / theirs.norm() < 0.05
