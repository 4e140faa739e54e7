"""The OLE2 file that Outlook keeps a message in (MS-OXMSG): storages, their streams, and the properties in these."""

import struct
from collections.abc import Iterator

import olefile

from app.documents.errors import Unreadable
from app.documents.source import Allowance

FAULTS = (OSError, ValueError, TypeError, LookupError, ArithmeticError, AttributeError, struct.error, RecursionError)
"""What damaged files make olefile raise."""

PROPERTIES = "__properties_version1.0"
ENTRY = struct.Struct("<HHI8s")
"""A property of a fixed size: its type, its number, flags, its value."""
ROOT, MESSAGE_IN, PART = 32, 24, 8
"""Bytes of the properties' stream before the first entry: of a message, of one in it, of a recipient or attachment."""

TEXT, TEXT_8, BYTES, OBJECT = 0x001F, 0x001E, 0x0102, 0x000D


class Storage:
    """A message, a recipient or an attachment; `path` names its storage. What is not there is "", b"" or None."""

    def __init__(self, file: olefile.OleFileIO, path: tuple[str, ...], start: int, allowance: Allowance) -> None:
        self._file = file
        self._path = path
        self._allowance = allowance
        self._fixed = dict(self._entries(start))

    def _entries(self, start: int) -> Iterator[tuple[int, bytes]]:
        data = self._stream(PROPERTIES)
        for place in range(start, len(data) - ENTRY.size + 1, ENTRY.size):
            _, number, _, value = ENTRY.unpack_from(data, place)
            yield number, value

    def bytes(self, number: int) -> bytes:
        return self._stream(f"__substg1.0_{number:04X}{BYTES:04X}")

    def narrow(self, number: int) -> bytes:
        """A text in the message's code page, as it is kept."""
        return self._stream(f"__substg1.0_{number:04X}{TEXT_8:04X}").rstrip(b"\0")

    def wide(self, number: int) -> str:
        """A text in Unicode."""
        return self._stream(f"__substg1.0_{number:04X}{TEXT:04X}").decode("utf-16-le", "replace").rstrip("\0")

    def number(self, number: int) -> int | None:
        value = self._fixed.get(number)
        return None if value is None else int.from_bytes(value[:4], "little", signed=True)

    def moment(self, number: int) -> int | None:
        """In units of 100 ns since 1601."""
        value = self._fixed.get(number)
        return None if value is None else int.from_bytes(value, "little")

    def children(self, beginning: str) -> list[str]:
        """The names of its recipients ("__recip") or attachments ("__attach"), in their order."""
        depth = len(self._path)
        names = {
            entry[depth]
            for entry in self._file.listdir(streams=True, storages=True)
            if len(entry) > depth and tuple(entry[:depth]) == self._path and entry[depth].startswith(beginning)
        }
        return sorted(names)

    def child(self, name: str) -> "Storage":
        return Storage(self._file, (*self._path, name), PART, self._allowance)

    def message(self, number: int) -> "Storage | None":
        """The message that is attached as an object; None when the object is no message."""
        path = (*self._path, f"__substg1.0_{number:04X}{OBJECT:04X}")
        if not self._file.exists([*path, PROPERTIES]):
            return None
        return Storage(self._file, path, MESSAGE_IN, self._allowance)

    def _stream(self, name: str) -> bytes:
        path = [*self._path, name]
        try:
            if not self._file.exists(path):
                return b""
            with self._file.openstream(path) as stream:
                data = bytes(stream.read())
            whole = len(data) == self._file.get_size(path)
        except FAULTS as error:
            raise Unreadable("damaged", "MSG") from error
        if not whole:
            raise Unreadable("damaged", "MSG")
        # Streams of a hostile file may share their bytes.
        self._allowance.inflate(len(data))
        return data
