"""Which tensors a model consists of, by the names that transformers gives them."""

from engine.model.config import ModelConfig

EMBEDDING = "model.embed_tokens.weight"
NORM = "model.norm.weight"
HEAD = "lm_head.weight"


def layer(number: int) -> str:
    return f"model.layers.{number}."


def expected(config: ModelConfig) -> dict[str, tuple[int, ...]]:
    """Every tensor's name and shape; matrices are [out, in]."""
    hidden, query, kv, inner = config.hidden, config.query_width, config.kv_width, config.intermediate
    one_layer: dict[str, tuple[int, ...]] = {
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
        one_layer |= {
            f"self_attn.{part}_proj.bias": (width,) for part, width in zip("qkv", (query, kv, kv), strict=True)
        }
    if config.out_bias:
        one_layer["self_attn.o_proj.bias"] = (hidden,)
    if config.mlp_bias:
        one_layer |= {"mlp.gate_proj.bias": (inner,), "mlp.up_proj.bias": (inner,), "mlp.down_proj.bias": (hidden,)}
    if config.qk_norm:
        one_layer |= {f"self_attn.{part}_norm.weight": (config.head_width,) for part in "qk"}
    tensors = {EMBEDDING: (config.vocab, hidden), NORM: (hidden,)}
    if not config.tied:
        tensors[HEAD] = (config.vocab, hidden)
    for number in range(config.layers):
        tensors |= {layer(number) + name: shape for name, shape in one_layer.items()}
    return tensors
