"""Which tensors a model consists of, by the names that transformers gives them."""

from engine.model.config import MixerKind, ModelConfig

EMBEDDING = "model.embed_tokens.weight"
NORM = "model.norm.weight"
HEAD = "lm_head.weight"
OUT_NORM = "self_attn.o_norm.weight"
"""In a layer: of a lightning layer's heads together."""


def layer(number: int) -> str:
    return f"model.layers.{number}."


def expected(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Every tensor's name and shape; matrices are [out, in]."""
    tensors: dict[str, tuple[int, ...]] = {EMBEDDING: (config.vocab, config.hidden), NORM: (config.hidden,)}
    if not config.tied:
        tensors[HEAD] = (config.vocab, config.hidden)
    for number, kind in enumerate(config.mixers):
        tensors |= {layer(number) + name: shape for name, shape in _layer(config, kind).items()}
    return tensors


def _layer(config: ModelConfig, kind: MixerKind) -> dict[str, tuple[int, ...]]:
    hidden, inner = config.hidden, config.intermediate
    query, kv = config.query_width, config.kv_width
    if kind == "lightning":
        assert config.lightning is not None
        query = kv = config.lightning.heads * config.head_width
    found: dict[str, tuple[int, ...]] = {
        "input_layernorm.weight": (hidden,),
        "self_attn.q_proj.weight": (query, hidden),
        "self_attn.k_proj.weight": (kv, hidden),
        "self_attn.v_proj.weight": (kv, hidden),
        "self_attn.o_proj.weight": (hidden, query),
        "post_attention_layernorm.weight": (hidden,),
        "mlp.gate_proj.weight": (inner, hidden),
        "mlp.up_proj.weight": (inner, hidden),
        "mlp.down_proj.weight": (hidden, inner),
    }
    if config.qkv_bias:
        found |= {f"self_attn.{part}_proj.bias": (width,) for part, width in zip("qkv", (query, kv, kv), strict=True)}
    if config.out_bias:
        found["self_attn.o_proj.bias"] = (hidden,)
    if config.mlp_bias:
        found |= {"mlp.gate_proj.bias": (inner,), "mlp.up_proj.bias": (inner,), "mlp.down_proj.bias": (hidden,)}
    if config.qk_norm or (kind == "lightning" and config.lightning is not None and config.lightning.normed):
        found |= {f"self_attn.{part}_norm.weight": (config.head_width,) for part in "qk"}
    if (gate := gate_name(config, kind)) is not None:
        found[gate] = (query, hidden)
    if kind == "lightning" and config.lightning is not None and config.lightning.out_normed:
        found[OUT_NORM] = (query,)
    return found


def gate_name(config: ModelConfig, kind: MixerKind) -> str | None:
    """Of the output gate in a layer's tensors, if such a layer has one."""
    if kind == "lightning" and config.lightning is not None and config.lightning.gated:
        return "self_attn.z_proj.weight"
    if kind == "sparse" and config.sparse is not None and config.sparse.gated:
        return "self_attn.o_gate.weight"
    return None
