"""What a verification found, as data: sentences for it are written elsewhere, by the codes."""

from typing import Literal

from msgspec import Struct

from engine.protocol import DeviceInfo, Precision, ReadingSettings
from engine.verify_names import TestName, Tier

FORMAT = 1

Verdict = Literal["pass", "degraded", "fail", "inactive", "skipped"]
"""degraded: something is lost beside the short control, within bounds. inactive: a method was on and did nothing."""


class Cell(Struct, frozen=True, omit_defaults=True):
    """One question about a text of `length` tokens; what it asks for stands at `depth` (0 to 1). `of`: of so many
    parts of the answer `right` are right. `evicted`: tokens of the text that were forgotten when it was answered."""

    length: int
    depth: float
    right: int
    of: int = 1
    kind: str = ""
    answer: str = ""
    evicted: int = 0

    @property
    def found(self) -> bool:
        return self.right == self.of


class Point(Struct, frozen=True, omit_defaults=True):
    """A measurement at `at`, in tokens or cycles."""

    at: int
    value: float
    writing: float | None = None
    """Tokens a second, beside a time to the first token."""


class Pace(Struct, frozen=True):
    """Tokens a second, as a text of `tokens` was read and something written about it."""

    tokens: int
    reading: float
    writing: float


class Outcome(Struct, frozen=True, omit_defaults=True):
    """One test. `reason` is a code that goes with `values`; "" where a pass needs no more words.

    `right` of `of`, with the 95 % interval `low` to `high` of their share, beside `control_right` of `control_of` of
    the same questions about short texts. `expected`: what a slope should be.
    """

    test: TestName
    verdict: Verdict
    reason: str = ""
    values: dict[str, str] = {}
    right: int = 0
    of: int = 0
    low: float = 0.0
    high: float = 1.0
    control_right: int = 0
    control_of: int = 0
    cells: tuple[Cell, ...] = ()
    points: tuple[Point, ...] = ()
    slope: float | None = None
    expected: float | None = None
    seed: str = ""
    """The same one asks the same again."""
    seconds: float = 0.0


class Subject(Struct, frozen=True):
    """What was verified. `document`: sha256 of the person's own text, "" for prose of this computer."""

    model: str
    fingerprint: str
    architecture: str
    parameters: int
    layers: dict[str, int]
    window: int
    precision: Precision
    writing: str
    device: DeviceInfo
    reading: ReadingSettings
    document: str = ""


class Report(Struct, frozen=True):
    """`length`: tokens of the longest text that was planned. `began`: an ISO date and time with its zone."""

    tier: Tier
    length: int
    seed: str
    began: str
    seconds: float
    subject: Subject
    outcomes: tuple[Outcome, ...]
    versions: dict[str, str] = {}
    format: int = FORMAT

    @property
    def verdict(self) -> Verdict:
        """The worst of all."""
        worst: tuple[Verdict, ...] = ("fail", "inactive", "degraded", "pass")
        found = {one.verdict for one in self.outcomes}
        return next((verdict for verdict in worst if verdict in found), "skipped")
