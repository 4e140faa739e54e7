"""What lies in the root at one moment: manifests, and blocks with their sizes and last uses."""

import contextlib
import os
import time
from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
from msgspec import Struct

from engine.memory.store import blocks, files
from engine.memory.store.made import FORMAT, Made, reading_id
from engine.protocol import Saved

OPENS = 1.5e9
"""Bytes of a reading that are checked a second, where it has not been opened yet."""


class Manifest(Struct, frozen=True):
    """Which blocks a reading of `documents` (sha256 of each) is made of. `created`: seconds since the epoch. `opens`:
    seconds that opening it took last. When it was last used is its file's time."""

    made: Made
    documents: tuple[str, ...]
    keys: tuple[str, ...]
    tokens: int
    created: float
    opens: float | None = None


class Entry(Struct, frozen=True):
    """A manifest's file, with the paths of its blocks, there or not."""

    path: Path
    manifest: Manifest
    used: float
    blocks: tuple[Path, ...]


class Shelf:
    """A look at the folder; `drop` and what stands on it keep it true to what they remove."""

    def __init__(self, root: Path) -> None:
        self.entries: list[Entry] = []
        """The least recently used first."""
        self.sizes: dict[Path, int] = {}
        """Bytes of every block."""
        self.times: dict[Path, float] = {}
        """When each block was last used."""
        self.other: list[Path] = []
        """Of no use: temporary files of the dead, marks, manifests that cannot be read, all of older formats."""
        for folder, number in files.folders(root):
            with contextlib.suppress(FileNotFoundError):  # another process was faster
                for path in sorted(folder.iterdir()):
                    with contextlib.suppress(FileNotFoundError):
                        self._add(path, number)
        self.entries.sort(key=lambda entry: entry.used)

    def bytes(self) -> int:
        return sum(self.sizes.values())

    def orphans(self, spared: Collection[Path] = ()) -> list[Path]:
        """Blocks that no manifest names, the longest unused first."""
        named = {path for entry in self.entries for path in entry.blocks}.union(spared)
        return sorted(self.sizes.keys() - named, key=lambda path: (self.times[path], path))

    def drop(self, entry: Entry, spared: Collection[Path] = ()) -> int:
        """Remove a reading and the blocks that no other one names. Returns the bytes that became free."""
        alone = self._alone(entry, spared)
        files.remove(entry.path)
        self.entries.remove(entry)
        return self.discard(alone)

    def discard(self, paths: Iterable[Path]) -> int:
        """Remove blocks. Returns the bytes that became free."""
        freed = 0
        for path in paths:
            size = self.sizes.pop(path, 0)
            discard(path)
            freed += size
        return freed

    def room(self, excess: int, spared: Collection[Path]) -> int:
        """Remove at least `excess` bytes if that is possible: blocks of no reading first, then whole readings, the
        least recently used first, but never `spared` blocks. Returns what is still missing, or at most 0."""
        for path in self.orphans(spared):
            if excess <= 0:
                break
            excess -= self.discard([path])
        for entry in tuple(self.entries):
            if excess <= 0:
                break
            if self._alone(entry, spared):
                excess -= self.drop(entry, spared)
        return excess

    def saved(self, entry: Entry) -> Saved:
        """As it is told to the window."""
        manifest = entry.manifest
        size = sum(self.sizes.get(path, 0) for path in entry.blocks)
        opens = manifest.opens if manifest.opens is not None else size / OPENS
        return Saved(
            id=entry.path.stem,
            documents=manifest.documents,
            mode=manifest.made.mode,
            tokens=manifest.tokens,
            bytes=size,
            created=manifest.created,
            used=entry.used,
            model=manifest.made.model,
            fingerprint=manifest.made.fingerprint,
            precision=manifest.made.precision,
            opens=None if any(map(blocks.in_use, entry.blocks)) else opens,
        )

    def sweep(self) -> None:
        """Remove what is of no use, and try again at what could not be removed before."""
        for path in self.other:
            if path.suffix == files.GONE:
                discard(path.with_suffix(files.BLOCK))
            else:
                files.remove(path)
        self.other.clear()

    def _alone(self, entry: Entry, spared: Collection[Path]) -> list[Path]:
        """The blocks there that would go with it."""
        staying = {path for other in self.entries if other is not entry for path in other.blocks}.union(spared)
        return [path for path in entry.blocks if path in self.sizes and path not in staying]

    def _add(self, path: Path, number: int) -> None:
        status = path.stat()
        if number >= FORMAT and files.is_block(path) and not mark(path).exists():
            self.sizes[path], self.times[path] = status.st_size, status.st_mtime
        elif number == FORMAT and files.is_manifest(path) and (manifest := read(path)) is not None:
            named = tuple(map(path.with_name, _names(manifest)))
            self.entries.append(Entry(path, manifest, status.st_mtime, named))
        elif number < FORMAT or path.suffix == files.GONE or files.is_manifest(path) or files.left_over(path):
            self.other.append(path)


def read(path: Path) -> Manifest | None:
    """None: it is not there or not what was written."""
    try:
        manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    except (OSError, msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError):
        return None
    right = path.stem == reading_id(manifest.made, manifest.documents)
    return manifest if right and all(map(files.BLOCK_NAME.fullmatch, _names(manifest))) else None


def write(path: Path, manifest: Manifest) -> None:
    """OSError; what was there before is then there still."""
    files.write_private(path, lambda file: file.write(msgspec.json.encode(manifest)))
    touch(path)


def mark(path: Path) -> Path:
    """Where it is noted of a block that it is gone, though its file could not be removed."""
    return path.with_suffix(files.GONE)


def discard(path: Path) -> None:
    """Remove a block, unmapped first where this process has it open. What is in use elsewhere is marked as gone."""
    blocks.let_go(path)
    if files.remove(path):
        files.remove(mark(path))
    else:
        with contextlib.suppress(OSError):
            os.close(os.open(mark(path), os.O_WRONLY | os.O_CREAT, 0o600))


def touch(path: Path) -> None:
    """It was used just now, by a finer clock than the files' own. Whoever may not write there is not stopped."""
    with contextlib.suppress(OSError):
        os.utime(path, ns=(now := time.time_ns(), now))


def _names(manifest: Manifest) -> list[str]:
    return [key + files.BLOCK for key in manifest.keys]
