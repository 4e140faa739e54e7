"""Where words stand in the library's texts: a file beside the database that can be made anew at any time.

A text is cut into pieces, and of each piece the index knows which three letters in a row it holds, in FTS5's trigram
index without places and without the text itself: half the size of an English text. Three letters find words in scripts
with and without spaces; whether a piece really holds a word is seen in the text (`app.services.text_search`).
"""

import contextlib
import json
import logging
import threading
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from pathlib import Path

from msgspec import Struct

from app.services.database import Database
from app.services.files import storage_problem
from app.services.problem import DamagedDatabase, DatabaseProblem, NewerDatabase

LONGEST = 3000
"""Characters of a piece."""
OVERLAP = 100
"""Characters beyond its end that a piece is looked for with: a border cuts no shorter words."""
AT_ONCE = 50
"""Pieces in one step, which takes some tenths of a second."""
TRIGRAM = 3
ASKED = 60
"""Trigrams of a long phrase that are looked up: the text itself decides."""
LAST = "\U0010ffff"

SCHEMA = """
CREATE TABLE texts (
    n INTEGER PRIMARY KEY,
    item TEXT NOT NULL UNIQUE,    -- sha256 of the text
    whole INTEGER NOT NULL        -- whether all of its pieces are here
) STRICT;
CREATE TABLE pieces (
    n INTEGER PRIMARY KEY,
    text INTEGER NOT NULL REFERENCES texts(n) ON DELETE CASCADE,
    start INTEGER NOT NULL,
    finish INTEGER NOT NULL
) STRICT;
CREATE INDEX pieces_of ON pieces(text);
CREATE VIRTUAL TABLE grams USING fts5(
    text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
);
CREATE VIRTUAL TABLE terms USING fts5vocab(grams, instance);
CREATE TABLE owed (what TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;  -- 'purge': rows were deleted since the last one
"""

log = logging.getLogger(__name__)


class Piece(Struct, frozen=True, order=True):
    """Characters `start` to `end` of a text."""

    start: int
    end: int


