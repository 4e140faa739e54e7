"""The one SQLite file with conversations and the library's list.

Several processes may have it open. A file that a newer Longread wrote, or that is damaged, is refused and left alone.
"""

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import apsw

from app.services.problem import DamagedDatabase, DatabaseProblem, NewerDatabase
from app.services.schema import STEPS

BUSY_MILLISECONDS = 5_000
"""How long a statement waits for another process that is writing."""

CHECKED_BYTES = 32 * 2**20
"""A file up to this size is checked whole when it is opened (some 50 ms); a larger one shows damage when it is read."""

MEMORY = ":memory:"

Value = str | int | float | bytes | None
Row = tuple[Any, ...]


class Database:
    """Open `path`, making or migrating it as needed; ":memory:" keeps nothing.

    Raises `NewerDatabase`, `DamagedDatabase` or `DatabaseProblem`; in each case the file is as it was.
    `vfs` names a file system layer of SQLite, for tests.
    """

    def __init__(self, path: Path | str, *, vfs: str | None = None, steps: Sequence[str] = STEPS) -> None:
        self.path = str(path)
        self._steps = steps
        with self._named():
            if self.path != MEMORY:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                self._look(vfs)
            self._connection = apsw.Connection(self.path, vfs=vfs)
            try:
                self._set_up()
            except BaseException:
                self._connection.close()
                raise

    def _look(self, vfs: str | None) -> None:
        """Refuse what must not be touched, over a connection that cannot write."""
        file = Path(self.path)
        if not file.exists() or file.stat().st_size == 0:
            return
        looking = apsw.Connection(self.path, flags=apsw.SQLITE_OPEN_READONLY, vfs=vfs)
        try:
            looking.set_busy_timeout(BUSY_MILLISECONDS)
            self._refuse_newer(looking)
            if file.stat().st_size <= CHECKED_BYTES:
                found = looking.execute("PRAGMA quick_check(1)").get
                if found != "ok":
                    raise DamagedDatabase("damaged_database", subject=self.path)
        finally:
            looking.close()

    def _refuse_newer(self, connection: apsw.Connection) -> int:
        version = int(connection.pragma("user_version"))
        if version > len(self._steps):
            raise NewerDatabase("newer_database", subject=self.path)
        return version

    def _set_up(self) -> None:
        connection = self._connection
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        try:
            mode = connection.pragma("journal_mode", "wal")
        except (apsw.IOError, apsw.CantOpenError, apsw.SQLError):
            mode = "refused"  # some network folders answer with an error instead of another mode
        if mode not in ("wal", "memory"):
            connection.pragma("journal_mode", "delete")
        connection.pragma("synchronous", "full")  # a question that was shown as kept survives a power cut
        connection.pragma("foreign_keys", True)
        connection.pragma("secure_delete", True)  # what is deleted is overwritten
        if self._refuse_newer(connection) == len(self._steps):
            return
        with self.writing():  # another process may have migrated it between the look and the lock
            for number, step in list(enumerate(self._steps))[self._refuse_newer(connection) :]:
                connection.execute(step)
                connection.pragma("user_version", number + 1)

    @contextlib.contextmanager
    def _named(self) -> Iterator[None]:
        """Turn SQLite's errors into problems that name the file."""
        try:
            yield
        except (apsw.CorruptError, apsw.NotADBError) as error:
            raise DamagedDatabase("damaged_database", subject=self.path) from error
        except (apsw.BusyError, apsw.LockedError) as error:
            raise DatabaseProblem("busy_database", subject=self.path) from error
        except apsw.FullError as error:
            raise DatabaseProblem("disk_full", subject=str(Path(self.path).parent)) from error
        except (apsw.ReadOnlyError, apsw.CantOpenError, apsw.PermissionsError, apsw.IOError, OSError) as error:
            raise DatabaseProblem(
                "cannot_write", subject=str(Path(self.path).parent), message=type(error).__name__
            ) from error

    def rows(self, statement: str, values: Sequence[Value] = ()) -> list[Row]:
        """Run one statement; all its rows."""
        with self._named():
            return list(self._connection.execute(statement, values))

    def changed(self, statement: str, values: Sequence[Value] = ()) -> int:
        """Run one statement that writes; how many rows it changed."""
        with self._named():
            self._connection.execute(statement, values)
            return self._connection.changes()

    @contextlib.contextmanager
    def writing(self) -> Iterator[None]:
        """Everything inside is kept, or nothing."""
        with self._named():
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def empty_log(self) -> bool:
        """Bring all that was written into the file itself, and leave nothing in the log beside it. False while another
        process is reading: its closing does it then."""
        with self._named():
            busy, _, _ = self._connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").get
        return not busy

    def close(self) -> None:
        self._connection.close()
