"""`longread bench`: how fast this computer reads and writes with a model, and what it finds in long texts."""

from argparse import Namespace
from collections.abc import Callable
from typing import Literal

from app import paths
from app.commands import bench_tables
from app.commands.run import opened, run, settings
from app.commands.terminal import Terminal
from app.data.settings import Settings
from engine.protocol import Progress

JOBS: dict[str, Literal["attention", "bench", "eviction", "joins", "reading", "selection"]] = {
    "attention": "attention",
    "speed": "bench",
    "eviction": "eviction",
    "joins": "joins",
    "reading": "reading",
    "selection": "selection",
}


def main(arguments: Namespace) -> int:
    return run(_measure, arguments)


async def _measure(arguments: Namespace, terminal: Terminal) -> int:
    def show(at: Progress) -> None:
        terminal.progress("Measuring", f"{at.done} of {at.total}")

    kind: str = getattr(arguments, "kind", "speed")
    async with opened(settings(arguments, terminal), keep=False) as parts:
        options = {"model": "", "precision": parts.settings.precision}
        if kind != "attention":  # which knows no model
            options["model"] = str(parts.models.resolve(parts.settings.model))
        options |= _options(kind, arguments, parts.settings)
        await parts.engine.start()
        worked = await parts.assistant.bench(options, show, job=JOBS[kind])
    if arguments.json:
        terminal.answer(worked.report.rstrip("\n") + "\n")
        return 0
    terminal.answer(_table(kind, options)(worked.report))
    return 0


def _table(kind: str, options: dict[str, str]) -> Callable[[str], str]:
    if options.get("needles") == "yes":
        return bench_tables.needles
    if options.get("premise") == "yes":
        return bench_tables.premise
    return bench_tables.TABLES[kind]


def _options(kind: str, arguments: Namespace, chosen: Settings) -> dict[str, str]:
    """What the job is told, beside the model. Each said here or in the settings."""
    if kind == "speed":
        return {"compare": _yes(arguments.compare)}
    options = {"data": str(paths.data()), "device": chosen.device}
    numbers = {"threads": chosen.threads, "window": chosen.window}
    options |= {name: str(number) for name, number in numbers.items() if number is not None}
    length: int | None = getattr(arguments, "length", None)
    if kind == "joins":
        return options | {"quick": _yes(getattr(arguments, "quick", False))}
    if length is not None:
        options["length"] = str(length)
    if kind == "eviction":
        return options | {"premise": _yes(getattr(arguments, "premise", False))}
    if kind == "selection":
        return options
    options["compare"] = _yes(not getattr(arguments, "alone", False))
    if kind == "attention":
        return options
    return options | {"kv": chosen.kv} | {"needles": _yes(getattr(arguments, "needles", False))}


def _yes(wanted: bool) -> str:
    return "yes" if wanted else "no"
