"""The document process locks itself in before it looks at a document: memory, time, network, files, programs."""

import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence

from app.documents import seccomp
from app.documents.messages import Limits, MemoryGuard, NetworkGuard, Probe

if sys.platform != "win32":
    import resource

REFUSED_EVENTS = ("socket.", "subprocess.", "os.exec", "os.system", "os.posix_spawn", "os.startfile", "urllib.")
"""Audit events of Python that have no place in reading a document."""


def enclose(limits: Limits) -> Probe:
    """Lock this process in for good, and say what holds it."""
    memory = _limit(limits)
    network: NetworkGuard = "seccomp" if seccomp.install() else "audit_hook"
    reached = _try_network() if network == "seccomp" else None
    sys.addaudithook(_refuse)
    return Probe(network=network, memory=memory, reached=reached or _try_network())


def lines() -> Iterator[bytes]:
    """The lines of the standard input. Unbuffered: a thread that waits in Python's own reader cannot be left behind."""
    rest = b""
    while part := os.read(0, 1 << 16):
        *whole, rest = (rest + part).split(b"\n")
        yield from whole


def end_with_parent(asked: Iterator[bytes], hear: Callable[[bytes], None] = lambda line: None) -> None:
    """End this process when its standard input ends: whoever asked is gone, or has changed their mind. Until then,
    `hear` is called with each line, on a thread of its own."""

    def wait() -> None:
        for line in asked:
            hear(line)
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


def _limit(limits: Limits) -> MemoryGuard:
    if sys.platform == "win32":
        return "watch"
    seconds = int(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    # No files written, and no image of the memory, which holds the document, left behind by a crash.
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sys.platform.startswith("linux"):
        return "watch"  # macOS takes the limit and does not keep it
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    return "rlimit"


def _refuse(event: str, arguments: Sequence[object]) -> None:
    if event.startswith(REFUSED_EVENTS):
        raise PermissionError(f"{event} is refused while a document is read")


def _try_network() -> str | None:
    """The call that should have been refused and was not."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    except PermissionError:
        return None
    return "socket"
