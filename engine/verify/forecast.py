"""About how long a verification takes, told before it begins: what each test reads and writes, by rates that were
measured on the spot."""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.protocol import Loaded, ReadingSettings
from engine.verify import ending, forms, latency, memory, needle_grid, recital
from engine.verify.canaries import DEPTHS as CANARIES
from engine.verify.plan import CONTROL, Plan
from engine.verify_names import TestName
from engine.verify_results import Pace

ANSWERED = 24
"""Tokens of an answer, about."""
ASKED = 0.08
"""Of a text that was read in segments, the share that a question costs: each segment is asked."""


@dataclass(frozen=True)
class Work:
    """`texts`: tokens of those that are read anew, and how many of each. `answers`: tokens of the texts that are asked
    about, and how often. `loads`: how often the model is loaded anew."""

    texts: Sequence[tuple[int, float]]
    answers: Sequence[tuple[int, int]]
    written: int = ANSWERED
    loads: int = 0


def expected_seconds(plan: Plan, loaded: Loaded, how: ReadingSettings, pace: Pace) -> float:
    """Of all the plan's tests."""
    return sum(_seconds(_work(test, plan, loaded, how), loaded, how, pace) for test in plan.tests)


def _seconds(work: Work, loaded: Loaded, how: ReadingSettings, pace: Pace) -> float:
    segment = loaded.calibration.segment if loaded.calibration is not None else loaded.window

    def reading(tokens: int) -> float:
        parallel = how.mode == "parallel" or (bool(loaded.window) and not loaded.whole_only and tokens > loaded.window)
        at_once = segment if parallel else tokens
        slower = latency.cost(loaded, at_once) / at_once / (latency.cost(loaded, pace.tokens) / pace.tokens)
        return tokens / pace.reading * slower

    parallel_from = loaded.window if not loaded.whole_only and how.mode != "parallel" else 0
    read = sum(reading(tokens) * times for tokens, times in work.texts)
    asked = sum(reading(tokens) * ASKED * times for tokens, times in work.answers if tokens > parallel_from)
    written = sum(times for _, times in work.answers) * work.written / pace.writing
    return read + asked + written + work.loads * loaded.seconds


def _work(test: TestName, plan: Plan, loaded: Loaded, how: ReadingSettings) -> Work:
    """As the tests do it, where all goes well."""
    short, others, longest, rounds = CONTROL, plan.others, plan.length, plan.rounds
    match test:
        case "policy" if how.eviction is None:
            return Work([], [])
        case "tokens" | "layers" | "policy":
            return Work([(longest, 1)], [(longest, 1)], 8)
        case "canaries":
            return Work([(short, 1), (longest, 1)], [(short, len(CANARIES)), (longest, len(CANARIES))])
        case "needles":
            # the deepest first: of the next one, what stands before it is read already
            again = 1 + sum(1 - depth for depth in sorted(plan.depths)[:-1])
            asked = [(length, len(plan.depths)) for length in plan.grid]
            return Work(
                [(short, needle_grid.CONTROLS), *((length, again) for length in plan.grid)],
                [(short, needle_grid.CONTROLS), *asked],
            )
        case "decoys":
            asked_of = needle_grid.asked(plan)
            return Work([(short, 1), (others, 1)], [(short, asked_of), (others, asked_of)])
        case "ending":
            return Work([(short, rounds), (others, rounds)], [(short, rounds), (others, rounds)])
        case "recital":
            tried = 2 * rounds * 2
            long = len(recital.DEPTHS) * recital.texts(plan)
            return Work(
                *([(recital.SHORT, tried), (others, long)], [(recital.SHORT, tried), (others, 2 * long)]),
                written=recital.room(recital.NUMBERS[0]),
            )
        case "turns":
            return Work([(short, rounds), (others, rounds + 1)], [(short, 2 * rounds), (others, 2 * rounds + 1)])
        case "updates":
            keys, times = ending.PAYLOADS[0]
            told = keys * times * ending.LINE
            return Work([(told, 1), (max(others, 2 * told), 1)], [(told, keys), (others, keys)])
        case "coverage":
            part = loaded.calibration.part if loaded.calibration is not None else short
            return Work([(short, 1), (others, 1)], [(short, 1), (0, others // part)])
        case "nested":
            asked_of = len(plan.nested) * rounds
            return Work([(short, asked_of / 2), (others, asked_of / 2)], [(short, asked_of), (others, asked_of)])
        case "precision":
            more = len(loaded.device.precisions) - 1 if plan.precisions and not loaded.host else 0
            return Work([(others, 2 + more)], [(others, (forms.FACTS + 1) * (2 + more))], loads=more + bool(more))
        case "saved":
            return Work([(others, 1)], [(others, 2)], loads=1)
        case "leak":
            return Work([(short, 2 * rounds)], [(short, 2 * rounds)])
        case "memory":
            return Work([(memory.WARM, 1), (plan.cycled, plan.cycles + 2)], [(plan.cycled, plan.cycles + 2)], 16)
        case "latency":
            lengths = [(length, plan.times) for length in plan.curve]
            return Work([(plan.curve[0], 1), *lengths], lengths, latency.WRITTEN)
