"""How many rows stay, which of them always, and what cannot be."""

import math
from typing import get_args

from engine.memory.caches import STEP, grown
from engine.memory.sparse_rows import COARSER, geometry
from engine.model.config import ModelConfig, SparseConfig
from engine.protocol import Eviction, FailureCode
from engine.protocol.settings import Policy

SINKS = 4
"""Rows at a text's beginning that always stay: attention rests on them."""
RECENT = 128
"""Newest rows that always stay."""
LEAST = (SINKS + RECENT) * 4 // 3
"""Rows of the smallest budget: what always stays leaves a quarter of it."""
USUAL = 4096
"""Rows that are kept where nothing else is said."""
SLACK = 128
"""Rows beyond the budget before any are given up, in reading pieces and in writing."""

WINDOW = 32
"""Newest queries by which SnapKV chooses."""

BLOCKS = 16
"""Blocks beyond the budget before any are given up."""

MODES = {
    "triattention": ("auto", "per_head", "per_layer_per_head", "union"),
    "h2o": ("auto",),
    "snapkv": ("auto", "mean", "max"),
    "streaming": ("auto",),
    "blocks": ("auto",),
}


def choosing(config: ModelConfig) -> list[int]:
    """Among the layers that keep rows, those that choose which they keep."""
    kept = [kind for kind in config.mixers if kind != "lightning"]
    return [number for number, kind in enumerate(kept) if kind in ("full", "sparse")]


def at_end(how: Eviction) -> bool:
    """Whether a prompt is read whole before rows go. SnapKV chooses by its end."""
    return how.prompt == "end" or (how.prompt == "auto" and how.policy == "snapkv")


def again(how: Eviction) -> int | None:
    """Tokens at a prompt's end that must be read by the policy, where others were read without it; None: all."""
    return {"h2o": None, "blocks": None, "snapkv": WINDOW}.get(how.policy, 0)


def endless(how: Eviction) -> bool:
    """Whether a text may be longer than the window."""
    return how.policy == "streaming" and not at_end(how)


def least(config: ModelConfig) -> int:
    """Rows of the smallest budget with such a model: layers that see the newest rows alone keep all that they see, and
    those that choose blocks the ones that they always choose."""
    if config.sparse is not None:
        blocks = geometry(config.sparse).initial + newest(config.sparse)
        return -(-blocks * 4 // 3) * config.sparse.block
    return max(LEAST, (config.sliding_window or 0) if "sliding" in config.mixers else 0)


def newest(sparse: SparseConfig) -> int:
    """Blocks that always stay at the end: those that are always chosen, and those of windows that are not whole yet."""
    return max(geometry(sparse).local, -(-COARSER * sparse.kernel // sparse.block) + 1)


def budget(how: Eviction, config: ModelConfig, prompt: int, window: int) -> int:
    """Rows that every head keeps of a prompt of so many tokens: with layers that choose blocks, those of whole ones."""
    asked = [math.ceil(how.keep * prompt)] if how.keep is not None else []
    asked += [how.rows] if how.rows is not None else []
    rows = max(least(config), min(asked, default=USUAL))
    block = config.sparse.block if config.sparse is not None else 1
    return min(-(-rows // block) * block, room(how, window) // block * block)


def room(how: Eviction, window: int) -> int:
    """Rows that may be kept: a text that has no end needs some for its next piece."""
    return window * 5 // 8 if endless(how) else window


def slack(how: Eviction, config: ModelConfig, budget: int) -> int:
    """Rows beyond the budget before they are given up."""
    if config.sparse is not None:
        return max(BLOCKS, budget // config.sparse.block // 8) * config.sparse.block
    return max(SLACK, budget // 8) if how.policy == "streaming" else SLACK


def needed(how: Eviction, config: ModelConfig, prompt: int, window: int, piece: int) -> tuple[int, int]:
    """Rows that memory is taken for at most: while such a prompt is read in pieces of so many tokens, and from then on.

    Between pieces one comes on top of what is kept, but for blocks, which go at places of the text. Of a prompt that
    was read whole first, memory is given back as `Caches.shrink` does.
    """
    kept = budget(how, config, prompt, window)
    kept += slack(how, config, kept)
    if at_end(how):
        return prompt, min(prompt, _stepped(kept)) if prompt > grown(kept) else prompt
    read = min(prompt, _stepped(kept + (0 if how.policy == "blocks" else piece)))
    return read, read


def _stepped(rows: int) -> int:
    return -(-rows // STEP) * STEP


def allowed(config: ModelConfig) -> tuple[Policy, ...]:
    """Policies that a model of this kind can have."""
    return tuple(policy for policy in get_args(Policy) if _kind(policy, config) is None)


def _kind(policy: Policy, config: ModelConfig) -> FailureCode | None:
    """Why a model of this kind has no such policy."""
    if policy == "blocks":
        return None if config.sparse is not None and set(config.mixers) <= {"sparse", "lightning"} else "evict_blocks"
    if "sparse" in config.mixers:
        return "evict_sparse"
    return "evict_model" if config.whole_only or "full" not in config.mixers else None


def obstacle(how: Eviction, config: ModelConfig, window: int) -> tuple[FailureCode, int, int] | None:
    """Why this cannot be done with such a model, with what is needed and what is there."""
    if (code := _kind(how.policy, config)) is not None:
        return code, 0, 0
    scored = how.score_window is not None or not how.adaptive_weight
    if how.mode not in MODES[how.policy] or (scored and how.policy != "triattention"):
        return "evict_mode", 0, 0
    if how.policy == "snapkv" and how.prompt == "pieces":
        return "evict_pieces", 0, 0
    there = min(how.rows or window, room(how, window))
    if there < least(config):
        return "evict_budget", least(config), there
    return None
