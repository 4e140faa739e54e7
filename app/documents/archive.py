"""Zipped documents, unpacked in memory: every byte is counted as it comes out, whatever the archive declares."""

import io
import lzma
import struct
import zipfile
import zlib

from app.documents.errors import Unreadable
from app.documents.messages import Limits
from app.documents.source import Allowance

PIECE = 1 << 20
FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    NotImplementedError,
    OSError,
    ValueError,
)


class Archive:
    """A zip file. `limit` bytes may be unpacked from it in all, or what an allowance leaves to it; more is
    `Unreadable("too_big")`."""

    def __init__(self, data: bytes, limit: int | Allowance) -> None:
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        except FAULTS as error:
            raise Unreadable("damaged", "ZIP") from error
        self._left = limit if isinstance(limit, Allowance) else Allowance(Limits(inflated=limit))
        self.names = frozenset(self._zip.namelist())

    def read(self, name: str) -> bytes:
        """One member. Raises KeyError when there is none, `Unreadable` when it is damaged, encrypted or too big."""
        member = self._zip.getinfo(name)
        if member.flag_bits & 1:
            raise Unreadable("encrypted", "ZIP")
        pieces = []
        try:
            with self._zip.open(member) as stream:
                while piece := stream.read(PIECE):
                    self._left.inflate(len(piece))
                    pieces.append(piece)
        except FAULTS as error:
            raise Unreadable("damaged", "ZIP") from error
        return b"".join(pieces)
