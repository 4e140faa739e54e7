"""What is kept of how an item was made, so that it can be told later whether it would be made the same again."""

import contextlib
import hashlib
import os
import stat
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from app.documents.messages import Options
from app.documents.passing_over import folder_reason


class Stamp(Struct, frozen=True):
    """What costs next to nothing to know of a file, or of all files of a folder together."""

    size: int
    """Bytes."""
    written: int
    """Nanoseconds since the epoch, of what was written last."""
    files: int | None = None
    """Of a folder: how many."""


class Origin(Struct, frozen=True):
    """With the same file, options and version of Longread the same text would come out."""

    stamp: Stamp | None
    """Taken before it was read; None when there was nothing to take it of."""
    options: Options
    """Without passwords."""
    locked: bool
    """A password was given."""
    version: str

    def makes_the_same(self, options: Options) -> bool:
        """Whether a file with the same bytes, read now with `options`, gives the same text. Passwords are not kept, so
        that of a file that needed one nobody can say."""
        return not self.locked and not options.passwords and (self.options, self.version) == (options, _version())


def origin(stamp: Stamp | None, options: Options) -> Origin:
    """That of something read now."""
    return Origin(stamp, replace(options, passwords={}), bool(options.passwords), _version())


def file_stamp(source: Path) -> Stamp | None:
    """Of a file; None of a folder. Raises OSError."""
    status = source.stat()
    return None if stat.S_ISDIR(status.st_mode) else Stamp(status.st_size, status.st_mtime_ns)


def stamp(source: Path) -> Stamp:
    """Of a file, or of a folder without the folders that are never read. Raises OSError."""
    if (found := file_stamp(source)) is not None:
        return found
    size = written = files = 0
    for folder, folders, names in os.walk(source):
        folders[:] = [name for name in folders if not _passed_over(folder, name)]
        for name in names:
            with contextlib.suppress(FileNotFoundError):  # it went while the folder was looked at
                one = os.stat(os.path.join(folder, name), follow_symlinks=False)
                size, written, files = size + one.st_size, max(written, one.st_mtime_ns), files + 1
    return Stamp(size, written, files)


def _passed_over(folder: str, name: str) -> bool:
    return bool(folder_reason(name, lambda sign: os.path.exists(os.path.join(folder, name, sign))))


def digest(file: Path) -> str:
    """sha256 of the file's bytes. Raises OSError."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _version() -> str:
    try:
        return version("longread")
    except PackageNotFoundError:
        return ""
