"""`longread read`: what a document gives, before anything is asked about it."""

from argparse import Namespace

import msgspec

from app.commands import sentences
from app.commands.ask import described, opened_document, remarks
from app.commands.run import FAILED, opened, reading, run, settings
from app.commands.terminal import Terminal
from app.data.document import Item, Refused
from app.services.problem import ModelMissing, Problem
from engine.client import EngineBusy, EngineDown, RequestFailed


def main(arguments: Namespace) -> int:
    return run(_read, arguments)


async def _read(arguments: Namespace, terminal: Terminal) -> int:
    """Every document is told about, those that give no text too; then the exit code is 1."""
    async with opened(settings(arguments, terminal), keep=arguments.kept) as parts:
        how = reading(arguments)
        given = [(path, await opened_document(parts.library, path, terminal, how)) for path in arguments.paths]
        items = [one for _, one in given if isinstance(one, Item)]
        uncounted = ""
        if items:
            try:
                terminal.progress(sentences.STAGES["tokenise"], "")
                await parts.assistant.count(items)
            except (ModelMissing, RequestFailed, EngineBusy, EngineDown) as error:
                uncounted = f"Tokens were not counted. {_why(error)}"
        report: list[dict[str, object]] = []
        for path, one in given:
            if isinstance(one, Refused):
                told = {"code": one.code, "detail": one.detail, "sentence": sentences.refused(one)}
                report.append({"source": str(path.absolute()), "name": one.name, "refused": told})
                terminal.say(sentences.refused(one))
                continue
            item = parts.library.get(one.id)
            report.append(described(item))
            if not arguments.json:
                terminal.answer(f"{item.name}: {sentences.extent(item)}\n")
                terminal.answer("".join(f"  {line}\n" for line in remarks(item)))
        if arguments.json:
            terminal.answer(msgspec.json.encode({"documents": report}).decode() + "\n")
        if uncounted:
            terminal.say(uncounted)
        return FAILED if len(items) < len(given) else 0


def _why(error: Exception) -> str:
    if isinstance(error, Problem):
        return sentences.problem(error)
    if isinstance(error, RequestFailed):
        return sentences.failure(error.failed)
    return str(error)
