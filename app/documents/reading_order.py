"""The order in which a person reads what lies about on a slide."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

MOST = 150
"""Boxes: more are a drawing, which no one reads from its top to its bottom."""


class Box(Struct, frozen=True):
    """Where something lies, in any unit. Larger numbers lie further right and down."""

    left: int
    top: int
    right: int
    bottom: int


Placed = tuple[int, Box]
Cut = tuple[list[Placed], list[Placed]]


def reading_order(boxes: Sequence[Box | None]) -> list[int]:
    """Indices of `boxes`, in reading order.

    What lies apart is cut in two, one above or left of the other, and each part again. Of all straight cuts that are
    open, the one wins that keeps most to the given order, which is the author's; so it does where boxes overlap and
    nothing can be cut. What has no place comes first, in the given order.
    """
    if len(boxes) > MOST:
        return list(range(len(boxes)))
    order = [index for index, box in enumerate(boxes) if box is None]
    waiting: list[list[Placed]] = [[(index, box) for index, box in enumerate(boxes) if box is not None]]
    while waiting:
        group = waiting.pop()
        cuts = [*_cuts(group, rows=True), *_cuts(group, rows=False)]
        if not cuts:
            order += [index for index, _ in group]
            continue
        first, second = min(cuts, key=_disorder)
        waiting += (second, first)
    return order


def _cuts(group: list[Placed], rows: bool) -> Iterator[Cut]:
    """The group in two at each straight gap, from the top or from the left; each part in the given order."""
    along = sorted(group, key=lambda placed: placed[1].top if rows else placed[1].left)
    reached = None
    for place, (_, box) in enumerate(along):
        start, end = (box.top, box.bottom) if rows else (box.left, box.right)
        if reached is not None and start >= reached:
            yield sorted(along[:place]), sorted(along[place:])
        reached = end if reached is None else max(reached, end)


def _disorder(cut: Cut) -> int:
    """How many neighbours stand the other way round than they were given."""
    return sum(one > other for (one, _), (other, _) in pairwise((*cut[0], *cut[1])))
