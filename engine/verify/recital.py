"""A row of digits in a long text, said again forwards and backwards: whether every row of its keys is still there."""

import itertools
import re
from difflib import SequenceMatcher

from engine.needles import SEPARATOR
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify_results import Cell, Outcome, Verdict

NUMBERS = (20, 50, 100, 200)
"""Digits. The most that a model can say again of a short text are asked of a long one; where it cannot 20, then:"""
FEWER = (10, 5)
SHORT = 500
"""Tokens of the short text."""
DEPTHS = (0.0, 0.5, 1.0)
SURE = 0.9
QUESTION = "What is the long sequence?"
"""In the words of the sentence: a small model takes "say" for a program to be written."""
REVERSED = "What is the long sequence in reverse order?"
LOSS = 0.05
"""By which likeness may be below the control's for a pass."""
HALF = 0.5
"""Of the rows must be whole for no worse than degraded; four fifths for a pass."""


async def recital(desk: Desk, plan: Plan) -> Outcome:
    """In each direction that the model can do at all. Reversed needs every key of the row at once, where forwards each
    digit leads to the next."""
    desk.begin(2 * (2 * plan.rounds + texts(plan) * len(DEPTHS)))
    control: list[Cell] = []
    unable: list[Cell] = []
    cells: list[Cell] = []
    numbers: dict[str, int] = {}
    wrong: list[int] = []
    for way in ("forward", "reversed"):
        most, able = await _able(desk, way, plan.rounds)
        if not most:
            unable += able
            continue
        control += able
        numbers[way] = most
        for depth, number in itertools.product(DEPTHS, range(texts(plan))):
            cell, first = await _said(desk, plan.others, depth, most, way, f"recital {depth} {number}", own=True)
            cells.append(cell)
            if first is not None:
                wrong.append(first)
    await desk.forget()
    told = {way: str(numbers.get(way, 0)) for way in ("forward", "reversed")}
    if not cells:
        return judging.outcome("recital", cells, unable, "skipped", "unable", **told)
    kept = judging.retention(cells, control)
    if wrong:
        told |= {"first": str(min(wrong)), "kept": f"{kept:.0%}"}
    whole = sum(cell.found for cell in cells) / len(cells)
    judged: Verdict = "fail"
    if whole >= HALF and kept >= judging.SOME:
        judged = "pass" if whole >= judging.SOME and kept >= 1 - LOSS else "degraded"
    if judged == "pass":
        return judging.outcome("recital", cells, control, "pass", **told)
    judged = "degraded" if desk.exact else judged
    return judging.outcome("recital", cells, control, judged, desk.blame or "holes", **told)


async def _able(desk: Desk, way: str, rounds: int) -> tuple[int, list[Cell]]:
    """The most digits that are said right of a short text, and how; 0 where not even the fewest are."""
    best: tuple[int, list[Cell]] = (0, [])
    for digits in NUMBERS:
        said = await _rounds(desk, way, digits, rounds)
        if not _sure(said):
            break
        best = (digits, said)
    if best[0]:
        return best
    for digits in FEWER:
        said = await _rounds(desk, way, digits, rounds)
        if _sure(said):
            return digits, said
    return 0, said


async def _rounds(desk: Desk, way: str, digits: int, rounds: int) -> list[Cell]:
    return [(await _said(desk, SHORT, 0.5, digits, way, f"recital short {n}"))[0] for n in range(rounds)]


def texts(plan: Plan) -> int:
    """Long ones, at each depth."""
    return (plan.rounds + 1) // 2


def _sure(cells: list[Cell]) -> bool:
    """Whole rows: at the edge of what it masters, a model fails in a long text for no other reason."""
    return sum(cell.found for cell in cells) >= SURE * len(cells)


async def _said(
    desk: Desk, length: int, depth: float, digits: int, way: str, kind: str, own: bool = False
) -> tuple[Cell, int | None]:
    """The cell, and the index in the source of the first digit that is wrong."""
    # either way of the same text, which is then read once
    row = digits_of(desk, digits, kind, digits)
    text = await desk.text(length, kind, own=own)
    body = text.with_sentences([(sentence(row), depth)])
    document = desk.document(SEPARATOR.join([desk.nonce(kind, digits), body]))
    question = QUESTION if way == "forward" else REVERSED
    answer = (await desk.ask(talk([document], question), room(digits))).text
    matching, first = matched(row if way == "forward" else row[::-1], answer)
    if first is not None and way == "reversed":
        first = digits - 1 - first
    return Cell(length, depth, matching, digits, way, answer[:80]), first


def digits_of(desk: Desk, digits: int, *names: object) -> str:
    chooser = desk.random(*names)
    return "".join(chooser.choice("0123456789") for _ in range(digits))


def sentence(row: str) -> str:
    return f"The long sequence is: {' '.join(row)}."


def room(digits: int) -> int:
    """Tokens of an answer."""
    return 2 * digits + 24


def matched(wanted: str, answer: str) -> tuple[int, int | None]:
    """How many digits are said, and the index of the first that is wrong."""
    said = re.sub(r"\D", "", answer)
    blocks = SequenceMatcher(None, wanted, said, autojunk=False).get_matching_blocks()
    right = len(wanted) if wanted in said else sum(block.size for block in blocks)
    if right == len(wanted):
        return right, None
    return right, next(at for at, digit in enumerate(wanted) if said[at : at + 1] != digit)
