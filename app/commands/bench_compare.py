"""`longread bench compare A B`: two reports of a measurement, number by number."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import msgspec

from app.commands.run import BAD_USE, FAILED, run
from app.commands.terminal import Terminal

NAMES = ("name", "policy", "what", "length", "share", "segment", "join", "keep", "hard", "mode", "kind")
"""What tells the rows of a table apart, where they have it."""
WIDTH = 64


def main(arguments: Namespace) -> int:
    return run(_compare, arguments)


async def _compare(arguments: Namespace, terminal: Terminal) -> int:
    reports = []
    for path in (arguments.first, arguments.second):
        numbers = _read(path)
        if numbers is None:
            terminal.say(f"{path} is no report of a measurement. Give two files that `longread bench --json` wrote.")
            return BAD_USE
        reports.append(numbers)
    first, second = reports
    both = [name for name in first if name in second]
    if not both:
        terminal.say("The two files have no number in common: they are of different measurements.")
        return FAILED
    if arguments.json:
        rows = [{"name": name, "first": first[name], "second": second[name]} for name in both]
        only = {"only_first": sorted(first.keys() - second), "only_second": sorted(second.keys() - first)}
        terminal.answer(msgspec.json.encode({"rows": rows} | only).decode() + "\n")
        return 0
    terminal.answer(f"{'':{WIDTH}}{arguments.first.stem[:12]:>14}{arguments.second.stem[:12]:>14}{'times':>8}\n")
    for name in both:
        ratio = f"{second[name] / first[name]:.2f}" if first[name] else ""
        terminal.answer(f"{name[:WIDTH]:{WIDTH}}{first[name]:>14,.2f}{second[name]:>14,.2f}{ratio:>8}\n")
    missing = len(first.keys() ^ second.keys())
    if missing:
        terminal.say(f"{missing} numbers stand in one of the files alone; --json names them.")
    return 0


def _read(path: Path) -> dict[str, float] | None:
    try:
        report = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError):
        return None
    return dict(numbers(report)) if isinstance(report, dict) else None


def numbers(value: object, where: str = "") -> Iterator[tuple[str, float]]:
    """Every number of a report with the path to it. Rows go by what they are about, so that their order is free."""
    match value:
        case bool():
            return
        case int() | float():
            yield where, float(value)
        case dict():
            for name, inner in value.items():
                yield from numbers(inner, f"{where} {name}".strip())
        case list():
            for at, inner in enumerate(value):
                yield from numbers(inner, f"{where} {_row(inner) or at}".strip())


def _row(value: object) -> str:
    if not isinstance(value, dict):
        return ""
    return ", ".join(str(value[name]) for name in NAMES if name in value)
