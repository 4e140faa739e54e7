"""`longread serve` on the command line."""

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

from app.commands import arguments as options

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"

ABOUT = """\
Serves the model and the library to other programs of this computer, in OpenAI's and Anthropic's protocols, without a
window. Every client needs a key: longread keys add NAME. The base address that is printed works with /v1, /api and
/api/v1 after it as well, and without. Ctrl+C ends it."""


def add(commands: Commands, run: Callable[[argparse.Namespace], int]) -> None:
    serve = commands.add_parser("serve", help="answer other programs over a local API", description=ABOUT)
    written = serve.add_argument_group("configuration")
    written.add_argument(
        "--config",
        metavar="FILE",
        type=Path,
        help="a config.toml: the model, providers, models under own names; instead of the settings",
    )
    written.add_argument(
        "--print-config", action="store_true", help="write such a file with every key, its meaning and its default"
    )
    where = serve.add_argument_group("where", "instead of what the settings say")
    where.add_argument(
        "--host",
        dest="api_host",
        metavar="ADDRESS",
        help="127.0.0.1 is this computer alone; 0.0.0.0, or one of its addresses, lets others reach it",
    )
    where.add_argument("--port", dest="api_port", type=_port, metavar="N", help="0: any that is free")
    where.add_argument(
        "--name", dest="api_names", metavar="NAME", action="append", help="by which clients may call it; repeatable"
    )
    where.add_argument(
        "--tls",
        dest="api_tls",
        action="store_const",
        const=True,
        help="encrypt connections, with a certificate that is made here unless one is given",
    )
    where.add_argument("--tls-certificate", dest="api_tls_certificate", metavar="FILE", help="PEM; with --tls-key")
    where.add_argument("--tls-key", dest="api_tls_key", metavar="FILE", help="PEM; with --tls-certificate")
    serve.add_argument(
        "--switch", action="store_true", help="load another local model when a client asks for one, instead of refusing"
    )
    options.add_reading(serve)
    options.add_policy(serve)
    options.add_model(serve)
    serve.set_defaults(run=run)


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise argparse.ArgumentTypeError("must be from 0 to 65535")
    return number
