"""Positions beyond the native window: what transformers computes when its configuration is stretched by hand."""

import msgspec
import pytest
import torch

from engine.model.config import RopeConfig
from engine.model.extension import NTK_OVERSTRETCH, NotExtended, extended, factor, obstacle
from engine.model.rope import frequencies
from engine.weights import BadModel, describe, load

WITHIN = 1e-3
NATIVE, WIDTH, THETA = 32, 16, 5000.0
PLAIN = {"rope_type": "default", "rope_theta": THETA}
YARN = {"rope_type": "yarn", "rope_theta": THETA, "factor": 4.0, "original_max_position_embeddings": NATIVE}
NTK = {"rope_type": "default", "rope_theta": THETA * (NTK_OVERSTRETCH * 4) ** (WIDTH / (WIDTH - 2))}
BY_HAND = {"yarn": YARN, "ntk": NTK}
"""100 tokens are a little more than three windows of 32: the factor is 4."""
SCALINGS = {
    "linear": RopeConfig(kind="linear", factor=4.0),
    "dynamic": RopeConfig(kind="dynamic", factor=4.0),
    "yarn": RopeConfig(kind="yarn", factor=4.0, original_window=8),
    "llama3": RopeConfig(kind="llama3", factor=4.0, original_window=8),
    "longrope": RopeConfig(kind="longrope", factor=4.0, original_window=8),
    "llama3 of GGUF": RopeConfig(divisors=(1.0,) * 8),
}


@pytest.fixture
def native(make):
    """native(family) -> a checkpoint made for 32 tokens, and transformers' model of it."""
    return lambda family, **options: make(family, **{"rope_parameters": PLAIN, "max_position_embeddings": 32} | options)


@pytest.fixture
def config(native):
    return describe(native("llama")[0]).config


def by_hand(model, rope):
    """The same weights under another rope."""
    values = model.config.to_dict() | {"rope_parameters": dict(rope), "max_position_embeddings": 4 * NATIVE}
    stretched = type(model)(type(model.config)(**values)).eval()
    stretched.load_state_dict(model.state_dict())
    return stretched


@pytest.mark.parametrize("family", ["llama", "mistral", "qwen2", "qwen3"])
@pytest.mark.parametrize("method", BY_HAND)
def test_positions_beyond_the_window(method, family, native, tokens, reference, distance):
    folder, model = native(family, **({"sliding_window": None} if family == "mistral" else {}))
    loaded = load(folder, "fp32", "cpu", extension=method, window=100)
    caches = loaded.decoder.make_caches(100)
    read = loaded.decoder.read(tokens[:, :80], caches, logits="all")
    written = [loaded.decoder.write(tokens[:, at], caches) for at in range(80, 100)]
    ours = torch.cat((read, torch.stack(written, 1)), 1)
    theirs = reference(by_hand(model, BY_HAND[method]), tokens)
    assert distance(ours, theirs) < WITHIN
    assert distance(ours[:, NATIVE:], theirs[:, NATIVE:]) < WITHIN
    assert distance(ours, reference(model, tokens)) > 100 * WITHIN, "nothing was stretched"


@pytest.mark.parametrize("method", BY_HAND)
def test_the_configuration_is_that_of_a_checkpoint_stretched_by_hand(method, native, tmp_path):
    folder, model = native("qwen3")
    ours = extended(describe(folder).config, method, 100)
    by_hand(model, BY_HAND[method]).save_pretrained(tmp_path / "by hand")
    theirs = describe(tmp_path / "by hand").config
    original = theirs.rope.original_window if method == "yarn" else NATIVE  # read by no other kind
    theirs = msgspec.structs.replace(theirs, rope=msgspec.structs.replace(theirs.rope, original_window=original))
    assert ours == theirs
    assert ours.window == 4 * NATIVE


