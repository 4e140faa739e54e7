"""`longread export` and `longread verify-export`: kept conversations as files, and whether such files are right."""

import hashlib
from argparse import Namespace
from importlib.metadata import version
from pathlib import Path

import msgspec

from app import export_words, words
from app.commands import sentences
from app.commands.ask import opened_document
from app.commands.run import BAD_USE, FAILED, Parts, opened, run, settings
from app.commands.terminal import Terminal
from app.data.conversation import Conversation
from app.data.document import Item, Refused
from app.services.export import export, twin
from app.services.export.record import record
from app.services.export.verify import Check
from app.services.export.verify import opened as opened_twin
from app.services.export.verify import verify as checked
from app.services.problem import Problem


def main(arguments: Namespace) -> int:
    return run(_export, arguments)


def verify(arguments: Namespace) -> int:
    return run(_verify, arguments)


async def _export(arguments: Namespace, terminal: Terminal) -> int:
    async with opened(settings(arguments, terminal), keep=True) as parts:
        kept = parts.conversations.list()
        if arguments.list:
            for one in kept:
                terminal.answer(f"{one.id[:8]}  {one.began[:16].replace('T', ' ')}  {one.title}\n")
            return 0
        if arguments.to is None:
            terminal.say("longread export: --to is missing: a file name that ends in .md, .pdf or .docx")
            return BAD_USE
        found = _found(kept, arguments.conversation)
        if len(found) != 1:
            terminal.say(_which(arguments.conversation, found))
            return FAILED
        for path in (arguments.to, twin(arguments.to)):
            if path.exists() and not arguments.force:
                terminal.say(f"{path} is there already and was left as it is. Another name, or --force, is needed.")
                return FAILED
        messages = parts.conversations.messages(found[0].id)
        answers = [message.id for message in messages if message.role == "assistant"]
        if arguments.answer is not None and arguments.answer > len(answers):
            terminal.say(f"This conversation has {len(answers)} answers: there is no number {arguments.answer}.")
            return FAILED
        only = None if arguments.answer is None else answers[arguments.answer - 1]
        what = record(found[0], messages, parts.library.get, parts.library.text, version("longread"), only)
        beside = await export(what, arguments.to)
    terminal.answer(f"{arguments.to}\n{beside}\n")
    return 0


def _found(kept: list[Conversation], wanted: str) -> list[Conversation]:
    if wanted == "last":
        return kept[:1]
    by_id = [one for one in kept if one.id.startswith(wanted)]
    return by_id or [one for one in kept if wanted.casefold() in one.title.casefold()]


def _which(wanted: str, found: list[Conversation]) -> str:
    if not found:
        return f"No conversation is kept that is called {wanted!r}. See: longread export --list"
    return f"{len(found)} conversations are called {wanted!r}. Give the beginning of an id: longread export --list"


async def _verify(arguments: Namespace, terminal: Terminal) -> int:
    """The exit code is 1 when anything is not as the export says; what is not here is said and no failure."""
    what = opened_twin(arguments.file)
    chosen = settings(arguments, terminal)
    async with opened(chosen, keep=False) as passing, opened(chosen, keep=True) as kept:
        read = [await opened_document(passing.library, path, terminal) for path in arguments.doc]
        for one in read:
            if isinstance(one, Refused):
                terminal.say(sentences.refused(one))
        own = {_digest(path) for path in arguments.doc if path.is_file()}
        own |= {one.file_sha256 for one in read if isinstance(one, Item)}
        checks = checked(
            what, arguments.file.parent, lambda id: _text((passing, kept), id), lambda digest: digest in own
        )
    wrong = [check for check in checks if check.found == "wrong"]
    if arguments.json:
        terminal.answer(msgspec.json.encode({"right": not wrong, "checks": checks}).decode() + "\n")
    else:
        for check in checks:
            terminal.answer(f"{_told(check)}\n")
    return FAILED if wrong else 0


def _text(places: tuple[Parts, ...], id: str) -> str | None:
    for parts in places:
        try:
            return parts.library.text(id)
        except (KeyError, Problem):
            continue
    return None


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _told(check: Check) -> str:
    sign = {"right": "✓", "wrong": "✗", "missing": "–"}[check.found]
    said = words.sentence(export_words.CHECKS, check.what, {"subject": check.subject})
    return f"{sign} {said}: {export_words.FINDINGS[check.found]}"
