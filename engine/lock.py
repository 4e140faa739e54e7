"""One engine a data folder: a lock that the system itself lets go of when its holder dies, however it dies."""

import contextlib
import errno
import logging
import os
import sys
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FILE = "engine.lock"
_FAR = 1 << 30
"""Windows locks bytes and forbids reading them; a byte beyond the text leaves the holder's number readable."""
_HELD = (errno.EACCES, errno.EAGAIN, errno.EWOULDBLOCK, errno.EDEADLK)

log = logging.getLogger(__name__)


class EngineBusy(Exception):
    """Another process has the engine of this data folder. `pid`: its number, if it could be read."""

    def __init__(self, pid: int | None) -> None:
        who = f"process {pid}" if pid else "another process"
        super().__init__(f"Longread is already running on this data folder ({who}). Close it, or use its window.")
        self.pid = pid


class Lock:
    """Held from `take` until `release` or the end of the process."""

    def __init__(self, data: Path) -> None:
        self.path = data / FILE
        self._file: int | None = None

    def take(self) -> None:
        """Raises `EngineBusy`. Where the file system knows no locks, it is noted and the work goes on without."""
        if self._file is not None:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(file)
        except OSError as error:
            if error.errno in _HELD:
                os.close(file)
                raise EngineBusy(self._holder()) from None
            log.warning("this file system knows no locks (%s)", errno.errorcode.get(error.errno or 0, "?"))
        os.ftruncate(file, 0)
        os.write(file, str(os.getpid()).encode())
        self._file = file

    def release(self) -> None:
        # The file stays: removing it would let two others lock two different files of one name.
        if self._file is not None:
            file, self._file = self._file, None
            with contextlib.suppress(OSError):
                os.ftruncate(file, 0)
            os.close(file)

    def _holder(self) -> int | None:
        try:
            return int(self.path.read_text("ascii"))
        except (OSError, ValueError):
            return None


def _lock(file: int) -> None:
    if sys.platform == "win32":
        os.lseek(file, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(file, 0, os.SEEK_SET)
    else:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
