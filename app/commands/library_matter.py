"""`longread library matter`: documents put into a matter and taken out, and the matter itself renamed and deleted."""

from argparse import Namespace

import msgspec

from app.commands import meant, sentences
from app.commands.ask import opened_document, remarks
from app.commands.run import FAILED, Parts, opened, settings
from app.commands.terminal import Terminal
from app.data.document import Refused
from app.data.matter import Matter


async def change(arguments: Namespace, terminal: Terminal) -> int:
    async with opened(settings(arguments, terminal), keep=True) as parts:
        steps = {"add": _add, "remove": _remove, "rename": _rename, "delete": _delete}
        return await steps[arguments.step](arguments, parts, terminal)


async def _add(arguments: Namespace, parts: Parts, terminal: Terminal) -> int:
    """What gives no text is told, and the rest is put in all the same; then the exit code is 1."""
    matter = parts.collections.named(arguments.name)
    ids: list[str] = []
    refused = False
    for word in arguments.what:
        known, file = meant.item(word, parts.library.items()), meant.file(word)
        if known is None and file is not None:
            added = await opened_document(parts.library, file, terminal)
            if isinstance(added, Refused):
                terminal.say(sentences.refused(added))
                refused = True
                continue
            for told in remarks(added):
                terminal.say(f"{added.name}: {told}")
            known = added
        ids += [one.id for one in ([known] if known is not None else meant.items([word], ()))]
    if ids and matter is None:
        matter = parts.collections.new(arguments.name)
        terminal.say(f"There is a new matter {matter.name}.")
    if matter is not None:
        parts.collections.put(matter.id, ids)
        _told(parts.collections.get(matter.id), arguments, terminal)
    return FAILED if refused else 0


async def _remove(arguments: Namespace, parts: Parts, terminal: Terminal) -> int:
    matter = meant.matter(arguments.name, parts.collections)
    taken = meant.chosen(arguments.what, matter.name, parts)
    parts.collections.take(matter.id, [item.id for item in taken])
    _told(parts.collections.get(matter.id), arguments, terminal)
    return 0


async def _rename(arguments: Namespace, parts: Parts, terminal: Terminal) -> int:
    matter = meant.matter(arguments.name, parts.collections)
    parts.collections.rename(matter.id, arguments.new_name)
    _told(parts.collections.get(matter.id), arguments, terminal)
    return 0


async def _delete(arguments: Namespace, parts: Parts, terminal: Terminal) -> int:
    matter = meant.matter(arguments.name, parts.collections)
    parts.collections.forget(matter.id)
    if not arguments.json:
        kept = sentences.documents(len(matter.items))
        terminal.answer(f"{matter.name} is deleted; {kept} stay in the library\n")
    else:
        terminal.answer(msgspec.json.encode({"deleted": matter.name}).decode() + "\n")
    return 0


def _told(matter: Matter, arguments: Namespace, terminal: Terminal) -> None:
    if arguments.json:
        terminal.answer(msgspec.json.encode({"name": matter.name, "documents": matter.items}).decode() + "\n")
    else:
        terminal.answer(f"{matter.name} · {sentences.documents(len(matter.items))}\n")
