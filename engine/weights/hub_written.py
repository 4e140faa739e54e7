"""`ModelConfig` to config.json as transformers writes it: for a checkpoint that is made from a GGUF file."""

from typing import Any

from engine.model.config import ModelConfig, RopeConfig
from engine.weights.checkpoint import BadModel

FAMILIES = {"llama": "LlamaForCausalLM", "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM"}
"""By what a GGUF file calls them."""


def written(config: ModelConfig, subject: str) -> dict[str, Any]:
    """BadModel for a model that such a file cannot describe."""
    if config.architecture not in FAMILIES or set(config.mixers) != {"full"}:
        raise BadModel(f"a {config.architecture} from a GGUF file cannot be written in another format", subject)
    biases = (config.qkv_bias, config.out_bias)
    if config.architecture != "qwen2" and biases not in ((False, False), (True, True)):
        raise BadModel("some of its products have a bias and some have none", subject)
    return {
        "architectures": [FAMILIES[config.architecture]],
        "model_type": config.architecture,
        "vocab_size": config.vocab,
        "hidden_size": config.hidden,
        "intermediate_size": config.intermediate,
        "num_hidden_layers": config.layers,
        "num_attention_heads": config.heads,
        "num_key_value_heads": config.kv_heads,
        "head_dim": config.head_width,
        "hidden_act": "silu",
        "rms_norm_eps": config.norm_epsilon,
        "max_position_embeddings": config.window,
        "tie_word_embeddings": config.tied,
        "attention_bias": config.out_bias,
        "mlp_bias": config.mlp_bias,
        "rope_theta": config.rope.theta,
        "rope_scaling": _scaling(config.rope, subject),
        "torch_dtype": "bfloat16",
    }


def _scaling(rope: RopeConfig, subject: str) -> dict[str, Any] | None:
    if rope.divisors:
        raise BadModel("its positions are scaled by numbers of its own, which such a file cannot hold", subject)
    if rope.kind == "default":
        return None
    scaling: dict[str, Any] = {"rope_type": rope.kind, "factor": rope.factor}
    if rope.kind in ("yarn", "longrope"):
        scaling["original_max_position_embeddings"] = rope.original_window
    if rope.kind == "yarn":
        scaling |= {"beta_fast": rope.beta_fast, "beta_slow": rope.beta_slow}
    if rope.kind == "longrope":
        scaling |= {"short_factor": list(rope.short_factor), "long_factor": list(rope.long_factor)}
        scaling["attention_factor"] = rope.attention_factor
    return scaling
