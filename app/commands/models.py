"""`longread models`: which models there are, fetching one, adding one of this computer, making one smaller."""

import json
from argparse import Namespace
from pathlib import Path

import msgspec
import psutil

from app import paths, words
from app.commands import sentences
from app.commands.run import opened, run, settings
from app.commands.terminal import Terminal
from app.data.model import Download, ModelEntry
from app.services.downloads import Downloads
from app.services.models import Models
from app.services.privacy import Connections
from app.services.providers import Providers
from engine.protocol import Progress

STATES = {"running": "Fetching", "checking": "Checking", "done": "Fetched", "paused": "Paused", "failed": "Failed"}


def main(arguments: Namespace) -> int:
    actions = {"list": _list, "fetch": _fetch, "add": _add, "quantize": _quantize}
    return run(actions[arguments.action], arguments)


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    entries = Models(paths.models()).entries(psutil.virtual_memory().total)
    entries += Providers(paths.providers()).entries()
    if arguments.json:
        terminal.answer(msgspec.json.encode({"models": entries}).decode() + "\n")
        return 0
    chosen = settings(arguments, terminal).model
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        terminal.answer(f"{'*' if entry.name == chosen else ' '} {entry.name:{width}}  {_about(entry)}\n")
    return 0


def _about(entry: ModelEntry) -> str:
    where = "on this computer" if entry.path else "to fetch"
    told = [f"at {entry.host}" if entry.host else f"{where}, {words.size(entry.size)}"]
    if entry.window:
        told.append(f"window {entry.window:,}")
    if entry.licence:
        told.append(entry.licence)
    if entry.fits is False:
        told.append("does not fit this computer's memory")
    return " · ".join(told) + f"\n    {words.sentence(words.ABOUT, entry.about, {})}"


async def _fetch(arguments: Namespace, terminal: Terminal) -> int:
    connections = Connections()
    downloads = Downloads(Models(paths.models()), connections, settings(arguments, terminal).hub)
    place = await downloads.fetch(arguments.name, lambda download: _show(terminal, download))
    hosts = ", ".join(dict.fromkeys(one.host for one in connections.all()))
    terminal.say(f"Connected to: {hosts or 'nothing, it was here already'}.")
    terminal.answer(f"{place}\n")
    return 0


def _show(terminal: Terminal, download: Download) -> None:
    if download.state == "paused":
        terminal.say("Stopped; what has come is kept, and the next try goes on from there.")
    elif download.state != "failed":
        terminal.progress(f"{STATES[download.state]} {download.name}", sentences.download(download))


async def _add(arguments: Namespace, terminal: Terminal) -> int:
    entry = Models(paths.models()).add(Path(arguments.path))
    terminal.answer(f"{entry.name}\n")
    return 0


async def _quantize(arguments: Namespace, terminal: Terminal) -> int:
    def show(at: Progress) -> None:
        terminal.progress("Rounding", f"{words.size(at.done)} of {words.size(at.total)}")

    async with opened(settings(arguments, terminal), keep=False) as parts:
        source = parts.models.resolve(arguments.name)
        named = source.stem if source.suffix.lower() == ".gguf" else source.name
        out = _absolute(arguments.out or paths.models() / f"{named}-int{arguments.bits}")
        options = {"model": str(source), "out": out, "bits": str(arguments.bits), "method": arguments.method}
        if arguments.calibrate is not None:
            options["calibrate"] = _absolute(arguments.calibrate)
        report = json.loads((await parts.assistant.quantize(options, show)).report)
        entry = parts.models.add(Path(report["out"]))
    told = f"{report['rounded']} matrices in {report['bits']} bits, groups of {report['group']}; {report['left']} left"
    terminal.say(f"{told}. {words.size(report['bytes'])}, {sentences.seconds(report['seconds'])}.")
    terminal.answer(f"{entry.name}\n")
    return 0


def _absolute(path: Path) -> str:
    return str(path.absolute())
