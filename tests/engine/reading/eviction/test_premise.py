"""What TriAttention rests on, over texts whose statistics are known and against the definitions written out."""

import json

import numpy as np
import pytest
import torch

from engine import bench_eviction, needles
from engine.model.decoder import Stopped
from engine.needles import Haystack
from engine.reading.eviction import premise, series, statistics
from engine.tokenizer import Tokenizer
from engine.weights import load, tokenizer_files

WIDTH = 16


def randn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def means_of(heads):
    """[..., T, width]."""
    return series.Means(heads.mean(-2).float(), series.magnitudes(heads, WIDTH).mean(-2).float())


def pearson(a, b):
    return np.corrcoef(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))[0, 1]


def test_concentration_of_one_query_is_one_and_of_any_phase_none():
    keys = means_of(randn(2, 500, WIDTH))
    constant, strongest = premise.concentration(means_of(randn(2, 1, WIDTH, seed=1).expand(-1, 500, -1)), keys)
    assert constant == pytest.approx([1.0, 1.0], abs=1e-5)
    assert strongest == pytest.approx([1.0, 1.0], abs=1e-5)
    angles = 2 * np.pi * torch.rand(2, 20_000, 8, generator=torch.Generator().manual_seed(2), dtype=torch.float64)
    phases = torch.polar(torch.ones_like(angles), angles)
    found, strongest = premise.concentration(means_of(torch.cat((phases.real, phases.imag), -1)), keys)
    assert (found < 0.02).all()  # one over the root of so many
    assert (strongest < 0.03).all()


def test_bands_count_for_as_much_as_they_can_add_to_a_logit():
    """One band of two that are turned is one query, the other two opposite ones; weights 3 x 2 and 1 x 4."""
    queries = series.Means(torch.tensor([3.0, 0.0, 0.0, 0.0]), torch.tensor([3.0, 1.0]))
    keys = series.Means(torch.zeros(4), torch.tensor([2.0, 4.0]))
    found, strongest = premise.concentration(queries, keys)
    assert float(found) == pytest.approx(0.6)
    assert float(strongest) == 1.0


def test_distances_grow_by_as_many_times():
    assert premise.log_spaced(1) == (1,)
    assert premise.log_spaced(20) == (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 13, 16, 19, 20)
    assert len(premise.log_spaced(4096)) == 44


def test_nothing_is_told_by_what_is_the_same_everywhere():
    a = randn(3, 9)
    assert premise.pearson(a, a * 2 + 1) == pytest.approx([1.0] * 3)
    assert premise.pearson(a, -a) == pytest.approx([-1.0] * 3)
    assert premise.pearson(a, torch.ones(3, 9)).tolist() == [0.0] * 3


def test_where_a_token_comes_again_and_again_logits_follow_the_series(make_model):
    """Its queries are one in every layer, and so are its keys."""
    ids = np.full(400, 7, dtype=np.int32)
    found = premise.measured(make_model("full").decoder, ids[:50], ids, 64)
    assert len(found.heads) == 16
    for head in found.heads:
        for number in ("concentration", "strongest", "distance", "keys", "far"):
            assert getattr(head, number) == pytest.approx(1.0, abs=1e-3)
    assert found.summary("distance").share == found.summary("concentration").share == 1
    assert [layer["layer"] for layer in found.layers()] == [0, 1, 2, 3]


def test_layers_that_look_no_farther_than_their_window_forget_nothing(make_model):
    ids = np.random.default_rng(1).integers(0, 120, 200).astype(np.int32)
    found = premise.measured(make_model("both, norms").decoder, ids[:50], ids, 64)
    assert [(head.layer, head.head) for head in found.heads] == [(layer, head) for layer in (0, 1) for head in range(4)]


def heads_of(model, ids):
    """Queries [layers, Hq, T, D] and keys [layers, Hkv, T, D] before they are turned, by the twin."""
    seen, original = [], model.twin._turned
    model.twin._turned = lambda x, positions: seen.append(x) or original(x, positions)
    try:
        model.twin.read(ids)
    finally:
        model.twin._turned = original
    return (torch.stack([x for x in seen if len(x) == heads]) for heads in (4, 2))


