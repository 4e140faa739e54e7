"""A request's policy made ready for the rows of one chain."""

from collections.abc import Callable
from typing import cast

from engine.memory.caches import Caches
from engine.model.config import ModelConfig
from engine.protocol import Eviction
from engine.reading.eviction import guard
from engine.reading.eviction.blocks import BlockPruning, Blocks
from engine.reading.eviction.h2o import H2O
from engine.reading.eviction.policy import Policy
from engine.reading.eviction.pruning import Pruning
from engine.reading.eviction.series import Means
from engine.reading.eviction.snapkv import Group, SnapKV
from engine.reading.eviction.streaming import Streaming
from engine.reading.eviction.triattention import Mode, TriAttention


def pruning(how: Eviction, caches: Caches, config: ModelConfig, window: int, means: Callable[[], Means]) -> Pruning:
    """`means`: of the model's queries, all layers; asked for by TriAttention alone."""
    layers = guard.choosing(config)
    if how.policy == "blocks":
        return BlockPruning(how, Blocks(caches, layers, config.head_width**-0.5), caches, config, window)
    return Pruning(how, _policy(how, caches, config, layers, means), caches, config, window)


def _policy(
    how: Eviction, caches: Caches, config: ModelConfig, layers: list[int], means: Callable[[], Means]
) -> Policy:
    scale = config.head_width**-0.5
    if how.policy == "h2o":
        return H2O(caches, layers, scale)
    if how.policy == "snapkv":
        return SnapKV(caches, layers, scale, cast(Group, "mean" if how.mode == "auto" else how.mode))
    if how.policy == "streaming":
        return Streaming(caches, len(layers))
    known, device = means(), caches.device
    own = Means(known.mean[layers].to(device), known.length[layers].to(device))
    mode = cast(Mode, "per_head" if how.mode == "auto" else how.mode)
    return TriAttention(caches, layers, own, mode, how.score_window, adaptive=how.adaptive_weight)
