"""`longread readings`: what is kept on disk of texts that were read, and forgetting it."""

import time
from argparse import Namespace

import msgspec

from app import words
from app.commands import sentences
from app.commands.meant import DIGEST
from app.commands.run import FAILED, Parts, looked_into, run
from app.commands.terminal import Terminal
from app.services.problem import Problem
from engine.protocol import Listed, Saved


def main(arguments: Namespace) -> int:
    return run({"list": _list, "forget": _forget}[arguments.action], arguments)


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    async with looked_into(arguments, terminal) as parts:
        listed = await parts.assistant.readings()
        readings = sorted(listed.readings, key=lambda one: one.used, reverse=True)
        names = {one.id: _names(one, parts) for one in readings}
    if arguments.json:
        told = [msgspec.to_builtins(one) | {"names": names[one.id]} for one in readings]
        report = msgspec.to_builtins(listed) | {"readings": told}
        terminal.answer(msgspec.json.encode(report).decode() + "\n")
        return 0
    for one in readings:
        terminal.answer(f"{_line(one, names[one.id])}\n")
    terminal.answer(f"{_sum(listed)}\n")
    return 0


async def _forget(arguments: Namespace, terminal: Terminal) -> int:
    async with looked_into(arguments, terminal) as parts:
        documents = None if arguments.all else await _meant(arguments.name, parts)
        if documents == ():
            terminal.say(f"Nothing is kept of a document {arguments.name}. See: longread readings list")
            return FAILED
        forgotten = await parts.assistant.forget_readings(documents)
    if arguments.json:
        terminal.answer(msgspec.json.encode({"readings": forgotten.readings, "bytes": forgotten.bytes}).decode() + "\n")
    else:
        terminal.answer(f"{_counted(forgotten.readings)} forgotten, {words.size(forgotten.bytes)} freed\n")
    return 0


async def _meant(name: str, parts: Parts) -> tuple[str, ...]:
    """The documents with readings that a name, or the beginning of a sha256, means."""
    listed = await parts.assistant.readings()
    read = dict.fromkeys(document for one in listed.readings for document in one.documents)
    if DIGEST.fullmatch(name.lower()) and (meant := [id for id in read if id.startswith(name.lower())]):
        return tuple(meant)
    return tuple(id for id in read if (_name(id, parts) or "").casefold() == name.casefold())


def _names(one: Saved, parts: Parts) -> list[str | None]:
    """Of its documents, as the library knows them."""
    return [_name(document, parts) for document in one.documents]


def _name(document: str, parts: Parts) -> str | None:
    try:
        return parts.library.get(document).name
    except (KeyError, Problem):
        return None


def _line(one: Saved, names: list[str | None]) -> str:
    documents = ", ".join(
        f"{document[:12]} {name}" if name else document[:12]
        for document, name in zip(one.documents, names, strict=True)
    )
    told = [documents, sentences.tokens(one.tokens), words.size(one.bytes)]
    told.append("in segments" if one.mode != "whole" else "whole")
    told.append(f"{one.model} {one.precision}")
    told.append(f"used {time.strftime('%Y-%m-%d %H:%M', time.localtime(one.used))}")
    told.append("in use" if one.opens is None else f"opens in {sentences.seconds(one.opens)}")
    return " · ".join(told)


def _sum(listed: Listed) -> str:
    told = f"{_counted(len(listed.readings))}, {words.size(listed.bytes)} of {words.size(listed.quota)}"
    return f"{told}; {words.size(listed.free)} free in {listed.folder}"


def _counted(count: int) -> str:
    return "1 reading" if count == 1 else f"{count:,} readings"
