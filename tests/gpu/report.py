"""What was found, line by line, and the table of it."""

import importlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from types import ModuleType
from typing import Literal

import torch

from kernels import dispatch
from kernels.example import Example

Result = Literal["equal", "differs", "fails", "skipped", "measured"]
WRONG = ("differs", "fails")

HEAD = (
    "operation",
    "case",
    "form",
    "result",
    "difference",
    "allowed",
    "ms",
    "torch ms",
    "times as fast",
    "of roofline",
)
WIDTHS = (22, 46, 7, 9, 10, 8, 9, 9, 13, 11)


@dataclass(frozen=True)
class Row:
    """`difference`: norm of it over norm of the expected. `torch_ms`: torch's own attention of the same heads over the
    same text, or its product with a bf16 weight of that size; of a token in a graph, launched one by one. `roofline`:
    the least time that the bytes and operations need at the rates measured here, over `ms`. `said`: why, where there is
    no number; or what a number means."""

    operation: str
    case: str
    form: str
    result: Result
    difference: float | None = None
    allowed: float | None = None
    ms: float | None = None
    torch_ms: float | None = None
    roofline: float | None = None
    said: str = ""

    def cells(self) -> tuple[str, ...]:
        times = None if self.ms is None or self.torch_ms is None else self.torch_ms / self.ms
        return (
            *(self.operation, self.case, self.form, self.result),
            *("" if number is None else f"{number:.1e}" for number in (self.difference, self.allowed)),
            *("" if number is None else f"{number:.3f}" for number in (self.ms, self.torch_ms)),
            "" if times is None else f"{times:.2f}",
            "" if self.roofline is None else f"{self.roofline:.0%}",
        )


@dataclass
class Report:
    """Of one device. Rows are printed as they come. `seconds`: for all; what is left then is skipped."""

    place: torch.device
    seconds: float
    rows: list[Row] = field(default_factory=list)
    began: float = field(default_factory=time.monotonic)

    @property
    def dtypes(self) -> tuple[torch.dtype, ...]:
        """That the kernels are for here: tensor cores before Ampere (8.0) have no bf16."""
        old = self.place.type == "cuda" and torch.cuda.get_device_capability(self.place)[0] < 8
        return (torch.float32,) if old else (torch.float32, torch.bfloat16)

    @property
    def wrong(self) -> list[Row]:
        return [row for row in self.rows if row.result in WRONG]

    def elapsed(self) -> float:
        return time.monotonic() - self.began

    def add(self, row: Row) -> None:
        self.rows.append(row)
        print(plain(row), flush=True)

    def skip(self, operation: str, case: str, form: str, why: str) -> None:
        self.add(Row(operation, case, form, "skipped", said=why))

    def judge(self, operation: str, case: str, form: str, error: float, allowed: float, said: str = "") -> None:
        right = error <= allowed  # NaN is wrong too
        self.add(Row(operation, case, form, "equal" if right else "differs", error, allowed, said=said))

    def attempt(self, operation: str, case: str, form: str, work: Callable[[], None]) -> None:
        """Do it; what it raises becomes a row."""
        if self.elapsed() > self.seconds:
            self.skip(operation, case, form, f"{self.seconds:.0f} seconds were over.")
            return
        try:
            work()
        except torch.OutOfMemoryError:
            self.skip(operation, case, form, "It does not fit into the memory that is free.")
        except Exception as problem:  # noqa: BLE001 - a compiler's or a driver's, of whatever kind: it is a row
            lines = str(problem).strip().splitlines() or [type(problem).__name__]
            self.add(Row(operation, case, form, "fails", said=f"It does not run: {lines[0]}"))

    def compare(self, operation: str, case: str, make: Callable[[], Example]) -> None:
        """One input through every form of the operation that is had here, beside its reference."""
        made: list[Example] = []
        expected: list[torch.Tensor] = []

        def one(form: ModuleType) -> None:
            if not made:
                made.append(make())
                expected.append(made[0].expected())
            self.judge(
                operation, case, name_of(form), dispatch.relative(made[0].run(form), expected[0]), made[0].tolerance
            )

        for form in self.forms(operation):
            self.attempt(operation, case, name_of(form), lambda form=form: one(form))

    def forms(self, operation: str) -> list[ModuleType]:
        return [form for form, _ in had(operation, self.place.type) if form is not None]


def had(operation: str, kind: str) -> list[tuple[ModuleType | None, str]]:
    """The forms of an operation on such a device: each with its name, or with None and why it cannot be had."""
    found: list[tuple[ModuleType | None, str]] = []
    for form in dispatch.FORMS[operation].get(kind, (dispatch.PLAIN,)):
        try:
            found.append((importlib.import_module(f"kernels.{operation}.{form}"), form))
        except (RuntimeError, ImportError) as problem:
            found.append((None, f"{form}: {problem}"))
    return found


def name_of(form: ModuleType) -> str:
    return form.__name__.rpartition(".")[2]


def plain(row: Row | None = None) -> str:
    """A line of the table in plain text; its head where there is no row."""
    cells = HEAD if row is None else row.cells()
    line = " ".join(cell.ljust(width) for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()
    return line if row is None or not row.said else f"{line}  {row.said}"


def markdown(rows: Sequence[Row]) -> str:
    """The same table for a README."""
    lines = [HEAD, ("---",) * 4 + ("--:",) * 6]
    for row in rows:
        cells = list(row.cells())
        cells[3] += f": {row.said}" if row.said else ""
        lines.append(tuple(cell.replace("|", "\\|") for cell in cells))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def condensed(rows: Sequence[Row]) -> list[Row]:
    """One row for all that is equal of a form of an operation, the nearest to what is allowed; others as they are."""
    alike: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row.result == "equal":
            alike.setdefault((row.operation, row.form), []).append(row)
    made = []
    for some in alike.values():
        worst = max(some, key=lambda row: (row.difference or 0.0) / (row.allowed or 1.0))
        made.append(replace(worst, case=f"{len(some)}, the worst: {worst.case}"))
    return made + [row for row in rows if row.result != "equal"]


def as_json(rows: Sequence[Row]) -> list[dict[str, object]]:
    return [asdict(row) for row in rows]
