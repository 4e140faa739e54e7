"""`longread serve`: the local API without a window."""

import asyncio
import contextlib
from argparse import Namespace

from msgspec import Struct
from msgspec.structs import replace

from app import paths
from app.commands import sentences
from app.commands.run import Parts, opened, run, settings
from app.commands.terminal import Terminal
from app.data.gateway import GatewaySettings
from app.data.settings import Settings, gateway
from app.gateway.behind import Behind, Elsewhere, Nowhere
from app.gateway.security import is_loopback
from app.gateway.server import Gateway, built
from app.services.database import Database
from app.services.keys import Keys


class Served(Struct, frozen=True):
    """What is served, and how."""

    settings: Settings
    gateway: GatewaySettings
    named: dict[str, Settings] = {}
    """Models under names of their own."""
    elsewhere: Elsewhere = Nowhere()


def main(arguments: Namespace) -> int:
    return run(_serve, arguments)


async def _serve(arguments: Namespace, terminal: Terminal) -> int:
    served = _chosen(arguments, terminal)
    async with opened(served.settings, keep=True) as parts:
        with contextlib.closing(Keys(Database(paths.database()))) as keys:
            loaded = await parts.assistant.load(
                parts.settings, lambda at: terminal.progress(sentences.STAGES[at.stage], sentences.progress(at))
            )
            for note in loaded.notes:
                terminal.say(sentences.note(note.code, note.values))
            one = built(_behind(served, parts), keys, served.gateway)
            try:
                address = await one.start()
                _tell(terminal, one, keys, loaded.window)
                terminal.answer(f"{address}/v1\n")
                await asyncio.Event().wait()
            finally:
                await one.stop()
    return 0


def _chosen(arguments: Namespace, terminal: Terminal) -> Served:
    """By the kept settings and the command line."""
    chosen = settings(arguments, terminal)
    if arguments.api_names is not None:
        chosen = replace(chosen, api_names=tuple(arguments.api_names))
    if arguments.api_tls_certificate or arguments.api_tls_key:
        chosen = replace(chosen, api_tls=True)
    return Served(chosen, replace(gateway(chosen), switch=arguments.switch))


def _behind(served: Served, parts: Parts) -> Behind:
    return Behind(
        *(parts.engine, parts.assistant, parts.library, parts.collections, parts.models),
        elsewhere=served.elsewhere,
        named=served.named,
        switch=served.gateway.switch,
    )


def _tell(terminal: Terminal, one: Gateway, keys: Keys, window: int) -> None:
    terminal.say(f"Longread answers at {one.address}/v1, with a context of {window:,} tokens. Ctrl+C ends it.")
    if all(key.revoked is not None for key in keys.all()):
        terminal.say("Clients need a key, and there is none yet. Make one with: longread keys add NAME")
    if one.certificate:
        terminal.say(f"Its certificate was made here. Clients must be told to trust {one.certificate}")
    if not is_loopback(one.settings.host):
        terminal.say("Other computers can reach it, and whoever has a key can ask about the library.")
        if not one.address.startswith("https:"):
            terminal.say("What they send and get is not encrypted: --tls makes it so.")
