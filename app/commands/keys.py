"""`longread keys`: the keys of the local API."""

import contextlib
import os
import sys
import time
from argparse import Namespace
from collections.abc import Iterator

import msgspec

from app import paths, words
from app.commands import meant, sentences
from app.commands.run import FAILED, kept_library, run
from app.commands.terminal import Terminal
from app.data.check import Check
from app.data.document import Item
from app.data.key import Key
from app.data.settings import Settings
from app.gateway import names, running
from app.gateway.checks import checks
from app.gateway_words import CHECKS, ERRORS
from app.services.client_settings import KEY_VARIABLE
from app.services.database import MEMORY, Database
from app.services.keys import Keys
from app.services.models import Models

SIGNS = {"good": "✓", "warn": "!", "bad": "✗"}


def main(arguments: Namespace) -> int:
    actions = {"list": _list, "add": _add, "check": _check, "revoke": _revoke, "forget": _forget}
    return run(actions[arguments.action], arguments)


@contextlib.contextmanager
def _opened(*, make: bool = False) -> Iterator[Keys]:
    """The keys that are kept; looking makes no file."""
    keys = Keys(Database(paths.database() if make or paths.database().exists() else MEMORY))
    try:
        yield keys
    finally:
        keys.close()


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    with _opened() as keys:
        made = keys.all()
    if arguments.json:
        terminal.answer(msgspec.json.encode({"keys": made}).decode() + "\n")
        return 0
    with kept_library() as (library, _):
        documents = _names(library.items())
    for key in made:
        terminal.answer(f"{key.name} · {_may(key, documents)}\n    {_done(key)}\n")
    return 0


async def _add(arguments: Namespace, terminal: Terminal) -> int:
    with kept_library() as (library, _):
        documents = meant.items(arguments.documents, library.items())
    models = [name for said in arguments.models for part in said.split(",") if (name := part.strip())]
    _tell_unknown(models, terminal)
    with _opened(make=True) as keys:
        key, secret = keys.add(
            arguments.name,
            models=models,
            documents=[item.id for item in documents],
            remote=arguments.remote,
            daily_tokens=arguments.daily_tokens,
        )
    terminal.say(f"The secret of the key {key.name}, {_may(key, _names(documents))}, is shown this once:")
    terminal.answer(f"{secret}\n")
    terminal.say(f"A client sends it as its API key. To take it back: longread keys revoke {_quoted(key.name)}")
    return 0


def _tell_unknown(wanted: list[str], terminal: Terminal) -> None:
    """A name may be that of a model that comes later, and may be mistyped. Remote ones and collections have a sign."""
    entries = Models(paths.models()).entries()
    known = {names.CHOSEN, *(name for entry in entries for name in (entry.name, entry.title, entry.path))}
    known |= {model.name for model in names.of_entries(entries, lambda name: Settings(model=name))}
    for name in wanted:
        if name not in known and "/" not in name and not name.startswith(names.COLLECTION):
            terminal.say(f"No model is called {name} just now. The key is made all the same. See: longread models list")


async def _check(arguments: Namespace, terminal: Terminal) -> int:
    """Each finding on a line; the exit code says whether all is in order."""
    served = running.read()
    secret = sys.stdin.readline().removesuffix("\n") if arguments.secret == "-" else arguments.secret
    if secret is None:
        secret = os.environ.get(KEY_VARIABLE) or (served.token if served else "")
    found: list[Check] = []
    address, certificate = (served.address, served.certificate) if served else ("", "")
    steps = checks(address, secret, arguments.model, anthropic=arguments.anthropic, certificate=certificate)
    async for one in steps:
        found.append(one)
        if not arguments.json:
            terminal.answer(f"{SIGNS[one.verdict]} {words.sentence(CHECKS | words.FAILURES, one.code, one.values)}\n")
    if arguments.json:
        terminal.answer(msgspec.json.encode({"checks": found}).decode() + "\n")
    return FAILED if any(one.verdict == "bad" for one in found) else 0


async def _revoke(arguments: Namespace, terminal: Terminal) -> int:
    with _opened() as keys:
        keys.revoke(arguments.name)
    terminal.say(f"The key {arguments.name} opens nothing any more. It stays in the list with what it did.")
    return 0


async def _forget(arguments: Namespace, terminal: Terminal) -> int:
    with _opened() as keys:
        keys.forget(arguments.name)
    terminal.say(f"The key {arguments.name} and what was known of its use are deleted.")
    return 0


def _names(items: list[Item]) -> dict[str, str]:
    return {item.id: item.name for item in items}


def _may(key: Key, documents: dict[str, str]) -> str:
    """What it may do. `documents`: names of the library's, by id."""
    told = [f"…{key.hint}"]
    if key.revoked is not None:
        told.append(f"revoked {_moment(key.revoked)}")
    told.append(", ".join(key.models) or "all models")
    told.append(", ".join(documents.get(id, f"{id[:12]} (deleted)") for id in key.documents) or "all documents")
    told.append("other computers' engines too" if key.remote else "this computer's engine only")
    if key.daily_tokens is not None:
        told.append(f"at most {sentences.tokens(key.daily_tokens)} a day")
    return " · ".join(told)


def _done(key: Key) -> str:
    if key.last_used is None:
        return "not used yet"
    told = ["1 request" if key.requests == 1 else f"{key.requests:,} requests"]
    told.append(f"{sentences.tokens(key.prompt)} in prompts, {key.reused:,} of them reused")
    told.append(f"{key.written:,} written")
    told.append(f"{key.today:,} today")
    told.append(f"used {_moment(key.last_used)}")
    if key.last_error:
        told.append(f"last request: {ERRORS.get(key.last_error, key.last_error.replace('_', ' '))}")
    return " · ".join(told)


def _moment(when: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(when))


def _quoted(name: str) -> str:
    return name if name.isalnum() else f'"{name}"'
