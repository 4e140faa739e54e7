"""A file on its way onto the disk: how much of it is there, whether it is the right one, whether there is room."""

import contextlib
import hashlib
import shutil
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import filelock
from msgspec import Struct

from app.services.files import storing
from app.services.problem import DownloadFailed
from app.words import size
from engine.catalogue import Entry

SPARE = 64 * 2**20
"""Bytes that a download leaves free on the disk."""

PIECE = 2**20
LOCK_SECONDS = 3.0
"""How long another download of the same thing is waited for: one that was just cancelled ends within it."""


class Wanted(Struct, frozen=True):
    """A file to be fetched. `digest`: the sha256 of its bytes, or with `git`, the sha1 that git gives them; hex."""

    name: str
    url: str
    size: int
    digest: str
    git: bool = False

    def part(self, folder: Path) -> Path:
        """Where it grows; another version of the file grows elsewhere."""
        return folder / f"{self.name}.{self.digest[:12]}.part"

    def arrived(self, folder: Path) -> int:
        """Bytes that are there, of the whole file or of its part."""
        for path in (folder / self.name, self.part(folder)):
            with contextlib.suppress(OSError):  # it is not there, or a thread has just renamed it
                return path.stat().st_size
        return 0

    def check(self, path: Path, go_on: Callable[[], None]) -> bool:
        """Whether the file at `path` is the one. `go_on` is called now and then, and may raise."""
        digest = hashlib.sha1(b"blob %d\0" % self.size) if self.git else hashlib.sha256()
        with path.open("rb") as file:
            while piece := file.read(PIECE):
                digest.update(piece)
                go_on()
        return digest.hexdigest() == self.digest


def parts(models: Path, entry: Entry) -> Path:
    """The folder that a model of the catalogue grows in until it is whole."""
    return models / f".{entry.name}.part"


def host_of(address: str) -> str:
    """The address itself where it names no host."""
    try:
        return urlsplit(address).netloc.rpartition("@")[2] or address
    except ValueError:
        return address


@contextlib.contextmanager
def alone(folder: Path, lock: Path, running: DownloadFailed, seconds: float | None = None) -> Iterator[None]:
    """Work in `folder`, which is made, as no other Longread does meanwhile.

    Raises `running` where one still does after so many seconds, by default those that a download needs to end, and
    what the disk refuses as a `Problem`.
    """
    with storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with filelock.FileLock(lock, timeout=LOCK_SECONDS if seconds is None else seconds):
                yield
        except filelock.Timeout as error:
            raise running from error


def check_room(folder: Path, needed: int) -> None:
    """Raises `DownloadFailed("no_space")` unless `needed` more bytes fit on the folder's disk."""
    free = shutil.disk_usage(folder).free
    if free < needed + SPARE:
        raise DownloadFailed("no_space", subject=str(folder), needed=size(needed + SPARE), available=size(free))


class Rate:
    """Bytes a second over the last few seconds."""

    SECONDS = 4.0

    def __init__(self) -> None:
        self._seen: deque[tuple[float, int]] = deque()

    def at(self, now: float, done: int) -> float | None:
        """Note that `done` bytes were there at `now`; None until there is enough to tell."""
        if self._seen and done < self._seen[-1][1]:
            self._seen.clear()  # begun again
        self._seen.append((now, done))
        while len(self._seen) > 2 and now - self._seen[0][0] > self.SECONDS:
            self._seen.popleft()
        seconds = now - self._seen[0][0]
        return (done - self._seen[0][1]) / seconds if seconds > 0.5 else None
