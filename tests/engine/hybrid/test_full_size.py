"""MiniCPM-SALA as released: its tensors by name and shape, and what it needs, without its weights."""

import json
import math

import pytest
from msgspec.structs import replace

from engine.memory import planner
from engine.protocol import DeviceInfo
from engine.weights import hub_config, names
from engine.weights.checkpoint import BadModel
from tests.engine.hybrid.conftest import CONFIG, LIGHTNING, SPARSE

GIB = 2**30
SPARSE_LAYERS = (0, 9, 16, 17, 22, 29, 30, 31)
RELEASED = CONFIG | {
    "hidden_size": 4096,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 2,
    "head_dim": 128,
    "intermediate_size": 16384,
    "vocab_size": 73448,
    "max_position_embeddings": 524288,
    "lightning_nh": 32,
    "lightning_nkv": 32,
    "lightning_head_dim": 128,
    "mixer_types": [SPARSE if number in SPARSE_LAYERS else LIGHTNING for number in range(32)],
    "sparse_config": {
        "kernel_size": 32,
        "kernel_stride": 16,
        "init_blocks": 1,
        "block_size": 64,
        "window_size": 2048,
        "topk": 64,
        "use_nope": False,
        "dense_len": 8192,
    },
}
QWEN3_8B = {
    "architectures": ["Qwen3ForCausalLM"],
    "hidden_size": 4096,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "intermediate_size": 12288,
    "vocab_size": 151936,
    "max_position_embeddings": 40960,
}
CARD = DeviceInfo("cuda", "a card of 32 GiB", 32 * GIB, 32 * GIB, ("bf16", "int8", "int4"))


@pytest.fixture
def parsed(tmp_path):
    def parse(config, **changed):
        (tmp_path / "config.json").write_text(json.dumps(config | changed))
        return hub_config.parse(tmp_path / "config.json")

    return parse


def test_the_tensors(parsed):
    tensors = names.expected(parsed(RELEASED))
    assert len(tensors) == 395
    assert sum(map(math.prod, tensors.values())) == 9_477_203_968
    assert tensors["model.layers.0.self_attn.o_gate.weight"] == (4096, 4096)
    assert tensors["model.layers.9.self_attn.k_proj.weight"] == (256, 4096)
    assert tensors["model.layers.1.self_attn.k_proj.weight"] == (4096, 4096)
    assert tensors["model.layers.1.self_attn.o_norm.weight"] == (4096,)
    assert tensors["model.layers.1.self_attn.q_norm.weight"] == (128,)
    assert "model.layers.0.self_attn.q_norm.weight" not in tensors
    assert "model.layers.0.self_attn.z_proj.weight" not in tensors


def test_the_configuration(parsed):
    config = parsed(RELEASED)
    assert [number for number, kind in enumerate(config.mixers) if kind == "sparse"] == [*SPARSE_LAYERS]
    assert (config.sparse.blocks, config.sparse.alike, config.sparse.dense_below) == (96, 6144, 8192)
    assert (config.embedding_scale, config.logit_divisor) == (12, 16)
    assert config.branch_scale == pytest.approx(1.4 / math.sqrt(32))
    assert config.lightning.scale == 128**-0.5
    assert (config.window, config.reach) == (524288, 2097152)
    for same in ({"rope_type": "default"}, {"rope_type": "default", "rope_theta": 10000.0}):
        assert parsed(RELEASED, rope_scaling=same) == config
    without = {name: value for name, value in RELEASED.items() if name != "rope_scaling"}
    assert parsed(without) == config


def test_a_million_tokens_on_a_card_of_32_gib(parsed):
    config = parsed(RELEASED)
    need = planner.needs(config, "bf16", CARD, 1_048_576)
    assert need.weights == 18_954_407_936
    assert need.kv == 8 * GIB
    assert need.state == 48 * 2**20
    # Of keys, 4 KiB a token: a fine mean every 16 and a coarse one every 64
    means = 1_048_576 // 16 * 4096 + 1_048_576 // 64 * 4096
    assert planner.means_bytes(config, 1_048_576, 2) == means
    short = planner.needs(config, "bf16", CARD, 65_536)
    assert need.activations - short.activations == (need.kv - short.kv) // 8 + means * 15 // 16  # a layer's rows grow
    assert need.total <= CARD.free
    assert planner.largest_window(config, "bf16", CARD, CARD.free, planner.PIECE, config.reach) >= 1_048_576
    other = planner.needs(parsed(QWEN3_8B), "bf16", CARD, 131_072)
    assert other.total > CARD.free


def test_a_smaller_window_then_a_smaller_precision(parsed):
    """On a card of 16 GiB: no window at all in bf16, and a large one in int8 and int4."""
    config, free = parsed(RELEASED), 16 * GIB
    card = replace(CARD, memory=free, free=free)
    found = [
        planner.largest_window(config, precision, card, free, planner.PIECE, config.reach)
        for precision in ("bf16", "int8", "int4")
    ]
    assert found[0] == 0
    assert 131_072 < found[1] < found[2]
    told = planner.advice(config, "bf16", card, free, planner.PIECE, config.reach)
    assert [(one.change, one.window) for one in told][:2] == [("int8", found[1]), ("int4", found[2])]
    (last,) = told[2:]
    assert last.change == "kv"
    about = (config, "int4", card, free, planner.PIECE, config.reach)
    assert last.window == planner.largest_window(*about, form="int8") > found[2]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mixer_types": ["minicpm4", "mamba"] * 16}, "mamba"),
        ({"mixer_types": ["minicpm4"]}, "32 layers"),
        ({"mixer_types": None}, "32 layers"),
        ({"mixer_types": ["lightning-attn"] * 32}, "keeps keys"),
        ({"sparse_config": None}, "sparse_config is missing"),
        ({"lightning_nkv": 8}, "share keys"),
        ({"lightning_head_dim": 64}, "another width"),
        ({"scale_emb": 0}, "scale"),
        ({"attn_use_rope": True, "sparse_config": RELEASED["sparse_config"] | {"use_nope": True}}, "use_nope"),
        ({"sparse_config": RELEASED["sparse_config"] | {"block_size": 60}}, "do not fit"),
        ({"sparse_config": RELEASED["sparse_config"] | {"kernel_size": 16}}, "do not fit"),
        ({"architectures": ["SomethingElse"]}, "run code"),
    ],
)
def test_what_is_not_known_is_refused(changed, said, parsed):
    with pytest.raises(BadModel, match=said):
        parsed(RELEASED, **changed)
