"""The document process seen from the program: started, listened to, watched and ended."""

import asyncio
import contextlib
import subprocess
import sys
import threading

import msgspec
import psutil

from app import processes
from app.documents.messages import Asked, Draw, Limits, Said

WATCHED = not sys.platform.startswith("linux")
"""Whether memory is watched from outside, because the system does not enforce a limit on address space."""

WATCH_EVERY = 0.2  # seconds

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Said)


class Death(msgspec.Struct, frozen=True):
    """The process ended without a result. `status` as subprocess says it: negative for a signal."""

    status: int
    memory: bool = False
    """Ended from here, because it had grown past its limit."""


def environment() -> dict[str, str]:
    # Tesseract's, which hears it when it is loaded: one thread a document, since others are read beside it
    return {"OMP_THREAD_LIMIT": "1"} | processes.environment()


class DocumentProcess:
    """One process for one request, or for the pages of one PDF. Works under any asyncio loop: one thread listens and
    hands lines over to it."""

    def __init__(self, request: Asked, limits: Limits) -> None:
        self.limits = limits
        self.said: asyncio.Queue[Said | Death] = asyncio.Queue()
        self.over = asyncio.Event()
        self.grown = False
        self._loop = asyncio.get_running_loop()
        self._process = subprocess.Popen(
            processes.command("documents"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            # Tracebacks and the libraries' complaints may hold the document's words.
            stderr=subprocess.DEVNULL,
            env=environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
        self.pid = self._process.pid
        self.ask(request)
        threading.Thread(target=self._listen, name="document", daemon=True).start()

    def ask(self, message: Asked | Draw) -> None:
        assert self._process.stdin is not None
        # It died already, and its stdin may be closed: the listening thread says so.
        with contextlib.suppress(OSError, ValueError):
            self._process.stdin.write(_encoder.encode(message) + b"\n")
            self._process.stdin.flush()

    async def next(self, seconds: float) -> Said | Death | None:
        """What it says next; None after `seconds` of silence. A `Death` is the last."""
        ends = self._loop.time() + seconds
        while True:
            left = ends - self._loop.time()
            try:
                return await asyncio.wait_for(self.said.get(), min(left, WATCH_EVERY) if WATCHED else left)
            except TimeoutError:
                if WATCHED and not self.grown and self._resident() > self.limits.memory:
                    self.grown = True
                    self._process.kill()
                if self._loop.time() >= ends:
                    return None

    async def end(self) -> None:
        """Kill it if it lives, and wait until it is gone."""
        self._process.kill()
        await self.over.wait()

    def _resident(self) -> int:
        try:
            return int(psutil.Process(self.pid).memory_info().rss)
        except psutil.Error:
            return 0

    def _listen(self) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        # Four UTF-8 bytes a character and the spans: a process that was taken over cannot fill our memory.
        longest = 6 * self.limits.characters + (64 << 20)
        with contextlib.suppress(msgspec.DecodeError, ValueError, OSError):
            while line := self._process.stdout.readline(longest):
                self._post(_decoder.decode(line))
        self._process.kill()
        status = self._process.wait()
        self._process.stdout.close()
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        self._post(Death(status, self.grown))
        with contextlib.suppress(RuntimeError):  # the loop was closed before the process was
            self._loop.call_soon_threadsafe(self.over.set)

    def _post(self, said: Said | Death) -> None:
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.said.put_nowait, said)
