"""The engine's side of the wire: one listening thread, one working thread (the main one), a queue between them.

Every request gets exactly one ending whatever the worker does. The worker is asked in small steps: between layers it
asks `stopped`, and that is where cancelling is heard, short requests are served and the gauges are sent.
"""

import logging
import os
import threading
import time
from collections.abc import Callable
from typing import IO, Protocol

from msgspec.structs import replace

from engine import failure, wire
from engine.protocol import (
    VERSION,
    Cancel,
    Command,
    Done,
    Ending,
    Event,
    Failed,
    Gauges,
    Loaded,
    Progress,
    Quit,
    Ready,
    Request,
)
from engine.requests import Requests

GRACE = 1.0
"""Seconds from the end of the input to the end of the process, if the working thread does not end it before."""
GAUGES_EVERY = 0.5
"""Seconds."""

log = logging.getLogger(__name__)

Emit = Callable[[Event], None]
Stopped = Callable[[], bool]
Border = Callable[[], None]


class Worker(Protocol):
    """What the server drives. All of it is called from the working thread."""

    def run(self, request: Request, emit: Emit, stopped: Stopped, border: Border) -> Ending:
        """Do it; `stopped` is to be asked between layers, and `border` called where another request may take over:
        between pieces and tokens. May be called again from within `stopped`, for requests that touch no more than the
        tokenizer, and from within `border` for all that read or write. Raises whatever it likes."""
        ...

    def gauges(self, busy: str | None) -> Gauges: ...

    def recover(self) -> None:
        """After an out of memory: give back what can be given back."""
        ...


class Server:
    """`make_worker` is called when the first request is worked on: it is what loads torch."""

    def __init__(
        self,
        source: IO[bytes],
        sink: IO[bytes],
        make_worker: Callable[[], Worker],
        *,
        die: Callable[[int], object] = os._exit,
    ) -> None:
        self._source = source
        self._sink = sink
        self._make_worker = make_worker
        self._die = die
        self._worker: Worker | None = None
        self._requests = Requests()
        self._writing = threading.Lock()
        self._finished = threading.Event()
        self._gauged = 0.0

    def serve(self) -> None:
        """Says Ready, works until Quit or the end of the input."""
        self._send(Ready(VERSION, os.getpid()))
        threading.Thread(target=self._listen, name="listen", daemon=True).start()
        while (request := self._requests.next()) is not None:
            self._work(request)
        self._finished.set()

    # The listening thread

    def _listen(self) -> None:
        try:
            for message in wire.commands(self._source):
                if isinstance(message, Quit):
                    break
                self._take(message)
        except OSError as error:
            log.error("the input broke: %s", type(error).__name__)
        self._requests.close()
        # Nobody is there to wait for a long piece, or for a library that does not come back
        if not self._finished.wait(GRACE):
            self._die(0)

    def _take(self, message: Command | wire.Garbage) -> None:
        match message:
            case wire.Garbage(line, size, why, id):
                log.error("line %d (%d bytes) is no command: %s", line, size, why)
                if id is not None:
                    self._send(Failed(id, "internal", f"line {line} is no command: {why}"))
            case Cancel(target):
                if self._requests.cancel(target):
                    self._send(Done(target, "cancelled"))
            case Quit():
                pass
            case _:
                if not self._requests.put(message):
                    log.error("a request came with the id of one that is not done; it was dropped")

    # The working thread

    def _work(self, request: Request, inside: str | None = None) -> None:
        """`inside`: the request in the middle of which this one is served."""
        most: dict[str, int] = {}

        def emit(event: Event) -> None:
            if self._requests.told(request.id):
                return
            if isinstance(event, Progress):
                most[event.stage] = done = max(event.done, most.get(event.stage, 0))
                event = replace(event, done=done, total=max(done, event.total))
            self._send(event)

        def stopped() -> bool:
            if inside is not None:
                return self._requests.cancelled(request.id) or self._requests.cancelled(inside)
            while not self._requests.cancelled(request.id) and (quick := self._requests.quick()) is not None:
                self._work(quick, inside=request.id)
            if self._worker is not None and time.monotonic() - self._gauged >= GAUGES_EVERY:
                self._gauge(self._worker, request.id)
            return self._requests.cancelled(request.id)

        def border() -> None:
            if inside is not None or getattr(request, "whose", "window") == "window":
                return
            while (urgent := self._requests.take_over(request.id)) is not None:
                self._work(urgent)
                self._requests.go_on(request.id)

        log.info("%s begins", type(request).__name__)
        ending = self._ending(request, emit, stopped, border)
        made_way = inside is not None and self._requests.cancelled(inside) and not self._requests.cancelled(request.id)
        if made_way and _finish(ending) == "cancelled":
            self._requests.put_back(request)
            return
        log.info("%s ends: %s", type(request).__name__, _finish(ending))
        if self._requests.done(request.id):
            self._send(ending)
        if self._worker is not None and inside is None:
            self._gauge(self._worker, None)

    def _ending(self, request: Request, emit: Emit, stopped: Stopped, border: Border) -> Ending:
        try:
            if self._worker is None:
                self._worker = self._make_worker()
            ending = self._worker.run(request, emit, stopped, border)
            if ending.id == request.id:
                return ending
            failed = Failed(request.id, "internal", "the worker ended another request")
        except Exception as error:  # noqa: BLE001 - whatever it is, the request must end and the engine live on
            failed = failure.failed(request.id, error)
        # Only here is the exception gone, and with its frames what they held of the memory
        log.error("%s", failed.message)
        if failed.code == "out_of_memory" and self._worker is not None:
            self._worker.recover()
            return replace(failed, available=self._worker.gauges(None).memory.free)
        return failed

    def _gauge(self, worker: Worker, busy: str | None) -> None:
        self._gauged = time.monotonic()
        self._send(worker.gauges(busy))

    def _send(self, event: Event) -> None:
        line = wire.encode(event)
        try:
            with self._writing:
                self._sink.write(line)
                self._sink.flush()
        except (OSError, ValueError):  # nobody listens any more: the same as the end of the input
            self._requests.close()


def _finish(ending: Ending) -> str:
    match ending:
        case Done():
            return ending.finish
        case Failed():
            return ending.code
        case Loaded():
            return "loaded"
