"""What `longread keys` takes. Light: help and mistakes are answered from here."""

import argparse

from app.commands import arguments as options
from app.commands.library_options import WHAT

ADD = """\
Makes a key of the local API and writes its secret to stdout, alone and this once: only a hash of it is kept. Make one
for each program, so that each can be limited, counted and revoked by itself."""

CHECK = """\
Looks for proxy variables that would lead programs elsewhere, then calls the address, tries the key and puts a tiny
question to the model. Without SECRET the key is that of the variable LONGREAD_API_KEY, else the server's own."""


def add(commands: options.Commands, run: options.Run) -> None:
    about = "make, list and revoke the keys of the local API"
    listing = "all keys: what each may do, what it has done, and when it was used"
    actions = options.add_listed(commands, "keys", run, about, listing)

    new = actions.add_parser("add", help="make a key and show its secret once", description=ADD)
    new.add_argument("name", metavar="NAME", help="what it is for, such as the name of a program")
    new.add_argument(
        "--models", metavar="A,B", action="append", default=[], help="the only ones it may ask; repeatable"
    )
    new.add_argument(
        "--documents", metavar="WHAT", action="append", default=[], help=f"the only one it may use: {WHAT}; repeatable"
    )
    new.add_argument("--remote", action="store_true", help="it may ask engines on other computers, too")
    new.add_argument(
        "--daily-tokens", type=options.positive, metavar="N", help="prompts and answers of a day; then it is refused"
    )
    new.set_defaults(action="add")

    check = actions.add_parser("check", help="call the API that is served now as a program would", description=CHECK)
    check.add_argument("secret", metavar="SECRET", nargs="?", help="a key's secret; - reads it from stdin")
    check.add_argument("--model", metavar="M", default="longread", help="as programs name it; longread: the chosen one")
    check.add_argument("--anthropic", action="store_true", help="put the question in Anthropic's protocol")
    check.add_argument("--json", action="store_true", default=argparse.SUPPRESS)
    check.set_defaults(action="check")

    revoke = actions.add_parser("revoke", help="let its secret open nothing from now on; it stays in the list")
    revoke.add_argument("name", metavar="NAME")
    revoke.set_defaults(action="revoke")

    forget = actions.add_parser("forget", help="delete a revoked key with what is known of its use")
    forget.add_argument("name", metavar="NAME")
    forget.set_defaults(action="forget")
