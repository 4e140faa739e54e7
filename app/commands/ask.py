"""`longread ask`: documents and a question in, an answer out."""

import asyncio
import contextlib
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.commands import beside, elsewhere, evidence, ledger, meant, quotes, sentences
from app.commands.run import BAD_USE, FAILED, Parts, kept_library, opened, policy_missing, reading, run, settings
from app.commands.terminal import Terminal
from app.data.conversation import Message
from app.data.document import Item, Refused
from app.data.provider import named
from app.data.quote import QuotePlace
from app.data.settings import Settings
from app.documents.messages import AS_USUAL, Options
from app.gateway.names import CHOSEN
from app.services import coverage
from app.services.answer import Answer
from app.services.library import Library
from app.services.problem import Problem
from engine.client import EngineBusy
from engine.protocol import Delta, Done, Found, Loaded, Progress, Usage


def main(arguments: Namespace) -> int:
    return run(_ask, arguments)


async def _ask(arguments: Namespace, terminal: Terminal) -> int:
    question = sys.stdin.read() if arguments.question == "-" else arguments.question
    if not question.strip():
        terminal.say("longread ask: the question is empty")
        return BAD_USE
    chosen = settings(arguments, terminal)
    if missing := policy_missing(chosen, arguments):
        terminal.say(f"longread ask: {missing}")
        return BAD_USE
    async with opened(chosen, keep=arguments.kept) as parts:
        far = parts.providers.is_remote(parts.settings.model)
        if far and (said := elsewhere.refused(arguments)) is not None:
            terminal.say(said)
            return BAD_USE
        if not far:
            parts.models.resolve(parts.settings.model)
        assistant = parts.assistant
        assistant.seed = arguments.seed
        # The model is loaded while the documents are opened
        loading = asyncio.ensure_future(assistant.load(parts.settings, lambda at: _show(terminal, at)))
        try:
            items = await add(parts.library, arguments.doc, terminal, reading(arguments))
            if items is None:
                return FAILED
            items = list({item.id: item for item in [*_of_matters(arguments, parts), *items]}.values())
            try:
                loaded = await loading
            except EngineBusy as busy:
                loaded = await _beside(arguments, parts, busy, terminal)
                far = True
        finally:
            await _end(loading)
        for note in loaded.notes:
            terminal.say(sentences.note(note.code, note.values))
        if far:
            elsewhere.say_where(parts.providers, assistant.settings.model, len(items), terminal)
        conversation = parts.conversations.new()
        every_part = arguments.every_part or arguments.part is not None or arguments.part_question is not None
        part_question = (arguments.part_question or coverage.singular(question)) if every_part else None
        if part_question is not None and not loaded.whole_only:  # then the ledger says why not
            terminal.say(f"Each part is asked: {part_question}")
        answer = assistant.ask(
            conversation.id,
            question,
            tuple(item.id for item in items),
            coverage=every_part,
            part_question=part_question,
        )
        names = {item.id: item.name for item in items}
        asks = "parts" if every_part else "segments"
        usage = await _told(answer, names, terminal, asks=asks, silent=arguments.json)
        await answer.checked()
        message = answer.message
        if message.failure is not None:
            terminal.say(sentences.failure(message.failure))
            return FAILED
        if answer.problem is not None:
            terminal.say(sentences.problem(answer.problem))
        words = _words(parts.library)
        if not arguments.json:
            for line in quotes.lines(message, names):
                terminal.say(line)
            if arguments.evidence:
                terminal.say("\n".join(evidence.lines(message, names, words)))
            _say_how(message, question, parts.settings, terminal)
        else:
            report = _report(message, usage, [parts.library.get(item.id) for item in items])
            report |= {"quotes": quotes.described(message, names)}
            report |= {"evidence": evidence.described(message, names, words)}
            asked = {"part_question": part_question, "conversation": conversation.id if arguments.kept else None}
            terminal.answer(msgspec.json.encode(report | asked).decode() + "\n")
        return FAILED if answer.problem is not None else 0


async def _beside(arguments: Namespace, parts: Parts, busy: EngineBusy, terminal: Terminal) -> Loaded:
    """Turn to the Longread that has this data folder's engine. Raises `Problem` where its local API is off, or what was
    asked for cannot be asked through it."""
    other = beside.provider()
    if other is None:
        raise beside.holder(busy)
    if (said := elsewhere.refused(arguments)) is not None:
        terminal.say(said)
        raise Problem("beside_options", subject=str(busy.pid or "?"))
    parts.providers.give(other)
    terminal.say("Another Longread runs with this data folder; it is asked through its local API.")
    model = named(other.name, arguments.model or CHOSEN)
    return await parts.assistant.load(msgspec.structs.replace(parts.settings, model=model))


def _of_matters(arguments: Namespace, parts: Parts) -> list[Item]:
    """The documents of the matters that were named. A conversation that is not kept gets copies of its own.

    Raises `Problem`: "matter_unknown", "matter_empty", or "text_missing".
    """
    items: list[Item] = []
    with kept_library() as (library, collections):
        for name in arguments.matter:
            matter = meant.matter(name, collections)
            if not matter.items:
                raise Problem("matter_empty", subject=matter.name)
            items += [
                parts.library.get(id) if arguments.kept else parts.library.take(library, id) for id in matter.items
            ]
    return items


