"""`longread library`: the documents that are kept, their matters, and where words stand in them."""

from argparse import Namespace

import msgspec

from app import document_words
from app.commands import library_keeping, library_matter, meant, sentences
from app.commands.ask import described
from app.commands.run import Parts, looked_into, run
from app.commands.terminal import Terminal
from app.data.document import Item
from app.data.found import FoundText
from app.services.originals import Originals
from app.services.text_search import TextSearch

TEXTS, PLACES = 20, 5
"""Told of a search; all of it is in the JSON."""
ALL = 1_000_000


def main(arguments: Namespace) -> int:
    actions = {
        "list": _list,
        "matters": _matters,
        "matter": library_matter.change,
        "refresh": library_keeping.refresh,
        "export": library_keeping.export,
        "delete": library_keeping.delete,
    }
    return run(actions[arguments.action], arguments)


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    async with looked_into(arguments, terminal) as parts:
        if arguments.search is not None:
            return await _search(arguments, parts, terminal)
        items = parts.library.removed() if arguments.removed else meant.chosen((), arguments.matter, parts)
        states = await Originals(parts.library, parts.collections).check(items)
        matters = _held(parts)
    if arguments.json:
        told = [
            described(item)
            | {"matters": matters.get(item.id, []), "original": states.get(item.id), "succeeds": item.succeeds}
            for item in items
        ]
        terminal.answer(msgspec.json.encode({"documents": told}).decode() + "\n")
        return 0
    for item in items:
        terminal.answer(f"{_line(item, matters.get(item.id, []), document_words.ORIGINALS.get(states[item.id], ''))}\n")
    if not items:
        terminal.say("There are no documents here.")
    return 0


def _held(parts: Parts) -> dict[str, list[str]]:
    """Names of the matters of each item."""
    held: dict[str, list[str]] = {}
    for matter in parts.collections.all():
        for item in matter.items:
            held.setdefault(item, []).append(matter.name)
    return held


def _line(item: Item, matters: list[str], original: str) -> str:
    told = [f"{item.id[:12]}  {item.name}", sentences.extent(item), ", ".join(matters), original]
    return " · ".join(part for part in told if part)


async def _matters(arguments: Namespace, terminal: Terminal) -> int:
    async with looked_into(arguments, terminal) as parts:
        matters = parts.collections.all()
    if arguments.json:
        told = [{"name": matter.name, "documents": matter.items} for matter in matters]
        terminal.answer(msgspec.json.encode({"matters": told}).decode() + "\n")
        return 0
    for matter in matters:
        terminal.answer(f"{matter.name} · {sentences.documents(len(matter.items))}\n")
    if not matters:
        terminal.say("There are no matters yet. Make one: longread library matter NAME add FILE")
    return 0


async def _search(arguments: Namespace, parts: Parts, terminal: Terminal) -> int:
    if parts.index is None:
        terminal.say("There are no documents here.")
        return 0
    search = TextSearch(parts.library, parts.index)
    among = {item.id for item in meant.chosen((), arguments.matter, parts)}

    def show(done: int, total: int) -> None:
        if total:
            terminal.progress("Preparing the search", f"{min(99, 100 * done // total)} %")

    await search.bring_up_to_date(show)
    limits = (ALL, ALL) if arguments.json else (TEXTS, PLACES)
    found = await search.search(arguments.search, *limits, within=among)
    if arguments.json:
        terminal.answer(msgspec.json.encode(found).decode() + "\n")
        return 0
    for text in found.texts:
        terminal.answer(_found(text))
    if not found.texts:
        terminal.say("Nothing found.")
    if found.more:
        terminal.say("There is more than is told here. Name more words, or a matter.")
    return 0


def _found(text: FoundText) -> str:
    """A line for the document, and one for each place."""
    count = f"{text.count:,} place" + "s" * (text.count != 1) + " or more" * text.more
    lines = [f"{text.item[:12]}  {text.name} · {'the words stand apart' if text.apart else count}"]
    lines += [f"    {sentences.place(place.at)}: {place.snippet}" for place in text.places]
    if text.count > len(text.places):
        lines.append(f"    and {text.count - len(text.places):,} more")
    return "\n".join(lines) + "\n"
