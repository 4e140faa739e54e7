"""Members of a ZIP that are encrypted with AES, in the form that WinZip has published (AE-1 and AE-2).

A salt, two bytes that tell a wrong password, the encrypted member and ten bytes that tell a changed one.
"""

import bz2
import hashlib
import hmac
import io
import struct
import zipfile
import zlib

from app.documents.errors import Unreadable
from app.documents.member import PIECE, Stream

AES = 99
"""Of `ZipInfo.compress_type`: the real one stands in an extra field."""
EXTRA = 0x9901
KEY_SIZES = {1: 16, 2: 24, 3: 32}
CHECK, SEAL = 2, 10
ROUNDS = 1000
BLOCK = 16


def opened(data: bytes, info: zipfile.ZipInfo, password: bytes) -> Stream:
    """A member's own bytes, unpacked as they are read. Raises `Unreadable`, and RuntimeError for a wrong password."""
    size, method = _kind(info)
    salt_size = size // 2
    name_size, extra_size = struct.unpack_from("<HH", data, info.header_offset + 26)
    start = info.header_offset + 30 + name_size + extra_size
    body = data[start : start + info.compress_size]
    if len(body) < salt_size + CHECK + SEAL:
        raise Unreadable("damaged", "ZIP")
    salt, check = body[:salt_size], body[salt_size : salt_size + CHECK]
    sealed, seal = body[salt_size + CHECK : -SEAL], body[-SEAL:]
    keys = hashlib.pbkdf2_hmac("sha1", password, salt, ROUNDS, 2 * size + CHECK)
    if not hmac.compare_digest(keys[-CHECK:], check):
        raise RuntimeError("wrong password")
    if not hmac.compare_digest(hmac.digest(keys[size : 2 * size], sealed, "sha1")[:SEAL], seal):
        raise Unreadable("damaged", "ZIP")
    plain = _decrypted(sealed, keys[:size])
    match method:
        case zipfile.ZIP_STORED:
            return io.BytesIO(plain)
        case zipfile.ZIP_DEFLATED:
            return _Deflated(plain)
        case zipfile.ZIP_BZIP2:
            return bz2.BZ2File(io.BytesIO(plain))
        case _:
            raise Unreadable("unknown_format", "ZIP")


def _kind(info: zipfile.ZipInfo) -> tuple[int, int]:
    """Bytes of the key, and how the member is compressed."""
    extra = info.extra
    while len(extra) >= 4:
        kind, size = struct.unpack_from("<HH", extra)
        if kind == EXTRA and size >= 7 and extra[8] in KEY_SIZES:
            return KEY_SIZES[extra[8]], int.from_bytes(extra[9:11], "little")
        extra = extra[4 + size :]
    raise Unreadable("damaged", "ZIP")


def _decrypted(sealed: bytes, key: bytes) -> bytes:
    """AES in counter mode, the counter from 1 and its lowest byte first: as no library counts."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    cipher = Cipher(algorithms.AES(key), modes.ECB()).encryptor()
    pieces = []
    for start in range(0, len(sealed), PIECE):
        piece = sealed[start : start + PIECE]
        first, count = start // BLOCK + 1, -(-len(piece) // BLOCK)
        stream = cipher.update(b"".join(number.to_bytes(BLOCK, "little") for number in range(first, first + count)))
        mixed = int.from_bytes(piece, "little") ^ int.from_bytes(stream[: len(piece)], "little")
        pieces.append(mixed.to_bytes(len(piece), "little"))
    return b"".join(pieces)


class _Deflated:
    """A stream without a header of its own, unpacked no further than it is read."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._place = 0
        self._left = b""
        self._engine = zlib.decompressobj(-zlib.MAX_WBITS)

    def read(self, size: int, /) -> bytes:
        piece = b""
        while not piece and (self._left or self._place < len(self._data)):
            if not self._left:
                self._left = self._data[self._place : self._place + PIECE]
                self._place += PIECE
            piece = self._engine.decompress(self._left, size)
            self._left = self._engine.unconsumed_tail
            if self._engine.eof:
                self._left, self._place = b"", len(self._data)
        return piece
