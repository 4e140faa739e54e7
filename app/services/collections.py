"""Matters: named collections of the library's items. Items stay in the library whatever becomes of a matter."""

import time
import unicodedata
import uuid
from collections.abc import Collection, Iterable

from app.data.matter import Matter
from app.services.database import Database
from app.services.problem import Problem

LONGEST = 200
"""Characters of a name."""


class Collections:
    """The matters of one database. Unknown ids of matters raise KeyError; items that the library has not are passed
    over, since a step back may come after they were deleted for good."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Matter]:
        """Those that are not removed, by name."""
        return sorted(self._matters("m.deleted_at IS NULL"), key=lambda matter: _folded(matter.name))

    def get(self, id: str) -> Matter:
        """A matter, removed or not."""
        for matter in self._matters("m.id = ?", id):
            return matter
        raise KeyError(id)

    def named(self, name: str) -> Matter | None:
        """The one that is called so, letter case and spaces aside."""
        wanted = _folded(name)
        return next((matter for matter in self.all() if _folded(matter.name) == wanted), None)

    def of(self, item: str) -> list[Matter]:
        """Those that hold the item."""
        return [matter for matter in self.all() if item in matter.items]

    def new(self, name: str) -> Matter:
        """Raises `Problem`: "matter_unnamed", "matter_long", or "matter_exists" when another is called so."""
        matter = Matter(uuid.uuid4().hex, self._allowed(name))
        self._database.changed(
            "INSERT INTO matters (id, name, made) VALUES (?, ?, ?)", (matter.id, matter.name, time.time())
        )
        return matter

    def rename(self, id: str, name: str) -> None:
        """Raises `Problem` as `new` does."""
        self._set(id, "name", self._allowed(name, but=id))

    def remove(self, id: str) -> None:
        """Hide it until `restore`."""
        self._set(id, "deleted_at", time.time())

    def restore(self, id: str) -> None:
        """Under its name, with a number after it when another has taken that since."""
        name = free = self.get(id).name
        number = 1
        while (other := self.named(free)) is not None and other.id != id:
            number += 1
            free = f"{name} ({number})"
        with self._database.writing():
            self._set(id, "name", free)
            self._set(id, "deleted_at", None)

    def forget(self, id: str) -> None:
        """Delete it for good; its items stay."""
        self._database.changed("DELETE FROM matters WHERE id = ?", (id,))

    def put(self, id: str, items: Iterable[str]) -> tuple[str, ...]:
        """Put items in; those that were not in it before."""
        self.get(id)
        with self._database.writing():
            return tuple(item for item in dict.fromkeys(items) if self._put(id, item))

    def take(self, id: str, items: Iterable[str]) -> tuple[str, ...]:
        """Take items out; those that were in it before."""
        with self._database.writing():
            return tuple(item for item in dict.fromkeys(items) if self._take(id, item))

    def exchange(self, old: str, new: str, among: Collection[str] | None = None) -> tuple[str, ...]:
        """Put item `new` in the place of `old` wherever that is, or in these matters; the ids of those it was in."""
        with self._database.writing():
            matters = tuple(one.id for one in self.of(old) if among is None or one.id in among)
            for id in matters:
                self._put(id, new)
                self._take(id, old)
        return matters

    def _put(self, id: str, item: str) -> int:
        return self._database.changed(
            "INSERT OR IGNORE INTO held (matter, item, added) SELECT ?, id, ? FROM items WHERE id = ?",
            (id, time.time(), item),
        )

    def _take(self, id: str, item: str) -> int:
        return self._database.changed("DELETE FROM held WHERE matter = ? AND item = ?", (id, item))

    def _allowed(self, name: str, but: str = "") -> str:
        shown = " ".join(name.split())
        if not shown:
            raise Problem("matter_unnamed")
        if len(shown) > LONGEST:
            raise Problem("matter_long", count=str(LONGEST))
        if (other := self.named(shown)) is not None and other.id != but:
            raise Problem("matter_exists", subject=other.name)
        return shown

    def _matters(self, condition: str, *values: str) -> list[Matter]:
        rows = self._database.rows(f"SELECT m.id, m.name FROM matters m WHERE {condition}", values)
        held: dict[str, list[str]] = {id: [] for id, _ in rows}
        for id, item in self._database.rows(
            "SELECT h.matter, h.item FROM held h JOIN items i ON i.id = h.item WHERE i.deleted_at IS NULL "
            "ORDER BY h.added DESC, i.rowid DESC"
        ):
            if id in held:
                held[id].append(item)
        return [Matter(id, name, tuple(held[id])) for id, name in rows]

    def _set(self, id: str, column: str, value: str | float | None) -> None:
        if not self._database.changed(f"UPDATE matters SET {column} = ? WHERE id = ?", (value, id)):
            raise KeyError(id)


def _folded(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())
