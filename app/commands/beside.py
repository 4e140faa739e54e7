"""A command beside a Longread that runs already: it asks through that one's local API, or says who holds the memory."""

import contextlib

import psutil

from app import words
from app.data.provider import Provider
from app.gateway import running
from app.gateway.names import CHOSEN
from app.services.problem import Problem
from engine.client import EngineBusy

NAME = "running"
"""What the running Longread is called as a provider, for one command."""


def provider() -> Provider | None:
    """The running one's local API, which its own person's programs may use; None where it is off."""
    found = running.read()
    if found is None:
        return None
    return Provider(
        *(NAME, found.address, found.token),
        models=(CHOSEN,),
        certificate=found.certificate,
        takes_documents=True,
    )


def holder(busy: EngineBusy) -> Problem:
    """Who has the engine, and how much memory it takes with all of its processes."""
    if busy.pid is None:
        return Problem("engine_busy")
    told = f"process {busy.pid}"
    with contextlib.suppress(psutil.Error):
        one = psutil.Process(busy.pid)
        family = [one, *one.children(recursive=True)]
        told += f", {words.size(sum(each.memory_info().rss for each in family))}"
    return Problem("engine_held", subject=told)
