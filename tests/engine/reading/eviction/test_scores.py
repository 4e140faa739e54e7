"""What rows are worth, against the papers' definitions written out in double precision."""

import math

import pytest
import torch
from msgspec.structs import replace

from engine.memory.caches import Caches, KeyValues
from engine.memory.held import ModelRows
from engine.model.config import ModelConfig, RopeConfig
from engine.model.rope import Rotation, frequencies
from engine.protocol import Eviction
from engine.reading.eviction import guard, h2o, policies, series, snapkv, statistics
from engine.reading.eviction.streaming import Streaming
from engine.reading.eviction.triattention import TriAttention

CPU = torch.device("cpu")
WIDTH = 16
CONFIG = ModelConfig("x", 10, 64, 64, 2, 4, 2, WIDTH, 1e-5, 4096, True, ("full", "full"))
YARN = replace(CONFIG, rope=RopeConfig(kind="yarn", factor=4.0, original_window=1024))


def randn(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed))


def turned(heads, positions, frequency, scale=1.0):
    """Heads [..., R, width] of which the first 2 x len(frequency) are turned, by definition and in double precision."""
    heads, half = heads.double(), len(frequency)
    plain = torch.complex(heads[..., :half], heads[..., half : 2 * half])
    on = plain * torch.exp(1j * positions[:, None].double() * frequency.double())
    return torch.cat((on.real * scale, on.imag * scale, heads[..., 2 * half :]), -1)


def definition(mean, length, key, position, newest, frequency, powers=17, adaptive=True):
    """S of one key before it is turned, for a head with these means of queries: term by term."""
    half, total = len(frequency), 0.0
    for f in range(half):
        m = complex(mean[f], mean[f + half])
        k = complex(key[f], key[f + half])
        phase = math.atan2(m.imag, m.real) - math.atan2(k.imag, k.real)
        for ahead in (2**power for power in range(powers)):
            angle = float(frequency[f]) * (newest + ahead - position) + phase
            total += abs(m) * abs(k) * math.cos(angle) / powers
        total += (float(length[f]) - (abs(m) if adaptive else 0)) * abs(k)
    return total + sum(float(a) * float(b) for a, b in zip(mean[2 * half :], key[2 * half :], strict=True))


@pytest.mark.parametrize("kind", ["plain", "yarn", "partial"])
def test_the_closed_form_is_the_definition(kind):
    frequency, scale = frequencies(YARN if kind == "yarn" else CONFIG, 4096)
    frequency = frequency[:5] if kind == "partial" else frequency
    queries, keys = randn(3, 40, WIDTH) + randn(3, 1, WIDTH, seed=1), randn(30, WIDTH, seed=2)
    positions = torch.randint(0, 3000, (30,), generator=torch.Generator().manual_seed(3))
    means = series.Means(queries.mean(1), series.magnitudes(queries, 2 * len(frequency)).mean(1))
    assert means.turned == 2 * len(frequency)
    stored = turned(keys, positions, frequency, scale).float()
    ours = series.scores(stored, *series.coefficients(means, frequency, 3500))
    for head in range(3):
        expected = torch.tensor(
            [
                definition(means.mean[head], means.length[head], key, int(at), 3500, frequency)
                for key, at in zip(keys, positions, strict=True)
            ]
        )
        if kind == "yarn":  # stored keys are longer by the model's factor, all of them alike
            assert scale > 1
            expected *= scale
        assert torch.allclose(ours[head].double(), expected.double(), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("score_window", "powers"), [(None, 17), (65_536, 17), (1, 1), (300, 9)])
@pytest.mark.parametrize("adaptive", [True, False])
def test_how_far_ahead_and_by_what_is_as_it_is_asked_for(score_window, powers, adaptive):
    how = Eviction("triattention", mode="per_layer_per_head", score_window=score_window, adaptive_weight=adaptive)
    keys, means = randn(2, 2, 200, WIDTH, seed=4), means_of(randn(2, 4, 9, WIDTH) + 1)
    held = caches(keys)
    ours = policies.pruning(how, held, CONFIG, 4096, lambda: means).policy.scores(4, 60, 9)
    frequency = held.rotation.frequency
    for layer, head in ((0, 0), (1, 1)):
        found = []
        for query in (2 * head, 2 * head + 1):
            about = (means.mean[layer, query], means.length[layer, query])
            own = [
                definition(*about, keys[layer, head, at], at, 199, frequency, powers, adaptive) for at in range(4, 60)
            ]
            own = torch.tensor(own, dtype=torch.float64)
            found.append((own - own.mean()) / own.std(correction=0))
        assert torch.allclose(ours[layer, head].double(), torch.stack(found).amax(0), atol=1e-3)


