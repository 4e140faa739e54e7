"""The hybrid against its twin: any length, any pieces, both normalisers."""

import json

import numpy as np
import pytest
import torch

from engine import logits
from tests.engine.hybrid.conftest import LIGHTNING, SPARSE

WITHIN = 1e-3


@pytest.fixture(scope="module")
def expected(checkpoint):
    """The twin's logits, computed once for each case."""
    made = {}

    def of(count, dense_len=128, normaliser="coarse", **changed):
        key = count, dense_len, normaliser, json.dumps(changed, sort_keys=True)
        if key not in made:
            model = checkpoint(sparse_config={"dense_len": dense_len}, **changed)
            made[key] = model.twin(normaliser).read(model.ids(count))
        return made[key]

    return of


def read(decoder, ids, piece, caches=None):
    caches = decoder.make_caches(len(ids)) if caches is None else caches
    pieces = [torch.tensor([ids[start : start + piece]]) for start in range(0, len(ids), piece)]
    return torch.cat([decoder.read(part, caches, logits="all", prompt=len(ids))[0] for part in pieces])


@pytest.mark.parametrize("dense_len", [128, 256])
@pytest.mark.parametrize("count", [1, 31, 127, 250, 300, 700])
def test_whole_prompts(count, dense_len, checkpoint, expected, distance):
    model = checkpoint(sparse_config={"dense_len": dense_len})
    ours = read(model.load(), model.ids(count), count)
    assert distance(ours, expected(count, dense_len)) < WITHIN


def test_choosing_blocks_is_not_seeing_all(expected, distance):
    """Or nothing else here would prove that blocks are chosen."""
    assert distance(expected(300, dense_len=1000), expected(300)) > 0.01
    assert distance(expected(300, normaliser="exact"), expected(300)) > 1e-3
    assert distance(expected(250, dense_len=256), expected(250)) > 0.01


@pytest.mark.parametrize("normaliser", ["coarse", "exact"])
@pytest.mark.parametrize("piece", [1, 37, 64, 256, 700])
def test_pieces_by_the_command(piece, normaliser, checkpoint, expected, distance, tmp_path):
    model = checkpoint(sparse_config={"dense_len": 128})
    tokens, out = tmp_path / "ids.json", tmp_path / "logits.npy"
    tokens.write_text(json.dumps(model.ids(700)))
    options = ["--model", model.path, "--tokens", tokens, "--out", out, "--piece", piece, "--normaliser", normaliser]
    assert logits.main([str(option) for option in options]) == 0
    assert distance(torch.from_numpy(np.load(out)), expected(700, normaliser=normaliser)) < WITHIN


def test_a_prompt_is_read_densely_by_its_whole_length(checkpoint, expected, distance):
    """However short its pieces are."""
    model = checkpoint(sparse_config={"dense_len": 256})
    for count in (255, 256):
        assert distance(read(model.load(), model.ids(count), 50), expected(count, 256)) < WITHIN


MINICPM4 = {
    "architectures": ["MiniCPMForCausalLM"],
    "model_type": "minicpm",
    "mixer_types": [SPARSE] * 6,
}
LONGROPE = {
    "rope_type": "longrope",
    "short_factor": [1.0 + 0.1 * pair for pair in range(8)],
    "long_factor": [3.0 + 0.3 * pair for pair in range(8)],
    "original_max_position_embeddings": 200,
}
CHANGES = [
    MINICPM4,
    MINICPM4 | {"rope_scaling": LONGROPE},
    {"attn_use_rope": True},
    {"attn_use_output_gate": False},
    {"use_output_gate": False},
    {"num_key_value_heads": 1},
    {"num_key_value_heads": 4},
    {"mixer_types": [LIGHTNING, SPARSE, LIGHTNING, LIGHTNING, SPARSE, LIGHTNING]},
    {"rope_scaling": {"rope_type": "default"}, "scale_depth": 3.0, "scale_emb": 1, "dim_model_base": 64},
]


@pytest.mark.parametrize("changed", CHANGES, ids=str)
def test_other_forms(changed, checkpoint, expected, distance):
    model = checkpoint(sparse_config={"dense_len": 128}, **changed)
    assert distance(read(model.load(), model.ids(300), 90), expected(300, **changed)) < WITHIN


def test_minicpm4_without_blocks_is_dense(checkpoint, expected, distance):
    """Its first release names no sparse layers."""
    model = checkpoint(sparse_config={"dense_len": 1000}, **MINICPM4)
    config = json.loads((model.path / "config.json").read_text())
    del config["sparse_config"]
    (model.path / "config.json").write_text(json.dumps(config))
    decoder = model.load()
    assert set(decoder.config.mixers) == {"full"}
    assert distance(read(decoder, model.ids(300), 90), expected(300, 1000, **MINICPM4)) < WITHIN
    assert distance(written(decoder, model.ids(300)), expected(300, 1000, **MINICPM4)) < WITHIN


def written(decoder, ids):
    """Token by token, with compiled products where they can be had: they are recorded and repeated as one."""
    for linear in (decoder.head, *(linear for layer in decoder.layers for linear in layer.linears())):
        linear.use("native" if "native" in linear.products else linear.product)
    caches = decoder.make_caches(len(ids))
    return torch.stack([decoder.write(torch.tensor([id]), caches, prompt=len(ids))[0] for id in ids])


@pytest.mark.parametrize("changed", [{}, {"attn_use_output_gate": False, "use_output_gate": False}, MINICPM4], ids=str)
def test_what_is_done_to_a_token_beside_its_products_is_done_to_every_one(changed, checkpoint, expected, distance):
    model = checkpoint(sparse_config={"dense_len": 128}, **changed)
    assert distance(written(model.load(), model.ids(300)), expected(300, **changed)) < WITHIN


@pytest.mark.parametrize("precision", ["bf16", "int8"])
def test_other_precisions_are_near(precision, checkpoint, expected, distance):
    model = checkpoint(sparse_config={"dense_len": 128})
    assert 1e-4 < distance(read(model.load(precision), model.ids(100), 60), expected(100)) < 0.1
