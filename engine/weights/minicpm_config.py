"""config.json of MiniCPM's models to `ModelConfig`: MiniCPM4 and 4.1 (arXiv 2506.07900), and MiniCPM-SALA
(arXiv 2602.11761). Their checkpoints name code of their own, which is never run: what it does is in `engine.model`."""

from typing import Any

import msgspec
from msgspec import Struct

from engine.model.config import LightningConfig, MixerKind, ModelConfig, SparseConfig
from engine.weights.checkpoint import BadModel

HYBRID = "MiniCPMSALAForCausalLM"
ARCHITECTURES = {HYBRID: "minicpm_sala", "MiniCPMForCausalLM": "minicpm"}
LIGHTNING = ("lightning-attn", "lightning_attn", "lightning")
SPARSE = "minicpm4"
REACH = 4
"""Times its positions that the hybrid was published to read (2,048K of 512K): its softmax layers have no positions."""


class HubSparse(Struct):
    kernel_size: int
    kernel_stride: int
    init_blocks: int
    block_size: int
    window_size: int
    topk: int
    dense_len: int
    use_nope: bool = False


class HubMiniCPM(Struct):
    """The fields beyond those of `HubConfig`, with the defaults of the code that the checkpoints name."""

    scale_emb: float = 1.0
    scale_depth: float = 1.0
    dim_model_base: int = 1
    sparse_config: HubSparse | None = None
    mixer_types: list[str] | None = None
    qk_norm: bool = True
    use_output_norm: bool = True
    use_output_gate: bool = True
    attn_use_rope: bool = False
    attn_use_output_gate: bool = True
    lightning_nh: int | None = None
    lightning_nkv: int | None = None
    lightning_head_dim: int | None = None
    lightning_scale: str = "1/sqrt(d)"
    lightning_use_rope: bool = True


def extended(raw: dict[str, Any], plain: ModelConfig, subject: str) -> ModelConfig:
    """`plain`: what the fields that all models share say. Raises BadModel."""
    try:
        config = msgspec.convert(raw, HubMiniCPM)
    except msgspec.ValidationError as error:
        raise BadModel(str(error), subject) from None
    if config.scale_emb <= 0 or config.scale_depth <= 0 or config.dim_model_base <= 0:
        raise BadModel("a scale is zero or negative", subject)
    hybrid = plain.architecture == HYBRID
    mixers = _mixers(config, plain, hybrid, subject)
    return msgspec.structs.replace(
        plain,
        mixers=mixers,
        sparse=_sparse(config, hybrid, subject) if "sparse" in mixers else None,
        lightning=_lightning(config, plain, subject) if "lightning" in mixers else None,
        embedding_scale=config.scale_emb,
        branch_scale=config.scale_depth / plain.layers**0.5,
        logit_divisor=plain.hidden / config.dim_model_base,
        reach=plain.window * REACH if hybrid and not config.attn_use_rope else 0,
    )


def _mixers(config: HubMiniCPM, plain: ModelConfig, hybrid: bool, subject: str) -> tuple[MixerKind, ...]:
    if not hybrid:
        return ("full" if config.sparse_config is None else "sparse",) * plain.layers
    names = config.mixer_types
    if names is None or len(names) != plain.layers:
        raise BadModel(f"mixer_types does not name the mixers of {plain.layers} layers", subject)
    unknown = sorted(set(names) - {SPARSE, *LIGHTNING})
    if unknown:
        raise BadModel(f"mixer_types names {', '.join(unknown)}, which is not supported", subject)
    if SPARSE not in names:
        raise BadModel("mixer_types names no layer that keeps keys and values", subject)
    return tuple("sparse" if name == SPARSE else "lightning" for name in names)


def _sparse(config: HubMiniCPM, hybrid: bool, subject: str) -> SparseConfig:
    sparse = config.sparse_config
    if sparse is None:
        raise BadModel("sparse_config is missing", subject)
    rotated = config.attn_use_rope or not hybrid
    return sparse_of(sparse, rotated=rotated, gated=hybrid and config.attn_use_output_gate, subject=subject)


def sparse_of(sparse: HubSparse, *, rotated: bool, gated: bool, subject: str) -> SparseConfig:
    """Raises BadModel."""
    if sparse.use_nope and rotated:
        raise BadModel("choosing blocks by keys without positions (use_nope) is not supported", subject)
    sizes = (sparse.kernel_size, sparse.kernel_stride, sparse.block_size, sparse.window_size, sparse.topk)
    fits = min(*sizes, sparse.init_blocks + 1, sparse.dense_len + 1) > 0
    if fits:
        halves = sparse.kernel_size == 2 * sparse.kernel_stride
        whole = sparse.block_size % sparse.kernel_stride == 0 and sparse.window_size % sparse.block_size == 0
        fits = halves and whole and sparse.topk > sparse.init_blocks
    if not fits:
        raise BadModel("the sizes in sparse_config do not fit each other", subject)
    return SparseConfig(
        kernel=sparse.kernel_size,
        stride=sparse.kernel_stride,
        block=sparse.block_size,
        initial=sparse.init_blocks,
        window=sparse.window_size,
        topk=sparse.topk,
        dense_below=sparse.dense_len,
        rotated=rotated,
        gated=gated,
    )


def _lightning(config: HubMiniCPM, plain: ModelConfig, subject: str) -> LightningConfig:
    heads, width = config.lightning_nh or plain.heads, config.lightning_head_dim or plain.head_width
    if (config.lightning_nkv or heads) != heads:
        raise BadModel("lightning layers whose heads share keys and values are not supported", subject)
    if heads < 1 or width != plain.head_width:
        raise BadModel("lightning layers with heads of another width are not supported", subject)
    return LightningConfig(
        heads=heads,
        scale={"1/sqrt(d)": width**-0.5, "1/d": 1 / width}.get(config.lightning_scale, 1.0),
        rotated=config.lightning_use_rope,
        normed=config.qk_norm,
        out_normed=config.use_output_norm,
        gated=config.use_output_gate,
    )
