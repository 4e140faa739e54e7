"""Five numbers: near the beginning, at a quarter, a half and three quarters, and in the last line. Which are gone tells
what was cut. And whether as many tokens were read as there are."""

from dataclasses import dataclass

from engine import needles
from engine.needles import ANSWER, SEPARATOR, Needle
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import CONTROL, Plan
from engine.verify_results import Cell, Outcome, Verdict

DEPTHS = (0.0, 0.25, 0.5, 0.75, 1.0)
KINDS = (
    "combination of the safe",
    "telephone number of the ferry",
    "serial number of the pump",
    "case number of the trial",
    "account number of the school",
)
"""Unlike each other: what is asked for is not which of five alike it is, but whether it is there."""
ALONE = 3
"""Texts in which a number is asked for alone before it counts as lost: one may lead a weak model astray."""
FRONT = 0.03
"""Of the text stand before the first one."""
GUESSED = 0.6
"""Where tokens are estimated by letters: a prompt of less than this share of them was cut."""


@dataclass(frozen=True)
class Canary(Needle):
    @property
    def sentence(self) -> str:
        return f"The {self.name} is {self.number}."

    @property
    def question(self) -> str:
        return f"What is the {self.name}?"


async def canaries(desk: Desk, plan: Plan) -> Outcome:
    """The question stands behind the text. What is not found among the five is asked for again of texts where it stands
    alone: a weak model finds it in one of them, and behind a cut it is missing in each."""
    desk.begin(2 * len(DEPTHS))
    control = await _among(desk, CONTROL, "canaries short", DEPTHS)
    cells = await _among(desk, plan.length, "canaries", DEPTHS, own=True)
    lost = {cell.depth for cell in cells if not cell.found}
    for depth in sorted(lost, reverse=True):
        for number in range(ALONE):
            alone = await _among(desk, plan.length, f"canaries alone {depth} {number}", (depth,), own=True)
            cells += alone
            if alone[0].found:
                lost -= {depth}
                break
    await desk.forget()
    return judged(cells, control, lost, desk.blame)


def judged(cells: list[Cell], control: list[Cell], lost: set[float], blame: str = "") -> Outcome:
    """`lost`: depths of those that were not found alone either. `blame`: as of the desk; for numbers that are lost here
    and there, which no cut explains, and in segments also for all of them."""
    if not lost:
        weak = not all(cell.found for cell in cells)
        return judging.outcome("canaries", cells, control, "pass", "canaries_weak" if weak else "")
    if not judging.able(control):
        return judging.outcome("canaries", cells, control, "skipped", "unable")
    cut = cut_by(lost)
    if (not cut and blame) or (cut == "cut_all" and blame == "segments"):
        verdict: Verdict = "degraded" if blame == "weak" else "fail"
        kept = judging.retention(cells, control)
        return judging.outcome("canaries", cells, control, verdict, blame, kept=f"{kept:.0%}")
    return judging.outcome("canaries", cells, control, "fail", cut or "cut_holes")


def cut_by(lost: set[float]) -> str:
    """The code of what was cut; "" where it is no cut that leaves such canaries."""
    if lost == set(DEPTHS):
        return "cut_all"
    front = [depth for depth in DEPTHS if depth in lost]
    if not front:
        return ""
    if front == list(DEPTHS[: len(front)]):
        return "cut_front"
    if front == list(DEPTHS[-len(front) :]):
        return "cut_tail"
    first, last = DEPTHS.index(front[0]), DEPTHS.index(front[-1])
    return "cut_middle" if last - first + 1 == len(front) else ""


async def _among(desk: Desk, length: int, kind: str, depths: tuple[float, ...], own: bool = False) -> list[Cell]:
    text = await desk.text(length, kind, own=own)
    numbers = needles.needles(desk.random(kind).getrandbits(32), len(DEPTHS))
    named = zip(DEPTHS, KINDS, numbers, strict=True)
    planted = {depth: Canary(name, needle.number) for depth, name, needle in named if depth in depths}
    # The very last line, but not the very first: the small model finds no number there, in the longest text that it was
    # made for, though every token is read
    inner = [(one, max(depth, FRONT)) for depth, one in planted.items() if depth < 1]
    parts = [desk.nonce(kind), text.plant(inner)]
    parts += [planted[1.0].sentence] if 1.0 in planted else []
    document, cells = desk.document(SEPARATOR.join(parts)), []
    for depth, one in planted.items():
        answer = await desk.ask(talk([document], one.question), ANSWER)
        cells.append(Cell(length, depth, int(one.found_in(answer.text)), answer=answer.text[:80]))
    return cells


async def tokens(desk: Desk, plan: Plan) -> Outcome:
    """What the subject says that it read, beside what a count of the same prompt gives."""
    desk.begin(1)
    text = await desk.text(plan.length, "tokens", own=True)
    document = desk.document(f"{desk.nonce('tokens')}\n\n{text.text()}")
    conversation = talk([document], "What is this text about?")
    counted = (await desk.counted([document]))[0]
    expected = await desk.expected(conversation)
    usage = (await desk.ask(conversation, 8)).usage
    await desk.forget()
    about = {"said": usage.prompt, "counted": counted, "read": usage.read + usage.reused, "unread": usage.unread}
    if expected is None or not usage.prompt:
        return judging.skipped("tokens", "not_told")
    if expected.estimated:
        short = usage.prompt < GUESSED * counted
        code = "prompt_short" if short else "prompt_estimated"
        return judging.outcome("tokens", [], [], "fail" if short else "pass", code, **about)
    if usage.prompt < counted or usage.prompt != expected.prompt:
        return judging.outcome("tokens", [], [], "fail", "prompt_differs", **about, expected=expected.prompt)
    if usage.unread or usage.read + usage.reused + usage.unread != usage.prompt:
        return judging.outcome("tokens", [], [], "fail", "prompt_unread", **about)
    return judging.outcome("tokens", [], [], "pass", **about)
