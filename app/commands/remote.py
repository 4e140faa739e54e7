"""`longread remote`: servers elsewhere whose models can be asked."""

import getpass
import sys
from argparse import Namespace
from pathlib import Path

import msgspec

from app import paths, words
from app.commands import client_settings, sentences
from app.commands.run import BAD_USE, FAILED, run
from app.commands.terminal import Terminal
from app.data.provider import RETRIES, TIMEOUT, Provider, named
from app.services.providers import Providers, check
from engine.remote import address, key_fault


def main(arguments: Namespace) -> int:
    actions = {"add": _add, "list": _list, "test": _test, "remove": _remove}
    actions |= {"import": client_settings.imported, "export-client": client_settings.exported}
    return run(actions[arguments.action], arguments)


async def _add(arguments: Namespace, terminal: Terminal) -> int:
    providers = Providers(paths.providers())
    key = _key() if arguments.key else ""
    provider = Provider(
        arguments.name,
        arguments.url.strip(),
        key,
        arguments.key_env or "",
        arguments.timeout or TIMEOUT,
        RETRIES if arguments.retries is None else arguments.retries,
        tuple(dict.fromkeys(arguments.model)),
        certificate=_absolute(arguments.certificate),
    )
    check(provider)
    where = address(provider.base_url)
    if (fault := key_fault(key)) is not None:
        terminal.say(words.sentence(words.FAILURES, fault, {"subject": where.host}))
        return BAD_USE
    providers.put(provider)
    terminal.say(f"Nothing was connected yet. Try it: longread remote test {provider.name}")
    if not where.local and not where.encrypted:
        terminal.say(f"What goes to {where.host} can be read on the way: its address is http, not https.")
    if provider.api_key:
        terminal.say(f"The key is kept in {providers.path}, readable for you alone.")
    terminal.answer("".join(f"{named(provider.name, model)}\n" for model in provider.models) or f"{provider.name}\n")
    return 0


def _absolute(path: str | None) -> str:
    return str(Path(path).absolute()) if path else ""


def _key() -> str:
    """One line of stdin, or what is typed unseen."""
    if sys.stdin.isatty():
        return getpass.getpass("Key: ")
    return sys.stdin.read().removesuffix("\n").removesuffix("\r")


async def _list(arguments: Namespace, terminal: Terminal) -> int:
    providers = Providers(paths.providers()).all()
    if arguments.json:
        told = [msgspec.to_builtins(one) | {"api_key": "kept" if one.api_key else ""} for one in providers]
        terminal.answer(msgspec.json.encode({"providers": told}).decode() + "\n")
        return 0
    for one in providers:
        key = f"key in {one.api_key_env}" if one.api_key_env else "key kept here" if one.api_key else "no key"
        terminal.answer(f"{one.name}  {one.base_url} · {key} · silent for {one.timeout_seconds:g} s at most\n")
        for model in one.models:
            window = one.windows.get(model)
            terminal.answer(f"    {named(one.name, model)}{f'  window {window:,}' if window else ''}\n")
    if not providers:
        terminal.say("No servers. Add one with: longread remote add NAME --url http://host:8000")
    return 0


async def _test(arguments: Namespace, terminal: Terminal) -> int:
    providers = Providers(paths.providers())
    where = address(providers.get(arguments.name).base_url)
    terminal.say(f"Asking {where.host} for its models and a tiny question.")
    outcome = await providers.test(arguments.name, arguments.model or "")
    told = f"{outcome.model} answered after {sentences.seconds(outcome.seconds)}"
    terminal.say(f"{told}, with {len(outcome.answered)} characters." if outcome.answered else f"{told}, with nothing.")
    if not outcome.lists:
        terminal.say("It does not list its models; those that you named are kept.")
    for model in outcome.provider.models:
        window = outcome.provider.windows.get(model)
        terminal.answer(f"{named(arguments.name, model)}{f'  window {window:,}' if window else ''}\n")
    return 0 if outcome.answered else FAILED


async def _remove(arguments: Namespace, terminal: Terminal) -> int:
    Providers(paths.providers()).remove(arguments.name)
    terminal.answer(f"{arguments.name} is forgotten, and its key\n")
    return 0
