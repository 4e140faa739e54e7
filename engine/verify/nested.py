"""A trace of calls within calls, each with a value of its own: which value holds after all have returned?"""

import re

from engine.needles import ANSWER, SEPARATOR
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify_results import Cell, Outcome

SHORT = 300
"""Tokens of prose around a trace, for the control."""


async def nested(desk: Desk, plan: Plan) -> Outcome:
    """Depth by depth, until one is not answered. `deepest` beside that of the short text; `steps`: at each depth, how
    many were right, and how many tokens' rows were forgotten at most."""
    desk.begin(4 * len(plan.nested))
    control, short = await _depths(desk, plan.nested, SHORT, plan.rounds, "nested short")
    if not short:
        return judging.outcome("nested", [], control, "skipped", "unable")
    reached = tuple(depth for depth in plan.nested if depth <= short)
    cells, deepest = await _depths(desk, reached, plan.others, plan.rounds, "nested", own=True)
    await desk.forget()
    able = [cell for cell in control if int(cell.kind) <= short]
    told = {"deepest": deepest, "short": short, "steps": _steps(cells)}
    return judging.paired("nested", cells, able, "state_lost", exact=desk.exact, **told)


def _steps(cells: list[Cell]) -> str:
    told = []
    for depth in dict.fromkeys(cell.kind for cell in cells):
        here = [cell for cell in cells if cell.kind == depth]
        told.append(f"{depth}: {sum(c.right for c in here)}/{len(here)}, {max(c.evicted for c in here):,}")
    return "; ".join(told)


async def _depths(
    desk: Desk, depths: tuple[int, ...], length: int, rounds: int, kind: str, own: bool = False
) -> tuple[list[Cell], int]:
    cells: list[Cell] = []
    deepest = 0
    for depth in depths:
        asked = [await _asked(desk, length, depth, f"{kind} {depth} {number}", own) for number in range(rounds)]
        cells += asked
        if not all(cell.found for cell in asked):
            break
        deepest = depth
    return cells, deepest


async def _asked(desk: Desk, length: int, depth: int, kind: str, own: bool) -> Cell:
    chooser = desk.random(kind)
    values = [str(value) for value in chooser.sample(range(100, 1000), depth + 1)]
    text = await desk.text(length, kind, own=own)
    body = text.with_sentences([(trace(values), 0.5)])
    document = desk.document(SEPARATOR.join([desk.nonce(kind), body]))
    question = "All calls have returned. What is the value of REGISTER at level 0 now?"
    answer = await desk.ask(talk([document], question), ANSWER)
    said = re.findall(r"\d{3}", answer.text)
    # the last one that it names is its answer; a chain of values before it is not
    right = bool(said) and said[-1] == values[0]
    return Cell(length, 0.5, int(right), kind=str(depth), answer=answer.text[:80], evicted=answer.usage.evicted)


def trace(values: list[str]) -> str:
    """Every level sets its own value and gives the one before back when it returns."""
    lines = [f"level 0: set REGISTER = {values[0]}"]
    lines += [f"call level {level}: REGISTER = {value}" for level, value in enumerate(values[1:], 1)]
    lines += [f"return to level {level}: REGISTER is again {values[level]}" for level in range(len(values) - 2, -1, -1)]
    return "\n".join(lines)
