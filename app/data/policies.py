"""What of a text's keys and values the settings let a model keep: rows that every head holds, by a policy."""

import math
from typing import Literal

from msgspec.structs import replace

from app.data.settings import Settings
from engine.protocol import Eviction, Planned, PlannedPolicy, Policy

NAMES = {
    "none": "",
    "triattention": "TriAttention",
    "h2o": "H2O",
    "snapkv": "SnapKV",
    "streaming": "StreamingLLM",
    "blocks": "InfLLM-v2 blocks",
}
"""As their authors call them; the last by the choice that it goes by."""

LEAST, USUAL, SLACK = 176, 4096, 128
"""Rows that stay in any case; that are kept where nothing is said; beyond those before any are given up."""
PIECE, STEP = 2048, 1024
"""Tokens that are read in one go at most, and rows that memory is taken for at once: the engine's."""


def on(settings: Settings) -> bool:
    return settings.policy != "none"


def asked(settings: Settings) -> Eviction | None:
    """What of a text is kept; None: everything."""
    if settings.policy == "none":
        return None
    return Eviction(
        settings.policy,
        keep=settings.policy_keep,
        rows=settings.policy_rows,
        mode=settings.policy_mode,
        prompt=settings.policy_prompt,
        score_window=settings.policy_score_window,
        adaptive_weight=settings.policy_adaptive_weight,
    )


def chosen(settings: Settings, policy: Policy | Literal["none"]) -> Settings:
    """With that policy. What the settings say besides goes with the choice where another policy may not know it."""
    if policy == settings.policy:
        return settings
    pieces = policy == "snapkv" and settings.policy_prompt == "pieces"
    return replace(
        settings,
        policy=policy,
        policy_mode="auto",
        policy_prompt="auto" if pieces else settings.policy_prompt,
        policy_score_window=None,
        policy_adaptive_weight=True,
    )


def planned(settings: Settings, plan: Planned | None) -> PlannedPolicy | None:
    """What the planner made of these settings' policy; None: it is not known, or was planned for others."""
    policy = None if plan is None else plan.policy
    return policy if policy is not None and policy.how == asked(settings) else None


def at_end(settings: Settings) -> bool:
    """Whether a prompt is read whole before any of it is forgotten. SnapKV chooses by its end."""
    return settings.policy_prompt == "end" or (settings.policy_prompt == "auto" and settings.policy == "snapkv")


def endless(settings: Settings) -> bool:
    """Whether a text may be longer than the window."""
    return settings.policy == "streaming" and not at_end(settings)


def kept(settings: Settings, tokens: int, window: int) -> int:
    """Rows that every head keeps of a prompt of so many tokens."""
    if not on(settings):
        return tokens
    asked = [math.ceil(settings.policy_keep * tokens)] if settings.policy_keep is not None else []
    asked += [settings.policy_rows] if settings.policy_rows is not None else []
    rows = max(LEAST, min(asked, default=USUAL))
    return min(rows, window * 5 // 8 if endless(settings) else window, tokens)


def held(settings: Settings, tokens: int, window: int) -> tuple[int, int]:
    """Rows that memory is taken for, at most: while such a prompt is read, and once it is. Read in pieces, one piece
    comes on top of what is kept; read whole first, memory is given back where it is more than growing row by row would
    have taken. The planner counts what no such rule tells: whole blocks."""
    if not on(settings):
        return tokens, tokens
    rows = kept(settings, tokens, window)
    rows += max(SLACK, rows // 8) if settings.policy == "streaming" else SLACK
    if not at_end(settings):
        read = _stepped(rows + (settings.piece or PIECE), tokens)
        return read, read
    return tokens, _stepped(rows, tokens) if tokens > rows + rows // 4 + 2 * STEP else tokens


def _stepped(rows: int, most: int) -> int:
    return min(-(-rows // STEP) * STEP, most)
