"""Conversations: asked about two depths one after the other, and two at once about two texts."""

import asyncio

from engine import needles
from engine.needles import ANSWER, Needle
from engine.protocol import Conversation
from engine.verify import judging
from engine.verify.asking import go_on, talk
from engine.verify.desk import Desk
from engine.verify.plan import CONTROL, Plan
from engine.verify_results import Cell, Outcome

DEPTHS = (0.2, 0.8)


async def turns(desk: Desk, plan: Plan) -> Outcome:
    """First about what stands at a fifth, then about what stands at four fifths. What a method gave up for the first
    question is missed by the second. Where it can be, the second is asked anew of nothing read."""
    desk.begin(plan.rounds * 4 + 1)
    control: list[Cell] = []
    cells: list[Cell] = []
    differs = 0
    for number in range(plan.rounds):
        control += (await _both(desk, CONTROL, f"turns short {number}"))[0]
        asked, conversation, said = await _both(desk, plan.others, f"turns {number}", own=True)
        cells += asked
        if desk.local is None or number:
            continue
        await desk.forget()
        again = await desk.ask(conversation, ANSWER)
        differs += again.text != said
    await desk.forget()
    found = judging.paired("turns", cells, control, "second_lost", exact=desk.exact, differs=differs)
    if found.verdict == "pass" and differs:
        return judging.outcome("turns", cells, control, "degraded", "turns_differ", differs=differs)
    return found


async def _both(desk: Desk, length: int, kind: str, own: bool = False) -> tuple[list[Cell], Conversation, str]:
    """The cells, the conversation up to the second question, and what was answered to that."""
    text = await desk.text(length, kind, own=own)
    pair = needles.needles(desk.random(kind).getrandbits(32), 2)
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.plant(list(zip(pair, DEPTHS, strict=True)))}")
    first, second = pair
    conversation = talk([document], first.question)
    said = (await desk.ask(conversation, ANSWER)).text
    cells = [_cell(length, DEPTHS[0], first, said)]
    conversation = go_on(conversation, said, second.question)
    said = (await desk.ask(conversation, ANSWER)).text
    return [*cells, _cell(length, DEPTHS[1], second, said)], conversation, said


async def leak(desk: Desk, plan: Plan) -> Outcome:
    """Two conversations at once, about two texts that give the same thing two numbers. Neither may say the other's."""
    desk.begin(2 * plan.rounds)
    cells: list[Cell] = []
    leaked = 0
    for number in range(plan.rounds):
        one, other = needles.needles(desk.random("leak", number).getrandbits(32), 2)
        pair = (one, Needle(one.name, other.number))
        asked = []
        for which, needle in enumerate(pair):
            kind = f"leak {number} {which}"
            text = await desk.text(CONTROL, kind)
            document = desk.document(f"{desk.nonce(kind)}\n\n{text.plant([(needle, 0.5)])}")
            asked.append(desk.ask(talk([document], needle.question), ANSWER))
        answers = await asyncio.gather(*asked)
        for mine, theirs, answer in zip(pair, reversed(pair), answers, strict=True):
            cells.append(_cell(CONTROL, 0.5, mine, answer.text))
            leaked += theirs.found_in(answer.text)
    await desk.forget()
    if leaked:
        return judging.outcome("leak", cells, [], "fail", "leaked", leaked=leaked)
    if not judging.able(cells):
        return judging.outcome("leak", cells, [], "skipped", "unable")
    return judging.outcome("leak", cells, [], "pass")


def _cell(length: int, depth: float, needle: Needle, said: str) -> Cell:
    return Cell(length, depth, int(needle.found_in(said)), answer=said[:80])
