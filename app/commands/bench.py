"""`longread bench`: how fast this computer reads and writes with a model, and what it finds in long texts."""

import os
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from app import paths
from app.commands import bench_peers_table, bench_tables
from app.commands.run import BAD_USE, opened, run, settings
from app.commands.terminal import Terminal
from app.data.settings import Settings
from engine.protocol import Measured, Progress

JOBS: dict[str, Literal["attention", "bench", "eviction", "joins", "peers", "reading", "selection"]] = {
    "attention": "attention",
    "speed": "bench",
    "eviction": "eviction",
    "joins": "joins",
    "peers": "peers",
    "reading": "reading",
    "selection": "selection",
}


def main(arguments: Namespace) -> int:
    return run(_measure, arguments)


async def _measure(arguments: Namespace, terminal: Terminal) -> int:
    def show(at: Progress) -> None:
        terminal.progress("Measuring", f"{at.done} of {at.total}")

    kind: str = getattr(arguments, "kind", "speed")
    if isinstance(arguments.json, str) and not _writable(Path(arguments.json)):
        terminal.say(f"{arguments.json} cannot be written to. Name another file after --json; nothing was measured.")
        return BAD_USE
    async with opened(settings(arguments, terminal), keep=False) as parts:
        options = {"model": "", "precision": parts.settings.precision}
        if kind != "attention":  # which knows no model
            options["model"] = str(parts.models.resolve(parts.settings.model))
        options |= _options(kind, arguments, parts.settings)
        await parts.engine.start()
        worked = await parts.assistant.bench(options, show, job=JOBS[kind])
    if arguments.json is True:
        terminal.answer(worked.report + "\n")
        return 0
    if isinstance(arguments.json, str):
        _write(Path(arguments.json), worked.report)
    terminal.answer(table(worked.report))
    return 0


def _write(path: Path, report: str) -> None:
    path.write_text(report + "\n", encoding="utf-8")


def _writable(path: Path) -> bool:
    """Before hours of measuring are lost."""
    new = not path.exists()
    try:
        path.open("ab").close()
        if new:
            path.unlink()
    except OSError:
        return False
    return True


def table(report: str) -> str:
    """What a measurement found, for a terminal."""
    measured = msgspec.json.decode(report, type=Measured)
    tables: dict[str, Callable[[bytes], str]] = bench_tables.TABLES | {"peers": bench_peers_table.peers}
    return tables[measured.kind](bytes(measured.results))


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
    if kind == "peers":
        return options | _peers(arguments)
    options["compare"] = _yes(not getattr(arguments, "alone", False))
    if kind == "attention":
        return options
    return options | {"kv": chosen.kv} | {"needles": _yes(getattr(arguments, "needles", False))}


def _peers(arguments: Namespace) -> dict[str, str]:
    said = {name: getattr(arguments, name, None) for name in ("peers", "lengths", "documents", "limit", "seed")}
    pythons = os.pathsep.join(str(python) for python in getattr(arguments, "python", None) or ())
    return (
        {name: str(value) for name, value in said.items() if value is not None}
        | {"quick": _yes(getattr(arguments, "quick", False))}
        | ({"python": pythons} if pythons else {})
    )


def _yes(wanted: bool) -> str:
    return "yes" if wanted else "no"
