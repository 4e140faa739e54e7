"""The engine as others see it: start, load, send, stop. It lives on when the process behind it dies.

Works under asyncio and qasync alike: a thread listens, everything else happens on the loop that called `start`.
"""

import asyncio
import contextlib
import itertools
import logging
import os
import sys
import time
import uuid
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

from engine import wire
from engine.lock import EngineBusy, Lock
from engine.process import Process
from engine.protocol import (
    VERSION,
    Cancel,
    Command,
    Count,
    Delta,
    Done,
    Event,
    Evidence,
    Expect,
    Failed,
    Forget,
    Found,
    Gauges,
    Generate,
    Inspect,
    Load,
    Loaded,
    ModelSettings,
    Plan,
    Progress,
    Quit,
    Read,
    Readings,
    Ready,
    Request,
    Work,
)
from engine.stream import RequestFailed, Stream

__all__ = ["Engine", "EngineBusy", "EngineDown", "EngineState", "RequestFailed", "Stream", "new_id"]

# The restart policy, all of it. A dead engine is started again at once; `Load` is repeated; a request of which nothing
# had been shown is asked once more.
DEATHS = 3
WITHIN = 300.0
"""So many deaths within so many seconds, and it stays down until `start` is called again."""
READY_WITHIN = 60.0
"""Seconds from the start of the process to its `Ready`; a process that takes longer counts as dead."""
QUITS_WITHIN = 2.0
"""Seconds that `stop` gives it before it kills."""
ASKED_AGAIN = 1

EngineState: TypeAlias = Literal["stopped", "starting", "ready", "loading", "restarting", "down"]

log = logging.getLogger(__name__)
_number = itertools.count(1)


def new_id() -> str:
    """An id for a request: unique in this process and, by its tail, between processes."""
    return f"{next(_number)}-{uuid.uuid4().hex[:8]}"


class EngineDown(Exception):
    """It died too often, or speaks another version. `log`: where its last words are."""

    def __init__(self, message: str, log: Path) -> None:
        super().__init__(message)
        self.log = log


