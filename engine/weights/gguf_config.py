"""A GGUF file's metadata to `ModelConfig`. As with config.json, what is not understood is refused."""

from pathlib import Path
from typing import TypeVar

from engine.model.config import MixerKind, ModelConfig, RopeConfig
from engine.weights import names
from engine.weights.checkpoint import BadModel, Stored
from engine.weights.gguf_header import Header
from engine.weights.hub_config import MOST_LAYERS

ARCHITECTURES = ("llama", "qwen2", "qwen3")
"""Mistral's files say llama."""
FACTORS = ("rope_freqs", "rope_factors_long", "rope_factors_short")
"""Tensors that belong to the configuration: what the frequencies of the positions are divided by."""
REFUSED = {
    "expert_count": "it is a mixture of experts",
    "attention.sliding_window": "its attention slides, and the file does not say in which layers",
    "attention.scale": "its attention is scaled in its own way",
    "attention.clamp_kqv": "its attention is clamped",
    "attention.max_alibi_bias": "its attention has a bias by distance",
    "logit_scale": "its logits are scaled",
    "embedding_scale": "its embedding is scaled",
    "residual_scale": "its layers are scaled",
    "final_logit_softcapping": "its logits are capped",
    "attn_logit_softcapping": "its attention is capped",
    "rope.scaling.yarn_log_multiplier": "its yarn scaling has a multiplier",
}

N = TypeVar("N", int, float)


class _Metadata:
    def __init__(self, header: Header, architecture: str, path: Path) -> None:
        self._header, self._architecture, self._path = header, architecture, path

    def get(self, key: str, kind: type[N], default: N | None = None) -> N:
        """A positive number; without a default it has to be there."""
        full = f"{self._architecture}.{key}"
        value = self._header.metadata.get(full, default)
        if value is None:
            hint = "differs from layer to layer" if full in self._header.arrays else "is missing from the file"
            raise BadModel(f"{full} {hint}", self._path.name)
        if isinstance(value, bool) or not isinstance(value, int | kind) or not value > 0:
            raise BadModel(f"{full} is {value}", self._path.name)
        return kind(value)

    def __contains__(self, key: str) -> bool:
        full = f"{self._architecture}.{key}"
        return bool(self._header.metadata.get(full)) or full in self._header.arrays


def parse(header: Header, tensors: dict[str, Stored], factors: dict[str, tuple[float, ...]], path: Path) -> ModelConfig:
    """`tensors` by transformers' names decide what metadata leaves open: vocabulary, biases, tied embeddings."""
    architecture = header.metadata.get("general.architecture")
    if architecture not in ARCHITECTURES:
        message = f"the architecture {architecture} is not supported; known are {', '.join(ARCHITECTURES)}"
        raise BadModel(message, path.name)
    assert isinstance(architecture, str)
    parts = header.metadata.get("split.count", 1)
    if parts != 1:
        raise BadModel(f"it is one of {parts} parts of a model; join them into one file", path.name)
    metadata = _Metadata(header, architecture, path)
    for key, reason in REFUSED.items():
        if key in metadata:
            raise BadModel(f"{reason}, which is not supported", path.name)
    if names.EMBEDDING not in tensors:
        raise BadModel("token_embd.weight is missing", path.name)
    heads, hidden = metadata.get("attention.head_count", int), metadata.get("embedding_length", int)
    kv_heads = metadata.get("attention.head_count_kv", int, heads)
    width = metadata.get("attention.key_length", int, hidden // heads or 1)
    layers = metadata.get("block_count", int)
    if heads % kv_heads or width % 2 or layers > MOST_LAYERS:
        raise BadModel(f"{layers} layers of {heads} heads of {width} over {kv_heads} cannot be right", path.name)
    for key in ("attention.value_length", "rope.dimension_count"):
        if metadata.get(key, int, width) != width:
            raise BadModel(f"{architecture}.{key} differs from the heads' width, which is not supported", path.name)
    window = metadata.get("context_length", int)
    rope = _rope(metadata, header.metadata.get(f"{architecture}.rope.scaling.type"), factors, width, window, path)
    if rope.kind == "yarn":
        window = max(window, int(rope.original_window * rope.factor))
    first = names.layer(0)
    full: MixerKind = "full"
    return ModelConfig(
        architecture=architecture,
        vocab=tensors[names.EMBEDDING].shape[0],
        hidden=hidden,
        intermediate=metadata.get("feed_forward_length", int),
        layers=layers,
        heads=heads,
        kv_heads=kv_heads,
        head_width=width,
        norm_epsilon=metadata.get("attention.layer_norm_rms_epsilon", float),
        window=window,
        tied=names.HEAD not in tensors,
        mixers=(full,) * layers,
        rope=rope,
        qk_norm=architecture == "qwen3",
        qkv_bias=architecture == "qwen2" or f"{first}self_attn.q_proj.bias" in tensors,
        out_bias=f"{first}self_attn.o_proj.bias" in tensors,
        mlp_bias=f"{first}mlp.down_proj.bias" in tensors,
    )


def _rope(
    metadata: _Metadata,
    kind: object,
    factors: dict[str, tuple[float, ...]],
    width: int,
    window: int,
    path: Path,
) -> RopeConfig:
    for name, values in factors.items():
        if len(values) != width // 2 or min(values) <= 0:
            raise BadModel(f"{name}.weight does not fit heads of {width}", path.name)
    kind = "default" if kind in (None, "none") else kind
    divisors = factors.get("rope_freqs", ())
    allowed = {"default": {"rope_freqs"}, "longrope": {"rope_factors_long", "rope_factors_short"}}
    if factors.keys() - allowed.get(str(kind), set()) or kind not in ("default", "linear", "yarn", "longrope"):
        raise BadModel(f"its rope scaling ({kind}) is not supported", path.name)
    theta = metadata.get("rope.freq_base", float, 10_000.0)
    if kind == "default":
        if "rope.scale_linear" in metadata:
            return RopeConfig(theta=theta, kind="linear", factor=metadata.get("rope.scale_linear", float))
        return RopeConfig(theta=theta, divisors=divisors)
    original = metadata.get("rope.scaling.original_context_length", int, window)
    if kind == "linear":
        return RopeConfig(theta=theta, kind="linear", factor=metadata.get("rope.scaling.factor", float))
    if kind == "yarn":
        for key in ("attn_factor", "yarn_ext_factor", "yarn_attn_factor"):
            if metadata.get(f"rope.scaling.{key}", float, 1.0) != 1.0:
                raise BadModel(f"its yarn scaling has {key}, which is not supported", path.name)
        return RopeConfig(
            theta=theta,
            kind="yarn",
            factor=metadata.get("rope.scaling.factor", float),
            original_window=original,
            beta_fast=metadata.get("rope.scaling.yarn_beta_fast", float, 32.0),
            beta_slow=metadata.get("rope.scaling.yarn_beta_slow", float, 1.0),
        )
    if len(factors) != 2:
        raise BadModel("the factors of its rope scaling are missing", path.name)
    return RopeConfig(
        theta=theta,
        kind="longrope",
        factor=window / original,
        original_window=original,
        attention_factor=metadata.get("rope.scaling.attn_factor", float, 1.0),
        short_factor=factors["rope_factors_short"],
        long_factor=factors["rope_factors_long"],
    )
