"""`mixer_types` in config.json: layers of Llama, Mistral, Qwen2 and Qwen3 that do not attend to all rows.

No published checkpoint of these families names its layers, so this is how we take them; tensors are in `names`:

    "mixer_types": ["full", "moba", "nsa", "sparse", ...],        one for each layer
    "moba": {"block_size": 512, "topk": 3},                       arXiv 2502.13189; the own block is one of topk
    "nsa": {"kernel_size": 32, "kernel_stride": 16,               arXiv 2502.11089: compressed branch, and the inner
            "compress_size": 256,                                     channels of the MLP that makes its entries
            "block_size": 64, "topk": 16,                             selected branch: topk blocks, init and local
            "init_blocks": 1, "local_blocks": 2,                      ones among them
            "window_size": 512,                                       sliding branch
            "gate_size": 64},                                         inner channels of the MLP of the gates
    "sparse_config": {...}                                        InfLLM-v2, as MiniCPM4 has it

Everything in `moba` and `nsa` is required, and nothing else is taken.
"""

from typing import Any

import msgspec
from msgspec import Struct

from engine.model.config import MixerKind, MobaConfig, ModelConfig, NsaConfig
from engine.weights import minicpm_config
from engine.weights.checkpoint import BadModel

KINDS: tuple[MixerKind, ...] = ("full", "moba", "nsa", "sparse")
GIVEN = {"moba": "moba", "nsa": "nsa", "sparse": "sparse_config"}
"""Where the sizes of a kind are."""
LARGEST = 1 << 20
"""Rows of anything: beyond it a number is a mistake."""


class HubMoba(Struct, forbid_unknown_fields=True):
    block_size: int
    topk: int


class HubNsa(Struct, forbid_unknown_fields=True):
    kernel_size: int
    kernel_stride: int
    compress_size: int
    block_size: int
    topk: int
    init_blocks: int
    local_blocks: int
    window_size: int
    gate_size: int


class HubMixers(Struct):
    mixer_types: list[str] | None = None
    moba: HubMoba | None = None
    nsa: HubNsa | None = None
    sparse_config: minicpm_config.HubSparse | None = None


def extended(raw: dict[str, Any], plain: ModelConfig, subject: str) -> ModelConfig:
    """`plain`: what the fields that all models share say. Raises BadModel."""
    try:
        config = msgspec.convert(raw, HubMixers)
    except msgspec.ValidationError as error:
        raise BadModel(str(error), subject) from None
    mixers = _mixers(config, plain, subject)
    for kind, name in GIVEN.items():
        if kind in mixers and getattr(config, name) is None:
            raise BadModel(f"mixer_types names {kind}, and {name} is missing", subject)
        if kind not in mixers and getattr(config, name) is not None:
            raise BadModel(f"{name} is given, and mixer_types names no layer of that kind", subject)
    if "sparse" in mixers and plain.qk_norm:
        raise BadModel("sparse layers that norm each head are not supported", subject)
    return msgspec.structs.replace(
        plain,
        mixers=mixers,
        moba=None if config.moba is None else _moba(config.moba, subject),
        nsa=None if config.nsa is None else _nsa(config.nsa, subject),
        sparse=minicpm_config.sparse_of(config.sparse_config, rotated=True, gated=False, subject=subject)
        if config.sparse_config is not None
        else None,
    )


def _mixers(config: HubMixers, plain: ModelConfig, subject: str) -> tuple[MixerKind, ...]:
    named = config.mixer_types
    if named is None:
        return plain.mixers
    if len(named) != plain.layers:
        raise BadModel(f"mixer_types names the mixers of {len(named)} layers, and there are {plain.layers}", subject)
    unknown = sorted(set(named) - set(KINDS))
    if unknown:
        raise BadModel(f"mixer_types names {', '.join(unknown)}; known are {', '.join(KINDS)}", subject)
    if "sliding" in plain.mixers:
        raise BadModel("mixer_types beside a sliding window is not supported", subject)
    return tuple(next(kind for kind in KINDS if kind == name) for name in named)


def _moba(moba: HubMoba, subject: str) -> MobaConfig:
    if not 0 < moba.block_size <= LARGEST:
        raise BadModel(f"moba: blocks of {moba.block_size} rows cannot be right", subject)
    if not 0 < moba.topk <= LARGEST:
        raise BadModel(f"moba: a query cannot read {moba.topk} blocks, its own among them", subject)
    return MobaConfig(moba.block_size, moba.topk)


def _nsa(nsa: HubNsa, subject: str) -> NsaConfig:
    for name, size in msgspec.structs.asdict(nsa).items():
        least = 0 if name == "init_blocks" else 1
        if not least <= size <= LARGEST:
            raise BadModel(f"nsa: {name} is {size}, which cannot be right", subject)
    if nsa.kernel_size != 2 * nsa.kernel_stride or nsa.block_size % nsa.kernel_stride:
        message = f"{nsa.kernel_size} rows every {nsa.kernel_stride} do not fit blocks of {nsa.block_size}"
        raise BadModel(f"nsa: {message}: they must overlap by half, and blocks begin where they do", subject)
    if nsa.topk < nsa.init_blocks + nsa.local_blocks:
        message = f"{nsa.init_blocks} first and {nsa.local_blocks} local blocks are more than topk, which is {nsa.topk}"
        raise BadModel(f"nsa: {message}", subject)
    return NsaConfig(
        kernel=nsa.kernel_size,
        stride=nsa.kernel_stride,
        block=nsa.block_size,
        topk=nsa.topk,
        initial=nsa.init_blocks,
        local=nsa.local_blocks,
        window=nsa.window_size,
        compress=nsa.compress_size,
        gate=nsa.gate_size,
    )
