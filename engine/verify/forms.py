"""The same questions with keys and values, and with weights, held in other precisions; and of a reading from disk."""

from collections.abc import Sequence

from msgspec.structs import replace

from engine import needles
from engine.needles import ANSWER, Needle
from engine.protocol import Document, ReadingSettings
from engine.verify import judging, recital
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify_results import Cell, Outcome, Verdict

FACTS = 4
WORSE: tuple[Verdict, ...] = ("pass", "skipped", "degraded", "fail")
DIGITS = 20
"""Of a row that is said again in each form: one row of keys held too coarsely is heard in it."""


async def precision(desk: Desk, plan: Plan) -> Outcome:
    """`same`: answers that are letter for letter those of the usual form. Keys and values as int8 always, weights in
    every precision that runs well here where the tier has it: then the model is loaded again each time."""
    if desk.remote:
        return judging.skipped("precision", "elsewhere")
    weights = _weights(desk, plan)
    desk.begin((FACTS + 1) * (2 + len(weights)))
    text = await desk.text(plan.others, "precision", own=True)
    planted = needles.needles(desk.random("precision").getrandbits(32), FACTS)
    places = [(needle, (at + 0.5) / FACTS) for at, needle in enumerate(planted)]
    row = recital.digits_of(desk, DIGITS, "precision row")
    sentences = [*((needle.sentence, depth) for needle, depth in places), (recital.sentence(row), 0.5)]
    document = desk.document(f"{desk.nonce('precision')}\n\n{text.with_sentences(sentences)}")
    usual = await _asked(desk, document, places, row, desk.reading, "as it is")
    cells: list[Cell] = []
    other = "model" if desk.reading.kv == "int8" else "int8"
    cells += await _asked(desk, document, places, row, replace(desk.reading, kv=other), f"kv {other}")
    if weights and desk.local is not None and desk.settings is not None:
        for name in weights:
            await desk.load(replace(desk.settings, precision=name))
            cells += await _asked(desk, document, places, row, desk.reading, f"weights {name}")
        await desk.load(desk.settings)
    await desk.forget()
    return judged(cells, usual)


def judged(cells: Sequence[Cell], usual: Sequence[Cell]) -> Outcome:
    """As the worst form is, each judged by itself beside the usual one. `cells`: form after form, each with the same
    questions as `usual`."""
    same = sum(cell.answer == usual[at % len(usual)].answer for at, cell in enumerate(cells))
    forms = list(dict.fromkeys(cell.kind for cell in cells))
    told = {"same": same, "compared": len(cells), "forms": ", ".join(forms)}
    each = [
        judging.paired("precision", [c for c in cells if c.kind == form], usual, "precision_lost", form=form)
        for form in forms
    ]
    worst = max(each, key=lambda one: (WORSE.index(one.verdict), -one.right))
    return judging.outcome("precision", cells, usual, worst.verdict, worst.reason, **worst.values, **told)


def _weights(desk: Desk, plan: Plan) -> Sequence[str]:
    if not plan.precisions or desk.local is None or desk.settings is None:
        return ()
    return tuple(name for name in desk.loaded.device.precisions if name != desk.loaded.precision)


async def _asked(
    desk: Desk, document: Document, places: Sequence[tuple[Needle, float]], row: str, how: ReadingSettings, form: str
) -> list[Cell]:
    """For each number, and for the whole row of digits."""
    cells = []
    for needle, depth in places:
        answer = (await desk.ask(talk([document], needle.question), ANSWER, how)).text
        cells.append(Cell(0, depth, int(needle.found_in(answer)), kind=form, answer=answer))
    answer = (await desk.ask(talk([document], recital.QUESTION), recital.room(DIGITS), how)).text
    said, _ = recital.matched(row, answer)
    return [*cells, Cell(0, 0.5, int(said == DIGITS), kind=form, answer=answer)]


async def saved(desk: Desk, plan: Plan) -> Outcome:
    """Read and saved, the model loaded anew, and the same asked of what comes from disk: the same answer, and by the
    subject's own count nothing of the text read again."""
    if desk.local is None or desk.settings is None:
        return judging.skipped("saved", "elsewhere")
    if desk.reading.eviction is not None:
        return judging.skipped("saved", "policy_unsaved")
    desk.begin(2)
    folder = desk.folder / "readings"
    how = replace(desk.reading, save=True, folder=str(folder))
    text = await desk.text(plan.others, "saved", own=True)
    needle = needles.needles(desk.random("saved").getrandbits(32), 1)[0]
    document = desk.document(f"{desk.nonce('saved')}\n\n{text.plant([(needle, 0.5)])}")
    conversation = talk([document], needle.question)
    fresh = await desk.ask(conversation, ANSWER, how)
    await desk.load(desk.settings)
    opened = await desk.ask(conversation, ANSWER, how)
    await desk.forget()
    cells = [Cell(plan.others, 0.5, int(opened.text == fresh.text), answer=opened.text[:80])]
    told = {"reopened": opened.usage.reopened, "prompt": opened.usage.prompt}
    if opened.text != fresh.text:
        return judging.outcome("saved", cells, [], "fail", "saved_differs", **told)
    if not opened.usage.reopened:
        return judging.outcome("saved", cells, [], "inactive", "not_reopened", **told)
    return judging.outcome("saved", cells, [], "pass", **told)
