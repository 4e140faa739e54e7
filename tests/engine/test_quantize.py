"""The job `quantize`: from a checkpoint to one of few bits that opens and runs like the one that it was made of."""

import json

import pytest
import torch
from safetensors.torch import load_file

from engine import quantize
from engine.memory import planner
from engine.model.decoder import Stopped
from engine.weights import BadModel, describe, load, open_checkpoint
from kernels.dispatch import relative

DOWN = "model.layers.1.mlp.down_proj.weight"


def run(model, out, tmp_path, *, stopped=lambda: False, **options):
    from .conftest import made_up_text

    text = tmp_path / "calibration.txt"
    text.write_text("\n\n".join(made_up_text(300, seed) for seed in range(20)))
    told = []
    made = {"model": str(model), "out": str(out), "data": str(tmp_path), "calibrate": str(text), "sequences": "4"}
    report = quantize.work(made | options, lambda done, total: told.append((done, total)), stopped)
    assert told == sorted(told)
    assert told[-1][0] == told[-1][1]
    return json.loads(report)


@pytest.mark.parametrize(
    ("options", "most"),
    [({"bits": "8"}, 0.01), ({"bits": "4"}, 0.2), ({"bits": "4", "method": "rtn", "symmetric": "no"}, 0.1)],
    ids=str,
)
def test_a_copy_of_few_bits(options, most, tiny_model, tmp_path):
    out = tmp_path / "out"
    report = run(tiny_model, out, tmp_path, **options)
    assert (report["rounded"], report["left"], report["group"]) == (14, 1, 32)
    assert report["bytes"] == sum(file.stat().st_size for file in out.glob("*.safetensors"))
    assert not list(tmp_path.glob("*.new"))
    described = describe(out)
    loaded = load(out, "auto", "cpu")
    assert loaded.precision == f"int{options['bits']}"
    counted = planner.weight_bytes(described.config, loaded.precision, loaded.decoder.dtype.itemsize, described.tensors)
    assert counted == loaded.bytes
    for name in (DOWN, "model.embed_tokens.weight"):
        made, source = (open_checkpoint(path).rows(name, 0, 64).float() for path in (out, tiny_model))
        assert relative(made, source) < (most if name == DOWN else 1e-9)
    assert (out / "tokenizer.json").read_bytes() == (tiny_model / "tokenizer.json").read_bytes()


@pytest.mark.parametrize("method", ["gptq", "rtn"])
def test_some_rows_at_a_time_give_what_whole_matrices_give(method, tiny_model, tmp_path, monkeypatch):
    options = {"method": method, "errors": "yes" if method == "gptq" else "no", "sequences": "8", "bits": "4"}
    reports, made = [], []
    for number, tile in enumerate((quantize.TILE, 64 * 24)):  # 24 rows of most matrices, 16 of one
        monkeypatch.setattr(quantize, "TILE", tile)
        reports.append(run(tiny_model, tmp_path / f"{number}", tmp_path, **options))
        made.append({path.name: load_file(path) for path in sorted((tmp_path / f"{number}").glob("*.safetensors"))})
    assert made[0].keys() == made[1].keys()
    assert len(made[0]) == 3
    for name, tensors in made[0].items():
        assert all(torch.equal(tensor, made[1][name][part]) for part, tensor in tensors.items())
    for name, errors in reports[0]["errors"].items():
        assert errors == pytest.approx(reports[1]["errors"][name], rel=1e-3)


def test_errors_on_held_out_text(tiny_model, tmp_path):
    report = run(tiny_model, tmp_path / "out", tmp_path, errors="yes", sequences="8")
    assert len(report["errors"]) == 14
    assert sum(error["gptq"] < error["rtn"] for error in report["errors"].values()) >= 12


@pytest.mark.full
def test_of_a_gguf_file(small_model, tmp_path):
    """Its configuration and tokenizer are written too."""
    out = tmp_path / "out"
    report = run(small_model, out, tmp_path, method="rtn")
    assert (report["rounded"], report["group"]) == (210, 64)
    config, source = open_checkpoint(out).config, open_checkpoint(small_model)
    name = "model.layers.3.self_attn.q_proj.weight"
    assert config.rope.theta == source.config.rope.theta
    assert (config.tied, config.window) == (source.config.tied, source.config.window)
    assert relative(open_checkpoint(out).rows(name, 0, 576), source.rows(name, 0, 576)) < 0.2
    from engine.weights import tokenizer_files

    before, after = (tokenizer_files.read(path, tmp_path) for path in (small_model, out))
    assert (before.json, before.template, before.special) == (after.json, after.template, after.special)
    assert set(before.ends) <= set(after.ends)


def test_what_cannot_be_done_is_refused_and_leaves_nothing(tiny_model, tmp_path):
    out = tmp_path / "out"
    with pytest.raises(Stopped):
        run(tiny_model, out, tmp_path, stopped=lambda: True)
    short = tmp_path / "short.txt"
    short.write_text("Not much.")
    with pytest.raises(BadModel, match="too short"):
        run(tiny_model, out, tmp_path, calibrate=str(short))
    assert not list(tmp_path.glob("out*"))
    run(tiny_model, out, tmp_path, method="rtn")
    with pytest.raises(BadModel, match="already"):
        run(tiny_model, out, tmp_path, method="rtn")
    with pytest.raises(BadModel, match="quantised already"):
        run(out, tmp_path / "again", tmp_path, method="rtn")