@pytest.mark.parametrize("piece", [37, 512])
def test_numbers_are_the_definitions(make_model, piece):
    model, random = make_model("full, norms"), np.random.default_rng(3)
    known, text = (random.integers(0, 120, count).astype(np.int32) for count in (150, 320))
    found = premise.measured(model.decoder, known, text, piece)
    assert (found.calibrated, found.length, found.queries) == (150, 320, 160)
    q, k = (part.mean(2) for part in heads_of(model, known))
    queries, keys = heads_of(model, text)
    frequency = model.twin.theta ** -(np.arange(8) / 8)
    at = torch.arange(320).expand(4, -1)
    distances = np.array(found.distances)
    far = distances >= 128
    assert far.sum() > 1
    for head in found.heads:
        mean, group = q[head.layer, head.head], head.head // 2
        turned = model.twin._turned(queries[head.layer], at)[head.head].numpy()
        stored = model.twin._turned(keys[head.layer], at[:2])[group].numpy()
        logits = np.array([[turned[t] @ stored[t - d] for d in distances] for t in range(160, 320)])

        def told(key, mean=mean):
            m, own = (np.asarray(x[:8]) + 1j * np.asarray(x[8:]) for x in (mean, key))
            return [(abs(m) * abs(own) * np.cos(frequency * d + np.angle(m) - np.angle(own))).sum() for d in distances]

        assert head.distance == pytest.approx(pearson(told(k[head.layer, group]), logits.mean(0)), abs=1e-3)
        assert head.nearness == pytest.approx(pearson(-np.log(distances), logits.mean(0)), abs=1e-3)
        of_key = np.array([told(key) for key in keys[head.layer, group]])  # [T, n]
        series_of = np.array([[of_key[t - d, n] for n, d in enumerate(distances)] for t in range(160, 320)])
        pairs = list(zip(series_of, logits, strict=True))
        assert head.keys == pytest.approx(np.mean([pearson(a, b) for a, b in pairs]), abs=1e-3)
        assert head.far == pytest.approx(np.mean([pearson(a[far], b[far]) for a, b in pairs]), abs=1e-3)
        near = [pearson(-np.log(distances[far]), b[far]) for _, b in pairs]
        assert head.far_nearness == pytest.approx(np.mean(near), abs=1e-3)


def test_the_bench_reports_every_head_over_a_text_of_its_own(tiny_model, tmp_path, desk, monkeypatch):
    def haystack(count, tokens, seed):
        parts = [desk.made_up_text(40, seed + number) for number in range(tokens // 40)]
        return Haystack(tuple(parts), tuple(count(part) for part in parts))

    monkeypatch.setattr(needles, "haystack", haystack)
    monkeypatch.setattr(statistics, "text", lambda: desk.made_up_text(60, 99))
    tokenizer, told = Tokenizer(tokenizer_files.read(tiny_model, tmp_path)), []
    decoder = load(tiny_model, "fp32", "cpu").decoder
    options = {"model": str(tiny_model), "precision": "fp32", "device": "cpu", "data": str(tmp_path)}
    options |= {"length": "700", "premise": "yes"}
    report = json.loads(bench_eviction.work(options, lambda *at: told.append(at)))
    assert (report["precision"], list(tmp_path.glob(".passing*"))) == ("fp32", [])
    assert told == [(1, 2), (2, 2)]
    assert (report["length"], report["queries"], report["farthest"]) == (700, 350, 350)
    assert report["calibrated"] == len(tokenizer.encode(desk.made_up_text(60, 99)))
    assert [(head["layer"], head["head"]) for head in report["heads"]] == [(a, b) for a in (0, 1) for b in range(4)]
    mean = np.mean([head["keys"] for head in report["heads"]])
    assert report["summary"]["keys"]["mean"] == pytest.approx(mean)
    assert report["layers"][1]["keys"] == pytest.approx(np.mean([head["keys"] for head in report["heads"][4:]]))
    with pytest.raises(ValueError, match="window of 1024"):
        bench_eviction.premises(decoder, tokenizer, 1100, lambda *at: None)
    with pytest.raises(Stopped):
        bench_eviction.premises(decoder, tokenizer, 700, lambda *at: None, lambda: True)
