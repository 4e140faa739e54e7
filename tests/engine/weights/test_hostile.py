"""Broken, incomplete and malicious checkpoints: always BadModel, always with the file and what is wrong."""

import json
import random
import struct

import gguf
import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from engine.weights import BadModel, describe, load

WEIGHTS = "model.safetensors"


def change(folder, **fields):
    path = folder / "config.json"
    config = json.loads(path.read_text()) | fields
    path.write_text(json.dumps({key: value for key, value in config.items() if value is not ...}))


def refused(path, subject, words):
    with pytest.raises(BadModel, match=words) as caught:
        describe(path)
    assert caught.value.subject == subject


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"architectures": ["GPT2LMHeadModel"]}, "GPT2LMHeadModel is not supported"),
        ({"architectures": ..., "model_type": "mamba"}, "mamba is not supported"),
        ({"auto_map": {"AutoModelForCausalLM": "modeling.Evil"}}, "run code"),
        ({"quantization_config": {"quant_method": "awq", "bits": 4}}, "quantised .* awq"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 3}}, "quantised .* 3 bits"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 4, "checkpoint_format": "marlin"}}, "marlin"),
        ({"quantization_config": {"quant_method": "gptq"}}, "quantised"),
        ({"quantization_config": [1]}, "quantised"),
        ({"hidden_act": "gelu"}, "activation gelu"),
        ({"hidden_size": ...}, "hidden_size"),
        ({"hidden_size": "256"}, "hidden_size"),
        ({"hidden_size": 0}, "zero or negative"),
        ({"rms_norm_eps": -1.0}, "zero or negative"),
        ({"num_hidden_layers": 10**9}, "layers cannot be right"),
        ({"num_key_value_heads": 3}, "do not divide"),
        ({"head_dim": 33}, "do not divide"),
        ({"num_attention_heads": 10**6}, "do not divide"),
        ({"partial_rotary_factor": 0.5}, "part of a head"),
        ({"layer_types": ["full_attention", "sliding_attention"]}, "layer_types"),
        ({"rope_scaling": {"type": "magic", "factor": 2.0}}, "magic is not supported"),
        ({"rope_scaling": {"type": "linear"}}, "no factor"),
        ({"rope_scaling": {"type": "linear", "factor": 0.0}}, "zero or negative"),
        ({"rope_parameters": {"full_attention": {"rope_type": "default"}}}, "full_attention"),
        ({"rope_scaling": {"type": "longrope", "short_factor": [1.0], "long_factor": [1.0]}}, "16 short and long"),
        ({"rope_scaling": {"type": "llama3", "factor": 8.0}}, "low_freq_factor"),
    ],
)
def test_configurations(fields, words, folder):
    change(folder, **fields)
    refused(folder, "config.json", words)


@pytest.mark.parametrize("text", [b"", b"{", b"[]", b"null", b"\xff\xfe{}", b"[" * 100_000, b"{" * 5])
def test_configurations_that_are_none(text, folder):
    (folder / "config.json").write_bytes(text)
    refused(folder, "config.json", None)


def test_sliding_windows_are_never_ignored(folder):
    change(folder, architectures=["MistralForCausalLM"], sliding_window=16)
    config = describe(folder).config
    assert (config.mixers, config.sliding_window) == (("sliding", "sliding"), 16)
    change(folder, sliding_window=...)  # the family's own default
    assert describe(folder).config.sliding_window == 4096
    change(folder, sliding_window=None)
    assert describe(folder).config.mixers == ("full", "full")
    change(folder, sliding_window=0)
    refused(folder, "config.json", "sliding window is zero")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda t: t.pop("model.layers.1.mlp.up_proj.weight"), r"1 tensor missing: model\.layers\.1\.mlp\.up_proj"),
        (lambda t: t.update({"model.layers.2.extra.weight": torch.ones(2)}), r"does not have: model\.layers\.2"),
        (lambda t: t.update({"model.layers.0.self_attn.q_proj.bias": torch.ones(256)}), r"q_proj\.bias"),
        (lambda t: t.update({"lm_head.weight": torch.ones(41, 256)}), r"lm_head\.weight has shape \[41, 256\]"),
        (lambda t: t.update({"lm_head.weight": torch.ones(40, 256, dtype=torch.int8)}), "stored as I8"),
    ],
)
def test_tensors(edit, words, folder, tensors):
    changed = dict(tensors)
    edit(changed)
    save_file(changed, folder / WEIGHTS)
    refused(folder, WEIGHTS, words)


