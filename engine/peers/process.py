"""A peer's process as we hold it: found, told what to do, watched, and ended when it takes too long."""

import contextlib
import json
import os
import queue
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil

from engine.bench_memory import Memory, Peak
from engine.model.decoder import Stopped, never

PROGRAM = Path(__file__).with_name("program.py")
STARTS_WITHIN = 180.0
"""Seconds from its start to its first line, with all that it imports."""
LOOKS = 0.1
"""Seconds between two looks at whether to stop."""
WAITING = ("GOMP_SPINCOUNT", "KMP_BLOCKTIME")
"""How long threads spin while they wait, which our process chose for itself; peers keep their own ways."""
PIP = {"llama-cpp": "pip install llama-cpp-python", "transformers": "pip install torch transformers gguf"}
"""How each is installed, by its name here."""


class PeerFailed(Exception):
    """It could not do what it was told, or died of it; the message says why."""


class PeerLate(Exception):
    """A step took longer than the limit, and the process was ended. `done` of `of` parts had been read, if it told."""

    def __init__(self, limit: float, done: int, of: int) -> None:
        super().__init__(f"stopped after {limit:.0f} s")
        self.limit, self.done, self.of = limit, done, of


class PeerAbsent(Exception):
    """No Python that was looked at has it."""


class Peer:
    """One process. `ready`: what it says of itself: versions, and what it was built with."""

    def __init__(self, name: str, python: str, stopped: Callable[[], bool] = never, program: Path = PROGRAM) -> None:
        """Raises PeerAbsent, PeerFailed, PeerLate and Stopped."""
        self.name, self.python = name, python
        self._stopped, self._program = stopped, program
        try:
            self._process = subprocess.Popen(
                [python, "-X", "utf8", str(program), name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=surroundings(os.environ),
            )
        except OSError as error:
            raise PeerAbsent(f"{python} cannot be started ({error.strerror})") from None
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        threading.Thread(target=self._listen, name=f"peer {name}", daemon=True).start()
        try:
            self._peak: Peak | None = Peak(self._process.pid).__enter__()
        except psutil.NoSuchProcess:
            self._peak = None
        said = self._answer(STARTS_WITHIN)
        if "ready" not in said:
            self.close()
            raise PeerAbsent(f"{python} has no {said.get('absent', name)}")
        self.ready: dict[str, str] = said["ready"]

    def do(self, do: str, limit: float, **options: Any) -> dict[str, Any]:
        """What came of it, within `limit` seconds. Raises PeerFailed, PeerLate and Stopped; after the last two and a
        death there is no process."""
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it has died, which the answer will tell
            self._process.stdin.write(json.dumps({"do": do} | options).encode() + b"\n")
            self._process.stdin.flush()
        said = self._answer(limit)
        if "error" in said:
            raise PeerFailed(str(said["error"]))
        result: dict[str, Any] = said["ok"]
        return result

    def close(self) -> Memory | None:
        """End the process; the most memory that it took, if that was seen. May be called again."""
        most = None
        if self._peak is not None:
            self._peak.__exit__(None, None, None)  # it looks once more
            most = self._peak.most
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        return most

    def _answer(self, limit: float) -> dict[str, Any]:
        """Its next line that is not about how far it is."""
        until = time.monotonic() + limit
        done = of = 0
        while True:
            if self._stopped():
                self.close()
                raise Stopped
            if time.monotonic() >= until:
                self.close()
                raise PeerLate(limit, done, of)
            try:
                said = self._lines.get(timeout=LOOKS)
            except queue.Empty:
                continue
            if said is None:
                self.close()
                raise PeerFailed(f"it died (exit code {self._process.returncode})")
            if "done" not in said:
                return said
            done, of = said["done"], said["of"]

    def _listen(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # closed, or no line of ours
            for line in self._process.stdout:
                self._lines.put(json.loads(line))
        self._lines.put(None)


def surroundings(own: Mapping[str, str]) -> dict[str, str]:
    """What a peer's process is given of `own`, our own variables: without those that this program set for itself, or
    that its packed form was started with, whose libraries another Python must not load."""
    given = {name: value for name, value in own.items() if name not in WAITING and not name.startswith("_PYI_")}
    if getattr(sys, "frozen", False):
        given.pop("LD_LIBRARY_PATH", None)
        if before := given.pop("LD_LIBRARY_PATH_ORIG", None):
            given["LD_LIBRARY_PATH"] = before
    return given


def pythons(named: Sequence[str]) -> list[str]:
    """Where peers are looked for: what was named, then this program's own Python; the system's where it is packed."""
    own = shutil.which("python3") if getattr(sys, "frozen", False) else sys.executable
    return [*named, *([own] if own else [])]


def found(name: str, named: Sequence[str], stopped: Callable[[], bool] = never, program: Path = PROGRAM) -> Peer:
    """The peer in the first Python that has it. Raises PeerAbsent, with what to type; PeerFailed, PeerLate, Stopped."""
    for python in pythons(named):
        try:
            return Peer(name, python, stopped, program)
        except PeerAbsent:
            continue
    raise PeerAbsent(f"not found: `{PIP[name]}`, and name its Python with --python")
