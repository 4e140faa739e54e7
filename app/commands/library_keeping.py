"""`longread library refresh`, `export` and `delete`: what becomes of documents that are kept."""

import asyncio
import sys
from argparse import Namespace
from collections.abc import Callable

import msgspec

from app import document_words, words
from app.commands import meant, sentences
from app.commands.run import FAILED, Parts, looked_into
from app.commands.terminal import Terminal
from app.data.changes import Change
from app.data.document import Item, Refused
from app.services.item_export import What
from app.services.item_export import export as write_into
from app.services.originals import Originals, Renewed
from engine.client import EngineBusy, EngineDown, RequestFailed

TOLD = 10
"""Changes of one document that are told; all of them are in the JSON."""
REMARKABLE = ("changed", "maybe", "missing")
"""Originals that are to be told of."""


async def refresh(arguments: Namespace, terminal: Terminal) -> int:
    """A document that gives no text any more is told, and stays as it was read; then the exit code is 1."""
    async with looked_into(arguments, terminal) as parts:
        originals = Originals(parts.library, parts.collections)
        items = meant.chosen(arguments.what, None, parts)
        states = await originals.check(items)
        report: list[dict[str, object]] = []
        failed = False
        for item in items:
            state = states[item.id]
            told: dict[str, object] = {"name": item.name, "id": item.id, "original": state}
            if state in REMARKABLE and not arguments.json:
                terminal.answer(f"{item.name}: {document_words.ORIGINALS[state]}\n")
            if state in ("changed", "maybe") and not arguments.check:
                renewed = await originals.renew(item.id, _opening(terminal, item))
                failed = failed or isinstance(renewed, Refused)
                told |= _told(renewed, arguments, terminal)
            report.append(told)
    if arguments.json:
        terminal.answer(msgspec.json.encode({"documents": report}).decode() + "\n")
    elif not any(one["original"] in REMARKABLE for one in report):
        terminal.say(f"{sentences.documents(len(report))} looked at; none has changed.")
    return FAILED if failed else 0


def _opening(terminal: Terminal, item: Item) -> Callable[[int, int], None]:
    return lambda done, total: terminal.progress(f"Opening {item.name}", f"{done} of {total}" if total else str(done))


def _told(renewed: Renewed | Refused, arguments: Namespace, terminal: Terminal) -> dict[str, object]:
    """On the terminal, and for programs."""
    if isinstance(renewed, Refused):
        terminal.say(sentences.refused(renewed))
        return {"refused": {"code": renewed.code, "sentence": sentences.refused(renewed)}}
    if renewed.new.id == renewed.old.id:
        if not arguments.json:
            terminal.answer("  read anew: its text is the same\n")
        return {"new": renewed.new.id}
    if not arguments.json:
        terminal.answer(f"  read anew as {renewed.new.id[:12]}: {sentences.changes(renewed.changes)}\n")
        terminal.answer("".join(f"    {_change(change)}\n" for change in renewed.changes.changes[:TOLD]))
        if len(renewed.changes.changes) > TOLD:
            terminal.answer(f"    and {len(renewed.changes.changes) - TOLD:,} more, which --json tells\n")
    return {"new": renewed.new.id, "changes": renewed.changes.changes, "same": renewed.changes.same}


def _change(change: Change) -> str:
    at = change.new or change.old
    where = sentences.place(at) if at is not None else ""
    if change.kind == "added":
        return f"{where}: + {change.after}"
    if change.kind == "removed":
        return f"{where}: - {change.before}"
    return f"{where}: - {change.before}\n    {' ' * len(where)}  + {change.after}"


async def export(arguments: Namespace, terminal: Terminal) -> int:
    """What could not be written is told, and the rest is written; then the exit code is 1."""
    async with looked_into(arguments, terminal) as parts:
        items = meant.chosen(arguments.what, arguments.matter, parts)
        what: What = "original" if arguments.original else "text"
        done = await write_into(parts.library, items, arguments.folder, what)
    for one in done:
        if one.refused is not None:
            terminal.say(words.sentence(document_words.EXPORTS, one.refused, {"name": one.name}))
        elif not arguments.json:
            terminal.answer("".join(f"{file}\n" for file in one.files))
    if arguments.json:
        terminal.answer(msgspec.json.encode({"documents": done}).decode() + "\n")
    elif not done:
        terminal.say("There are no documents here.")
    return FAILED if any(one.refused is not None for one in done) else 0


async def delete(arguments: Namespace, terminal: Terminal) -> int:
    async with looked_into(arguments, terminal) as parts:
        items = meant.items(arguments.what, [*parts.library.items(), *parts.library.removed()])
        names = ", ".join(item.name for item in items)
        if not arguments.yes and not await _agreed(names, terminal):
            terminal.say("Nothing was deleted.")
            return FAILED
        freed = await _forget(parts, items, terminal)
    if arguments.json:
        told = {"deleted": [{"name": item.name, "id": item.id} for item in items], "bytes": freed}
        terminal.answer(msgspec.json.encode(told).decode() + "\n")
    else:
        terminal.answer(f"{names} deleted for good\n")
    return 0


async def _forget(parts: Parts, items: list[Item], terminal: Terminal) -> int | None:
    """Bytes of readings that were freed; None when the engine could not be asked."""
    try:
        return (await parts.assistant.forget(*(item.id for item in items))).bytes
    except (EngineBusy, EngineDown, RequestFailed):
        ids = " and ".join(f"longread readings forget {item.id[:12]}" for item in items)
        terminal.say(
            "The texts are deleted. What was read of them may still be on disk, since another Longread is running or "
            f"the engine does not start. Later: {ids}"
        )
        return None


async def _agreed(names: str, terminal: Terminal) -> bool:
    terminal.say(
        f"{names}: the text, what was read of it and what the search knows of it are deleted for good. The original "
        "files and your conversations, with what they quote, stay. This cannot be undone."
    )
    if not sys.stdin.isatty():
        terminal.say("Say --yes if you want that.")
        return False
    terminal.say("Delete? y or n")
    answer = await asyncio.to_thread(sys.stdin.readline)
    return answer.strip().casefold() in ("y", "yes")
