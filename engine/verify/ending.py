"""What stands at the end of a text counts: an answer in its last lines, a value that supersedes an earlier one, and
eight values that change twenty times each."""

import re

from engine import needles
from engine.needles import ADJECTIVES, ANSWER, NOUNS, SEPARATOR
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import CONTROL, Plan
from engine.verify_results import Cell, Outcome

PAYLOADS = ((8, 20), (4, 5), (2, 2))
"""Keys, and how often each is told. The most that a model masters in a short text is asked of a long one."""
LINE = 14
"""Tokens of one telling, about."""
PROSE = 200
"""Tokens between them at least."""


async def ending(desk: Desk, plan: Plan) -> Outcome:
    """A number stands at the text's start and is corrected in its last line. An answer with the first is stale."""
    desk.begin(2 * plan.rounds)
    control = [await _superseded(desk, CONTROL, f"ending short {number}") for number in range(plan.rounds)]
    cells = [await _superseded(desk, plan.others, f"ending {number}", own=True) for number in range(plan.rounds)]
    await desk.forget()
    stale = sum(cell.kind == "stale" for cell in cells)
    return judging.paired("ending", cells, control, "stale" if stale else "lost", stale=stale, exact=desk.exact)


async def _superseded(desk: Desk, length: int, kind: str, own: bool = False) -> Cell:
    text = await desk.text(length, kind, own=own)
    old, new = needles.needles(desk.random(kind).getrandbits(32), 2)
    correction = f"Correction: the access number for the {old.name} is now {new.number}."
    whole = SEPARATOR.join([desk.nonce(kind), text.plant([(old, 0.02)]), correction])
    question = f"What is the access number for the {old.name} now, after the correction?"
    answer = (await desk.ask(talk([desk.document(whole)], question), ANSWER)).text
    found = "right" if new.found_in(answer) else "stale" if old.found_in(answer) else "other"
    return Cell(length, 1.0, int(found == "right"), kind=found, answer=answer[:80])


async def updates(desk: Desk, plan: Plan) -> Outcome:
    """The stock of eight goods, told anew twenty times all over the text, the last of each asked for. Of fewer goods
    where a model loses these among few other words as well."""
    desk.begin(2 * PAYLOADS[0][0])
    keys, times = PAYLOADS[0]
    control: list[Cell] = []
    for keys, times in PAYLOADS:
        control = await _stock(desk, CONTROL, keys, times, "updates short")
        if judging.able(control):
            break
    else:
        return judging.outcome("updates", [], control, "skipped", "unable", keys=keys, times=times)
    length = plan.others if plan.others > 2 * keys * times * LINE else plan.length
    cells = await _stock(desk, length, keys, times, "updates", own=True)
    await desk.forget()
    stale = sum(cell.kind == "stale" for cell in cells)
    told = {"stale": stale, "keys": keys, "times": times}
    return judging.paired("updates", cells, control, "stale" if stale else "lost", exact=desk.exact, **told)


async def _stock(desk: Desk, length: int, keys: int, times: int, kind: str, own: bool = False) -> list[Cell]:
    chooser = desk.random(kind)
    goods = [
        f"{adjective} {noun}"
        for adjective, noun in zip(
            chooser.sample(ADJECTIVES.split(), keys), chooser.sample(NOUNS.split(), keys), strict=True
        )
    ]
    # numbers of three digits, none twice: whichever comes back tells which update it is from
    numbers = chooser.sample(range(100, 1000), keys * times)
    told = [(good, numbers.pop()) for _ in range(times) for good in chooser.sample(goods, keys)]
    sentences = [(line(good, number), (at + 0.5) / len(told)) for at, (good, number) in enumerate(told)]
    # as much prose less as the sentences take
    room = max(length - LINE * len(told), PROSE)
    text = await desk.text(room, kind, own=own)
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.with_sentences(sentences)}")
    last, cells = dict(told), []
    for good in goods:
        question = f"What is the latest count for the {good}?"
        answer = (await desk.ask(talk([document], question), ANSWER)).text
        said = re.findall(r"\d{3,}", answer)
        earlier = {str(number) for name, number in told if name == good} - {str(last[good])}
        found = "right" if str(last[good]) in said else "stale" if earlier & set(said) else "other"
        cells.append(Cell(length, 0.5, int(found == "right"), kind=found, answer=answer[:80]))
    return cells


def line(good: str, number: int) -> str:
    return f"The count for the {good} is now {number}."
