"""A fingerprint follows the weights and the configuration, and nothing else."""

import json
import shutil

import pytest
from safetensors.torch import save_file

from engine.weights import open_checkpoint
from engine.weights.fingerprint import fingerprint


def of(path):
    return fingerprint(open_checkpoint(path))


@pytest.mark.parametrize("at", [0, -1])
def test_it_changes_with_any_tensor(at, folder, tensors):
    before = of(folder)
    changed = {name: tensor.clone() for name, tensor in tensors.items()}
    changed["model.layers.1.mlp.down_proj.weight"].view(-1)[at] += 1
    save_file(changed, folder / "model.safetensors")
    assert of(folder) != before


def test_it_changes_with_the_configuration_that_matters(folder):
    before = of(folder)
    path = folder / "config.json"
    config = json.loads(path.read_text())
    path.write_text(json.dumps(config | {"transformers_version": "9.9"}))
    assert of(folder) == before
    path.write_text(json.dumps(config | {"rope_theta": 20_000.0}))
    assert of(folder) != before


def test_it_is_the_same_for_a_copy_elsewhere(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "another")
    assert of(copy) == of(folder)


def test_a_gguf_file_has_one_too(write_gguf):
    path = write_gguf()
    before = of(path)
    data = bytearray(path.read_bytes())
    data[-4:] = b"abcd"
    path.write_bytes(data)
    assert len(before) == 64
    assert of(path) != before