@pytest.mark.parametrize("policy", ["h2o", "snapkv", "streaming"])
def test_other_policies_know_nothing_ahead(policy):
    assert guard.obstacle(Eviction(policy, adaptive_weight=False), CONFIG, 4096)[0] == "evict_mode"
    assert guard.obstacle(Eviction(policy, score_window=8), CONFIG, 4096)[0] == "evict_mode"
    assert guard.obstacle(Eviction("triattention", score_window=8, adaptive_weight=False), CONFIG, 4096) is None


def caches(keys, config=CONFIG, first=0):
    """Of every layer these keys [layers, Hkv, R, D], turned to positions from `first` on."""
    rows = keys.shape[2]
    made = [KeyValues(ModelRows(1, 2, WIDTH, torch.float32, CPU, in_order=False), 4096) for _ in keys]
    held = Caches(made, Rotation(config, 4096, torch.float32, CPU), 4096, 1)
    held.next_pos = first
    own = turned(keys, torch.arange(first, first + rows), held.rotation.frequency, held.rotation.scale).float()
    for layer, one in zip(made, own, strict=True):
        layer.store(one[None], one[None], 0)
    held.advance(rows)
    return held


def means_of(queries):
    return series.Means(queries.mean(2), series.magnitudes(queries, WIDTH).mean(2))


@pytest.mark.parametrize("mode", ["per_head", "per_layer_per_head", "union"])
@pytest.mark.parametrize("config", [CONFIG, YARN], ids=["plain", "yarn"])
def test_the_same_wherever_the_text_stands(mode, config):
    """A constant added to all positions changes nothing."""
    keys, means = randn(2, 2, 60, WIDTH, seed=4), means_of(randn(2, 4, 9, WIDTH) + 1)
    near, far = (TriAttention(caches(keys, config, first), (0, 1), means, mode).scores(4, 50, 9) for first in (0, 1500))
    finite = near.isfinite()
    assert torch.equal(finite, far.isfinite())
    assert torch.allclose(near[finite], far[finite], atol=2e-2)
    assert torch.equal(near.topk(9).indices.sort(-1).values, far.topk(9).indices.sort(-1).values)


def test_heads_choose_as_the_mode_says():
    keys, means = randn(2, 2, 60, WIDTH, seed=4), means_of(randn(2, 4, 9, WIDTH) + 1)
    held = caches(keys)
    alone, alike, together = (
        TriAttention(held, (0, 1), means, mode).scores(4, 50, 9) for mode in ("per_layer_per_head", "per_head", "union")
    )
    vectors, weights = series.coefficients(means, held.rotation.frequency, 59)
    z = torch.empty(2, 4, 46, dtype=torch.float64)
    for layer in range(2):
        for head in range(4):
            rows = held.rows[layer].held.part(4, 50)[0][0, head // 2].double()
            s = rows @ vectors[layer, head].double()
            s += torch.complex(rows[:, :8], rows[:, 8:]).abs() @ weights[layer, head].double()
            z[layer, head] = (s - s.mean()) / s.std(correction=0)
    best = z.unflatten(1, (2, 2)).amax(2)
    assert torch.allclose(alone.double(), best, atol=1e-4)
    assert torch.allclose(alike.double(), best.mean(0).expand(2, 2, -1), atol=1e-4)
    votes = {int(row) for head in z.flatten(0, 1) for row in head.topk(9).indices}
    most = z.flatten(0, 1).amax(0)
    expected = torch.tensor([float(most[row]) if row in votes else -math.inf for row in range(46)])
    assert torch.allclose(together[0, 0], expected.float(), atol=1e-4)
    assert (together == together[0, 0]).all()
    assert len(votes) >= 9


@pytest.mark.parametrize("kind", ["full", "full, norms"])
def test_statistics_are_of_queries_as_attention_sees_them_before_they_are_turned(kind, make_model):
    model = make_model(kind)
    ids = torch.randint(0, 120, (90,), generator=torch.Generator().manual_seed(1))
    means = statistics.measured(model.decoder, ids.numpy().astype("int32"), 32)
    theirs = []
    original = model.twin._turned

    def told(x, positions):
        theirs.append(x)
        return original(x, positions)

    model.twin._turned = told
    try:
        model.twin.read(ids)
    finally:
        model.twin._turned = original
    queries = torch.stack([x for x in theirs if len(x) == 4])  # [layers, Hq, T, D], those of keys have two heads
    assert torch.allclose(means.mean.double(), queries.mean(2), atol=1e-4)
    lengths = torch.complex(queries[..., :8], queries[..., 8:]).abs().mean(2)
    assert torch.allclose(means.length.double(), lengths, atol=1e-4)


def test_statistics_of_stretched_positions_are_those_before_the_factor(make_model):
    rope = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 128, "rope_theta": 10000.0}
    model = make_model("full", rope_parameters=rope)
    assert model.rotation.scale > 1
    ids = torch.randint(0, 120, (90,), generator=torch.Generator().manual_seed(1)).numpy().astype("int32")
    means, plain = (statistics.measured(make.decoder, ids, 64) for make in (model, make_model("full")))
    assert torch.allclose(means.mean[0], plain.mean[0], atol=1e-4)  # the first layer saw no positions yet
    assert torch.allclose(means.length[0], plain.length[0], atol=1e-4)


