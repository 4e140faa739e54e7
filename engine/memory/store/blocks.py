"""A saved block of rows, as the engine holds it: mapped, and checked once when it is first touched."""

import contextlib
import functools
import mmap
import sys
import threading
import warnings
import weakref
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor

from engine.memory.store import layout
from engine.memory.store.layout import Damaged

if sys.platform != "win32":
    import resource

DESCRIPTORS = 10_000
"""Of files that may be open at once; 1,024, and on a Mac 256, is what a process begins with."""


class Block:
    """Rows of the tokens `ids` (int32, [T]) in a file. `bytes`: of the file.

    There is one for each file in a process: whoever asks for the same tokens gets the same one, checked already.
    """

    def __init__(self, path: Path, key: str, on_damage: Callable[["Block"], None]) -> None:
        """Reads the header and the tokens alone. FileNotFoundError; Damaged."""
        self.path, self.key = path, key
        self.tensors: dict[str, Tensor] | None = None
        """None: not opened. Read-only: they are the file itself, and a write to one ends the process."""
        self._on_damage = on_damage
        self._map: mmap.mmap | None = None
        self._lock = threading.RLock()
        with path.open("rb") as file:
            self.bytes = path.stat().st_size
            self.ids = layout.read_ids(file, layout.parse(file, self.bytes))

    def open(self) -> dict[str, Tensor] | None:
        """Map the tensors, copying nothing, and check every byte unless that was done since it was last closed.

        None: the file is gone or cannot be read, or it was damaged and has been removed. Seconds for gigabytes, which
        other threads can use.
        """
        with self._lock:
            damaged = False
            if self.tensors is None:
                try:
                    self.tensors = self._mapped()
                except Damaged:
                    damaged = True
                except OSError:
                    pass
            if self.tensors is None:
                self._unmap()
            if damaged:  # only now: the exception held what was mapped
                self._on_damage(self)
            return self.tensors

    def close(self) -> None:
        """Let the file go. Tensors that someone still holds keep it mapped until they are let go as well."""
        with self._lock:
            self.tensors = None
            self._unmap()

    def _mapped(self) -> dict[str, Tensor]:
        _prepare()
        with self.path.open("rb") as file:
            size = self.path.stat().st_size
            where = layout.parse(file, size)
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        if hasattr(mmap, "MADV_WILLNEED"):
            self._map.madvise(mmap.MADV_WILLNEED)
        data = memoryview(self._map)
        if not layout.sound(where, data):
            raise Damaged
        return layout.tensors(where, data)

    def _unmap(self) -> None:
        if self._map is not None:
            with contextlib.suppress(BufferError):  # tensors are out there: the last of them unmaps it
                self._map.close()
            self._map = None


_known: "weakref.WeakValueDictionary[Path, Block]" = weakref.WeakValueDictionary()
_lock = threading.Lock()


def block(path: Path, key: str, on_damage: Callable[[Block], None]) -> Block:
    """The one of this file. FileNotFoundError; Damaged."""
    with _lock:
        found = _known.get(path)
        if found is None:
            found = _known[path] = Block(path, key, on_damage)
        return found


def in_use(path: Path) -> bool:
    """Whether it is open in this process."""
    found = _known.get(path)
    return found is not None and found.tensors is not None


def let_go(path: Path) -> None:
    """Close it where it is open in this process: its file is about to go."""
    found = _known.get(path)
    if found is not None:
        found.close()


@functools.cache
def _prepare() -> None:
    """Once, before the first file is mapped."""
    with warnings.catch_warnings():  # torch warns of its first tensor over memory that must not be written
        warnings.simplefilter("ignore")
        torch.frombuffer(b"\0", dtype=torch.uint8)
    if sys.platform != "win32":  # a mapping keeps its file's descriptor, and a long text has hundreds of blocks
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        wanted = DESCRIPTORS if hard == resource.RLIM_INFINITY else min(DESCRIPTORS, hard)
        if soft != resource.RLIM_INFINITY and soft < wanted:
            with contextlib.suppress(OSError, ValueError):  # the system's own limit is lower
                resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
