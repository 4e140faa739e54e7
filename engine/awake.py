"""Keeps the machine from going to sleep while something is read, and never stands in the way of reading."""

import ctypes
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

INHIBIT = (
    "systemd-inhibit",
    "--what=sleep:idle",
    "--who=Longread",
    "--why=Reading a document",
    "cat",  # ends when its input does, whichever way this process ends
)
CAFFEINATE = ("caffeinate", "-i", "-w")
"""And the number of the process that it ends with."""
SECONDS = 1.0
"""That its ending is waited for."""
_CONTINUOUS, _SYSTEM_REQUIRED = 0x80000000, 0x00000001
"""Of Windows' SetThreadExecutionState."""


LONG = 4096
"""Tokens from which on reading takes so long that a machine may go to sleep over it."""


@contextmanager
def awake_over(tokens: int) -> Iterator[None]:
    """`awake` while so many tokens are read, if they are many: a question alone starts no program."""
    if tokens < LONG:
        yield
        return
    with awake():
        yield


@contextmanager
def awake() -> Iterator[None]:
    """The machine stays awake meanwhile. Does nothing where that cannot be had.

    On Windows it is asked for the calling thread, which must be the one that ends it.
    """
    if sys.platform == "win32":
        before = _execution_state(_CONTINUOUS | _SYSTEM_REQUIRED)
        try:
            yield
        finally:
            _execution_state(_CONTINUOUS | before)
    else:
        holder = _start((*CAFFEINATE, str(os.getpid())) if sys.platform == "darwin" else INHIBIT)
        try:
            yield
        finally:
            if holder is not None:
                _end(holder)


def _start(command: tuple[str, ...]) -> "subprocess.Popen[bytes] | None":
    """Not waited for: whatever it asks of the system, it asks while we read."""
    with suppress(OSError):
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # without a terminal that it could ask for a password
        )
    return None


def _end(holder: "subprocess.Popen[bytes]") -> None:
    with suppress(OSError):
        holder.stdin.close()
        if sys.platform == "darwin":
            holder.terminate()
        try:
            holder.wait(SECONDS)
        except subprocess.TimeoutExpired:
            holder.kill()
            holder.wait()


def _execution_state(flags: int) -> int:
    """Returns the one before; 0 where it cannot be set."""
    return int(ctypes.windll.kernel32.SetThreadExecutionState(ctypes.c_uint(flags))) & 0xFFFFFFFF
