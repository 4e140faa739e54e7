"""Which files git tracks, read from its index: a tracked file is never ignored."""

import os
import struct
from pathlib import Path

from msgspec import Struct

FIXED = 62
"""Bytes of an entry before its name: times, owner, mode, size, SHA-1, flags."""
EXTENDED = 0x4000


class Tracked(Struct, frozen=True):
    """Paths below the repository's root, and all folders that hold one."""

    files: frozenset[bytes] = frozenset()
    folders: frozenset[bytes] = frozenset()


def git_folder(root: str) -> str | None:
    """Where the repository with this root keeps its own files; None outside one."""
    path = Path(root, ".git")
    if path.is_dir():
        return str(path)
    try:
        named = path.read_text().removeprefix("gitdir:").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return os.path.normpath(os.path.join(root, named))


def tracked(path: str) -> Tracked:
    """Of an index file; nothing when there is none, or none that is understood."""
    try:
        return tracked_by(Path(path).read_bytes())
    except OSError:
        return Tracked()


def tracked_by(index: bytes) -> Tracked:
    """Of the bytes of an index file."""
    try:
        files = _names(index)
    except (ValueError, struct.error):
        return Tracked()
    folders = set()
    for name in files:
        while (name := name.rpartition(b"/")[0]) and name not in folders:
            folders.add(name)
    return Tracked(frozenset(files), frozenset(folders))


def _names(data: bytes) -> list[bytes]:
    mark, version, count = struct.unpack_from(">4sII", data)
    if mark != b"DIRC" or version not in (2, 3, 4):
        return []
    names: list[bytes] = []
    place = 12
    for _ in range(count):
        (flags,) = struct.unpack_from(">H", data, place + FIXED - 2)
        start = place + FIXED + (2 if flags & EXTENDED else 0)
        if version == 4:
            dropped, start = _variable(data, start)
            end = data.index(b"\0", start)
            last = names[-1] if names else b""
            names.append(last[: len(last) - dropped] + data[start:end])
            place = end + 1
        else:
            end = data.index(b"\0", start)
            names.append(data[start:end])
            place += (end - place + 8) // 8 * 8
    return names


def _variable(data: bytes, place: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    byte = data[place]
    value = byte & 127
    while byte & 128:
        place += 1
        byte = data[place]
        value = ((value + 1) << 7) | (byte & 127)
    return value, place + 1
