"""`longread runtime`: which torch the engine runs on; installing one for a graphics card, choosing and removing one."""

from argparse import Namespace
from pathlib import Path

import msgspec

from app import paths, words
from app.commands.run import run
from app.commands.terminal import Terminal
from app.data.runtime import RuntimeEntry, Stage
from app.services.runtimes import Runtimes

STAGES: dict[Stage, str] = {"check": "Checking", "unpack": "Unpacking", "try": "Trying it out"}
OWN = "own"
"""What the program's own runtime is called here."""


def main(arguments: Namespace) -> int:
    actions = {"list": _list, "install": _install, "use": _use, "remove": _remove}
    return run(actions[arguments.action], arguments)


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    entries = Runtimes(paths.data()).all()
    if arguments.json:
        terminal.answer(msgspec.json.encode({"runtimes": entries}).decode() + "\n")
        return 0
    for entry in entries:
        terminal.answer(f"{'*' if entry.used else ' '} {entry.tag or OWN:24} {_about(entry)}\n")
    return 0


def _about(entry: RuntimeEntry) -> str:
    if not entry.tag:
        return f"comes with Longread, for the processor{f' · torch {entry.torch}' if entry.torch else ''}"
    told = ["NVIDIA cards" if entry.kind == "cuda" else "the processor", f"torch {entry.torch}", words.size(entry.size)]
    if entry.problem:
        told.append("cannot be used by this Longread; install its newer pack, or remove it")
    return " · ".join(told)


async def _install(arguments: Namespace, terminal: Terminal) -> int:
    runtimes = Runtimes(paths.data())

    def show(stage: Stage, done: int, total: int) -> None:
        told = f"{words.size(done)} of {words.size(total)}" if stage != "try" else ""
        terminal.progress(STAGES[stage], told)

    installed = await runtimes.install(Path(arguments.source), show)
    for failure in installed.failures:
        terminal.say(f"Runs in its plain form: {failure}")
    terminal.say(f"It computes on {installed.devices[0]}." if installed.devices else "It computes on no device.")
    if installed.entry.kind == "cuda" and not installed.card:
        terminal.say(words.sentence(words.NOTES, "runtime_no_card", {"runtime": installed.entry.tag}))
    terminal.answer(f"{installed.entry.tag}\n")
    return 0


async def _use(arguments: Namespace, terminal: Terminal) -> int:
    tag = "" if arguments.tag == OWN else arguments.tag
    Runtimes(paths.data()).use(tag)
    terminal.say("The engine uses it from its next start on.")
    return 0


async def _remove(arguments: Namespace, terminal: Terminal) -> int:
    await Runtimes(paths.data()).remove("" if arguments.tag == OWN else arguments.tag)
    return 0
