"""The command that other programs' logits are compared with."""

import json

import numpy as np
import pytest
import torch

from engine.logits import main


@pytest.fixture
def run(make, tokens, tmp_path):
    folder, model = make("qwen3")
    ids, out = tmp_path / "ids.json", tmp_path / "logits.npy"
    ids.write_text(json.dumps(tokens[0].tolist()))

    def run(*options):
        code = main(["--model", str(folder), "--tokens", str(ids), "--out", str(out), *options])
        return code, np.load(out) if out.exists() else None

    run.ids, run.folder, run.model = ids, folder, model
    return run


@pytest.mark.parametrize("options", [(), ("--piece", "1"), ("--piece", "33", "--dtype", "float32", "--device", "cpu")])
def test_every_position(options, run, tokens, reference, distance):
    code, logits = run(*options)
    assert code == 0
    assert (logits.dtype, logits.shape) == (np.float32, (100, 120))
    assert distance(torch.tensor(logits)[None], reference(run.model, tokens)) < 1e-3


@pytest.mark.parametrize("text", ["{}", "[]", "[1, -2]", "[1.5]", "[120]", "[true]", "not json"])
def test_tokens_that_are_none(text, run, capsys):
    run.ids.write_text(text)
    code, logits = run()
    assert (code, logits) == (1, None)
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_model_that_is_none(run, capsys):
    (run.folder / "model.safetensors").unlink()
    assert run()[0] == 1
    assert capsys.readouterr().err.startswith("model.safetensors: ")
