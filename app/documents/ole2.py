"""OLE2, the file system in a file that Office used before zip, and still locks its documents in."""

import io
import struct

import olefile

from app.documents.errors import Unreadable

OLE2 = bytes.fromhex("d0cf11e0a1b11ae1")
FAULTS = (OSError, ValueError, KeyError, IndexError, TypeError, AttributeError, ArithmeticError, struct.error)
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


def stream(data: bytes, name: str) -> bytes:
    """One stream. Raises `Unreadable("damaged")` when it cannot be read."""
    try:
        with olefile.OleFileIO(io.BytesIO(data)) as file, file.openstream(name) as opened:
            return bytes(opened.read())
    except FAULTS as error:
        raise Unreadable("damaged", "OLE2") from error
