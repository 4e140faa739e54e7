"""`longread ask`: documents and a question in, an answer out."""

import asyncio
import contextlib
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

import msgspec

from app.commands import sentences
from app.commands.run import BAD_USE, FAILED, opened, run, settings
from app.commands.terminal import Terminal
from app.data.document import Item, Refused
from app.services.library import Library
from engine.protocol import Delta, Done, Loaded, Progress, Usage


def main(arguments: Namespace) -> int:
    return run(_ask, arguments)


async def _ask(arguments: Namespace, terminal: Terminal) -> int:
    question = sys.stdin.read() if arguments.question == "-" else arguments.question
    if not question.strip():
        terminal.say("longread ask: the question is empty")
        return BAD_USE
    async with opened(settings(arguments, terminal), keep=arguments.keep) as parts:
        parts.models.resolve(parts.settings.model)
        assistant = parts.assistant
        assistant.seed = arguments.seed
        # The model is loaded while the documents are opened
        loading = asyncio.ensure_future(assistant.load(parts.settings, lambda at: _show(terminal, at)))
        try:
            items = await add(parts.library, arguments.doc, terminal)
            if items is None:
                return FAILED
            loaded = await loading
        finally:
            await _end(loading)
        for note in loaded.notes:
            terminal.say(sentences.note(note))
        conversation = parts.conversations.new()
        answer = assistant.ask(conversation.id, question, tuple(item.id for item in items))
        usage: Usage | None = None
        async for event in answer:
            if isinstance(event, Progress):
                _show(terminal, event)
            elif isinstance(event, Delta) and not arguments.json:
                terminal.answer(event.text)
            elif isinstance(event, Done):
                usage = event.usage
        message = answer.message
        if message.text and not arguments.json:
            terminal.answer("\n")
        if message.failure is not None:
            terminal.say(sentences.failure(message.failure))
            return FAILED
        if answer.problem is not None:
            terminal.say(sentences.problem(answer.problem))
        if message.ledger is not None and not arguments.json:
            terminal.say(sentences.ledger(message.ledger))
        if arguments.json:
            known = [parts.library.get(item.id) for item in items]
            report = {
                "answer": message.text,
                "finish": message.ledger.finish if message.ledger else None,
                "usage": usage,
                "ledger": message.ledger,
                "documents": [described(item) for item in known],
                "conversation": conversation.id if arguments.keep else None,
            }
            terminal.answer(msgspec.json.encode(report).decode() + "\n")
        return FAILED if answer.problem is not None else 0


async def add(library: Library, sources: Sequence[Path], terminal: Terminal) -> list[Item] | None:
    """The documents, each text once; None, after a sentence for each, when any of them gives no text.

    An answer from some of the documents would look like one from all of them.
    """
    items: dict[str, Item] = {}
    complete = True
    for source in sources:
        added = await opened_document(library, source, terminal)
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


async def opened_document(library: Library, source: Path, terminal: Terminal) -> Item | Refused:
    name = source.name or str(source)
    return await library.add(source, lambda done, total: terminal.progress(f"Opening {name}", _share(done, total)))


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


def _show(terminal: Terminal, at: Progress) -> None:
    terminal.progress(sentences.STAGES[at.stage], sentences.progress(at))


async def _end(loading: asyncio.Future[Loaded]) -> None:
    """Not to be waited for any more; if it failed as well, the first failure is the one that is told."""
    if not loading.done():
        loading.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await loading
