"""The order in which a person reads what lies about on a slide."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct


class Box(Struct, frozen=True):
    """Where something lies, in any unit; None where nothing says so. Larger numbers lie further right and down."""

    left: int
    top: int
    right: int
    bottom: int


Placed = tuple[int, Box]

MOST = 1000
"""Boxes: more are a drawing, which no one reads from its top to its bottom."""


def reading_order(boxes: Sequence[Box | None]) -> list[int]:
    """Indices of `boxes`, in reading order.

    What lies apart is cut apart, into rows or into columns, and each part again. Where both ways are open, the one
    wins that keeps more to the given order, which is the author's; so it does where boxes overlap and nothing can be
    cut. What has no place comes first, in the given order.
    """
    if len(boxes) > MOST:
        return list(range(len(boxes)))
    order = [index for index, box in enumerate(boxes) if box is None]
    waiting: list[list[Placed]] = [[(index, box) for index, box in enumerate(boxes) if box is not None]]
    while waiting:
        group = waiting.pop()
        if len(group) < 2:
            order += [index for index, _ in group]
            continue
        cuts = [cut for cut in (_cut(group, rows=True), _cut(group, rows=False)) if len(cut) > 1]
        if not cuts:
            order += [index for index, _ in group]
            continue
        best: list[list[Placed]] = min(cuts, key=_disorder)
        waiting += best[::-1]
    return order


def _cut(group: list[Placed], rows: bool) -> list[list[Placed]]:
    """Groups with a straight gap between them, in order; within each the given order is kept."""
    ends = sorted(group, key=lambda placed: placed[1].top if rows else placed[1].left)
    parts: list[list[Placed]] = []
    reached = 0
    for index, box in ends:
        start, end = (box.top, box.bottom) if rows else (box.left, box.right)
        if not parts or start >= reached:
            parts.append([])
            reached = end
        parts[-1].append((index, box))
        reached = max(reached, end)
    return [sorted(part) for part in parts]


def _disorder(parts: list[list[Placed]]) -> int:
    """How many neighbours stand the other way round than they were given."""
    flat = [index for part in parts for index, _ in part]
    return sum(one > other for one, other in pairwise(flat))
