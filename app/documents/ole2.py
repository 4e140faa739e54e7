"""OLE2, the file system in a file that Office used before zip, and still locks its documents in."""

import io
import struct

import olefile

from app.documents.errors import Unreadable

OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
FAULTS = (
    *(OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, struct.error),
    RecursionError,  # a directory that holds itself
)
"""What a damaged file makes its readers raise."""

STREAMS = (
    ("EncryptedPackage", "LOCKED"),
    ("WordDocument", "DOC"),
    ("Workbook", "XLS"),
    ("Book", "XLS"),
    ("PowerPoint Document", "PPT"),
    ("__properties_version1.0", "MSG"),
)


def kind(data: bytes) -> str:
    """The document's format by what lies at its root: a mail that brings a workbook along is no workbook. "LOCKED"
    when a password is needed to know it, "OLE2" when it is none of ours. Raises `Unreadable("damaged")`."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            names = {entry[0] for entry in file.listdir(streams=True, storages=False) if len(entry) == 1}
    except FAULTS:
        # Its directory cannot be read; what its pieces are called can still be seen, for the sentence of the refusal.
        names = {name for name, _ in STREAMS if name.encode("utf-16-le") in data}
    if not names:
        raise Unreadable("damaged", "OLE2")
    return next((format_ for name, format_ in STREAMS if name in names), "OLE2")


def stream(data: bytes, name: str) -> bytes | None:
    """One stream at the root; None when there is none. Raises `Unreadable("damaged")` when it cannot be read."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file:
            if not file.exists(name):
                return None
            with file.openstream(name) as opened:
                return bytes(opened.read())
    except FAULTS as error:
        raise Unreadable("damaged", "OLE2") from error


SECTOR = 4096
END, FREE, TABLE = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
PER_TABLE = SECTOR // 4
TABLES = 109
"""Sectors of the table whose places the header itself holds: for 446 MB."""


def container(name: str, data: bytes) -> bytes:
    """An OLE2 file with this stream and nothing else. Raises `Unreadable("too_big")`."""
    data = data.ljust(SECTOR, b"\0")  # a shorter one would have to lie elsewhere
    own = -(-len(data) // SECTOR)
    tables = next(count for count in range(1, own + 3) if count * PER_TABLE >= own + 1 + count)
    if tables > TABLES:
        raise Unreadable("too_big", "OLE2")
    table = [*range(1, own), END, END, *[TABLE] * tables]
    table += [FREE] * (tables * PER_TABLE - len(table))
    # The root has to begin somewhere, for calamine, though it holds nothing.
    entries = _entry("Root Entry", 5, own, 0, 1) + _entry(name, 2, 0, len(data), FREE)
    head = struct.pack("<8s16x5H6x9I", OLE2, 0x3E, 4, 0xFFFE, 12, 6, 1, tables, own, 0, SECTOR, END, 0, END, 0)
    places = [own + 1 + at if at < tables else FREE for at in range(TABLES)]
    return b"".join(
        (
            (head + struct.pack(f"<{TABLES}I", *places)).ljust(SECTOR, b"\0"),
            data.ljust(own * SECTOR, b"\0"),
            entries.ljust(SECTOR, b"\0"),
            struct.pack(f"<{len(table)}I", *table),
        )
    )


def _entry(name: str, kind: int, start: int, size: int, child: int) -> bytes:
    encoded = name.encode("utf-16-le")
    return struct.pack("<64sHBB3I36xIQ", encoded, len(encoded) + 2, kind, 1, FREE, FREE, child, start, size)
