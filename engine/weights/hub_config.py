"""config.json, as transformers writes it, to `ModelConfig`. Whatever would change the result and is not known is
refused: a model that runs slightly wrong is worse than one that does not run."""

from pathlib import Path
from typing import Any, cast, get_args

import msgspec
from msgspec import Struct

from engine.model.config import MixerKind, ModelConfig, RopeConfig, RopeKind
from engine.weights import minicpm_config, mixer_config
from engine.weights.checkpoint import BadModel

ARCHITECTURES = {
    "LlamaForCausalLM": "llama",
    "MistralForCausalLM": "mistral",
    "Qwen2ForCausalLM": "qwen2",
    "Qwen3ForCausalLM": "qwen3",
    **minicpm_config.ARCHITECTURES,
}
MOST_LAYERS = 4096
"""A configuration beyond it is broken, and its list of tensors would fill the memory."""


class HubConfig(Struct):
    """The fields that matter, with the defaults that transformers gives all four families."""

    vocab_size: int
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    max_position_embeddings: int
    num_key_value_heads: int | None = None
    head_dim: int | None = None
    hidden_act: str = "silu"
    rms_norm_eps: float = 1e-6
    tie_word_embeddings: bool = False
    attention_bias: bool = False
    mlp_bias: bool = False
    rope_theta: float = 10_000.0
    rope_parameters: dict[str, Any] | None = None
    rope_scaling: dict[str, Any] | None = None
    partial_rotary_factor: float | None = None
    original_max_position_embeddings: int | None = None
    sliding_window: int | None = 4096
    use_sliding_window: bool = False
    max_window_layers: int = 28
    layer_types: list[str] | None = None


class HubRope(Struct, forbid_unknown_fields=True):
    rope_type: str = "default"
    type: str | None = None
    rope_theta: float | None = None
    partial_rotary_factor: float | None = None
    factor: float | None = None
    original_max_position_embeddings: int | None = None
    attention_factor: float | None = None
    beta_fast: float | None = None
    beta_slow: float | None = None
    mscale: float | None = None
    mscale_all_dim: float | None = None
    truncate: bool | None = None
    low_freq_factor: float | None = None
    high_freq_factor: float | None = None
    short_factor: tuple[float, ...] = ()
    long_factor: tuple[float, ...] = ()
    finetuned: bool | None = None


def parse(path: Path) -> ModelConfig:
    """BadModel: not JSON, not one of `ARCHITECTURES`, asks for code or for a quantisation, or contradicts itself."""
    subject = path.name
    try:
        raw = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise BadModel(f"it cannot be read: {error}", subject) from None
    if not isinstance(raw, dict):
        raise BadModel("it is not a model's configuration", subject)
    family = _family(raw, subject)
    try:
        config = msgspec.convert(raw, HubConfig)
    except msgspec.ValidationError as error:
        raise BadModel(str(error), subject) from None
    model = _model(config, family, subject)
    further = minicpm_config if family in minicpm_config.ARCHITECTURES.values() else mixer_config
    return further.extended(raw, model, subject)


def _family(raw: dict[str, Any], subject: str) -> str:
    named = raw.get("architectures")
    if isinstance(named, list) and named:
        name = str(named[0])
        if raw.get("auto_map") and name not in minicpm_config.ARCHITECTURES:
            raise BadModel("the model asks to run code of its own, which is never done", subject)
        if name not in ARCHITECTURES:
            raise BadModel(f"the architecture {name} is not supported; known are {', '.join(ARCHITECTURES)}", subject)
        return ARCHITECTURES[name]
    family = raw.get("model_type")
    if raw.get("auto_map") and family not in minicpm_config.ARCHITECTURES.values():
        raise BadModel("the model asks to run code of its own, which is never done", subject)
    if family not in ARCHITECTURES.values():
        raise BadModel(f"the model type {family} is not supported; known are {', '.join(ARCHITECTURES)}", subject)
    return str(family)