def test_an_old_buffer_does_no_harm_and_a_stored_twin_of_the_embedding_is_used(folder, tensors):
    save_file(tensors | {"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(16)}, folder / WEIGHTS)
    change(folder, tie_word_embeddings=True)
    assert not describe(folder).config.tied
    save_file({name: tensor for name, tensor in tensors.items() if name != "lm_head.weight"}, folder / WEIGHTS)
    assert describe(folder).config.tied


def test_files_cut_short(folder):
    path = folder / WEIGHTS
    data = path.read_bytes()
    for size in (0, 4, 8, 100, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        refused(folder, WEIGHTS, "cut short")


@pytest.mark.parametrize(
    "header",
    [
        b"{}}",
        b"[1]",
        b'{"a": 1}',
        b'{"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]}}',
        b'{"a": {"dtype": "F32", "shape": [1], "data_offsets": [-4, 0]}}',
        b'{"a": {"dtype": "F32", "shape": [-1], "data_offsets": [4, 0]}}',
        b'{"a":' * 1000,
        b"\xff" * 20,
    ],
)
def test_damaged_headers(header, folder):
    (folder / WEIGHTS).write_bytes(struct.pack("<Q", len(header)) + header + bytes(64))
    refused(folder, WEIGHTS, "damaged")


def test_shards(folder, tensors):
    names = sorted(tensors)
    for number, part in enumerate((names[:5], names[5:]), 1):
        save_file({name: tensors[name] for name in part}, folder / f"model-0000{number}-of-00002.safetensors")
    (folder / WEIGHTS).unlink()
    refused(folder, "model.safetensors.index.json", "index is missing")
    index = folder / "model.safetensors.index.json"
    files = {name: f"model-0000{1 if name in names[:5] else 2}-of-00002.safetensors" for name in names}
    index.write_text(json.dumps({"weight_map": files}))
    assert describe(folder).parameters == sum(tensor.numel() for tensor in tensors.values())
    (folder / "model-00002-of-00002.safetensors").unlink()
    refused(folder, "model-00002-of-00002.safetensors", "missing")
    index.write_text(json.dumps({"weight_map": {"a": "../secret.safetensors"}}))
    refused(folder, "model.safetensors.index.json", "outside its folder")
    index.write_text("{")
    refused(folder, "model.safetensors.index.json", "damaged")


def test_places_without_a_checkpoint(folder, tmp_path):
    refused(tmp_path / "nowhere", "nowhere", "nothing at this place")
    (folder / WEIGHTS).unlink()
    refused(folder, WEIGHTS, "no weights")
    (folder / "pytorch_model.bin").write_bytes(b"anything")
    refused(folder, "pytorch_model.bin", "pickled")
    refused(folder / "pytorch_model.bin", "pytorch_model.bin", "pickled")
    (folder / "config.json").unlink()
    refused(folder, "model", "config.json is missing")


def metadata(key, value):
    def add(writer):
        (writer.add_uint32 if isinstance(value, int) else writer.add_float32)(key, value)

    return add


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"arch": "mamba"}, "mamba is not supported"),
        ({"metadata": False}, "missing from the file"),
        ({"drop": ("blk.1.ffn_up.weight",)}, r"1 tensor missing: model\.layers\.1\.mlp\.up_proj"),
        ({"drop": ("token_embd.weight",)}, "token_embd.weight is missing"),
        ({"extra": lambda w: w.add_tensor("blk.0.extra.weight", np.ones(4, np.float32))}, r"blk\.0\.extra"),
        ({"extra": metadata("llama.expert_count", 8)}, "mixture of experts"),
        ({"extra": metadata("llama.attention.sliding_window", 32)}, "slides"),
        ({"extra": metadata("llama.logit_scale", 0.5)}, "scaled"),
        ({"extra": metadata("llama.rope.dimension_count", 16)}, "dimension_count"),
        ({"extra": metadata("split.count", 3)}, "3 parts"),
        ({"extra": lambda w: w.add_rope_scaling_type(gguf.RopeScalingType.LONGROPE)}, "factors"),
        ({"extra": lambda w: w.add_tensor("rope_freqs.weight", np.ones(3, np.float32))}, "rope_freqs"),
        ({"stored": lambda a: (np.zeros((len(a), 136), np.uint8), gguf.GGMLQuantizationType.IQ4_XS)}, "IQ4_XS"),
    ],
)
def test_gguf_files(options, words, write_gguf):
    refused(write_gguf(**options), "model.gguf", words)


def test_gguf_files_cut_short_anywhere(write_gguf, tmp_path):
    data = write_gguf().read_bytes()
    path = tmp_path / "cut.gguf"
    for size in (*range(0, 2400, 7), len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        refused(path, "cut.gguf", None)


def test_gguf_headers_with_any_byte_changed(write_gguf, tmp_path):
    """Still a model, or BadModel: no other exception, no endless loop, no memory for numbers that the file made up."""
    data = write_gguf().read_bytes()
    path = tmp_path / "changed.gguf"
    chance = random.Random(4)
    for _ in range(400):
        changed = bytearray(data[:2600])
        for _ in range(chance.choice((1, 8))):
            changed[chance.randrange(len(changed))] = chance.choice((0, 1, 127, 255, chance.randrange(256)))
        path.write_bytes(bytes(changed) + data[2600:])
        try:
            describe(path)
        except BadModel as error:
            assert error.subject == "changed.gguf"  # noqa: PT017 (most changes raise, not all)


def test_a_stop_while_loading(folder):
    from engine.model.decoder import Stopped

    asked = []
    with pytest.raises(Stopped):
        load(folder, "fp32", "cpu", stopped=lambda: len(asked) == 3 or asked.append(1))


def test_progress_ends_at_the_whole_and_never_falls(folder):
    seen = []
    load(folder, "bf16", "cpu", progress=lambda done, total: seen.append((done, total)))
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] == describe(folder).bytes
