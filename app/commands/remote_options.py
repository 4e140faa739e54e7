"""What `longread remote` takes. Light: help and mistakes are answered from here."""

import argparse
from collections.abc import Callable

from app.commands import client_options

REMOTE = """\
Servers that speak OpenAI's protocol: SGLang, vLLM, llama.cpp, or Longread on another computer. A model of one is named
NAME/MODEL wherever a model is named. Questions and documents go there whole when you ask, and not before. Servers and
keys are kept in providers.json in the data folder, readable for you alone; keys are in no log and no export."""


def add(
    commands: "argparse._SubParsersAction[argparse.ArgumentParser]", run: Callable[[argparse.Namespace], int]
) -> None:
    remote = commands.add_parser(
        "remote",
        help="models on other computers: add, list, test and remove servers",
        description=REMOTE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    remote.set_defaults(run=run)
    actions = remote.add_subparsers(title="actions", metavar="ACTION", required=True)

    adding = actions.add_parser("add", help="remember a server, or change one of that name; nothing is connected")
    adding.add_argument("name", metavar="NAME", help="a short name of your own for it")
    adding.add_argument("--url", metavar="ADDRESS", required=True, help="http://host:8000, with or without /v1")
    keys = adding.add_mutually_exclusive_group()
    keys.add_argument("--key-env", metavar="VAR", help="the variable that holds its key")
    keys.add_argument("--key", choices=("-",), help="- reads the key from stdin, or asks for it, and keeps it")
    adding.add_argument("--model", metavar="M", action="append", default=[], help="one of its models; repeatable")
    adding.add_argument("--timeout", type=_seconds, metavar="SECONDS", help="of silence that are waited for; 600")
    adding.add_argument("--retries", type=int, choices=range(11), metavar="N", help="before anything was shown; 2")
    adding.add_argument("--certificate", metavar="FILE", help="a PEM file, of a server that vouches for itself")
    adding.set_defaults(action="add")

    listing = actions.add_parser("list", help="the servers and their models")
    listing.add_argument("--json", action="store_true")
    listing.set_defaults(action="list")

    testing = actions.add_parser("test", help="ask for its models and a tiny question, and say what is wrong")
    testing.add_argument("name", metavar="NAME")
    testing.add_argument("--model", metavar="M", help="that one, instead of its first")
    testing.set_defaults(action="test")

    removing = actions.add_parser("remove", help="forget a server and its key")
    removing.add_argument("name", metavar="NAME")
    removing.set_defaults(action="remove")

    client_options.add(actions)


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= 86_400:
        raise argparse.ArgumentTypeError("must be above 0 and at most 86400")
    return value
