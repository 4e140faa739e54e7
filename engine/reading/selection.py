"""Which segments an answer is written over, by how well each explains the question."""

from collections.abc import Collection, Sequence

import numpy as np

from engine.protocol import Calibration
from engine.reading.segments import Segment
from engine.tokenizer import Ids

RECENTLY = 0.1
"""Nats in favour of a segment that one of the last two answers was written over: what is talked about goes on."""
COMMON = 0.5
"""Share of the segments above which a token that stands in them says nothing about any."""


def select(
    scores: Sequence[float | None],
    sizes: Sequence[int],
    calibration: Calibration,
    *,
    keep: int | None,
    room: int,
    recent: Collection[int] = (),
) -> list[int]:
    """Numbers of the kept segments, in the text's order; none when not even the best fits into `room` rows.

    `scores`: nats, smaller is better, None for segments that were not asked. `sizes`: rows that each takes. The best
    comes first, then others as long as they are not behind it by more than the calibration's gap, up to its number;
    with `keep` so many, whatever the gap.
    """
    own = {number: score - RECENTLY * (number in recent) for number, score in enumerate(scores) if score is not None}
    order = sorted(own, key=lambda number: (own[number], number))
    most = keep if keep is not None else calibration.keep
    kept: list[int] = []
    for number in order:
        behind = own[number] - own[order[0]]
        if len(kept) == most or (keep is None and behind > calibration.gap):
            break
        if sizes[number] <= room:
            kept.append(number)
            room -= sizes[number]
        elif keep is None or not kept:
            break
    return sorted(kept)


def lead(scores: Sequence[float]) -> float:
    """Nats by which the best is ahead of the next; of fewer than two, more than any."""
    first, second = sorted(scores)[:2] if len(scores) > 1 else (0.0, float("inf"))
    return second - first


def likely(segments: Sequence[Segment], words: Ids, count: int) -> list[int]:
    """A first look: the `count` segments that share most with the question's tokens, rare ones counting more.

    It costs next to nothing and understands nothing: it is used only when the person chose to ask fewer than all.
    """
    tokens = np.unique(words)
    held = np.array([np.isin(tokens, segment.ids[segment.preamble :]) for segment in segments], dtype=np.float64)
    share = held.mean(0)
    weight = np.where((share > 0) & (share <= COMMON), -np.log(np.maximum(share, 1e-9)), 0.0)
    order = np.argsort(-(held @ weight), kind="stable")
    return sorted(order[:count].tolist())
