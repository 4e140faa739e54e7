"""Files out of the system's memory, so that they are read from the disk again: what a computer just started has."""

import os
from pathlib import Path


def let_go(folder: Path) -> bool:
    """Write what is not yet written of the folder's files, and ask the system to hold none of them. Whether it can be
    asked: it may keep what some process has mapped."""
    if not hasattr(os, "posix_fadvise"):
        return False
    for path in folder.rglob("*"):
        if path.is_file() and not path.is_symlink():
            file = os.open(path, os.O_RDONLY)
            try:
                os.fsync(file)
                os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(file)
    return True
