"""What `mixer_types` in a configuration may say, and what is refused, with a sentence."""

import json

import pytest
import torch

from engine.model import graph
from engine.model.config import MobaConfig, NsaConfig
from engine.model.replay import Replay
from engine.weights import BadModel, describe
from tests.engine.mixers.conftest import MOBA, NSA, SPARSE


def changed(model, folder, **fields):
    """A copy of a checkpoint with another configuration."""
    folder.mkdir()
    (folder / "model.safetensors").symlink_to(model.path / "model.safetensors")
    config = model.config | fields
    (folder / "config.json").write_text(json.dumps({key: value for key, value in config.items() if value is not ...}))
    return folder


def test_sizes_are_taken(checkpoint):
    config = describe(checkpoint("full", "moba", "nsa", "sparse").path).config
    assert config.mixers == ("full", "moba", "nsa", "sparse")
    assert config.moba == MobaConfig(16, 3)
    assert config.nsa == NsaConfig(8, 4, 16, 5, 1, 2, 40, 24, 12)
    assert config.sparse.rotated
    assert not config.sparse.gated
    assert config.whole_only


@pytest.mark.parametrize("kind", ["moba", "nsa"])
def test_tokens_of_moba_and_nsa_layers_are_not_captured_in_a_graph(kind, checkpoint, monkeypatch):
    monkeypatch.setattr(graph, "Graph", lambda recorder, device: "captured")
    device = torch.device("cuda")
    config = describe(checkpoint("full", "sparse").path).config
    assert graph.repeats(config, 5, device) == "captured"
    config = describe(checkpoint("full", kind).path).config
    assert isinstance(graph.repeats(config, 5, device), Replay)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mixer_types": ["moba", "nsa"]}, "mixers of 2 layers, and there are 4"),
        ({"mixer_types": ["full", "moba", "nsa", "mamba"]}, "names mamba; known are full, moba, nsa, sparse"),
        ({"moba": ...}, "names moba, and moba is missing"),
        ({"nsa": ...}, "names nsa, and nsa is missing"),
        ({"sparse_config": ...}, "names sparse, and sparse_config is missing"),
        ({"mixer_types": ["full", "full", "nsa", "sparse"]}, "moba is given, and mixer_types names no layer"),
        ({"mixer_types": ...}, "moba is given, and mixer_types names no layer"),
        ({"moba": {"block_size": 16}}, "topk"),
        ({"moba": MOBA | {"chunk": 3}}, "chunk"),
        ({"moba": MOBA | {"block_size": 0}}, "blocks of 0 rows"),
        ({"moba": MOBA | {"topk": 0}}, "cannot read 0 blocks"),
        ({"nsa": NSA | {"kernel_size": 12}}, "12 rows every 4 do not fit"),
        ({"nsa": NSA | {"block_size": 18}}, "do not fit blocks of 18"),
        ({"nsa": NSA | {"topk": 2}}, "1 first and 2 local blocks are more than topk, which is 2"),
        ({"nsa": NSA | {"local_blocks": 0}}, "local_blocks is 0"),
        ({"nsa": NSA | {"window_size": -1}}, "window_size is -1"),
        ({"nsa": NSA | {"gate_size": 1 << 30}}, "gate_size is 1073741824"),
        ({"sparse_config": SPARSE | {"topk": 0}}, "sparse_config do not fit"),
        ({"architectures": ["Qwen3ForCausalLM"]}, "norm each head"),
        ({"architectures": ["MistralForCausalLM"], "sliding_window": 64}, "beside a sliding window"),
    ],
    ids=str,
)
def test_what_is_missing_or_absurd_is_refused(fields, words, checkpoint, tmp_path):
    folder = changed(checkpoint("full", "moba", "nsa", "sparse"), tmp_path / "model", **fields)
    with pytest.raises(BadModel, match=words) as caught:
        describe(folder)
    assert caught.value.subject == "config.json"


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mixer_types": ["full", "moba", "full", "sparse"], "nsa": ...}, "missing"),
        ({"nsa": NSA | {"compress_size": 25}}, "up_proj.weight has shape"),
        ({"nsa": NSA | {"kernel_size": 16, "kernel_stride": 8}}, "position has shape"),
    ],
    ids=str,
)
def test_tensors_that_do_not_fit_are_refused(fields, words, checkpoint, tmp_path):
    folder = changed(checkpoint("full", "moba", "nsa", "sparse"), tmp_path / "model", **fields)
    with pytest.raises(BadModel, match=words):
        describe(folder)
