"""A whole verification: one test after the other, each to a verdict, whatever the subject does."""

import hashlib
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from msgspec.structs import replace

from engine.stream import RequestFailed
from engine.verify import (
    canaries,
    conversations,
    ending,
    every_part,
    forms,
    judging,
    latency,
    memory,
    methods,
    needle_grid,
    nested,
    recital,
)
from engine.verify.desk import Desk
from engine.verify.plan import Plan
from engine.verify.texts import TooShort
from engine.verify_names import TestName
from engine.verify_results import Outcome, Report, Subject

TESTS: dict[TestName, Callable[[Desk, Plan], Awaitable[Outcome]]] = {
    "tokens": canaries.tokens,
    "canaries": canaries.canaries,
    "needles": needle_grid.grid,
    "decoys": needle_grid.decoys,
    "ending": ending.ending,
    "recital": recital.recital,
    "turns": conversations.turns,
    "updates": ending.updates,
    "coverage": every_part.coverage,
    "nested": nested.nested,
    "precision": forms.precision,
    "policy": methods.policy,
    "layers": methods.layers,
    "saved": forms.saved,
    "leak": conversations.leak,
    "memory": memory.memory,
    "latency": latency.latency,
}


async def run(
    desk: Desk,
    plan: Plan,
    on_test: Callable[[TestName], None] = lambda name: None,
    on_outcome: Callable[[Outcome], None] = lambda outcome: None,
) -> Report:
    """Raises what cancelling raises, and nothing else: what the subject refuses is the outcome of that test."""
    began, clock = datetime.now(UTC).astimezone(), time.monotonic()
    subject = about(desk)
    outcomes = []
    for name in plan.tests:
        on_test(name)
        outcomes.append(await one(desk, plan, name))
        on_outcome(outcomes[-1])
    return Report(
        *(plan.tier, plan.length, desk.seed, began.isoformat(timespec="seconds"), time.monotonic() - clock),
        subject=subject,
        outcomes=tuple(outcomes),
    )


async def one(desk: Desk, plan: Plan, name: TestName) -> Outcome:
    began = time.monotonic()
    try:
        found = await TESTS[name](desk, plan)
    except RequestFailed as error:
        # the code says which sentence goes with it; the message is for the log
        found = Outcome(name, "fail", "refused", {"code": error.failed.code})
    except TooShort as short:
        found = judging.skipped(name, "short_text", tokens=short.tokens)
    return replace(found, seed=desk.seed, seconds=time.monotonic() - began)


def about(desk: Desk) -> Subject:
    loaded = desk.loaded
    return Subject(
        model=loaded.name,
        fingerprint=loaded.fingerprint,
        architecture=loaded.architecture,
        parameters=loaded.parameters,
        layers=loaded.layers,
        window=loaded.window,
        precision=loaded.precision,
        writing=loaded.writing,
        device=loaded.device,
        reading=desk.reading,
        document=digest(desk.own),
    )


def digest(own: str) -> str:
    """SHA-256 of the person's own text; "" of none."""
    return hashlib.sha256(own.encode()).hexdigest() if own else ""
