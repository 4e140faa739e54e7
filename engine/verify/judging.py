"""From answers to verdicts: the same bounds for all tests."""

from collections.abc import Sequence

from engine.needles import wilson
from engine.verify_names import TestName
from engine.verify_results import Cell, Outcome, Verdict

KEPT, SOME = 0.95, 0.8
"""Retention, the share of right answers beside that of the short control, for a pass and for degraded."""
ABLE = 0.75
"""Share of the control that must be right: what a model cannot do with a short text says nothing about a long one."""


def counted(cells: Sequence[Cell]) -> tuple[int, int]:
    return sum(cell.right for cell in cells), sum(cell.of for cell in cells)


def retention(cells: Sequence[Cell], control: Sequence[Cell]) -> float:
    """1 where no control was right. Raises ZeroDivisionError where there are no cells."""
    (right, of), (control_right, control_of) = counted(cells), counted(control)
    return min(1.0, (right / of) / (control_right / control_of)) if control_right else 1.0


def verdict(kept: float) -> Verdict:
    return "pass" if kept >= KEPT else "degraded" if kept >= SOME else "fail"


def well(cells: Sequence[Cell]) -> bool:
    """Whether so many are right that it needs no comparison: a short text can be harder, what is alike being closer."""
    right, of = counted(cells)
    return of > 0 and right / of >= KEPT


def able(control: Sequence[Cell]) -> bool:
    right, of = counted(control)
    return of > 0 and right / of >= ABLE


def outcome(
    test: TestName,
    cells: Sequence[Cell],
    control: Sequence[Cell],
    judged: Verdict,
    reason: str = "",
    /,
    **values: object,
) -> Outcome:
    """With the counts and the interval."""
    (right, of), (control_right, control_of) = counted(cells), counted(control)
    low, high = wilson(right, of)
    return Outcome(
        test,
        judged,
        reason,
        {name: str(value) for name, value in values.items()},
        *(right, of, low, high, control_right, control_of, tuple(cells)),
    )


def paired(
    test: TestName,
    cells: Sequence[Cell],
    control: Sequence[Cell],
    reason: str = "lost",
    *,
    exact: bool = False,
    **values: object,
) -> Outcome:
    """By retention, or by themselves where all is well. `reason`: what is said where it is no pass. `exact`: the text
    was read whole and all of it was looked at, so that what is lost is lost by the model itself: degraded at worst, for
    the reason `weak`."""
    if well(cells):
        return outcome(test, cells, control, "pass", **values)
    if not able(control):
        return outcome(test, cells, control, "skipped", "unable", **values)
    kept = retention(cells, control)
    judged = verdict(kept)
    told = {"kept": f"{kept:.0%}"} | values
    if exact and judged == "fail":
        judged, reason = "degraded", "weak"
    return outcome(test, cells, control, judged, "" if judged == "pass" else reason, **told)


def skipped(test: TestName, reason: str, **values: object) -> Outcome:
    return Outcome(test, "skipped", reason, {name: str(value) for name, value in values.items()})
