"""What has been asked and is not done: filled by the listening thread, emptied by the working thread."""

import itertools
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

LATEST = 1024
"""Clients that are remembered for having been served."""


def rank(request: Request) -> int:
    """Served in this order; within a rank as they came, but clients in turn: who was served longest ago comes first.
    None passes a `Load` that was asked before it, or after it, but those of rank 0: they need no model."""
    match request:
        case Plan() | Inspect() | Readings():
            return 0
        case Count() | Forget():
            return 1
        case Generate(whose="client") | Read(whose="client") | Expect(whose="client"):
            return 4
        case Generate() | Expect():
            return 2
        case Read():
            return 3
        case Work():
            return 5
        case _:
            return 0


class Requests:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: list[Request] = []
        self._working: dict[str, Request] = {}
        self._cancelled: set[str] = set()
        self._paused: set[str] = set()
        """Of those worked on: another has taken over."""
        self._told: set[str] = set()
        """Of those: their ending has been said."""
        self._served: dict[str, int] = {}
        """When a client was served last, by a count of all."""
        self._turn = 0
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
        """True: it was waiting, or another has taken over from it, so its ending is the caller's to say now. False: it
        is worked on and will be told, or it is unknown, which is no error: it may have ended on the way."""
        with self._changed:
            for request in self._waiting:
                if request.id == id:
                    self._waiting.remove(request)
                    return True
            if id not in self._working:
                return False
            self._cancelled.add(id)
            first = id in self._paused and id not in self._told
            if first:
                self._told.add(id)
            return first

    def told(self, id: str) -> bool:
        """Whether nothing more may be said of it."""
        return id in self._told

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

    def take_over(self, id: str) -> Request | None:
        """A request of the window's that goes before the client's `id`, which is worked on and paused now; does not
        wait. What is to be forgotten waits: it may be what is worked with."""
        if not self._waiting:
            return None
        with self._changed:
            own = [
                one
                for one in self._before_loads()
                if isinstance(one, Generate | Read | Expect) and one.whose == "window"
            ]
            if not own or self.closed or id in self._cancelled:
                return None
            self._paused.add(id)
            return self._take(min(own, key=rank))

    def go_on(self, id: str) -> None:
        """The one that was paused is worked on again."""
        with self._changed:
            self._paused.discard(id)

    def put_back(self, request: Request) -> None:
        """It was begun and is to be begun again, before all others of its rank."""
        with self._changed:
            del self._working[request.id]
            self._waiting.insert(0, request)

    def done(self, id: str) -> bool:
        """False: its ending has been said."""
        with self._changed:
            self._working.pop(id, None)
            self._cancelled.discard(id)
            told = id in self._told
            self._told.discard(id)
            return not told

    def close(self) -> None:
        """Whatever is worked on counts as cancelled, and nothing more is given out."""
        with self._changed:
            self.closed = True
            self._changed.notify_all()

    def _first(self) -> Request:
        free = [request for request in self._waiting if not isinstance(request, Load) and rank(request) == 0]
        return min(
            free or self._before_loads() or self._waiting[:1], key=lambda request: (rank(request), self._last(request))
        )

    def _before_loads(self) -> list[Request]:
        """Those that came before every `Load` that waits."""
        return list(itertools.takewhile(lambda request: not isinstance(request, Load), self._waiting))

    def _last(self, request: Request) -> int:
        """When its client was served last."""
        return self._served.get(request.client, 0) if isinstance(request, Generate | Read | Expect) else 0

    def _take(self, request: Request) -> Request:
        self._waiting.remove(request)
        if isinstance(request, Generate | Read | Expect) and request.whose == "client":
            self._turn += 1
            self._served.pop(request.client, None)
            self._served[request.client] = self._turn
            if len(self._served) > LATEST:
                del self._served[next(iter(self._served))]
        self._working[request.id] = request
        return request