class Engine:
    """One engine process for one data folder, under the folder's lock."""

    def __init__(
        self,
        *,
        data: Path,
        command: Sequence[str] | None = None,
        on_gauges: Callable[[Gauges], None] = lambda gauges: None,
        on_state: Callable[[EngineState], None] = lambda state: None,
    ) -> None:
        self.state: EngineState = "stopped"
        self.loaded: Loaded | None = None
        self.gauges: Gauges | None = None
        self.exit_code: int | None = None
        """Of the last process that died."""
        self.log = data / "logs" / "engine.log"
        self._command = tuple(command) if command is not None else default_command(data)
        self._on_gauges = on_gauges
        self._on_state = on_state
        self._lock = Lock(data)
        self._process: Process | None = None
        self._undo: weakref.finalize[[], Engine] | None = None
        self._began = 0.0
        """When the process now running began: what is still on its way from an earlier one is told by it."""
        self._greeted = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ready: asyncio.Future[Ready] | None = None
        self._gone: asyncio.Event | None = None
        self._streams: dict[str, Stream] = {}
        self._settings: ModelSettings | None = None
        self._reload: str | None = None
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        self._stopping = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def busy(self) -> bool:
        """Whether somebody waits for an ending."""
        return bool(self._streams)

    @property
    def last_spoke(self) -> float:
        """`time.monotonic()` of the last line heard; 0.0 before the first start."""
        return self._process.last_spoke if self._process is not None else 0.0

    async def start(self) -> Ready:
        """Start the process and wait for its `Ready`. Raises `EngineBusy` and `EngineDown`."""
        if self._process is None:
            self._lock.take()
            self._loop = asyncio.get_running_loop()
            self._ready = self._loop.create_future()
            self._deaths.clear()
            self._stopping = False
            self._begin("starting")
        assert self._ready is not None
        return await asyncio.shield(self._ready)

    async def load(
        self, settings: ModelSettings, on_progress: Callable[[Progress], None] = lambda progress: None
    ) -> Loaded:
        """Make this the loaded model, now and after every restart. Raises `RequestFailed`."""
        stream = self._open(Load(new_id(), settings))
        ended = await stream.through(lambda event: on_progress(event) if isinstance(event, Progress) else None)
        if not isinstance(ended, Loaded):
            raise RequestFailed(Failed(stream.id, "internal", "loading was cancelled"))
        return ended

    def send(self, command: Read | Generate | Expect | Count | Plan | Readings | Forget | Inspect | Work) -> Stream:
        """Send a request. What goes wrong, a dead engine included, is told by the stream's ending, never raised."""
        return self._open(command)

    def kill(self) -> None:
        """End a process that no longer answers; the restart policy does the rest."""
        if self._process is not None:
            self._process.kill()

    async def stop(self) -> None:
        """Quit, then kill. Afterwards there is no process and the lock is free. Open requests end as cancelled."""
        self._stopping = True
        if (process := self._process) is not None and self._gone is not None:
            with contextlib.suppress(wire.Unsendable):
                process.say(wire.encode(Quit()))
            process.finish()
            try:
                await asyncio.wait_for(self._gone.wait(), QUITS_WITHIN)
            except TimeoutError:
                process.kill()
                await self._gone.wait()
            except asyncio.CancelledError:
                process.kill()
                process.wait()
                raise
        self._settings = None
        self._refuse("it was stopped")
        self._lock.release()
        self._set_state("stopped")

    # The process's life

    def _begin(self, state: EngineState) -> None:
        assert self._loop is not None
        loop, engine = self._loop, weakref.ref(self)
        self._gone = asyncio.Event()
        self._set_state(state)
        began = time.monotonic()

        def on_loop(act: Callable[..., None], *values: object) -> None:
            def run() -> None:
                if (alive := engine()) is not None:
                    act(alive, *values, began)

            with contextlib.suppress(RuntimeError):  # the loop is closed: `_undo` has killed the process, or will
                loop.call_soon_threadsafe(run)

        self._began = began
        heard, gone = partial(on_loop, Engine._heard), partial(on_loop, Engine._died)
        try:
            self._process = Process(self._command, self.log, heard, gone)
        except OSError as error:
            self._go_down(f"the engine's program cannot be started ({type(error).__name__})")
            return
        # Also run at the interpreter's exit: no engine outlives its client, whatever was forgotten.
        self._undo = weakref.finalize(self, self._process.kill)
        loop.call_later(READY_WITHIN, on_loop, Engine._check_ready)

    def _check_ready(self, began: float) -> None:
        if began == self._began and self._process is not None and not self._greeted:
            log.error("the engine did not get ready within %.0f s", READY_WITHIN)
            self.kill()

    def _died(self, code: int, began: float) -> None:
        if began != self._began:
            return
        self.exit_code, self._process, self._greeted = code, None, False
        if self._undo is not None:
            self._undo.detach()
        if self._gone is not None:
            self._gone.set()
        self.loaded, self._reload = None, None
        if self._stopping or self.state == "down":
            self._end_all(lambda id: Done(id, "cancelled") if self._stopping else _death(id, code))
            return
        log.error("the engine died with exit code %s", code)
        now = time.monotonic()
        self._deaths.append(now)
        if len(self._deaths) == DEATHS and now - self._deaths[0] < WITHIN:
            self._go_down(f"the engine died {DEATHS} times, last with exit code {code}")
            return
        self._set_state("restarting")
        for stream in list(self._streams.values()):
            if stream.cancelled:
                self._end(stream.id, Done(stream.id, "cancelled"))
            elif stream.spoken or stream.asked_again == ASKED_AGAIN:
                self._end(stream.id, _death(stream.id, code))
            else:
                stream.asked_again += 1
        self._begin("restarting")

    def _go_down(self, why: str) -> None:
        self._set_state("down")
        self._end_all(lambda id: _death(id, self.exit_code))
        self._refuse(f"{why}; its last words are in {self.log}")
        self._lock.release()

    def _refuse(self, why: str) -> None:
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(EngineDown(why, self.log))
            self._ready.exception()  # marked as seen: nobody need be waiting

    # Messages

    def _heard(self, message: Event | wire.Garbage, began: float) -> None:
        if began != self._began:
            return
        match message:
            case wire.Garbage():
                log.error("the engine's line %d (%d bytes): %s", message.line, message.size, message.why)
                # Whose it was may be unknown, so some request would wait for ever: begin anew with a clean stream.
                self.kill()
            case Ready():
                self._greet(message)
            case Gauges():
                self.gauges = message
                self._on_gauges(message)
            case Loaded() | Done() | Failed():
                self._end(message.id, message)
            case Progress() | Delta() | Found() | Evidence():
                if (stream := self._streams.get(message.id)) is not None:
                    stream.put(message)

    def _greet(self, ready: Ready) -> None:
        if ready.version != VERSION:
            self._go_down(f"the engine speaks version {ready.version}, the window version {VERSION}")
            self.kill()
            return
        self._greeted = True
        waiting = list(self._streams.values())
        if self._settings is not None and not (waiting and isinstance(waiting[0].request, Load)):
            self._reload = new_id()
            self._say(Load(self._reload, self._settings))
        for stream in waiting:
            self._say(stream.request)
        self._set_state("loading" if self._loading() else "ready")
        if self._ready is not None and not self._ready.done():
            self._ready.set_result(ready)

    def _open(self, request: Request) -> Stream:
        stream = Stream(request, self._cancel)
        if self._process is None or self._stopping or self.state == "down":
            stream.put(_death(request.id, self.exit_code))
            return stream
        try:
            wire.encode(request)
        except wire.Unsendable as error:
            stream.put(Failed(request.id, "internal", str(error)))
            return stream
        self._streams[request.id] = stream
        if self._greeted:
            self._say(request)
            if isinstance(request, Load):
                self.loaded = None
                self._set_state("loading")
        return stream

    def _cancel(self, stream: Stream) -> None:
        if self._greeted:
            self._say(Cancel(stream.id))
        elif stream.id in self._streams:  # not sent yet, or its engine just died
            self._end(stream.id, Done(stream.id, "cancelled"))

    def _say(self, command: Command) -> None:
        if self._process is not None:
            self._process.say(wire.encode(command))

    def _end(self, id: str, ending: Loaded | Done | Failed) -> None:
        stream = self._streams.pop(id, None)
        if stream is None and id != self._reload:
            return
        if isinstance(ending, Loaded):
            self.loaded = ending
            if stream is not None and isinstance(stream.request, Load):
                self._settings = stream.request.settings
        if id == self._reload:
            self._reload = None
            if not isinstance(ending, Loaded):
                log.error("the model could not be loaded again")
        if stream is not None:
            stream.put(ending)
        if self.state == "loading" and not self._loading():
            self._set_state("ready")

    def _loading(self) -> bool:
        return self._reload is not None or any(isinstance(stream.request, Load) for stream in self._streams.values())

    def _end_all(self, ending: Callable[[str], Done | Failed]) -> None:
        for id in list(self._streams):
            self._end(id, ending(id))

    def _set_state(self, state: EngineState) -> None:
        if state != self.state:
            self.state = state
            self._on_state(state)


def default_command(data: Path) -> tuple[str, ...]:
    return *program(), "serve", "--data", str(data)


def program() -> tuple[str, ...]:
    """The packaged program has the engine beside it; a checkout and an installation run the module."""
    if getattr(sys, "frozen", False):
        return (str(Path(sys.executable).with_name("longread-engine.exe" if os.name == "nt" else "longread-engine")),)
    # -P: the working folder is a person's, and a torch.py that lies there must not be run.
    return sys.executable, "-P", "-m", "engine"


def _death(id: str, code: int | None) -> Failed:
    return Failed(id, "engine_died", f"the engine is not running (exit code {code})")
