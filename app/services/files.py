"""Files that are whole or not there."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from app.services.problem import Problem


def write_whole(path: Path, content: bytes) -> None:
    """Write the file, for its owner alone, so that a reader or a power cut never finds half of it.

    Raises `Problem("disk_full")` when there is no room and `Problem("cannot_write")` for any other refusal of the
    system; nothing is left behind and an older file of that name stays as it was.
    """
    temporary: str | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")  # 0600
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise storage_problem(error, path.parent) from error


@contextlib.contextmanager
def storing(folder: Path) -> Iterator[None]:
    """What the system refuses meanwhile is raised as the `storage_problem` of the folder."""
    try:
        yield
    except OSError as error:
        raise storage_problem(error, folder) from error


def storage_problem(error: OSError, folder: Path) -> Problem:
    """The problem that a refusal to write in `folder` is for the person."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT) if hasattr(errno, "EDQUOT") else error.errno == errno.ENOSPC
    if full:
        return Problem("disk_full", subject=str(folder))
    return Problem("cannot_write", subject=str(folder), message=error.strerror or type(error).__name__)
