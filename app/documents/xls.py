"""The old workbook, made safe to be read: its one stream is taken out, looked through and put into a plain file.

calamine follows every number that an XLS holds. A chain of sectors that bites its tail, a table that says it has two
billion strings, a cell in column 65,000: each of them takes all memory, and the process is ended before it can say so.
"""

import struct
from collections.abc import Iterator

from app.documents.errors import Unreadable
from app.documents.ole2 import container, stream
from app.documents.sheet_notes import Beside

NAMES = ("Workbook", "Book")
"""Of Excel 97, and of Excel 5."""

BEGIN, FINISH, DIMENSIONS, SHEET, LOCK, STRINGS = 0x809, 0x0A, 0x200, 0x85, 0x2F, 0xFC
NOTE, TEXT_OBJECT = 0x1C, 0x1B6
"""A comment; the text of a comment, a box or a button."""
FORMULA, TRUTH = 0x06, 0x205
"""Cells that may hold an error; the second is else a truth value."""
CELLS = {FORMULA, TRUTH, 0x201, 0x203, 0x204, 0x27E, 0xBD, 0xBE, 0xFD, 0xD6}
SEVERAL = (0xBD, 0xBE)
"""Cells side by side in one record, which ends with the last column."""

COLUMNS = 256
SHORTEST_STRING = 3  # bytes

Record = tuple[int, int, int]
"""Kind, and where its data begin and end."""


def is_locked(data: bytes) -> bool:
    """Whether a password is needed. Raises `Unreadable`."""
    _, book = _stream(data)
    for kind, *_ in _records(book):
        if kind in (LOCK, SHEET):
            return kind == LOCK
    return False


def safe(data: bytes) -> tuple[bytes, Beside]:
    """The workbook as a file that can be trusted, and what is beside its cells. Words of comments and boxes are in
    pieces all over the file: they are counted, and not read. Raises `Unreadable("damaged")`."""
    name, book = _stream(data)
    beside = Beside()
    comments = texts = 0
    begins: set[int] = set()
    sheets: list[int] = []
    deep = parts = 0
    for kind, start, end in _records(book):
        deep += (kind == BEGIN) - (kind == FINISH)
        parts += kind == FINISH and deep == 0
        if parts > len(sheets):
            break  # the book itself and each of its sheets: what follows is nobody's
        comments += kind == NOTE
        texts += kind == TEXT_OBJECT
        if kind == BEGIN:
            begins.add(start - 4)
        elif kind == SHEET and end - start >= 4:
            sheets.append(struct.unpack_from("<I", book, start)[0])
        elif kind == DIMENSIONS:
            book[start:end] = bytes(end - start)  # only room is made by them, before the cells are seen
        elif kind == STRINGS and (end - start < 8 or _strings(book, start) * SHORTEST_STRING > len(book)):
            raise Unreadable("damaged", "XLS")
        elif kind in CELLS:
            if _last_column(book, kind, start, end) >= COLUMNS:
                raise Unreadable("damaged", "XLS")
            beside.errors += _is_error(book, kind, start)
    if not begins.issuperset(sheets):
        raise Unreadable("damaged", "XLS")
    beside.unread = max(comments, texts)
    return container(name, bytes(book)), beside


def _stream(data: bytes) -> tuple[str, bytearray]:
    for name in NAMES:
        if (found := stream(data, name)) is not None:
            return name, bytearray(found)
    raise Unreadable("damaged", "XLS")


def _records(book: bytearray) -> Iterator[Record]:
    place = 0
    while place + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, place)
        yield kind, place + 4, min(place + 4 + length, len(book))
        place += 4 + length


def _strings(book: bytearray, start: int) -> int:
    every, different = struct.unpack_from("<II", book, start)
    return int(max(every, different))


def _last_column(book: bytearray, kind: int, start: int, end: int) -> int:
    if end - start < 6:
        raise Unreadable("damaged", "XLS")
    place = end - 2 if kind in SEVERAL else start + 2
    return int.from_bytes(book[place : place + 2], "little")


def _is_error(book: bytearray, kind: int, start: int) -> bool:
    if kind == TRUTH:
        return book[start + 7 : start + 8] == b"\1"
    return kind == FORMULA and book[start + 6 : start + 7] == b"\2" and book[start + 12 : start + 14] == b"\xff\xff"
