"""The readings on disk, as the engine asks for them."""

import contextlib
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

import filelock
import msgspec
import numpy as np
from torch import Tensor

from engine.memory.store import blocks, files, layout, shelf
from engine.memory.store.blocks import Block
from engine.memory.store.layout import Damaged
from engine.memory.store.made import Made, key, prefix_keys, reading_id, tokens
from engine.memory.store.saving import NotSaved, saving
from engine.memory.store.shelf import Manifest, Shelf
from engine.protocol import Listed, Saved

SHARE, MOST = 10, 50 * 10**9
"""Where no quota was chosen: a tenth of the disk that is free or taken by readings, at most so many bytes."""
ORPHAN_SECONDS = 7 * 24 * 3600
"""How long a block that no reading names is kept unused: the program was ended in the middle of reading."""
LOCK_SECONDS = 30.0


class Store:
    """Nothing is made on disk until something is saved. `damaged` counts the blocks that were not what was written."""

    def __init__(self, folder: Path, quota: int | None = None) -> None:
        """Removes what dead processes left behind. `quota`: bytes; None: see `SHARE`."""
        self.folder = folder = folder.absolute()
        self.damaged = 0
        self._quota = quota
        self._lock = filelock.FileLock(folder / ".lock", timeout=LOCK_SECONDS, mode=0o600)
        self._current: set[Path] = set()
        """Blocks of the reading that is being written, which make room for nothing."""
        self._tidy()

    def begin(self, needed: int = 0) -> None:
        """A reading starts: what was saved or found before no longer counts as part of the one being written.

        Raises NotSaved where one of `needed` bytes in all would not fit, before anything makes room for its first part.
        """
        self._current.clear()
        if needed > (quota := self.quota):
            raise self._too_large(needed, quota)

    def put(self, made: Made, ids: Iterable[int], tensors: dict[str, Tensor]) -> str:
        """Save rows under their tokens `ids` ([T]), and return their key. Rows that are there already stay as they are.

        Tensors may lie anywhere; what is not contiguous is copied, one tensor at a time, and comes back contiguous.
        Raises NotSaved, and leaves nothing half-written.
        """
        ids = tokens(ids)
        name = key(made, ids)
        path = self._path(made, name)
        with saving():
            if not self._there(path):
                where, data = layout.plan(ids, tensors)
                files.private_folder(path.parent)
                with self._lock:
                    self._make_room(where.size)
                    self._unmark(path)
                if not path.exists():
                    files.write_private(path, lambda file: layout.write(file, where, data))
        shelf.touch(path)
        self._current.add(path)
        return name

    def get(self, made: Made, ids: Iterable[int]) -> Block | None:
        """The block of exactly these tokens, not opened yet. A damaged one is removed."""
        ids = tokens(ids)
        return self._get(made, key(made, ids), ids)

    def has(self, made: Made, ids: Iterable[int]) -> bool:
        """Whether there is such a block, sound or not."""
        return self._there(self._path(made, key(made, tokens(ids))))

    def longest_chain(self, made: Made, ids: Iterable[int]) -> Block | None:
        """The longest block that `ids` begin with. One pass over them, however many there are."""
        ids = tokens(ids)
        for name in self._beginning(made, ids):
            found = self._get(made, name, ids[: _length(name)])
            if found is not None:
                return found
        return None

    def longest_length(self, made: Made, ids: Iterable[int]) -> int:
        """Tokens of the longest block that `ids` begin with, sound or not; 0 where there is none."""
        return next((_length(name) for name in self._beginning(made, tokens(ids))), 0)

    def keep(self, made: Made, documents: tuple[str, ...], keys: Iterable[str], tokens: int) -> None:
        """Blocks `keys` are a reading of `documents` (sha256 of each). It replaces the one that was made of them in the
        same way, and what only that one named goes. Raises NotSaved."""
        path = self._manifest(made, documents)
        manifest = Manifest(made, documents, tuple(keys), tokens, time.time())
        with saving():
            files.private_folder(path.parent)
            with self._lock:
                old = shelf.read(path)
                if old is not None and old.keys == manifest.keys:  # when it was made and what opening it took stay
                    shelf.touch(path)
                else:
                    shelf.write(path, manifest)
                if old is not None:
                    unnamed = {path.with_name(name + files.BLOCK) for name in old.keys}
                    now = Shelf(self.folder)
                    now.discard(unnamed.intersection(now.orphans()))
        self._current.clear()

    def used(self, made: Made, documents: tuple[str, ...], opened_seconds: float | None) -> None:
        """The reading was used just now. `opened_seconds`: what opening it took; None: it was open."""
        path = self._manifest(made, documents)
        with contextlib.suppress(OSError):
            if opened_seconds is None:
                shelf.touch(path)
            elif path.exists():
                with self._lock:
                    if (manifest := shelf.read(path)) is not None:
                        shelf.write(path, msgspec.structs.replace(manifest, opens=opened_seconds))
        self._current.clear()

    def readings(self) -> tuple[Saved, ...]:
        """Of any model, the last used first."""
        return self.listed().readings

    def listed(self) -> Listed:
        """All that is told of the folder, by one look through it."""
        now = Shelf(self.folder)
        readings = tuple(now.saved(entry) for entry in reversed(now.entries))
        taken = now.bytes()
        quota = self._allowed(taken) if self._quota is None else self._quota
        return Listed(readings, taken, quota, self.free, str(self.folder))

    def bytes(self) -> int:
        """Of all blocks, those of no reading included."""
        return Shelf(self.folder).bytes()

    @property
    def quota(self) -> int:
        """Bytes that all readings may take."""
        return self._allowed(self.bytes()) if self._quota is None else self._quota

    @property
    def free(self) -> int:
        """Bytes of the disk that the folder is, or will be, on."""
        return shutil.disk_usage(next(path for path in (self.folder, *self.folder.parents) if path.exists())).free

    def forget(self, documents: tuple[str, ...] | None) -> tuple[int, int]:
        """Remove every reading that has one of `documents` in it, or all; returns how many, and bytes.

        Blocks that no other reading names go too, and those of no reading: whose they were is not known. OSError.
        """
        if not any(files.folders(self.folder)):
            return 0, 0
        with self._lock:
            now = Shelf(self.folder)
            going = [
                entry for entry in now.entries if documents is None or set(documents) & set(entry.manifest.documents)
            ]
            freed = sum(now.drop(entry) for entry in going)
            freed += now.discard(now.orphans())
            now.sweep()
            files.remove_empty(self.folder)
        self._current.clear()
        return len(going), freed

    def _beginning(self, made: Made, ids: np.ndarray) -> list[str]:
        """Names of the blocks that `ids` begin with, the longest first."""
        try:
            names = {path.stem for path in (self.folder / made.folder).iterdir() if files.is_block(path)}
        except OSError:
            return []
        fitting = prefix_keys(made, ids, (length for length in map(_length, names) if 0 < length <= len(ids)))
        return [name for name in fitting if name in names and self._there(self._path(made, name))][::-1]

    def _get(self, made: Made, name: str, ids: np.ndarray) -> Block | None:
        path = self._path(made, name)
        if not self._there(path):
            return None
        try:
            found = blocks.block(path, name, self._damage)
        except Damaged:
            found = None
        except OSError:
            return None
        if found is None or not np.array_equal(found.ids, ids):
            self._remove_damaged(path)
            return None
        shelf.touch(path)
        self._current.add(path)
        return found

    def _damage(self, block: Block) -> None:
        self._remove_damaged(block.path)

    def _remove_damaged(self, path: Path) -> None:
        self.damaged += 1
        self._current.discard(path)
        shelf.discard(path)

    def _make_room(self, needed: int) -> None:
        """NotSaved where `needed` bytes more would not fit even after everything else went. The lock is held."""
        now = Shelf(self.folder)
        taken = now.bytes()
        quota = self._allowed(taken) if self._quota is None else self._quota
        alone = needed + sum(now.sizes.get(path, 0) for path in self._current)
        if alone > quota or now.room(taken + needed - quota, self._current) > 0:
            raise self._too_large(alone, quota)
        if needed > self.free:
            raise NotSaved("not_saved_disk")

    def _too_large(self, needed: int, quota: int) -> NotSaved:
        """A quota that nobody chose is a share of the disk's room: where that has none, it is what is in the way."""
        if self._quota is None and needed > self.free:
            return NotSaved("not_saved_disk")
        return NotSaved("not_saved_full", {"needed": str(needed), "quota": str(quota)})

    def _allowed(self, taken: int) -> int:
        return min(MOST, (self.free + taken) // SHARE)

    def _unmark(self, path: Path) -> None:
        """Rows of these tokens shall be here again. A file that still cannot go holds them, and opening checks it."""
        if shelf.mark(path).exists():
            shelf.discard(path)
            files.remove(shelf.mark(path))

    def _tidy(self) -> None:
        def old(now: Shelf) -> Iterator[Path]:
            return (path for path in now.orphans() if now.times[path] < time.time() - ORPHAN_SECONDS)

        with contextlib.suppress(OSError):
            now = Shelf(self.folder)
            if now.other or any(old(now)):
                with self._lock:
                    now = Shelf(self.folder)
                    now.discard(list(old(now)))
                    now.sweep()
                    files.remove_empty(self.folder)

    def _there(self, path: Path) -> bool:
        return path.exists() and not shelf.mark(path).exists()

    def _path(self, made: Made, name: str) -> Path:
        return self.folder / made.folder / (name + files.BLOCK)

    def _manifest(self, made: Made, documents: tuple[str, ...]) -> Path:
        return self.folder / made.folder / (reading_id(made, documents) + files.MANIFEST)


def _length(name: str) -> int:
    """Tokens of the block of this name."""
    return int(name.rpartition("-")[2])
