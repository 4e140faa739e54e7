"""The most memory that a process took, looked up a few dozen times a second while it works."""

import threading
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import psutil

EVERY = 0.03
"""Seconds between two looks."""


@dataclass(frozen=True)
class Memory:
    """Bytes. `anonymous`: the process's own, None where the system does not tell them apart. `mapped`: pages of files,
    which the system takes back when it needs them. `resident`: both."""

    anonymous: int | None
    mapped: int | None
    resident: int


def now(pid: int) -> Memory:
    """Of a process as it is. Raises psutil.NoSuchProcess."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return Memory(None, None, psutil.Process(pid).memory_info().rss)
    kept = {
        name: 1024 * int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines) if "Rss" in name
    }
    if not kept:  # a process that has ended and is not yet forgotten
        raise psutil.NoSuchProcess(pid)
    mapped = kept["RssFile"] + kept["RssShmem"]
    return Memory(kept["RssAnon"], mapped, kept["RssAnon"] + mapped)


class Peak:
    """The most of each that process `pid` took between entering and leaving, or its end."""

    def __init__(self, pid: int) -> None:
        self.most = now(pid)
        self._pid = pid
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="peak", daemon=True)

    def __enter__(self) -> "Peak":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            over = self._over.wait(EVERY)
            try:
                self.most = _more(self.most, now(self._pid))
            except psutil.NoSuchProcess:
                return
            if over:
                return


def _more(one: Memory, other: Memory) -> Memory:
    return Memory(
        _most(one.anonymous, other.anonymous), _most(one.mapped, other.mapped), max(one.resident, other.resident)
    )


def _most(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else max(one, other)
