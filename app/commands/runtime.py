"""`longread runtime`: which torch the engine runs on; installing one for a graphics card, choosing and removing one."""

from argparse import Namespace
from pathlib import Path

import msgspec

from app import paths, words
from app.commands import sentences
from app.commands.run import BAD_USE, run, settings
from app.commands.terminal import Terminal
from app.data.model import Download
from app.data.runtime import Installed, RuntimeEntry, Stage
from app.services.downloads.packs import Packs
from app.services.pack_download import PackDownload
from app.services.privacy import Connections
from app.services.runtimes import OnProgress, Runtimes

STAGES: dict[Stage, str] = {"check": "Checking", "unpack": "Unpacking", "try": "Trying it out"}
OWN = "own"
"""What the program's own runtime is called here."""


def main(arguments: Namespace) -> int:
    actions = {"list": _list, "install": _install, "use": _use, "discard": _discard, "remove": _remove}
    return run(actions[arguments.action], arguments)


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    entries = Runtimes(paths.data()).all()
    if arguments.json:
        terminal.answer(msgspec.json.encode({"runtimes": entries}).decode() + "\n")
        return 0
    for entry in entries:
        terminal.answer(f"{'*' if entry.used else ' '} {entry.tag or OWN:24} {_about(entry)}\n")
    if kept := _packs(arguments, terminal, Connections()).kept():
        terminal.say(
            f"{words.size(kept)} of a download that did not end are kept. `longread runtime install --download` goes "
            "on from there, `longread runtime discard` deletes them."
        )
    return 0


def _about(entry: RuntimeEntry) -> str:
    if not entry.tag:
        return f"comes with Longread, for the processor{f' · torch {entry.torch}' if entry.torch else ''}"
    told = ["NVIDIA cards" if entry.kind == "cuda" else "the processor", f"torch {entry.torch}", words.size(entry.size)]
    if entry.problem:
        told.append("cannot be used by this Longread; install its newer pack, or remove it")
    return " · ".join(told)


async def _install(arguments: Namespace, terminal: Terminal) -> int:
    def show(stage: Stage, done: int, total: int) -> None:
        told = f"{words.size(done)} of {words.size(total)}" if stage != "try" else ""
        terminal.progress(STAGES[stage], told)

    if arguments.download:
        installed = await _downloaded(arguments, terminal, show)
    elif arguments.packs:
        terminal.say("--address is where --download downloads from: give both, or neither.")
        return BAD_USE
    else:
        installed = await Runtimes(paths.data()).install(Path(arguments.source), show)
    for failure in installed.failures:
        terminal.say(f"Runs in its plain form: {failure}")
    terminal.say(f"It computes on {installed.devices[0]}." if installed.devices else "It computes on no device.")
    if installed.entry.kind == "cuda" and not installed.card:
        terminal.say(words.sentence(words.NOTES, "runtime_no_card", {"runtime": installed.entry.tag}))
    terminal.answer(f"{installed.entry.tag}\n")
    return 0


async def _downloaded(arguments: Namespace, terminal: Terminal, show: OnProgress) -> Installed:
    connections = Connections()
    download = PackDownload(Runtimes(paths.data()), _packs(arguments, terminal, connections))
    offer = await download.look()
    here = f", of which {words.size(offer.arrived)} are here already" if offer.arrived else ""
    terminal.say(
        f"{offer.tag}: {words.size(offer.size)} from {offer.host}{here}. It takes {words.size(offer.unpacked)} when it "
        "is installed, and as much more meanwhile as is downloaded."
    )
    if not offer.driver:
        terminal.say("No driver of NVIDIA's was found on this computer. Without one the pack is of no use.")

    def show_download(said: Download) -> None:
        if said.state == "paused":
            terminal.say("Stopped; what has come is kept, and the next try goes on from there.")
        elif said.state in ("running", "checking"):
            terminal.progress("Downloading", sentences.download(said))

    installed = await download.install(show_download, show)
    terminal.say(f"Connected to: {', '.join(dict.fromkeys(one.host for one in connections.all()))}.")
    return installed


def _packs(arguments: Namespace, terminal: Terminal, connections: Connections) -> Packs:
    return Packs(Runtimes(paths.data()).folder, connections, settings(arguments, terminal).packs)


async def _discard(arguments: Namespace, terminal: Terminal) -> int:
    packs = _packs(arguments, terminal, Connections())
    kept = packs.kept()
    await PackDownload(Runtimes(paths.data()), packs).discard()
    terminal.say(f"{words.size(kept)} deleted.")
    return 0


async def _use(arguments: Namespace, terminal: Terminal) -> int:
    tag = "" if arguments.tag == OWN else arguments.tag
    Runtimes(paths.data()).use(tag)
    terminal.say("The engine uses it from its next start on.")
    return 0


async def _remove(arguments: Namespace, terminal: Terminal) -> int:
    await Runtimes(paths.data()).remove("" if arguments.tag == OWN else arguments.tag)
    return 0
