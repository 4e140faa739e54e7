"""What has been asked and is not done: filled by the listening thread, emptied by the working thread."""

import threading

from engine.protocol import (
    Count,
    Expect,
    Forget,
    Generate,
    Inspect,
    Load,
    Plan,
    Read,
    Readings,
    Request,
    Work,
)

RANK: dict[type, int] = {
    Plan: 0,
    Inspect: 0,
    Readings: 0,
    Count: 1,
    Forget: 1,
    Expect: 2,
    Generate: 2,
    Read: 3,
    Work: 4,
}
"""Served in this order, and within a rank as they came. None passes a `Load` that was asked before it, or after it,
but those of rank 0: they need no model."""


class Requests:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[Request] = []
        self._working: dict[str, Request] = {}
        self._cancelled: set[str] = set()
        self.closed = False

    def put(self, request: Request) -> bool:
        """False: a request of this id is not done yet, and this one was not taken."""
        with self._changed:
            if request.id in self._working or any(request.id == other.id for other in self._waiting):
                return False
            self._waiting.append(request)
            self._changed.notify()
            return True

    def cancel(self, id: str) -> bool:
        """True: it was waiting and is gone now, so its ending is the caller's to say. False: it is worked on and will
        be told, or it is unknown, which is no error: it may have ended on the way."""
        with self._changed:
            for request in self._waiting:
                if request.id == id:
                    self._waiting.remove(request)
                    return True
            if id in self._working:
                self._cancelled.add(id)
            return False

    def cancelled(self, id: str) -> bool:
        return self.closed or id in self._cancelled

    def next(self) -> Request | None:
        """Wait for the next to work on; None once closed."""
        with self._changed:
            while not self._waiting and not self.closed:
                self._changed.wait()
            return None if self.closed else self._take(self._first())

    def quick(self) -> Request | None:
        """A short request that can be served in the middle of the one being worked on; does not wait."""
        if not self._waiting:
            return None
        with self._changed:
            first = self._first() if self._waiting else None
            if isinstance(first, Plan | Inspect | Readings):
                return self._take(first)
            loading = any(isinstance(request, Load) for request in self._working.values())
            return self._take(first) if isinstance(first, Count) and not loading else None

    def put_back(self, request: Request) -> None:
        """It was begun and is to be begun again, before all others of its rank."""
        with self._changed:
            del self._working[request.id]
            self._waiting.insert(0, request)

    def done(self, id: str) -> None:
        with self._changed:
            self._working.pop(id, None)
            self._cancelled.discard(id)

    def close(self) -> None:
        """Whatever is worked on counts as cancelled, and nothing more is given out."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def _first(self) -> Request:
        loads = [number for number, request in enumerate(self._waiting) if isinstance(request, Load)]
        before = self._waiting[: loads[0]] if loads else self._waiting
        free = [request for request in self._waiting if RANK.get(type(request)) == 0]
        return min(free or before or self._waiting[:1], key=lambda request: RANK.get(type(request), 0))

    def _take(self, request: Request) -> Request:
        self._waiting.remove(request)
        self._working[request.id] = request
        return request
