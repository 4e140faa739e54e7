"""Private files that appear whole or not at all, and go even where the system makes it hard."""

import contextlib
import errno
import gc
import itertools
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

import psutil

FOLDER = re.compile(r"(\d{1,9})-[0-9a-f]{32}")
"""What rows were made with; anything else in the root is not ours. The number is the format."""
BLOCK = ".safetensors"
MANIFEST = ".json"
GONE = ".gone"
"""Beside a block that could not be removed: it is not there any more for anyone, and goes at the next start."""
BLOCK_NAME = re.compile(r"[0-9a-f]{64}-\d+\.safetensors")
_MANIFEST = re.compile(r"[0-9a-f]{64}\.json")
_TEMPORARY = re.compile(r"\.(\d+)-\d+\.tmp")
TRIES = 5 if sys.platform == "win32" else 1
PAUSE = 0.05
"""Seconds between tries at a file that is in use, which Windows alone refuses to remove."""

replace: Callable[[Path, Path], None] = os.replace
_numbers = itertools.count()


def private_folder(path: Path) -> None:
    """Make it and the folders above it that are missing, for the owner alone."""
    if not path.is_dir():
        private_folder(path.parent)
        path.mkdir(mode=0o700, exist_ok=True)


def write_private(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """`write` gets a file of another name, which gets its own when all of it is on the disk. OSError; then nothing is
    left."""
    temporary = path.with_name(f".{os.getpid()}-{next(_numbers)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(temporary, flags, 0o600), "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync(path.parent)


def remove(path: Path) -> bool:
    """False: the system does not let it go, even after some tries."""
    for tried in range(1, TRIES + 1):
        try:
            path.unlink(missing_ok=True)
        except PermissionError:
            if tried < TRIES:
                gc.collect()  # a mapping lives as long as its tensors
                time.sleep(PAUSE)
        except OSError:
            return False
        else:
            return True
    return False


def folders(root: Path) -> Iterator[tuple[Path, int]]:
    """Ours in `root`, and their formats."""
    try:
        found = sorted(root.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for path in found:
        if (match := FOLDER.fullmatch(path.name)) and path.is_dir():
            yield path, int(match[1])


def remove_empty(root: Path) -> None:
    """Folders of ours that nothing is left in."""
    for path, _ in folders(root):
        with contextlib.suppress(OSError):
            path.rmdir()


def is_block(path: Path) -> bool:
    return BLOCK_NAME.fullmatch(path.name) is not None


def is_manifest(path: Path) -> bool:
    return _MANIFEST.fullmatch(path.name) is not None


def left_over(path: Path) -> bool:
    """A temporary file whose writer is dead. A later process may have the writer's number."""
    match = _TEMPORARY.fullmatch(path.name)
    if match is None:
        return False
    try:
        began: float = psutil.Process(int(match[1])).create_time()
        return began > path.stat().st_mtime + 1
    except (psutil.NoSuchProcess, FileNotFoundError):
        return True
    except psutil.Error:  # another person's process
        return False


def is_full(error: OSError) -> bool:
    return error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))


def _sync(folder: Path) -> None:
    """A new name survives a power cut only when its folder was written too. Windows does it by itself."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
