"""Every connection that the program made, since it was started."""

import time
from collections.abc import Callable

from msgspec import Struct

Purpose = str
"""A code of `app.words.PURPOSES`."""


class Connection(Struct, frozen=True):
    """`host` with its port where it is not the usual one; `when`: seconds since the epoch; `received`, `sent`:
    bytes, of what was sent only what the person gave."""

    host: str
    purpose: Purpose
    when: float
    received: int = 0
    sent: int = 0


class Connections:
    """The list behind the privacy page. `on_change` hears of each change, in the thread that made the connection."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        self._made: list[Connection] = []
        self.on_change = on_change

    def all(self) -> tuple[Connection, ...]:
        """Oldest first."""
        return tuple(self._made)

    def opened(self, host: str, purpose: Purpose) -> int:
        """Note a connection before it is made; the number that `received` takes."""
        self._made.append(Connection(host, purpose, time.time()))
        self.on_change()
        return len(self._made) - 1

    def received(self, number: int, count: int, sent: int = 0) -> None:
        """Add bytes that came over a connection, and that went out."""
        made = self._made[number]
        self._made[number] = Connection(made.host, made.purpose, made.when, made.received + count, made.sent + sent)
        self.on_change()