def attention(queries, keys, scale):
    """[Hq, T, R] of the newest T rows' queries, in double precision."""
    tokens, rows = queries.shape[1], keys.shape[1]
    scores = queries.double() @ keys.double().repeat_interleave(len(queries) // len(keys), 0).mT * scale
    ahead = torch.arange(rows) > torch.arange(rows - tokens, rows)[:, None]
    return scores.masked_fill(ahead, -torch.inf).softmax(-1)


@pytest.mark.parametrize("tile", [1, 700, 1 << 22])
def test_column_sums_are_those_of_the_whole_matrix(tile, monkeypatch):
    monkeypatch.setattr(h2o, "ELEMENTS", tile)
    for tokens, rows in ((50, 50), (7, 50), (1, 1), (1, 50)):
        queries, keys = randn(4, tokens, WIDTH), randn(2, rows, WIDTH, seed=1)
        expected = attention(queries, keys, 0.3).sum(1).unflatten(0, (2, 2)).sum(1)
        assert torch.allclose(h2o.column_sums(queries, keys, 0.3).double(), expected, atol=1e-5)


def test_attention_so_far_is_divided_by_who_could_see_and_survives():
    keys = randn(2, 2, 60, WIDTH, seed=4)
    held = caches(keys)
    queries = randn(2, 4, 60, WIDTH, seed=5)
    seen = [attention(queries[layer], held.rows[layer].held.part(0, 60)[0][0], 0.25) for layer in range(2)]
    sums = torch.stack(seen).sum(2).unflatten(1, (2, 2)).sum(2)
    expected = sums / (60 - torch.arange(60))
    policy = h2o.H2O(held, (0, 1), 0.25)
    for first, last in ((0, 23), (23, 60)):
        for layer in range(2):
            policy.observe(layer, queries[layer, :, first:last], last)
        policy.settle()
    assert torch.allclose(policy.scores(4, 50, 9).double(), expected[..., 4:50], atol=1e-5)
    rows = torch.stack([torch.randperm(60, generator=torch.Generator().manual_seed(n))[:40] for n in range(4)])
    rows = rows.sort(-1).values.unflatten(0, (2, 2))
    held.prune(rows)
    policy.kept(rows)
    assert torch.allclose(policy.scores(0, 40, 9).double(), expected.gather(2, rows), atol=1e-5)
    with pytest.raises(ValueError, match="not told of"):
        policy.observe(0, queries[0, :, :3], 60)


def test_a_piece_that_is_cut_short_leaves_no_trace():
    held = caches(randn(2, 2, 60, WIDTH, seed=4))
    queries = randn(2, 4, 60, WIDTH, seed=5)
    policies = [h2o.H2O(held, (0, 1), 0.25), snapkv.SnapKV(held, (0, 1), 0.25, "mean")]
    for policy in policies:
        policy.observe(0, queries[0, :, :40], 40)  # and the second layer never was
        for first, last in ((0, 30), (30, 60)):
            for layer in range(2):
                policy.observe(layer, queries[layer, :, first:last], last)
            policy.settle()
    fresh = [h2o.H2O(held, (0, 1), 0.25), snapkv.SnapKV(held, (0, 1), 0.25, "mean")]
    for policy, other in zip(policies, fresh, strict=True):
        for layer in range(2):
            other.observe(layer, queries[layer], 60)
        other.settle()
        assert torch.allclose(policy.scores(4, 50, 9), other.scores(4, 50, 9), atol=1e-6)


@pytest.mark.parametrize("group", ["mean", "max"])
def test_the_newest_queries_and_their_neighbours(group):
    held = caches(randn(2, 2, 70, WIDTH, seed=4))
    queries = randn(2, 4, 70, WIDTH, seed=5)
    policy = snapkv.SnapKV(held, (0, 1), 0.25, group)
    for first, last in ((0, 41), (41, 60), (60, 70)):
        for layer in range(2):
            policy.observe(layer, queries[layer, :, first:last], last)
        policy.settle()
    ours = policy.scores(4, 38, 9)
    for layer in range(2):
        own = held.rows[layer].held.part(0, 70)[0][0]
        given = attention(queries[layer, :, -32:], own, 0.25).sum(1).unflatten(0, (2, 2))
        given = given.mean(1) if group == "mean" else given.amax(1)
        for head in range(2):
            for row in range(4, 38):
                expected = given[head, max(0, row - 3) : row + 4].max()
                assert abs(float(ours[layer, head, row - 4]) - float(expected)) < 1e-5


def test_the_newer_the_better():
    scores = Streaming(caches(randn(2, 2, 20, WIDTH)), 2).scores(4, 15, 3)
    assert scores.shape == (2, 2, 11)
    assert (scores.diff(dim=-1) > 0).all()
