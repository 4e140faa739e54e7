"""A folder: its files one after another, each under a line with its path; what is left out is named with a reason."""

import hashlib
import os
import stat
from collections.abc import Callable

from app.documents.container import Container
from app.documents.errors import Unreadable
from app.documents.member import BIGGEST
from app.documents.messages import Limits, Options
from app.documents.signatures import HEAD, is_more_than_text
from app.documents.source import Content, Inside
from app.documents.tree import File, Tree


def read(root: str, limits: Limits, options: Options, inside: Inside) -> Content:
    """The text of all files. `Content.sha256` is of the files that gave text alone: of the paths, in order, each with a
    NUL, the SHA-256 of its bytes and a line end; `Content.size` is the sum of their sizes.
    """
    tree = Tree(root)
    container = Container("folder", limits, options, inside)
    container.left_out += tree.left_out
    digests: dict[str, tuple[str, int]] = {}
    read: set[str] = set()
    for done, file in enumerate(tree.files):
        path = os.path.relpath(file.path, root).replace(os.sep, "/")
        if container.read(path, _loader(file, path, limits, digests), done, len(tree.files), file.under_git):
            read.add(path)
    inside.at(len(tree.files), len(tree.files), inside.path)
    lines = sorted((os.fsencode(path), *digests[path]) for path in read)
    whole = hashlib.sha256(b"".join(path + b"\0" + digest.encode() + b"\n" for path, digest, _ in lines))
    return container.content(whole.hexdigest(), sum(size for _, _, size in lines))


def _loader(file: File, path: str, limits: Limits, digests: dict[str, tuple[str, int]]) -> Callable[[], bytes]:
    def load() -> bytes:
        data = _load(file.path, limits)
        digests[path] = hashlib.sha256(data).hexdigest(), len(data)
        return data

    return load


def _load(path: str, limits: Limits) -> bytes:
    try:
        # Between the walk and now the file may have become a pipe, which would never end.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as stream:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Unreadable("missing")
            start = stream.read(HEAD)
            biggest = BIGGEST if is_more_than_text(start) else limits.file
            data = start + stream.read(biggest)
    except FileNotFoundError as error:
        raise Unreadable("missing") from error
    except OSError as error:
        raise Unreadable("denied") from error
    if len(data) > biggest:
        raise Unreadable("too_big")
    return data
