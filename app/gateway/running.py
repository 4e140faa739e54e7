"""gateway.json in the data folder, while the API is served: its address, and a secret for this person's programs."""

import contextlib
import os

import msgspec
import psutil

from app import paths
from app.data.gateway import Running
from app.services.files import write_whole

NAME = "gateway.json"


def write(running: Running) -> None:
    """For the person alone (0600). Raises `Problem` as `write_whole` does."""
    write_whole(paths.data() / NAME, msgspec.json.encode(running))


def read() -> Running | None:
    """What is served by a process that is alive; None: nothing."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        running = msgspec.json.decode((paths.data() / NAME).read_bytes(), type=Running)
        return running if psutil.pid_exists(running.pid) else None
    return None


def remove() -> None:
    """It is served no more, if it was this process that did."""
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        running = msgspec.json.decode((paths.data() / NAME).read_bytes(), type=Running)
        if running.pid == os.getpid():
            (paths.data() / NAME).unlink()
