"""Which tensors a model consists of, by the names that transformers gives them. MoBA's layers have those of full
attention. NSA's, for which there are no others' names, have in `self_attn.`:

    q_proj, o_proj                               as full attention, and q_norm, k_norm where a model has them
    compressed., selected., sliding.             k_proj and v_proj of each branch
    compressed.k_mlp., compressed.v_mlp.         what makes one entry of a window's rows:
        position [kernel * D]                        added to them, row after row
        up_proj [compress, kernel * D], down_proj [D, compress]: down(silu(up(rows + position)))
    gate.                                        up_proj [gate, hidden], down_proj [3 * Hq, gate]: sigmoid of
                                                 down(silu(up(x))), all heads of compressed, selected, sliding
"""

from engine.model.config import NSA_BRANCHES, MixerKind, ModelConfig

EMBEDDING = "model.embed_tokens.weight"
NORM = "model.norm.weight"
HEAD = "lm_head.weight"
OUT_NORM = "self_attn.o_norm.weight"
"""In a layer: of a lightning layer's heads together."""
NSA_MLP = {part: f"self_attn.compressed.{part}_mlp." for part in "kv"}
NSA_GATE = "self_attn.gate."
"""In a layer, what the names of such tensors begin with."""


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
        **{f"self_attn.{name}.weight": (kv, hidden) for name in kv_names(kind)},
        "self_attn.o_proj.weight": (hidden, query),
        "post_attention_layernorm.weight": (hidden,),
        "mlp.gate_proj.weight": (inner, hidden),
        "mlp.up_proj.weight": (inner, hidden),
        "mlp.down_proj.weight": (hidden, inner),
    }
    if config.qkv_bias:
        found["self_attn.q_proj.bias"] = (query,)
        found |= {f"self_attn.{name}.bias": (kv,) for name in kv_names(kind)}
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
    if kind == "nsa":
        found |= _nsa(config)
    return found


def kv_names(kind: MixerKind) -> tuple[str, ...]:
    """Of the products that make keys and values, all keys first."""
    if kind == "nsa":
        return tuple(f"{branch}.{part}_proj" for part in "kv" for branch in NSA_BRANCHES)
    return "k_proj", "v_proj"


def _nsa(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    nsa = config.nsa
    assert nsa is not None
    window, found = nsa.kernel * config.head_width, {}
    for part in "kv":
        found[f"{NSA_MLP[part]}position"] = (window,)
        found[f"{NSA_MLP[part]}up_proj.weight"] = (nsa.compress, window)
        found[f"{NSA_MLP[part]}down_proj.weight"] = (config.head_width, nsa.compress)
    found[NSA_GATE + "up_proj.weight"] = (nsa.gate, config.hidden)
    found[NSA_GATE + "down_proj.weight"] = (len(NSA_BRANCHES) * config.heads, nsa.gate)
    return found


def gate_name(config: ModelConfig, kind: MixerKind) -> str | None:
    """Of the output gate in a layer's tensors, if such a layer has one."""
    if kind == "lightning" and config.lightning is not None and config.lightning.gated:
        return "self_attn.z_proj.weight"
    if kind == "sparse" and config.sparse is not None and config.sparse.gated:
        return "self_attn.o_gate.weight"
    return None
