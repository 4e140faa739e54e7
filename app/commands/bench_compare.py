"""`longread bench compare A B`: two reports of a measurement, number by number."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import msgspec

from app import words
from app.commands.run import BAD_USE, FAILED, run
from app.commands.terminal import Terminal
from engine.protocol import FORMAT, Machine, Measured, MeasuredModel

NAMES = (
    "name",
    "engine",
    "way",
    "policy",
    "what",
    "length",
    "share",
    "segment",
    "join",
    "keep",
    "hard",
    "mode",
    "kind",
)
"""What tells the rows of a table apart, where they have it."""
WIDTH = 64


def main(arguments: Namespace) -> int:
    return run(_compare, arguments)


async def _compare(arguments: Namespace, terminal: Terminal) -> int:
    reports = []
    for path in (arguments.first, arguments.second):
        report = _read(path)
        if report is None:
            terminal.say(f"{path} is no report of a measurement. Give two files that `longread bench --json` wrote.")
            return BAD_USE
        reports.append(report)
    old, new = reports
    if old.kind != new.kind:
        terminal.say(
            f"{arguments.first} is of `{old.kind}` and {arguments.second} of `{new.kind}`: only two measurements of "
            "one kind can be compared."
        )
        return FAILED
    unlike = list(differences(old, new))
    first, second = (dict(numbers(msgspec.json.decode(report.results))) for report in reports)
    both = [name for name in first if name in second]
    if not both:
        terminal.say("The two files have no number in common: they were measured with other options.")
        return FAILED
    if arguments.json:
        rows = [{"name": name, "first": first[name], "second": second[name]} for name in both]
        only = {"only_first": sorted(first.keys() - second), "only_second": sorted(second.keys() - first)}
        about = {"kind": old.kind, "differences": unlike}
        terminal.answer(msgspec.json.encode(about | {"rows": rows} | only).decode() + "\n")
        return 0
    for difference in unlike:
        terminal.say(difference)
    terminal.answer(f"{'':{WIDTH}}{arguments.first.stem[:12]:>14}{arguments.second.stem[:12]:>14}{'times':>8}\n")
    for name in both:
        ratio = f"{second[name] / first[name]:.2f}" if first[name] else ""
        terminal.answer(f"{name[:WIDTH]:{WIDTH}}{first[name]:>14,.2f}{second[name]:>14,.2f}{ratio:>8}\n")
    missing = len(first.keys() ^ second.keys())
    if missing:
        terminal.say(f"{missing} numbers stand in one of the files alone; --json names them.")
    return 0


def _read(path: Path) -> Measured | None:
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Measured)
    except (OSError, msgspec.DecodeError):
        return None
    return report if report.format == FORMAT else None


def differences(old: Measured, new: Measured) -> Iterator[str]:
    """A sentence for each thing but speed that is not the same in two reports."""

    def unlike(what: str, one: object, other: object) -> Iterator[str]:
        if one != other:
            yield f"Not the same {what}: {_told(one)}, then {_told(other)}."

    yield from unlike("machine", old.machine, new.machine)
    yield from unlike("model", old.model, new.model)
    yield from unlike("version of Longread", old.program, new.program)
    for name in sorted(old.versions.keys() | new.versions.keys()):
        yield from unlike(f"version of {name}", old.versions.get(name), new.versions.get(name))
    for name in sorted(old.options.keys() | new.options.keys()):
        yield from unlike(f"option {name}", old.options.get(name), new.options.get(name))


def _told(one: object) -> str:
    match one:
        case Machine():
            cards = "".join(f", {card}" for card in one.cards)
            able = " with AMX" if any(name.startswith("amx") for name in one.features) else ""
            return f"{one.cpu}{able}, {one.cores} cores, {words.size(one.memory)}{cards}"
        case MeasuredModel():
            return f"{one.name} ({one.fingerprint[:12]})"
        case None:
            return "none"
    return str(one)


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
