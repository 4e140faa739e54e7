"""A file in an archive, as its format's reader hands it over."""

import re
from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from app.data.document import Warning
from app.documents.errors import Unreadable
from app.documents.signatures import HEAD, is_more_than_text
from app.documents.source import Allowance

PIECE = 1 << 20
BIGGEST = 1 << 30
"""Bytes of a file with pictures; of a text, `Limits.file`."""
DRIVE = re.compile(r"^[A-Za-z]:")
LONGEST = 4096
DEEPEST = 200
"""Characters and folders of a path, over which it is no file that anybody has made."""

GIT = re.compile(rb"[0-9a-f]{40}([0-9a-f]{24})?$")
"""What `git archive` writes as the comment of an archive: the commit."""


class Member(Struct, frozen=True):
    """`path` is relative, with "/" between its parts and no ".." in it."""

    path: str
    load: Callable[[], bytes]
    """Its bytes; raises `Unreadable`."""
    reason: str = ""
    """Why it is not read; "" for an ordinary file."""


class Unpacked(Struct, frozen=True):
    members: list[Member]
    warnings: tuple[Warning, ...] = ()
    made_by_git: bool = False


class Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def placed(name: str) -> tuple[str, str]:
    """A member's name as a path in the archive, and why such a file is not read; "" for one that leads nowhere else.

    A leading "/" or drive is dropped, as tar does; a name with ".." in it is kept from being a path.
    """
    parts = [part for part in DRIVE.sub("", name).split("/") if part not in ("", ".")]
    if ".." in parts:
        return "/".join(part if part != ".." else "…" for part in parts), "outside"
    path = "/".join(parts)
    if len(path) > LONGEST or len(parts) > DEEPEST:
        return path[:100].replace("/", "\ufffd") + "…", "special"
    return path, ""


def drained(stream: Stream, limit: int, allowance: Allowance | None) -> bytes:
    """All bytes of a file of at most `limit` bytes of text, each counted. Raises `Unreadable("too_big")`."""
    start = _counted(stream, HEAD, allowance)
    most = BIGGEST if is_more_than_text(start) else limit
    pieces, left = [start], most - len(start)
    while piece := _counted(stream, PIECE, allowance):
        pieces.append(piece)
        left -= len(piece)
        if left < 0:
            raise Unreadable("too_big")
    return b"".join(pieces)


def _counted(stream: Stream, size: int, allowance: Allowance | None) -> bytes:
    piece = stream.read(size)
    if allowance is not None:
        allowance.inflate(len(piece))
    return piece
