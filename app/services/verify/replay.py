"""A sample of a certificate, asked again."""

from collections.abc import Callable

from msgspec.structs import replace

from app.data.certificate import Certificate, Replayed
from engine.verify import Desk, Outcome, TestName, one, plan

SAMPLE: tuple[TestName, ...] = ("tokens", "canaries", "needles", "ending", "recital", "turns", "policy", "layers")
"""What comes to the same with the same seed, at temperature 0; times and memory do not."""
MOST = 3


def sample(certificate: Certificate) -> tuple[Outcome, ...]:
    """The first few that were not skipped."""
    shown = [one for one in certificate.report.outcomes if one.test in SAMPLE and one.verdict != "skipped"]
    return tuple(shown[:MOST])


async def replay(
    desk: Desk, certificate: Certificate, on_test: Callable[[TestName], None] = lambda name: None
) -> tuple[Replayed, ...]:
    """`desk` has the certificate's seed and reading settings."""
    report = certificate.report
    how = plan(report.tier, desk.loaded, report.length)
    found = []
    for was in sample(certificate):
        on_test(was.test)
        now = await one(desk, how, was.test)
        same = (now.verdict, now.right, now.of) == (was.verdict, was.right, was.of)
        found.append(Replayed(was.test, was.verdict, now.verdict, (was.right, now.right), same))
    return tuple(found)


def prepared(desk: Desk, certificate: Certificate) -> Desk:
    """With what the certificate says of how texts were read."""
    desk.reading = replace(certificate.report.subject.reading, folder=None)
    desk.seed = certificate.report.seed
    return desk
