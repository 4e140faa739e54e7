"""The library: documents whose text was extracted once and is kept as an immutable copy."""

import asyncio
import contextlib
import hashlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import msgspec

from app.data.document import Extracted, Heading, Item, Refused, Run, Span
from app.data.spans import counted, name
from app.documents.messages import AS_USUAL, Options
from app.documents.names import shown
from app.documents.run import extract
from app.services.database import Database, Row, Value
from app.services.files import write_whole
from app.services.origin import Origin, Stamp, digest, file_stamp, origin, stamp
from app.services.problem import Problem
from app.services.text_index import TextIndex

PLACED = ("id", "path", "added", "tokens", "succeeds")
"""Fields of `Item` that have a column, or a place, of their own."""

KEPT = ("about", "spans", "headings", "runs", "origin")
"""Columns that say what was extracted."""


def _ignore(done: int, total: int) -> None:
    """Nobody asked for progress."""


class Library:
    """Items in `database`, their texts in the folder `texts`. Unknown ids raise KeyError.

    `index` says where words stand in the texts; `app.services.text_search` brings it up to date.

    Tokens are counted by a model: `counting_by` names it, and items that it has not counted have `tokens` None.
    """

    def __init__(self, database: Database, texts: Path, index: TextIndex | None = None) -> None:
        self.folder = texts
        self._database = database
        self._index = index
        self._fingerprint = ""
        self._forgot = False
        """And the database's log may still hold it."""

    async def add(
        self, source: Path, on_progress: Callable[[int, int], None] = _ignore, options: Options = AS_USUAL
    ) -> Item | Refused:
        """Extract a file or folder and keep its text. The same text twice is one item; a removed one comes back.

        A file whose bytes were read before, all of it and with the same options, is not read again. A file that has
        changed since it was added from the same place is a new item that `succeeds` the old one.

        `on_progress` hears pages or files done and in all. Raises `Problem` ("disk_full", "cannot_write") when the
        text cannot be kept. Cancelling leaves nothing.
        """
        looked = await _look(source)
        known = await self._known(source, looked, options)
        if known is not None:
            on_progress(1, 1)
            return known
        extracted = await self._extract(source, on_progress, options)
        return extracted if isinstance(extracted, Refused) else self._keep(source, extracted, options, looked)

    async def read_anew(self, id: str, on_progress: Callable[[int, int], None] = _ignore) -> Item | Refused:
        """Extract an item's original again, as it was read then: the same item when its text is still the same, else a
        new one that succeeds it. As `add`; a password must be given there again."""
        item, made = self.get(id), self.origin(id)
        options = AS_USUAL if made is None else made.options
        source = Path(item.source)
        looked = await _look(source)
        extracted = await self._extract(source, on_progress, options)
        if isinstance(extracted, Refused):
            return extracted
        return self._keep(source, extracted, options, looked, succeeds=id)

    async def _extract(
        self, source: Path, on_progress: Callable[[int, int], None], options: Options
    ) -> Extracted | Refused:
        extracted = await extract(source, on_progress, options=options)
        if isinstance(extracted, Extracted) and not extracted.text.strip():
            return Refused("no_text", extracted.name)
        return extracted

    async def _known(self, source: Path, looked: Stamp | None, options: Options) -> Item | None:
        """The item that was made of a file with these bytes, by the same options and the same Longread."""
        if looked is None or looked.files is not None:
            return None
        alike = self._rows("json_extract(about, '$.file_size') = ?", looked.size)
        candidates = [
            item
            for item in map(self._item, alike)
            # what was left out may be readable now, with a program that was installed since
            if item.file_sha256 and not item.left_out and self._makes_the_same(item.id, options)
        ]
        if not candidates:
            return None
        try:
            found = await asyncio.to_thread(digest, source)
        except OSError:
            return None  # reading it will say why
        for item in candidates:
            if item.file_sha256 == found and self._is_whole(item.id):
                return self._again(item, source, looked, options)
        return None

    def _makes_the_same(self, id: str, options: Options) -> bool:
        made = self.origin(id)
        return made is not None and made.makes_the_same(options)

    def _again(self, item: Item, source: Path, looked: Stamp, options: Options) -> Item:
        """It is here already. A removed item comes back as what was dropped now, and so does one whose original has
        moved."""
        place = str(source.absolute())
        removed = self._database.rows("SELECT 1 FROM items WHERE id = ? AND deleted_at IS NOT NULL", (item.id,))
        with self._database.writing():
            if removed or not Path(item.source).exists():
                item = msgspec.structs.replace(item, name=shown(source.name), source=place)
                self._database.changed(
                    "UPDATE items SET about = ?, added = iif(deleted_at IS NULL, added, ?), deleted_at = NULL "
                    "WHERE id = ?",
                    (_about(item), time.time(), item.id),
                )
            if item.source == place:
                self.set_stamp(item.id, looked)
                self._follow(self._version_before(item), item.id)
        return self.get(item.id)

    def _keep(
        self, source: Path, extracted: Extracted, options: Options, looked: Stamp | None, succeeds: str | None = None
    ) -> Item:
        content = extracted.text.encode("utf-8", "replace")  # half of a surrogate pair is no text: it becomes "?"
        id = hashlib.sha256(content).hexdigest()
        path = self._path(id)
        if not path.exists() or path.read_bytes() != content:
            write_whole(path, content)
        spans = extracted.spans
        item = Item(
            *(
                id,
                extracted.name,
                str(source.absolute()),
                extracted.kind,
                extracted.unit,
                counted(spans, extracted.unit),
                len(extracted.text),
            ),
            path=str(path),
            added=time.time(),
            left_out=extracted.left_out,
            warnings=extracted.warnings,
            first_label=name(spans[0]) if spans else "",
            last_label=name(spans[-1]) if spans else "",
            file_sha256=extracted.file_sha256,
            file_size=extracted.file_size,
            changes=options.changes,
        )
        made = (_about(item), *map(_json, (spans, extracted.headings, extracted.runs, origin(looked, options))))
        with self._database.writing():
            before = succeeds or self._version_before(item)
            # an item in use keeps its name; one that was removed comes back as what was dropped now, and one that was
            # read anew is as its original is now
            self._database.changed(
                f"INSERT INTO items (id, {', '.join(KEPT)}, added) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO "
                f"UPDATE SET {', '.join(f'{column} = excluded.{column}' for column in KEPT)}, "
                "added = iif(deleted_at IS NULL, added, excluded.added), deleted_at = NULL "
                "WHERE deleted_at IS NOT NULL OR id = ?",
                (id, *made, item.added, succeeds),
            )
            self._follow(before, id)
        return self.get(id)

    def _version_before(self, item: Item) -> str | None:
        """The item that was made of the same file in the same way, when it said something else."""
        rows = self._database.rows(
            "SELECT id FROM items old WHERE deleted_at IS NULL AND id != ? AND json_extract(about, '$.source') = ? "
            "AND json_extract(about, '$.changes') = ? AND NOT EXISTS "
            "(SELECT 1 FROM items WHERE succeeds = old.id AND deleted_at IS NULL) "
            "ORDER BY added DESC LIMIT 1",
            (item.id, item.source, item.changes),
        )
        return str(rows[0][0]) if rows else None

    def _follow(self, old: str | None, new: str) -> None:
        """From now on `new` is the newest version, also where it was an older one before."""
        if old is None or old == new:
            return
        self._database.changed("UPDATE items SET succeeds = NULL WHERE succeeds = ?", (new,))
        self._database.changed("UPDATE items SET succeeds = ? WHERE id = ?", (old, new))

    def take(self, other: "Library", id: str) -> Item:
        """Keep an item of another library in this one too."""
        item = other.get(id)
        write_whole(self._path(id), other.text(id).encode())
        columns = ", ".join(KEPT)
        (row,) = other._database.rows(f"SELECT {columns}, added FROM items WHERE id = ?", (id,))
        self._database.changed(
            f"INSERT OR IGNORE INTO items (id, {columns}, added) VALUES (?, ?, ?, ?, ?, ?, ?)", (item.id, *row)
        )
        return self.get(id)

    def items(self) -> list[Item]:
        """Those that are not removed, the newest first."""
        return [self._item(row) for row in self._rows("items.deleted_at IS NULL")]

    def removed(self) -> list[Item]:
        """Those that are, the newest first: their texts are kept until they are forgotten."""
        return [self._item(row) for row in self._rows("items.deleted_at IS NOT NULL")]

    def get(self, id: str) -> Item:
        """An item, removed or not."""
        rows = self._rows("items.id = ?", id)
        if not rows:
            raise KeyError(id)
        return self._item(rows[0])

    def holds(self, id: str) -> bool:
        """Whether it is here, removed or not."""
        return bool(self._database.rows("SELECT 1 FROM items WHERE id = ?", (id,)))

    def text(self, id: str) -> str:
        """The whole text. Raises `Problem("text_missing")` when the copy is gone or is not what was kept."""
        return kept_text(self.get(id))

    def spans(self, id: str) -> tuple[Span, ...]:
        """Where each page, section or file lies in the text."""
        return msgspec.json.decode(self._column("spans", id) or "[]", type=tuple[Span, ...])

    def headings(self, id: str) -> tuple[Heading, ...]:
        """In the order of the text."""
        return msgspec.json.decode(self._column("headings", id) or "[]", type=tuple[Heading, ...])

    def runs(self, id: str) -> tuple[Run, ...]:
        """Where the text of a PDF stands on its pages; of others there are none."""
        return msgspec.json.decode(self._column("runs", id) or "[]", type=tuple[Run, ...])

    def origin(self, id: str) -> Origin | None:
        """How it was made; None: by an older Longread, which kept nothing of that."""
        kept = self._column("origin", id)
        return None if kept is None else msgspec.json.decode(kept, type=Origin)

    def set_stamp(self, id: str, stamp: Stamp) -> None:
        """Its original was looked at: these are still the bytes that were read."""
        made = self.origin(id)
        if made is not None:
            kept = _json(msgspec.structs.replace(made, stamp=stamp))
            self._database.changed("UPDATE items SET origin = ? WHERE id = ?", (kept, id))

    def _column(self, name: Literal["spans", "headings", "runs", "origin"], id: str) -> str | None:
        rows = self._database.rows(f"SELECT {name} FROM items WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        value: str | None = rows[0][0]
        return value

    def counting_by(self, fingerprint: str) -> None:
        """From now on `tokens` are those of this model (`Loaded.fingerprint`)."""
        self._fingerprint = fingerprint

    def set_tokens(self, id: str, tokens: int) -> None:
        self._database.changed(
            "INSERT OR REPLACE INTO counts (item, fingerprint, tokens) VALUES (?, ?, ?)",
            (id, self._fingerprint, tokens),
        )

    def remove(self, id: str) -> None:
        """Hide it from `items` until `restore`; conversations that hold it still do."""
        self._mark(id, time.time())

    def restore(self, id: str) -> None:
        self._mark(id, None)

    def forget(self, id: str) -> None:
        """Delete it and the copy of its text for good. Conversations that hold it go on without it and say so. It is
        found no more; what the index knows of it, and traces in the database's log, are there until `purge`."""
        with self._database.writing():
            # versions on either side of it follow each other
            self._database.changed(
                "UPDATE items SET succeeds = (SELECT succeeds FROM items WHERE id = ?1) WHERE succeeds = ?1", (id,)
            )
            self._database.changed("DELETE FROM items WHERE id = ?", (id,))
        with contextlib.suppress(FileNotFoundError):
            self._path(id).unlink()
        self._forgot = True

    async def purge(self) -> None:
        """Leave no trace of what was forgotten in the files of the database and the index."""
        if self._forgot:
            self._forgot = not self._database.empty_log()
        if self._index is None:
            return
        for id in await asyncio.to_thread(self._index.known):
            if not self.holds(id):
                await asyncio.to_thread(self._index.drop, id)
        await asyncio.to_thread(self._index.purge)

    def _mark(self, id: str, when: float | None) -> None:
        if not self._database.changed("UPDATE items SET deleted_at = ? WHERE id = ?", (when, id)):
            raise KeyError(id)

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.txt"

    def _is_whole(self, id: str) -> bool:
        try:
            self.text(id)
        except Problem:
            return False
        return True

    def _rows(self, condition: str, *values: Value) -> list[Row]:
        return self._database.rows(
            "SELECT items.id, about, added, tokens, succeeds FROM items "
            "LEFT JOIN counts ON counts.item = items.id AND counts.fingerprint = ? "
            f"WHERE {condition} ORDER BY added DESC, items.rowid DESC",
            (self._fingerprint, *values),
        )

    def _item(self, row: Row) -> Item:
        id, about, added, tokens, succeeds = row
        placed = {"id": id, "path": str(self._path(id)), "added": added, "tokens": tokens, "succeeds": succeeds}
        return msgspec.convert(msgspec.json.decode(about) | placed, Item)


async def _look(source: Path) -> Stamp | None:
    """A folder is walked through, which may take a while."""
    try:
        return file_stamp(source) or await asyncio.to_thread(stamp, source)
    except OSError:
        return None


def _about(item: Item) -> str:
    return _json({name: value for name, value in msgspec.structs.asdict(item).items() if name not in PLACED})


def kept_text(item: Item) -> str:
    """As `Library.text`, without looking into the database: for a thread of its own."""
    try:
        content = Path(item.path).read_bytes()
    except OSError as error:
        raise Problem("text_missing", subject=item.name) from error
    if hashlib.sha256(content).hexdigest() != item.id:
        raise Problem("text_missing", subject=item.name)
    return content.decode()


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