async def _told(answer: Answer, names: dict[str, str], terminal: Terminal, *, asks: str, silent: bool) -> Usage | None:
    """Everything as it comes: what is found for certain, a line each, then the answer. `silent`: progress alone."""
    usage: Usage | None = None
    heard = listed = 0
    async for event in answer:
        if isinstance(event, Progress):
            _show(terminal, event, asks=asks)
        elif isinstance(event, Found):
            part = answer.message.found[heard]
            heard += 1
            if part.certain and not silent:
                terminal.answer(f"{ledger.finding(part, names)}\n")
                listed += 1
        elif isinstance(event, Delta) and not silent:
            terminal.answer("\n" * bool(listed) + event.text)
            listed = 0
        elif isinstance(event, Done):
            usage = event.usage
    if answer.message.text and not silent:
        terminal.answer("\n")
    uncertain = ledger.findings(answer.message.found, names)
    if uncertain and not silent:
        terminal.say("\n".join(["Not certain:", *(f"  {line}" for line in uncertain)]))
    return usage


def _words(library: Library) -> evidence.Words:
    """What stands at a place; each text is opened once."""
    texts: dict[str, str] = {}

    def words(place: QuotePlace) -> str:
        if place.item not in texts:
            texts[place.item] = library.text(place.item)
        return texts[place.item][place.start : place.end]

    return words


def _report(message: Message, usage: Usage | None, items: Sequence[Item]) -> dict[str, object]:
    """An answer for programs."""
    return {
        "answer": message.text,
        "finish": message.ledger.finish if message.ledger else None,
        "usage": usage,
        "ledger": message.ledger,
        "found": message.found,
        "documents": [described(item) for item in items],
    }


def _say_how(message: Message, question: str, chosen: Settings, terminal: Terminal) -> None:
    """What the answer was written from, and what could be asked instead."""
    if message.ledger is None:
        return
    parts = message.found[0].parts if message.found else None
    told = quotes.counts(message.quotes)
    terminal.say(ledger.lines(message.ledger, parts=parts, join_chosen=chosen.join != "auto", quotes=told))
    if message.ledger.mode == "parallel" and coverage.wants_all(question):
        terminal.say("The question seems to need all of the text. With --every-part every part of it is asked.")


async def add(
    library: Library, sources: Sequence[Path], terminal: Terminal, options: Options = AS_USUAL
) -> list[Item] | None:
    """The documents, each text once; None, after a sentence for each, when any of them gives no text.

    An answer from some of the documents would look like one from all of them.
    """
    items: dict[str, Item] = {}
    complete = True
    for source in sources:
        added = await opened_document(library, source, terminal, options)
        if isinstance(added, Refused):
            terminal.say(sentences.refused(added))
            complete = False
            continue
        if added.id in items:
            terminal.say(f"{source.name} has the same text as {items[added.id].name} and is read once.")
        items[added.id] = added
        for told in remarks(added):
            terminal.say(f"{added.name}: {told}")
    if not complete:
        terminal.say("Nothing was asked. Leave these documents out, or give others in their place.")
    return list(items.values()) if complete else None


async def opened_document(
    library: Library, source: Path, terminal: Terminal, options: Options = AS_USUAL
) -> Item | Refused:
    name = source.name or str(source)

    def on_progress(done: int, total: int) -> None:
        terminal.progress(f"Opening {name}", _share(done, total))

    return await library.add(source, on_progress, options)


def remarks(item: Item) -> list[str]:
    """Everything about a document that is not whole, a line each."""
    told = [sentences.warning(warning) for warning in item.warnings]
    return told + [f"left out: {sentences.left_out(part)}" for part in item.left_out]


def described(item: Item) -> dict[str, object]:
    """An item for programs."""
    return {
        "name": item.name,
        "source": item.source,
        "sha256": item.id,
        "kind": item.kind,
        "unit": item.unit,
        "units": item.units,
        "first_label": item.first_label,
        "last_label": item.last_label,
        "characters": item.characters,
        "tokens": item.tokens,
        "warnings": [
            {"code": one.code, "values": one.values, "sentence": sentences.warning(one)} for one in item.warnings
        ],
        "left_out": [
            {"what": one.what, "reason": one.reason, "sentence": sentences.left_out(one)} for one in item.left_out
        ],
    }


def _share(done: int, total: int) -> str:
    return f"{done} of {total}" if total else str(done)


def _show(terminal: Terminal, at: Progress, *, asks: str = "segments") -> None:
    terminal.progress(sentences.STAGES[at.stage], sentences.progress(at, asks=asks))


async def _end(loading: asyncio.Future[Loaded]) -> None:
    """Not to be waited for any more; if it failed as well, the first failure is the one that is told."""
    if not loading.done():
        loading.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await loading
