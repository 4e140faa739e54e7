"""One number in a long text, at every depth of every length; and one among eight others of the same form."""

from engine import needles
from engine.needles import ANSWER, Needle
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import CONTROL, Plan
from engine.verify_results import Cell, Outcome

DECOYS = 8
CONTROLS = 4
AGAIN = 2
"""Texts in which what was missed at an edge is asked for again."""
CUTS = ("front", "tail", "length", "depth")
"""What no accident leaves: a whole row or column of the grid."""


async def grid(desk: Desk, plan: Plan) -> Outcome:
    """Each cell has its own number. Of a length all cells have one text: what stands before the number is then read
    once where the subject keeps it, the deepest being asked for first. Of a single length, what is missed at an edge is
    asked for again in other texts: a weak model finds it in one of them, and behind a cut it is missing in each."""
    desk.begin(len(plan.grid) * len(plan.depths) + CONTROLS)
    control = [await _cell(desk, CONTROL, (part + 0.5) / CONTROLS, "short", part) for part in range(CONTROLS)]
    cells: list[Cell] = []
    for length in plan.grid:
        cells += [await _cell(desk, length, depth, "grid", depth) for depth in sorted(plan.depths, reverse=True)]
        await desk.forget()
    if not judging.able(control) and not judging.well(cells):
        return judging.outcome("needles", cells, control, "skipped", "unable")
    kept = judging.retention(cells, control)
    again = []
    if len(plan.grid) == 1:
        edges = {min(plan.depths), max(plan.depths)} & {cell.depth for cell in cells if not cell.found}
        again = [await _cell(desk, plan.length, depth, "again", n) for depth in sorted(edges) for n in range(AGAIN)]
        await desk.forget()
    missed = pattern([*cells, *again])
    judged, reason = judging.verdict(kept), f"needles_{missed}"
    if missed in CUTS:
        # whatever the control, which a weak model fails in part
        judged = "pass" if judging.well(cells) else "fail"
    elif judged != "pass":
        reason = desk.blame or reason
        judged = "degraded" if desk.exact else judged
    reason = "" if judged == "pass" else reason
    found = f"{sum(cell.right for cell in again)}/{len(again)}"
    return judging.outcome("needles", cells, control, judged, reason, kept=f"{kept:.0%}", again=found)


def pattern(cells: list[Cell]) -> str:
    """Where what was not found stood: all of a length; always at the front or the tail, whatever else was missed; at
    some depth of all lengths, where there are several; in the middle; or here and there."""
    missed = [cell for cell in cells if not cell.found]
    lengths, depths = {cell.length for cell in cells}, {cell.depth for cell in cells}
    if any(not cell_found for cell_found in [any(c.found for c in cells if c.length == n) for n in lengths]):
        return "length"
    at = {cell.depth for cell in missed}
    always = {depth for depth in at if not any(c.found for c in cells if c.depth == depth)}
    if min(depths) in always:
        return "front"
    if max(depths) in always:
        return "tail"
    if len(lengths) > 1 and always:
        return "depth"
    if at and all(0.2 < depth < 0.8 for depth in at):
        return "middle"
    return "scattered"


async def _cell(desk: Desk, length: int, depth: float, kind: str, which: object) -> Cell:
    text_of = which if kind == "again" else ""
    text = await desk.text(length, kind, length, text_of, own=kind != "short")
    needle = needles.needles(desk.random("needle", kind, length, which).getrandbits(32), 1)[0]
    document = desk.document(f"{desk.nonce(kind, length, text_of)}\n\n{text.plant([(needle, depth)])}")
    answer = await desk.ask(talk([document], needle.question), ANSWER)
    return Cell(length, depth, int(needle.found_in(answer.text)), answer=answer.text[:80])


async def decoys(desk: Desk, plan: Plan) -> Outcome:
    """Nine sentences of one form in one text; some are asked for."""
    desk.begin(2 * asked(plan))
    control = await _among(desk, CONTROL, asked(plan), "decoys short")
    cells = await _among(desk, plan.others, asked(plan), "decoys", own=True)
    await desk.forget()
    return judging.paired("decoys", cells, control, "mixed_up", exact=desk.exact)


def asked(plan: Plan) -> int:
    """Of the nine, in each text."""
    return min(1 + DECOYS, 3 * plan.rounds)


async def _among(desk: Desk, length: int, some: int, kind: str, own: bool = False) -> list[Cell]:
    text = await desk.text(length, kind, own=own)
    chooser = desk.random(kind)
    all = needles.needles(chooser.getrandbits(32), 1 + DECOYS)
    places: list[tuple[Needle, float]] = [(one, (number + 0.5) / len(all)) for number, one in enumerate(all)]
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.plant(places)}")
    cells = []
    for needle, depth in chooser.sample(places, some):
        answer = await desk.ask(talk([document], needle.question), ANSWER)
        cells.append(Cell(length, depth, int(needle.found_in(answer.text)), answer=answer.text[:80]))
    return cells
