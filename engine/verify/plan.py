"""What each tier asks, and of how long texts."""

from dataclasses import dataclass
from typing import get_args

from engine.protocol import Loaded
from engine.verify_names import TestName, Tier

CONTROL = 1000
"""Tokens of the short texts that everything is asked about as well."""
LENGTHS: dict[Tier, int] = {"quick": 4096, "standard": 32768, "full": 131072}
SHORTEST = 1500
ROOM = 512
"""Tokens that stay free of a window, for questions, answers and the template."""


@dataclass(frozen=True)
class Plan:
    """`length`: tokens of the longest text, `others` of those of most tests. `grid`: lengths of the needle grid, with
    its `depths`. `rounds`: texts of each other test. `curve`: lengths whose times are taken, `times` each. `cycles`: of
    memory, with texts of `cycled` tokens."""

    tier: Tier
    length: int
    others: int
    grid: tuple[int, ...]
    depths: tuple[float, ...]
    rounds: int
    curve: tuple[int, ...]
    times: int
    cycles: int
    cycled: int
    nested: tuple[int, ...]
    precisions: bool
    """Whether the model is loaded with other precisions as well."""
    tests: tuple[TestName, ...] = get_args(TestName)


def plan(tier: Tier, loaded: Loaded, length: int | None = None) -> Plan:
    """`length` instead of the tier's own; a text that a window cannot hold is read in segments, where it can be."""
    longest = length or LENGTHS[tier]
    if loaded.window and loaded.whole_only:
        longest = min(longest, loaded.window - ROOM)
    elif loaded.window and length is None and tier == "quick":
        longest = min(longest, max(loaded.window - ROOM, SHORTEST))
    longest = max(longest, SHORTEST)
    octaves = tuple(_octaves(longest))
    if tier == "quick":
        return Plan(
            *(
                tier,
                longest,
                max(longest // 2, SHORTEST),
                octaves[-1:],
                (0.0, 0.25, 0.5, 0.75, 1.0),
                2,
                octaves[-3:],
                2,
            ),
            cycles=5,
            cycled=min(1024, longest),
            nested=(2, 4, 8),
            precisions=False,
        )
    tenths = tuple(tenth / 10 for tenth in range(11))
    return Plan(
        *(tier, longest, max(longest // 4, SHORTEST), octaves[-4:] if tier == "standard" else octaves[-6:], tenths),
        rounds=3 if tier == "standard" else 5,
        curve=octaves[-4:] if tier == "standard" else octaves[-5:],
        times=3,
        cycles=5,
        cycled=min(4096, longest) if tier == "standard" else longest,
        nested=(2, 4, 8, 16, 24),
        precisions=True,
    )


def _octaves(longest: int) -> list[int]:
    """Lengths from 1,024 or so up to the longest, each twice the one before."""
    lengths = [longest]
    while lengths[0] // 2 >= CONTROL:
        lengths.insert(0, lengths[0] // 2)
    return lengths
