"""Every family and every rope scaling computes what transformers computes."""

import json
from typing import Any

import gguf
import pytest
import torch
import transformers

from engine.weights import describe, load

WITHIN = 1e-3

FACTORS = [1.0 + 0.1 * pair for pair in range(8)]
SCALINGS: dict[str, dict[str, Any]] = {
    "linear": {"factor": 4.0},
    "dynamic": {"factor": 2.0},
    "yarn": {"factor": 4.0, "original_max_position_embeddings": 32},
    "llama3": {
        "factor": 8.0,
        "low_freq_factor": 1.0,
        "high_freq_factor": 4.0,
        "original_max_position_embeddings": 32,
    },
    "longrope": {
        "short_factor": FACTORS,
        "long_factor": [3 * factor for factor in FACTORS],
        "original_max_position_embeddings": 32,
    },
}


def ours(folder, ids):
    decoder = load(folder, "fp32", "cpu").decoder
    return decoder.read(ids, decoder.make_caches(ids.shape[1]), logits="all")


@pytest.mark.parametrize(
    ("family", "options"),
    [
        ("llama", {}),
        ("llama", {"num_key_value_heads": 4, "head_dim": 32}),
        ("llama", {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}),
        ("mistral", {}),
        ("mistral", {"sliding_window": None}),
        ("mistral", {"sliding_window": 24}),
        ("qwen2", {}),
        ("qwen2", {"use_sliding_window": True, "sliding_window": 24, "max_window_layers": 1}),
        ("qwen3", {}),
        ("qwen3", {"tie_word_embeddings": True, "attention_bias": True}),
        ("qwen3", {"use_sliding_window": True, "sliding_window": 24, "max_window_layers": 2}),
    ],
)
def test_families(family, options, make, tokens, reference, distance):
    folder, model = make(family, **options)
    assert distance(ours(folder, tokens), reference(model, tokens)) < WITHIN


@pytest.mark.parametrize("kind", SCALINGS)
@pytest.mark.parametrize("length", [20, 100])
def test_rope_scalings(kind, length, make, tokens, reference, distance):
    """20 tokens are within the trained window, 100 beyond it."""
    rope = {"rope_type": kind, "rope_theta": 5000.0} | SCALINGS[kind]
    folder, model = make("llama", rope_parameters=rope, max_position_embeddings=32 if kind == "dynamic" else 128)
    ids = tokens[:, :length]
    assert distance(ours(folder, ids), reference(model, ids)) < WITHIN


@pytest.mark.parametrize(
    "extra",
    [
        {"attention_factor": 1.5},
        {"mscale": 0.7, "mscale_all_dim": 1.1},
        {"beta_fast": 8.0, "beta_slow": 2.0, "truncate": False},
    ],
)
def test_yarn_options(extra, make, tokens, reference, distance):
    rope = {"rope_type": "yarn", "rope_theta": 5000.0} | SCALINGS["yarn"] | extra
    folder, model = make("qwen3", rope_parameters=rope)
    assert distance(ours(folder, tokens), reference(model, tokens)) < WITHIN


@pytest.mark.parametrize("kind", [*SCALINGS, "default"])
def test_the_old_spelling_means_the_same(kind, make):
    scaling = SCALINGS.get(kind, {})
    folder, _ = make("llama", rope_parameters={"rope_type": kind, "rope_theta": 5000.0} | scaling)
    new = describe(folder).config
    path = folder / "config.json"
    config = json.loads(path.read_text())
    del config["rope_parameters"]
    spellings = [{"type": kind} | scaling, {"rope_type": kind} | scaling]
    if kind == "default":
        spellings += [None, {}]
    for spelling in spellings:
        path.write_text(json.dumps(config | {"rope_theta": 5000.0, "rope_scaling": spelling}))
        assert describe(folder).config == new
    assert new.rope.theta == 5000.0


def test_sharded_and_half_precision_files(make, tokens, reference, distance):
    folder, model = make("qwen2", shard="30KB", dtype=torch.bfloat16)
    exact = type(model).from_pretrained(folder, dtype=torch.float32)
    assert len(list(folder.glob("*.safetensors"))) > 1
    assert distance(ours(folder, tokens), reference(exact, tokens)) < WITHIN


def test_fp16_runs_as_another_precision_and_says_so(make, tokens, reference, distance):
    folder, model = make("llama", dtype=torch.float16)
    exact = type(model).from_pretrained(folder, dtype=torch.float32)
    loaded = load(folder, "fp32", "cpu")
    assert [note.code for note in loaded.notes] == ["fp16_runs_as"]
    logits = loaded.decoder.read(tokens, loaded.decoder.make_caches(100), logits="all")
    assert distance(logits, reference(exact, tokens)) < WITHIN


@pytest.mark.parametrize(("precision", "within"), [("bf16", 0.05), ("int8", 0.1)])
def test_smaller_precisions_stay_near(precision, within, make, tokens, reference, distance):
    folder, model = make("qwen3", initializer_range=0.1, tie_word_embeddings=True)
    loaded = load(folder, precision, "cpu")
    assert loaded.precision == precision
    caches = loaded.decoder.make_caches(100)
    read = loaded.decoder.read(tokens[:, :80], caches, logits="all")
    written = [loaded.decoder.write(tokens[:, at], caches) for at in range(80, 100)]
    logits = torch.cat((read, torch.stack(written, 1)), 1)
    assert distance(logits, reference(model, tokens)) < within


def test_the_small_model(small_model, reference, distance):
    """The GGUF's own reader, names and dequantisation feed transformers; ours come by our own path."""
    reader = gguf.GGUFReader(small_model)

    def value(key):
        return reader.get_field(f"llama.{key}").contents()

    heads, kv_heads = value("attention.head_count"), value("attention.head_count_kv")
    config = transformers.LlamaConfig(
        vocab_size=value("vocab_size"),
        hidden_size=value("embedding_length"),
        intermediate_size=value("feed_forward_length"),
        num_hidden_layers=value("block_count"),
        num_attention_heads=heads,
        num_key_value_heads=kv_heads,
        max_position_embeddings=value("context_length"),
        rms_norm_eps=value("attention.layer_norm_rms_epsilon"),
        rope_parameters={"rope_type": "default", "rope_theta": value("rope.freq_base")},
        tie_word_embeddings=True,
    )
    known = gguf.get_tensor_name_map(gguf.MODEL_ARCH.LLAMA, config.num_hidden_layers)
    with torch.device("meta"):
        model = transformers.LlamaForCausalLM(config)
    by_gguf_name = {known.get_name(name, (".weight",)): name for name in model.state_dict()}
    state = {}
    for tensor in reader.tensors:
        array = gguf.dequantize(tensor.data, tensor.tensor_type)
        for part, count in (("attn_q.", heads), ("attn_k.", kv_heads)):
            if part in tensor.name:
                rows = [[head[0::2], head[1::2]] for head in array.reshape(count, -1, array.shape[1])]
                array = torch.cat([torch.tensor(half) for head in rows for half in head]).numpy()
        state[by_gguf_name[tensor.name]] = torch.tensor(array)
    state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, assign=True)
    model.model.rotary_emb = type(model.model.rotary_emb)(config)  # its buffers are in no file
    ids = torch.randint(0, config.vocab_size, (1, 512), generator=torch.Generator().manual_seed(5))
    assert distance(ours(small_model, ids), reference(model.eval(), ids)) < WITHIN
