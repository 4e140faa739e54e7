"""Time to the first word against the text's length: as steep as the model's arithmetic says, and no steeper."""

import math
import statistics

from engine.protocol import Loaded, ReadingSettings
from engine.verify import judging
from engine.verify.asking import talk
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify_results import Outcome, Point

WRITTEN = 32
"""Tokens of an answer, by which the rate of writing is taken."""
STEEPER = math.log2(1.25)
"""A quarter more an octave than the arithmetic says, for a pass."""
LINEAR = 1.15
"""The steepest slope that still is one."""
MUCH = 2.0
"""So many times that much more is still degraded."""
PER_LAYER = 12
"""Parameters of a layer in squares of the model's width, about."""


async def latency(desk: Desk, plan: Plan) -> Outcome:
    """Medians; lengths in an order of chance, since machines get warm. The very first reading counts for nothing."""
    if len(plan.curve) < 2:
        return judging.skipped("latency", "one_length")
    asked = [(length, number) for length in plan.curve for number in range(plan.times)]
    desk.random("latency").shuffle(asked)
    desk.begin(len(asked) + 1)
    taken: dict[int, list[tuple[int, float, float]]] = {}
    await _timed(desk, plan.curve[0], "latency warm")
    modes = set()
    for length, number in asked:
        tokens, first, writing, mode = await _timed(desk, length, f"latency {length} {number}")
        modes.add(mode)
        taken.setdefault(length, []).append((tokens, first, writing))
    points = tuple(_point(taken[length]) for length in sorted(taken))
    linear = "parallel" in modes or is_linear(desk.loaded, desk.reading)
    return judged(points, desk.loaded, linear)


def judged(points: tuple[Point, ...], loaded: Loaded, linear: bool) -> Outcome:
    measured = slope(points)
    expected = 1.0 if linear or not loaded.parameters else predicted(points, loaded)
    bound = LINEAR if linear else expected + STEEPER
    over = measured - bound
    verdict = "pass" if over <= 0 else "degraded" if over <= (MUCH - 1) * STEEPER else "fail"
    if not loaded.parameters:  # a server: of what its model computes nothing is known
        verdict = "pass" if measured <= 2 + STEEPER else "fail"
    told = {"slope": f"{measured:.2f}", "expected": f"{expected:.2f}", "shape": "linear" if linear else "quadratic"}
    told["writing"] = ", ".join(f"{point.writing:.0f}" for point in points if point.writing) or "?"
    reason = "" if verdict == "pass" else "steeper"
    return Outcome("latency", verdict, reason, told, points=points, slope=measured, expected=expected)  # type: ignore[arg-type]


def is_linear(loaded: Loaded, how: ReadingSettings) -> bool:
    """Whether no layer looks at all that stands before, by what the model is and how it is read."""
    return (bool(loaded.layers) and not loaded.layers.keys() & {"full"}) or how.mode == "parallel"


def slope(points: tuple[Point, ...]) -> float:
    """Of the logarithm of the time over that of the length, by least squares: 1 linear, 2 quadratic."""
    return statistics.linear_regression(
        [math.log2(point.at) for point in points], [math.log2(max(point.value, 1e-6)) for point in points]
    ).slope


def predicted(points: tuple[Point, ...], loaded: Loaded) -> float:
    """The same of what the model computes: 2 P n for its P parameters, and 2 L h n² for causal attention in L full
    layers of width h, which follows from P = 12 L h², about."""
    return slope(tuple(Point(point.at, cost(loaded, point.at)) for point in points))


def cost(loaded: Loaded, tokens: int) -> float:
    """Operations, about; of a server's model, of which nothing is known, as many as there are tokens."""
    everything, full = sum(loaded.layers.values()), loaded.layers.get("full", 0)
    if not everything or not loaded.parameters:
        return float(tokens)
    width = math.sqrt(loaded.parameters / (PER_LAYER * everything))
    return 2 * loaded.parameters * tokens + 2 * full * width * tokens**2


def _point(taken: list[tuple[int, float, float]]) -> Point:
    tokens, first, writing = (statistics.median(values) for values in zip(*taken, strict=True))
    return Point(int(tokens), first, writing or None)


async def _timed(desk: Desk, length: int, kind: str) -> tuple[int, float, float, str]:
    """Tokens of the prompt, seconds to the first word, tokens a second of writing, and how it was read."""
    text = await desk.text(length, kind)
    document = desk.document(f"{desk.nonce(kind)}\n\n{text.text()}")
    answer = await desk.ask(talk([document], "Tell in a few sentences what this text is about."), WRITTEN)
    await desk.forget()
    return answer.usage.prompt or length, answer.first, answer.usage.writing_rate or 0.0, answer.usage.mode