def _model(config: HubConfig, family: str, subject: str) -> ModelConfig:
    if config.hidden_act != "silu":
        raise BadModel(f"the activation {config.hidden_act} is not supported", subject)
    kv_heads = config.num_key_value_heads
    if kv_heads is None:
        kv_heads = config.num_attention_heads
    sizes = (config.vocab_size, config.hidden_size, config.intermediate_size, config.num_attention_heads, kv_heads)
    if min(*sizes, config.num_hidden_layers, config.max_position_embeddings, config.rms_norm_eps) <= 0:
        raise BadModel("a size is zero or negative", subject)
    if config.num_hidden_layers > MOST_LAYERS:
        raise BadModel(f"{config.num_hidden_layers} layers cannot be right", subject)
    width = config.head_dim or (128 if family == "qwen3" else config.hidden_size // config.num_attention_heads)
    if config.num_attention_heads % kv_heads or width <= 0 or width % 2:
        raise BadModel(f"{config.num_attention_heads} heads of {width} over {kv_heads} do not divide", subject)
    rope = _rope(config, width, subject)
    mixers, sliding = _mixers(config, family, subject)
    window = config.max_position_embeddings
    if rope.kind == "yarn":
        # Checkpoints that are stretched by hand keep the trained length in max_position_embeddings
        window = max(window, int(rope.original_window * rope.factor))
    return ModelConfig(
        architecture=next(name for name, known in ARCHITECTURES.items() if known == family),
        vocab=config.vocab_size,
        hidden=config.hidden_size,
        intermediate=config.intermediate_size,
        layers=config.num_hidden_layers,
        heads=config.num_attention_heads,
        kv_heads=kv_heads,
        head_width=width,
        norm_epsilon=config.rms_norm_eps,
        window=window,
        tied=config.tie_word_embeddings,
        mixers=mixers,
        rope=rope,
        sliding_window=sliding,
        qk_norm=family == "qwen3",
        qkv_bias=family == "qwen2" or (family in ("llama", "qwen3") and config.attention_bias),
        out_bias=family in ("llama", "qwen3") and config.attention_bias,
        mlp_bias=family == "llama" and config.mlp_bias,
    )


def _mixers(config: HubConfig, family: str, subject: str) -> tuple[tuple[MixerKind, ...], int | None]:
    """Mistral slides in all layers or none; Qwen in those that `layer_types` or `max_window_layers` say."""
    layers = config.num_hidden_layers
    if family == "mistral":
        slides = [config.sliding_window is not None] * layers
        if config.layer_types is not None and config.layer_types != [_kind(slide) for slide in slides]:
            raise BadModel("layer_types mixes kinds of attention, which a Mistral has not", subject)
    elif family == "llama" or family in minicpm_config.ARCHITECTURES.values():
        slides = [False] * layers
        if config.layer_types is not None and config.layer_types != [_kind(False)] * layers:
            raise BadModel("layer_types names attention that a Llama has not", subject)
    else:
        window = config.sliding_window if config.use_sliding_window else None
        kinds = config.layer_types
        if kinds is None:
            kinds = [_kind(window is not None and number >= config.max_window_layers) for number in range(layers)]
        slides = [kind == _kind(True) for kind in kinds]
        if len(kinds) != layers or not set(kinds) <= {_kind(True), _kind(False)} or (any(slides) and window is None):
            raise BadModel("layer_types does not fit the layers and the sliding window", subject)
    mixers: tuple[MixerKind, ...] = tuple("sliding" if slide else "full" for slide in slides)
    if not any(slides):
        return mixers, None
    if config.sliding_window is None or config.sliding_window <= 0:
        raise BadModel("the sliding window is zero or negative", subject)
    return mixers, config.sliding_window


def _kind(slides: bool) -> str:
    return "sliding_attention" if slides else "full_attention"


def _rope(config: HubConfig, width: int, subject: str) -> RopeConfig:
    raw = config.rope_scaling or config.rope_parameters or {}
    try:
        rope = msgspec.convert(raw, HubRope)
    except msgspec.ValidationError as error:
        raise BadModel(f"rope_parameters: {error}", subject) from None
    kind = rope.type if rope.type is not None and "rope_type" not in raw else rope.rope_type
    if kind not in get_args(RopeKind):
        raise BadModel(f"rope scaling of type {kind} is not supported", subject)
    if (rope.partial_rotary_factor or 1.0) != 1.0 or (config.partial_rotary_factor or 1.0) != 1.0:
        raise BadModel("rotating only part of a head is not supported", subject)
    needs = {"linear": ("factor",), "dynamic": ("factor",), "llama3": ("factor", "low_freq_factor", "high_freq_factor")}
    for name in needs.get(kind, ()):
        if getattr(rope, name) is None:
            raise BadModel(f"rope scaling of type {kind} has no {name}", subject)
    original = config.original_max_position_embeddings or rope.original_max_position_embeddings
    original = original or config.max_position_embeddings
    factor = rope.factor
    if factor is None:
        factor = config.max_position_embeddings / original if kind in ("yarn", "longrope") else 1.0
    theta = config.rope_theta if rope.rope_theta is None else rope.rope_theta
    if min(theta, factor, original) <= 0:
        raise BadModel("rope_parameters holds a number that is zero or negative", subject)
    if kind == "longrope" and not len(rope.short_factor) == len(rope.long_factor) == width // 2:
        raise BadModel(f"rope scaling of type longrope needs {width // 2} short and long factors", subject)
    return RopeConfig(
        theta=theta,
        kind=cast(RopeKind, kind),
        factor=factor,
        original_window=original,
        attention_factor=rope.attention_factor,
        beta_fast=rope.beta_fast or 32.0,
        beta_slow=rope.beta_slow or 1.0,
        mscale=rope.mscale,
        mscale_all_dim=rope.mscale_all_dim,
        truncate=rope.truncate is not False,
        low_freq_factor=1.0 if rope.low_freq_factor is None else rope.low_freq_factor,
        high_freq_factor=4.0 if rope.high_freq_factor is None else rope.high_freq_factor,
        short_factor=rope.short_factor,
        long_factor=rope.long_factor,
    )
