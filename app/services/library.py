"""The library: documents whose text was extracted once and is kept as an immutable copy."""

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
from app.documents.run import extract
from app.services.database import Database, Row
from app.services.files import write_whole
from app.services.problem import Problem

PLACED = ("id", "path", "added", "tokens")
"""Fields of `Item` that have a column, or a place, of their own."""


def _ignore(done: int, total: int) -> None:
    """Nobody asked for progress."""


class Library:
    """Items in `database`, their texts in the folder `texts`. Unknown ids raise KeyError.

    Tokens are counted by a model: `counting_by` names it, and items that it has not counted have `tokens` None.
    """

    def __init__(self, database: Database, texts: Path) -> None:
        self.folder = texts
        self._database = database
        self._fingerprint = ""

    async def add(
        self, source: Path, on_progress: Callable[[int, int], None] = _ignore, options: Options = AS_USUAL
    ) -> Item | Refused:
        """Extract a file or folder and keep its text. The same text twice is one item; a removed one comes back.

        `on_progress` hears pages or files done and in all. Raises `Problem` ("disk_full", "cannot_write") when the
        text cannot be kept. Cancelling leaves nothing.
        """
        extracted = await extract(source, on_progress, options=options)
        if isinstance(extracted, Refused):
            return extracted
        if not extracted.text.strip():
            return Refused("no_text", extracted.name)
        return self._keep(source, extracted, options)

    def _keep(self, source: Path, extracted: Extracted, options: Options) -> Item:
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
        about = {name: value for name, value in msgspec.structs.asdict(item).items() if name not in PLACED}
        with self._database.writing():
            # an item in use keeps its name; one that was removed comes back as what was dropped now
            self._database.changed(
                "INSERT INTO items (id, about, spans, headings, runs, added) VALUES (?, ?, ?, ?, ?, ?) "
                "ON CONFLICT (id) DO UPDATE SET about = excluded.about, spans = excluded.spans, "
                "headings = excluded.headings, runs = excluded.runs, added = excluded.added, deleted_at = NULL "
                "WHERE deleted_at IS NOT NULL",
                (id, _json(about), _json(spans), _json(extracted.headings), _json(extracted.runs), item.added),
            )
        return self.get(id)

    def items(self) -> list[Item]:
        """Those that are not removed, the newest first."""
        return [self._item(row) for row in self._rows("items.deleted_at IS NULL")]

    def get(self, id: str) -> Item:
        """An item, removed or not."""
        rows = self._rows("items.id = ?", id)
        if not rows:
            raise KeyError(id)
        return self._item(rows[0])

    def text(self, id: str) -> str:
        """The whole text. Raises `Problem("text_missing")` when the copy is gone or is not what was kept."""
        return kept_text(self.get(id))

    def spans(self, id: str) -> tuple[Span, ...]:
        """Where each page, section or file lies in the text."""
        return msgspec.json.decode(self._column("spans", id), type=tuple[Span, ...])

    def headings(self, id: str) -> tuple[Heading, ...]:
        """In the order of the text."""
        return msgspec.json.decode(self._column("headings", id), type=tuple[Heading, ...])

    def runs(self, id: str) -> tuple[Run, ...]:
        """Where the text of a PDF stands on its pages; of others there are none."""
        return msgspec.json.decode(self._column("runs", id), type=tuple[Run, ...])

    def _column(self, name: Literal["spans", "headings", "runs"], id: str) -> str:
        rows = self._database.rows(f"SELECT {name} FROM items WHERE id = ?", (id,))
        if not rows:
            raise KeyError(id)
        return str(rows[0][0])

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
        """Delete it and the copy of its text for good. Conversations that hold it go on without it and say so."""
        self._database.changed("DELETE FROM items WHERE id = ?", (id,))
        with contextlib.suppress(FileNotFoundError):
            self._path(id).unlink()

    def _mark(self, id: str, when: float | None) -> None:
        if not self._database.changed("UPDATE items SET deleted_at = ? WHERE id = ?", (when, id)):
            raise KeyError(id)

    def _path(self, id: str) -> Path:
        return self.folder / f"{id}.txt"

    def _rows(self, condition: str, *values: str) -> list[Row]:
        return self._database.rows(
            "SELECT items.id, about, added, tokens FROM items "
            "LEFT JOIN counts ON counts.item = items.id AND counts.fingerprint = ? "
            f"WHERE {condition} ORDER BY added DESC, items.rowid DESC",
            (self._fingerprint, *values),
        )

    def _item(self, row: Row) -> Item:
        id, about, added, tokens = row
        known = msgspec.json.decode(about)
        return msgspec.convert(known | {"id": id, "path": str(self._path(id)), "added": added, "tokens": tokens}, Item)


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
