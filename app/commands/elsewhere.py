"""Questions that are answered elsewhere: what is said before they go, and what cannot be asked for there."""

from argparse import Namespace

from app.commands import sentences
from app.commands.terminal import Terminal
from app.services.problem import Problem
from app.services.providers import Providers
from engine.remote import address

HERE = {
    **{name: f"--{name}" for name in ("precision", "window", "device", "threads", "segment", "overlap", "join", "kv")},
    **{name: f"--{name}" for name in ("calibrate", "selection", "policy", "part")},
    "extension": "--extend",
    "keep": "--segments",
    "asked": "--ask-only",
    "kept_rows": "--keep-rows",
    "every_part": "--every-part",
    "part_question": "--part-question",
}
"""Options that only the engine of this computer follows, by their names as arguments."""


def refused(arguments: Namespace) -> str | None:
    """A sentence where an option was given that means nothing to a server; None: all is well."""
    given = [option for name, option in HERE.items() if getattr(arguments, name, None) not in (None, False, "none")]
    if getattr(arguments, "reading_mode", None) == "parallel":
        given.append("--mode parallel")
    if not given:
        return None
    return (
        f"longread ask: {', '.join(given)} can be had of this computer's engine alone; a server reads and keeps as it "
        "does. Nothing was sent. Leave it out, or choose a local model."
    )


def say_where(providers: Providers, model: str, documents: int, terminal: Terminal) -> None:
    """Before anything goes: what goes, and to whom. Raises `Problem("provider_unknown")`."""
    found = providers.find(model)
    if found is None:
        raise Problem("provider_unknown", subject=model)
    where = address(found[0].base_url)
    what = f"the question and {sentences.documents(documents)}" if documents else "the question"
    if where.local:
        terminal.say(f"Another program of this computer answers, {where.host}. It is given {what}.")
        return
    lock = "" if where.encrypted else ", unencrypted"
    terminal.say(f"This leaves this computer: {what} {'go' if documents else 'goes'} to {where.host}{lock}.")