def test_ntk_keeps_the_fastest_pair_and_slows_the_slowest(config):
    plain, _ = frequencies(config, 100)
    slowed, scale = frequencies(extended(config, "ntk", 100), 100)
    assert scale == 1
    assert torch.allclose(slowed[0], plain[0])
    assert torch.allclose(slowed[-1], plain[-1] / (NTK_OVERSTRETCH * 4))
    assert (slowed[1:] < plain[1:]).all()


def test_yarn_keeps_fast_pairs_and_divides_slow_ones(config):
    config = msgspec.structs.replace(config, window=2048, head_width=64)
    plain, _ = frequencies(config, 9000)
    slowed, scale = frequencies(extended(config, "yarn", 9000), 9000)
    assert scale == pytest.approx(1 + 0.1 * torch.log(torch.tensor(5.0)).item())
    assert torch.equal(slowed[:8], plain[:8])
    assert torch.allclose(slowed[-4:], plain[-4:] / 5)


@pytest.mark.parametrize(
    ("own", "scale"), [({"attention_factor": 1.5}, 1.5), ({"mscale": 1.0, "mscale_all_dim": 1.0}, 1.0)]
)
def test_yarn_takes_the_models_own_attention_factor(own, scale, config):
    config = msgspec.structs.replace(config, rope=msgspec.structs.replace(config.rope, **own))
    assert frequencies(extended(config, "yarn", 100), 100)[1] == scale


@pytest.mark.parametrize(
    ("window", "times"), [(1, 1), (32, 1), (33, 2), (64, 2), (65, 3), (100, 4), (225, 8), (256, 8), (257, 9)]
)
def test_the_factor_is_the_smallest_that_reaches(window, times, config):
    assert factor(config, window) == times
    if times <= 8:
        assert extended(config, "yarn", window).rope.factor == times
    else:
        with pytest.raises(NotExtended, match="more than 8 times its window of 32") as refused:
            extended(config, "yarn", window)
        assert refused.value.code == "too_long"


@pytest.mark.parametrize("method", ["yarn", "ntk"])
def test_a_window_that_the_model_has_changes_nothing(method, native, tokens):
    folder, _ = native("llama")
    plain, stretched = load(folder, "fp32", "cpu"), load(folder, "fp32", "cpu", extension=method, window=NATIVE)
    ids = tokens[:, :NATIVE]
    logits = [one.decoder.read(ids, one.decoder.make_caches(NATIVE), logits="all") for one in (plain, stretched)]
    assert torch.equal(*logits)
    assert plain.config == stretched.config
    longer = load(folder, "fp32", "cpu", extension=method, window=NATIVE + 1)
    assert longer.config.window == 2 * NATIVE
    assert plain.fingerprint == longer.fingerprint, "the weights are the same"


@pytest.mark.parametrize("method", ["yarn", "ntk"])
@pytest.mark.parametrize("kind", SCALINGS)
def test_a_scaling_of_the_models_own_is_left_alone(kind, method, config):
    own = msgspec.structs.replace(config, rope=SCALINGS[kind])
    with pytest.raises(NotExtended, match=rf"stretched already \({kind.split()[0]}\)") as refused:
        extended(own, method, 100)
    assert refused.value.code == obstacle(own).code == "scaled"
    assert extended(own, method, NATIVE) is extended(own, "none", 100) is own


@pytest.mark.parametrize("layers", [1, 3])
def test_sliding_layers_are_not_stretched(layers, config):
    mixers = ("full",) * (3 - layers) + ("sliding",) * layers
    sliding = msgspec.structs.replace(config, mixers=mixers, sliding_window=8)
    with pytest.raises(NotExtended, match="slides") as refused:
        extended(sliding, "yarn", 100)
    assert refused.value.code == "sliding"


def test_loading_refuses_aloud(native):
    folder, _ = native("llama", rope_parameters=YARN)
    with pytest.raises(BadModel, match="stretched already") as refused:
        load(folder, "fp32", "cpu", extension="ntk", window=4 * NATIVE + 1)
    assert refused.value.subject == "llama"
    assert load(folder, "fp32", "cpu", extension="ntk", window=4 * NATIVE).config.rope.factor == 4
