"""`longread bench`: how fast this computer reads and writes with a model."""

from argparse import Namespace

import msgspec
from msgspec import Struct

from app.commands import sentences
from app.commands.run import opened, run, settings
from app.commands.terminal import Terminal
from engine.protocol import Progress


class Row(Struct):
    """As `engine.bench` reports it; without a comparison `theirs` and `ratio` may be None."""

    name: str
    unit: str
    ours: float
    theirs: float | None
    ratio: float | None


class Report(Struct):
    model: str
    precision: str
    writing: str
    device: str
    threads: int
    rows: list[Row]


def main(arguments: Namespace) -> int:
    return run(_measure, arguments)


async def _measure(arguments: Namespace, terminal: Terminal) -> int:
    def show(at: Progress) -> None:
        terminal.progress("Measuring", f"{at.done} of {at.total}")

    async with opened(settings(arguments, terminal), keep=False) as parts:
        options = {
            "model": str(parts.models.resolve(parts.settings.model)),
            "precision": parts.settings.precision,
            "compare": "yes" if arguments.compare else "no",
        }
        await parts.engine.start()
        worked = await parts.assistant.bench(options, show)
    if arguments.json:
        terminal.answer(worked.report.rstrip("\n") + "\n")
        return 0
    report = msgspec.json.decode(worked.report, type=Report)
    terminal.answer(
        f"{report.model}, {report.precision}, {report.writing}, {report.device}, {report.threads} threads\n"
    )
    width = max(len(row.name) for row in report.rows)
    for row in report.rows:
        terminal.answer(f"  {row.name:{width}}  {_said(row)}\n")
    return 0


def _said(row: Row) -> str:
    told = [f"{sentences.decimal(row.ours)} {row.unit}"]
    if row.theirs is not None:
        told.append(f"beside {sentences.decimal(row.theirs)}")
    if row.ratio is not None:
        told.append(f"{sentences.decimal(row.ratio)} times")
    return ", ".join(told)
