"""Office documents behind a password: opened in memory, with the password that the person gave."""

import io
from xml.parsers.expat import ExpatError

from msoffcrypto.exceptions import DecryptionError, FileFormatError, InvalidKeyError, ParseError
from msoffcrypto.format import xls97
from msoffcrypto.format.ooxml import OOXMLFile

from app.documents.errors import Unreadable
from app.documents.ole2 import FAULTS

EXCELS_OWN = "VelvetSweatshop"
"""What Excel tries itself, without a word to anybody: books that were only locked against changes open with it."""

CANNOT = (*FAULTS, ExpatError, DecryptionError, FileFormatError, ParseError, AssertionError)


class InMemory:
    """In the place of `tempfile`: what was locked is not written to a disk, which this process may not do either."""

    TemporaryFile = io.BytesIO


xls97.tempfile = InMemory


def package(data: bytes, password: str) -> bytes:
    """The zip inside an OLE2 file. Raises `Unreadable("encrypted")` when the password is not the one."""
    out = io.BytesIO()
    try:
        file = OOXMLFile(io.BytesIO(data))
        file.load_key(password=password or EXCELS_OWN, verify_password=True)
        file.decrypt(out)
    except CANNOT as error:
        raise _refusal(password, error) from error
    return out.getvalue()


def workbook(data: bytes, password: str) -> bytes:
    """A workbook of the old kind without its lock. Raises `Unreadable("encrypted")` as well."""
    out = io.BytesIO()
    try:
        file = xls97.Xls97File(io.BytesIO(data))
        file.load_key(password=password or EXCELS_OWN)
        file.decrypt(out)
    except CANNOT as error:
        raise _refusal(password, error) from error
    return out.getvalue()


def _refusal(password: str, error: Exception) -> Unreadable:
    """A password that was refused, or none; a lock that no password opens is damage."""
    wrong = isinstance(error, InvalidKeyError | DecryptionError | FileFormatError) or not password
    return Unreadable("encrypted" if wrong else "damaged", "OLE2")
