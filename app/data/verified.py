"""A test of a verification as the window shows it."""

from msgspec import Struct

from engine.verify_names import TestName
from engine.verify_results import Cell, Point, Verdict


class ShownTest(Struct, frozen=True):
    """`said`: what was found, in words. `cells` and `points` are drawn; `expected`: the slope that they should have."""

    test: TestName
    verdict: Verdict
    said: str
    cells: tuple[Cell, ...] = ()
    points: tuple[Point, ...] = ()
    expected: float | None = None
