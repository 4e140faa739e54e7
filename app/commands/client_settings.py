"""`longread remote import` and `export-client`: the settings.json that other programs keep of a server."""

import contextlib
import os
from argparse import Namespace
from pathlib import Path

from msgspec.structs import replace

from app import paths
from app.commands.run import FAILED, settings
from app.commands.terminal import Terminal
from app.data.provider import named
from app.data.settings import gateway
from app.gateway import names, reach, running
from app.services import client_settings
from app.services.database import Database
from app.services.files import write_whole
from app.services.keys import Keys
from app.services.models import Models
from app.services.providers import Providers, check
from app.services.settings import SettingsStore

STDOUT = Path("-")


async def imported(arguments: Namespace, terminal: Terminal) -> int:
    """Keep the server that such a file names."""
    found = client_settings.read(arguments.file, os.environ, arguments.name or "")
    provider, providers = found.provider, Providers(paths.providers())
    check(provider)
    providers.put(provider)
    if provider.api_key:
        terminal.say(f"The key is kept in {providers.path}, readable for you alone.")
    if arguments.use and found.default_model:
        store = SettingsStore(paths.settings())
        store.save(replace(store.load()[0], model=found.default_model))
        terminal.say(f"{found.default_model} is asked from now on.")
    terminal.say(f"Nothing was connected yet. Try it: longread remote test {provider.name}")
    terminal.answer("".join(f"{named(provider.name, model)}\n" for model in provider.models) or f"{provider.name}\n")
    return 0


async def exported(arguments: Namespace, terminal: Terminal) -> int:
    """Write such a file for a client of the local API."""
    kept = settings(arguments, terminal)
    if arguments.file != STDOUT and arguments.file.exists() and not arguments.force:
        terminal.say(f"{arguments.file} is there already. Choose another name, or replace it with --force.")
        return FAILED
    served, chosen = running.read(), gateway(kept)
    address = served.address if served else reach.base(chosen, chosen.near, chosen.port)
    local = names.of_entries(Models(paths.models()).entries(chosen=kept.model), lambda name: replace(kept, model=name))
    models = [names.CHOSEN, *(model.name for model in local)]
    secret = ""
    if arguments.key:
        with contextlib.closing(Keys(Database(paths.database()))) as keys:
            _, secret = keys.add(arguments.key)
    content = client_settings.written(address, models, names.CHOSEN, secret)
    if arguments.file == STDOUT:
        terminal.answer(content)
    else:
        write_whole(arguments.file, content.encode())
        terminal.answer(f"{arguments.file}\n")
    if not secret:
        variable = client_settings.KEY_VARIABLE
        terminal.say(f"Its key is that of the variable {variable}. `longread keys add NAME` makes one.")
    elif arguments.file != STDOUT:
        terminal.say("The file holds the key and is readable for you alone.")
    if served is None:
        terminal.say("The local API is not served just now: the address is the one that the settings say.")
    return 0