class TextIndex:
    """Made anew when the file is damaged or of a newer version. Its methods may be called from any thread, and raise
    `DatabaseProblem` when the file cannot be used just now."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        try:
            self._database = self._opened()
        except (DamagedDatabase, NewerDatabase):
            self._database = self._anew()

    def _opened(self) -> Database:
        database = Database(self._path, steps=(SCHEMA,))
        database.rows("PRAGMA synchronous = normal")  # what a power cut takes away is made again
        return database

    def _anew(self) -> Database:
        log.warning("the search index was damaged, or a newer Longread's; it is made anew")
        try:
            for end in ("", "-wal", "-shm"):
                self._path.with_name(self._path.name + end).unlink(missing_ok=True)
        except OSError as error:
            raise storage_problem(error, self._path.parent) from error
        return self._opened()

    @contextlib.contextmanager
    def _use(self) -> Iterator[Database]:
        """The database, for one thread at a time. Damage that shows only now raises `Problem("index_anew")`."""
        with self._lock:
            try:
                yield self._database
            except DamagedDatabase as error:
                self._database.close()
                self._database = self._anew()
                raise DatabaseProblem("index_anew") from error

    def close(self) -> None:
        with self._lock:
            self._database.close()

    def known(self) -> set[str]:
        """The items of which anything is here."""
        with self._use() as database:
            return {item for (item,) in database.rows("SELECT item FROM texts")}

    def whole(self) -> set[str]:
        """The items whose texts are here from end to end."""
        with self._use() as database:
            return {item for (item,) in database.rows("SELECT item FROM texts WHERE whole")}

    def take_in(self, item: str, text: str, breaks: Iterable[int] = ()) -> int:
        """Some of the pieces that are not here yet; how many characters are now, in the end all of them.

        `breaks`: where pages or sections begin. They are the same at every call for the same text.
        """
        cut = pieces(len(text), breaks)
        with self._use() as database, database.writing():
            database.changed("INSERT OR IGNORE INTO texts (item, whole) VALUES (?, 0)", (item,))
            ((number, here),) = database.rows(
                "SELECT n, (SELECT count(*) FROM pieces WHERE text = texts.n) FROM texts WHERE item = ?", (item,)
            )
            step = cut[here : here + AT_ONCE]
            for piece in step:
                ((made,),) = database.rows(
                    "INSERT INTO pieces (text, start, finish) VALUES (?, ?, ?) RETURNING n",
                    (number, piece.start, piece.end),
                )
                # two more signs, so that three in a row begin at the last letters as well
                held = folded(text[piece.start : piece.end + OVERLAP]) + "\n\n"
                database.changed("INSERT INTO grams (rowid, text) VALUES (?, ?)", (made, held))
            if here + len(step) == len(cut):
                database.changed("UPDATE texts SET whole = 1 WHERE n = ?", (number,))
                return len(text)
        return step[-1].end

    def drop(self, item: str) -> None:
        """Take a text out. It is found no more; its traces stay in the file until `purge`."""
        with self._use() as database, database.writing():
            database.changed(
                "DELETE FROM grams WHERE rowid IN (SELECT p.n FROM pieces p JOIN texts t ON t.n = p.text "
                "WHERE t.item = ?)",
                (item,),
            )
            if database.changed("DELETE FROM texts WHERE item = ?", (item,)):
                database.changed("INSERT OR IGNORE INTO owed VALUES ('purge')")

    def purge(self) -> None:
        """Write the file anew without the traces of what was taken out, if there are any. Some seconds for a large
        library."""
        with self._use() as database:
            if not database.rows("SELECT 1 FROM owed WHERE what = 'purge'"):
                return
            database.changed("INSERT INTO grams (grams) VALUES ('optimize')")
            database.changed("DELETE FROM owed WHERE what = 'purge'")
            database.changed("VACUUM")
            database.empty_log()

    def holding(self, word: str) -> set[int]:
        """Numbers of the pieces that may hold a word, folded; a word of one or two letters too."""
        if not word:
            return set()
        with self._use() as database:
            if len(word) < TRIGRAM:
                rows = database.rows("SELECT DISTINCT doc FROM terms WHERE term >= ? AND term < ?", (word, word + LAST))
            else:
                grams = dict.fromkeys(word[start : start + TRIGRAM] for start in range(len(word) - TRIGRAM + 1))
                asked = " AND ".join('"' + gram.replace('"', '""') + '"' for gram in list(grams)[:ASKED])
                rows = database.rows("SELECT rowid FROM grams WHERE grams MATCH ?", (asked,))
        return {number for (number,) in rows}

    def counts(self, numbers: Iterable[int]) -> dict[str, int]:
        """How many of the pieces with these numbers each item has, the most first."""
        with self._use() as database:
            rows = database.rows(
                "SELECT t.item, count(*) AS found FROM pieces p JOIN texts t ON t.n = p.text "
                "WHERE p.n IN (SELECT value FROM json_each(?)) GROUP BY t.n ORDER BY found DESC, t.n DESC",
                (json.dumps(list(numbers)),),
            )
        return dict(rows)

    def places(self, item: str, numbers: Collection[int]) -> list[Piece]:
        """Those of the item's pieces that have one of these numbers, in the order of the text."""
        with self._use() as database:
            rows = database.rows(
                "SELECT p.n, p.start, p.finish FROM pieces p JOIN texts t ON t.n = p.text WHERE t.item = ? "
                "ORDER BY p.n",
                (item,),
            )
        return [Piece(start, end) for number, start, end in rows if number in numbers]


def pieces(length: int, breaks: Iterable[int]) -> list[Piece]:
    """A text of so many characters, cut at every break and between them where it would be too long."""
    at = sorted({0, length, *(place for place in breaks if 0 < place < length)})
    cut = chain.from_iterable(_evenly(start, end) for start, end in pairwise(at))
    return list(cut)


def _evenly(start: int, end: int) -> Sequence[Piece]:
    count = -(-(end - start) // LONGEST)
    at = [start + (end - start) * number // count for number in range(count + 1)]
    return [Piece(*both) for both in pairwise(at)]


def folded(text: str) -> str:
    """As words are compared: letter case, forms of the same letter and line ends aside."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
