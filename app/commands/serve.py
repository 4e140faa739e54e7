"""`longread serve`: the local API without a window."""

import asyncio
import contextlib
from argparse import Namespace

from msgspec.structs import replace

from app import paths
from app.commands import sentences, serve_config
from app.commands.run import BAD_USE, FAILED, Parts, opened, over, policy_missing, run, settings
from app.commands.terminal import Terminal
from app.data.serving import Serving
from app.gateway import config_written, running
from app.gateway.behind import Behind
from app.gateway.config_key import WithConfigured
from app.gateway.server import Gateway, built
from app.gateway.tally import Keys as AnyKeys
from app.services.database import Database
from app.services.keys import Keys
from app.services.providers import Providers
from engine.client import EngineBusy
from engine.remote.proxies import used


def main(arguments: Namespace) -> int:
    return run(_print if arguments.print_config else serve, arguments)


async def _print(arguments: Namespace, terminal: Terminal) -> int:
    terminal.answer(config_written.written())
    return 0


async def serve(arguments: Namespace, terminal: Terminal) -> int:
    """Until it is cancelled. The address goes to stdout as soon as it is listened on."""
    try:
        served = _chosen(arguments, terminal)
        if missing := policy_missing(served.settings, arguments):
            terminal.say(f"longread serve: {missing}")
            return BAD_USE
        return await _serve(served, arguments, terminal)
    except EngineBusy:
        if (found := running.read()) is None:
            raise
        terminal.say(f"Another Longread with the same data folder answers already, at {found.address}/v1")
        return FAILED


async def _serve(served: Serving, arguments: Namespace, terminal: Terminal) -> int:
    async with opened(served.settings, keep=True) as parts:
        with contextlib.closing(Keys(Database(paths.database()))) as keys:
            if arguments.config is not None:
                served = await serve_config.check(served, parts)
            loaded = await parts.assistant.load(
                served.settings, lambda at: terminal.progress(sentences.STAGES[at.stage], sentences.progress(at))
            )
            for note in loaded.notes:
                terminal.say(sentences.note(note.code, note.values))
            far = await serve_config.elsewhere(served, terminal)
            loop = asyncio.get_running_loop()
            one = built(
                *(_behind(served, parts, far), _keys(served, keys), served.gateway),
                on_problem=lambda problem: loop.call_soon_threadsafe(terminal.say, sentences.problem(problem)),
            )
            try:
                address = await one.start()
                _tell(terminal, one, bool(served.api_key) or _any(keys), loaded.window)
                terminal.answer(f"{address}/v1\n")
                await asyncio.Event().wait()
            finally:
                await one.stop()
    return 0


def _chosen(arguments: Namespace, terminal: Terminal) -> Serving:
    """By the file, or without one by the kept settings; the command line goes before both."""
    kept = settings(arguments, terminal)
    served = Serving(kept)
    if arguments.config is not None:
        served = serve_config.read(arguments.config, kept, terminal)
    chosen = over(served.settings, arguments)
    if arguments.api_names is not None:
        chosen = replace(chosen, api_names=tuple(arguments.api_names))
    if arguments.api_tls_certificate or arguments.api_tls_key:
        chosen = replace(chosen, api_tls=True)
    return replace(served, settings=chosen, switch=served.switch or arguments.switch)


def _keys(served: Serving, kept: Keys) -> AnyKeys:
    return WithConfigured(kept, served.api_key, remote=served.api_key_remote) if served.api_key else kept


def _any(keys: Keys) -> bool:
    return any(key.revoked is None for key in keys.all())


def _behind(served: Serving, parts: Parts, far: Providers) -> Behind:
    return Behind(
        *(parts.engine, parts.assistant, parts.library, parts.collections, parts.models),
        elsewhere=far,
        named=served.named,
        switch=served.switch,
    )


def _tell(terminal: Terminal, one: Gateway, opens: bool, window: int) -> None:
    """`opens`: whether there is a key."""
    terminal.say(f"Longread answers at {one.address}/v1, with a context of {window:,} tokens. Ctrl+C ends it.")
    if not opens:
        terminal.say("Clients need a key, and there is none yet. Make one with: longread keys add NAME")
    if (proxy := used(one.address)) is not None:
        terminal.say(
            f"Variables of this terminal send connections through {proxy}. Programs that follow them reach Longread "
            "when NO_PROXY=127.0.0.1,localhost is set for them."
        )
    if one.certificate:
        terminal.say(f"Its certificate was made here. Clients must be told to trust {one.certificate}")
    if one.others:
        told = ", ".join(f"{address}/v1" for address in one.others)
        terminal.say(f"Other computers can reach it at {told}, and whoever has a key can ask about the library.")
        if not one.address.startswith("https:"):
            terminal.say("What they send and get is not encrypted: --tls makes it so.")
