"""Read a file or folder in a process of its own: what it says is progress, how it dies is a reason."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

from app.data.document import Extracted, RefusalCode, Refused
from app.documents.messages import AS_USUAL, GENEROUS, At, Limits, NoText, Options, Probe, Request, Skip, Text
from app.documents.names import shown
from app.documents.process import Death, DocumentProcess


def ignore(done: int, total: int) -> None:
    """Progress that nobody asked for."""


async def extract(
    source: Path,
    on_progress: Callable[[int, int], None] = ignore,
    limits: Limits = GENEROUS,
    options: Options = AS_USUAL,
) -> Extracted | Refused:
    """The text of a file or folder, or why there is none; never raises for what a document holds.

    `on_progress(done, total)` counts pages, sections or files (total 0: not known) and never falls. A file of a folder,
    an archive or a mail that kills its process, or says nothing for too long, is left out by name and the rest is read
    again without it.
    Cancelling the task kills the process before `CancelledError` goes on.
    """
    path = _absolute(source)
    name = shown(os.path.basename(path) or path)
    ends = time.monotonic() + limits.seconds
    skip: list[Skip] = []
    furthest = -1

    def report(at: At) -> None:
        nonlocal furthest
        if at.done > furthest:
            furthest = at.done
            on_progress(at.done, at.total)

    while True:
        request = Request(source=os.fsencode(path), limits=limits, skip=tuple(skip), options=options)
        outcome = await _attempt(request, ends, report)
        if isinstance(outcome, Extracted | Refused):
            return outcome
        code, file = outcome
        known = {left.path for left in skip}
        if file is None or file in known or len(skip) >= limits.restarts or time.monotonic() >= ends:
            return Refused(code=code, name=name)
        skip.append(Skip(file, code))


async def isolation(limits: Limits = GENEROUS) -> Probe | None:
    """What keeps the document process from the network and from taking all memory, found by starting one and trying.

    For the privacy page; sentences: `app.words.ISOLATION`. None when the process could not be started.
    """
    process = DocumentProcess(Request(source=b"", limits=limits), limits)
    try:
        said = await process.next(limits.silence)
        return said if isinstance(said, Probe) else None
    finally:
        await process.end()


async def _attempt(
    request: Request, ends: float, report: Callable[[At], None]
) -> Extracted | Refused | tuple[RefusalCode, bytes | None]:
    """One process from start to end; of a death, its kind and the inner file that was being read."""
    at: bytes | None = None
    process = DocumentProcess(request, request.limits)
    try:
        while True:
            left = ends - time.monotonic()
            said = await process.next(max(0.0, min(request.limits.silence, left)))
            match said:
                case At():
                    at = said.path
                    report(said)
                case Text():
                    return said.extracted
                case NoText():
                    return said.refused
                case Death():
                    return _meaning(said), at
                case None:
                    return "too_slow", at
    finally:
        await process.end()


def _absolute(source: Path) -> str:
    return os.path.abspath(source)


def _meaning(death: Death) -> RefusalCode:
    if death.memory:
        return "too_big"
    if os.name == "posix" and death.status == -signal.SIGXCPU:
        return "too_slow"
    return "crashed"
