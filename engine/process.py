"""The engine's process as its client holds it: two pipes, one listening thread, one speaking thread, and its death.

Callbacks are called from the listening thread. Nothing here keeps the client alive or knows what messages mean.
"""

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import BinaryIO

from engine import wire
from engine.protocol import Event

LEAVES_WITHIN = 2.0
"""Seconds that a process may take from closing its output to being gone; then it is killed."""
LOG_LIMIT = 1 << 20
"""Bytes of the log after which a start puts it aside (one earlier log is kept)."""


class Process:
    """Starts at once. `heard(message)` for each message, then `gone(exit code)` once, from the listening thread."""

    def __init__(
        self,
        command: Sequence[str],
        log: Path,
        heard: Callable[[Event | wire.Garbage], None],
        gone: Callable[[int], None],
    ) -> None:
        with _open_log(log) as stderr:
            self._popen = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                env=_environment(),
                # Ctrl+C in a terminal is for the client, which then says Quit; a hang-up reaches us as end of input.
                start_new_session=os.name == "posix",
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        self.pid = self._popen.pid
        self.last_spoke = time.monotonic()
        self._lines: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        threading.Thread(target=self._listen, args=(heard, gone), name="engine-listen", daemon=True).start()
        threading.Thread(target=self._speak, name="engine-speak", daemon=True).start()

    def say(self, line: bytes) -> None:
        """Queue a line. Never blocks: the engine may be deep in an import that does not let its listener run."""
        self._lines.put(line)

    def finish(self) -> None:
        """End of input, after the lines queued so far."""
        self._lines.put(None)

    def kill(self) -> None:
        with contextlib.suppress(OSError):
            self._popen.kill()

    def alive(self) -> bool:
        return self._popen.poll() is None

    def wait(self) -> None:
        """Block until it is gone; after `kill` this takes no time worth naming."""
        self._popen.wait()

    def _listen(self, heard: Callable[[Event | wire.Garbage], None], gone: Callable[[int], None]) -> None:
        assert self._popen.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for message in wire.events(self._popen.stdout):
                self.last_spoke = time.monotonic()
                heard(message)
        self.finish()
        try:
            code = self._popen.wait(LEAVES_WITHIN)
        except subprocess.TimeoutExpired:
            self.kill()
            code = self._popen.wait()
        self._popen.stdout.close()
        gone(code)

    def _speak(self) -> None:
        assert self._popen.stdin is not None
        # A broken pipe is a death, and the listening thread is the one that tells it.
        with contextlib.suppress(OSError, ValueError):
            while (line := self._lines.get()) is not None:
                self._popen.stdin.write(line)
                self._popen.stdin.flush()
        with contextlib.suppress(OSError, ValueError):
            self._popen.stdin.close()


def _environment() -> dict[str, str]:
    """Ours, with the folder that holds the packages first: a checkout need not be installed to be run."""
    root = str(Path(__file__).parent.parent)
    known = os.environ.get("PYTHONPATH")
    # Weights and rows are streamed whole for every token: in pages of 2 MB a quarter more arrive a second. Only the C
    # library of Linux reads it, when a process begins; what the person set for it stands.
    tunables = os.environ.get("GLIBC_TUNABLES") or "glibc.malloc.hugetlb=1"
    path = root + os.pathsep + known if known else root
    return os.environ | {"PYTHONPATH": path, "PYTHONUTF8": "1", "GLIBC_TUNABLES": tunables}


def _open_log(path: Path) -> BinaryIO:
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(OSError):
        if path.stat().st_size > LOG_LIMIT:
            path.replace(path.with_suffix(".1.log"))
    return path.open("ab")
