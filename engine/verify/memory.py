"""Memory comes back to where it was: after each of several long texts, and after some that were stopped."""

import asyncio
import statistics

from engine.protocol import Gauges
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.face import Local
from engine.verify.plan import Plan
from engine.verify_results import Outcome, Point

MIB = 2**20
HELD = 64 * MIB
"""Of rows and states that may be held more than before."""
PROCESS = 256 * MIB
"""Of the process: allocators keep some for the next time."""
GROWTH = 8 * MIB
"""A cycle, by the slope over all of them."""
SETTLED = MIB
LOOKS, EVERY = 100, 0.05
"""How often a gauge is looked at for a new one, and seconds between two looks."""
QUESTION = "What is this text about?"
WARM = 512
"""Tokens of the first text, which makes what every later one needs."""


async def memory(desk: Desk, plan: Plan) -> Outcome:
    if desk.local is None:
        return judging.skipped("memory", "elsewhere")
    desk.begin(plan.cycles + 3)
    await _cycle(desk, min(WARM, plan.cycled), "memory warm")
    first = await _settled(desk.local)
    if first is None:
        return judging.skipped("memory", "no_gauges")
    after: list[Gauges] = []
    for number in range(plan.cycles):
        await _cycle(desk, plan.cycled, f"memory {number}")
        after.append(await _settled(desk.local) or first)
    stopped: list[Gauges] = []
    for writing in (False, True):
        text = await desk.text(plan.cycled, "memory stopped", writing)
        document = desk.document(f"{desk.nonce('memory stopped', writing)}\n\n{text.text()}")
        await desk.cancelled(talk([document], QUESTION), writing=writing)
        await desk.forget()
        stopped.append(await _settled(desk.local) or first)
    return judged(first, after, stopped)


def judged(first: Gauges, after: list[Gauges], stopped: list[Gauges]) -> Outcome:
    """`first`: after a short text. `after`: each cycle. `stopped`: after what was ended early, reading and writing."""
    held = max(_held(one) for one in (*after, *stopped)) - _held(first)
    process = max(one.process for one in (*after, *stopped)) - first.process
    slope = growth([one.process for one in after])
    points = tuple(Point(number, one.process / MIB) for number, one in enumerate((first, *after, *stopped)))
    told = {"held": f"{held / MIB:.0f}", "process": f"{process / MIB:.0f}", "slope": f"{slope / MIB:.1f}"}
    leaks = held > HELD or process > PROCESS or slope > GROWTH
    made = judging.outcome("memory", [], [], "fail" if leaks else "pass", "memory_grows" if leaks else "", **told)
    return Outcome(made.test, made.verdict, made.reason, made.values, points=points, slope=slope / MIB)


def growth(values: list[int]) -> float:
    """Bytes a cycle, by least squares."""
    if len(values) < 2:
        return 0.0
    return statistics.linear_regression(range(len(values)), values).slope


def _held(gauges: Gauges) -> int:
    return gauges.memory.kv + gauges.memory.state


async def _cycle(desk: Desk, length: int, kind: str) -> None:
    text = await desk.text(length, kind)
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.text()}")
    await desk.ask(talk([document], QUESTION), 16)
    await desk.forget()


async def _settled(local: Local) -> Gauges | None:
    """The gauges when nothing is at work and two in a row are alike; the last ones where that does not come."""
    last = local.gauges
    for _ in range(LOOKS):
        await asyncio.sleep(EVERY)
        now = local.gauges
        if now is None:
            continue
        if now.busy is None and last is not None and abs(now.process - last.process) < SETTLED:
            return now
        last = now
    return last
