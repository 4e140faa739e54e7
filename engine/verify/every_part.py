"""List every one: numbers all over a text, which going over every part of it must give."""

from msgspec.structs import replace

from engine import needles
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import CONTROL, Plan
from engine.verify_results import Cell, Outcome

FACTS, FEW = 6, 2
QUESTION = "List every access number."
OF_A_PART = "What is the access number?"
LIST = 160
"""Tokens of the final list."""


async def coverage(desk: Desk, plan: Plan) -> Outcome:
    """A number counts as found when some part gave it. Where each part was asked, the model lost what is missing."""
    if desk.remote:
        return judging.skipped("coverage", "elsewhere")
    desk.begin(2)
    control, _ = await _listed(desk, CONTROL, FEW, "coverage short")
    cells, all_asked = await _listed(desk, plan.others, FACTS, "coverage", own=True)
    await desk.forget()
    return judging.paired("coverage", cells, control, "not_listed", exact=all_asked)


async def _listed(desk: Desk, length: int, facts: int, kind: str, own: bool = False) -> tuple[list[Cell], bool]:
    """With whether every part was asked, by the engine's count."""
    text = await desk.text(length, kind, own=own)
    planted = needles.needles(desk.random(kind).getrandbits(32), facts)
    places = [(needle, (at + 0.5) / facts) for at, needle in enumerate(planted)]
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.plant(places)}")
    # Parts are asked of all that was read, so neither a policy nor a selection goes with it
    how = replace(desk.reading, mode="auto", coverage=True, part_question=OF_A_PART, eviction=None)
    answer = await desk.ask(talk([document], QUESTION), LIST, how)
    said = "\n".join(found.text for found in answer.found)
    cells = [Cell(length, depth, int(needle.found_in(said))) for needle, depth in places]
    return cells, any(answer.usage.asked == found.parts for found in answer.found) and not answer.usage.unread
