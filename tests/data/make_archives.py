"""Archives with known files and known faults, made as bytes."""

import gzip
import hashlib
import hmac
import io
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Sequence

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

UNIT, SIZE = 5, 210
"""Bytes of a step of the gzip that unpacks to itself, of which its parts take whole numbers, and of it all."""


def old_zip(members: Sequence[tuple[bytes, bytes]], system: int = 0) -> bytes:
    """A ZIP whose names are bytes in whatever encoding, as programs of Windows and DOS wrote them."""
    marks = [f"{place:04}".encode().ljust(len(name), b"_") for place, (name, _) in enumerate(members)]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for mark, (_, data) in zip(marks, members, strict=True):
            info = zipfile.ZipInfo(mark.decode())
            info.create_system = system
            archive.writestr(info, data)
    made = out.getvalue()
    for mark, (name, _) in zip(marks, members, strict=True):
        assert len(mark) == len(name)
        made = made.replace(mark, name)
    return made


def linked_zip(name: str, target: str) -> bytes:
    """A ZIP with one symbolic link."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        info = zipfile.ZipInfo(name)
        info.create_system = 3
        info.external_attr = 0o120777 << 16
        archive.writestr(info, target)
        archive.writestr("real.txt", "real")
    return out.getvalue()


def zip_crypto(members: dict[str, bytes], password: bytes) -> bytes:
    """A ZIP in the encryption of PKZIP 2, which stdlib reads and does not write."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name, data in members.items():
            archive.writestr(name, bytes(12) + data)
    made = bytearray(out.getvalue())
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        infos = archive.infolist()
        central = archive.start_dir
    for info in infos:
        data = members[info.filename]
        crc = zlib.crc32(data)
        start = info.header_offset + 30 + len(info.filename)
        head = bytes(range(11)) + bytes([crc >> 24])
        made[start : start + 12 + len(data)] = _pkzip(head + data, password)
        struct.pack_into("<H", made, info.header_offset + 6, 1)
        struct.pack_into("<III", made, info.header_offset + 14, crc, len(data) + 12, len(data))
        struct.pack_into("<H", made, central + 8, 1)
        struct.pack_into("<III", made, central + 16, crc, len(data) + 12, len(data))
        central += 46 + len(info.filename)
    return bytes(made)


def _pkzip(data: bytes, password: bytes) -> bytes:
    keys = [0x12345678, 0x23456789, 0x34567890]

    def update(byte: int) -> None:
        keys[0] = ~zlib.crc32(bytes([byte]), ~keys[0] & 0xFFFFFFFF) & 0xFFFFFFFF
        keys[1] = ((keys[1] + (keys[0] & 255)) * 134775813 + 1) & 0xFFFFFFFF
        keys[2] = ~zlib.crc32(bytes([keys[1] >> 24]), ~keys[2] & 0xFFFFFFFF) & 0xFFFFFFFF

    for byte in password:
        update(byte)
    out = bytearray()
    for byte in data:
        half = (keys[2] & 0xFFFF) | 2
        out.append(byte ^ (half * (half ^ 1) >> 8 & 255))
        update(byte)
    return bytes(out)


def zip_aes(members: dict[str, bytes], password: bytes, strength: int = 3) -> bytes:
    """A ZIP in the AES encryption of WinZip (AE-2), deflated."""
    out, central = b"", b""
    for name, data in members.items():
        size = (16, 24, 32)[strength - 1]
        salt = bytes(range(size // 2))
        keys = hashlib.pbkdf2_hmac("sha1", password, salt, 1000, 2 * size + 2)
        engine = zlib.compressobj(9, zlib.DEFLATED, -15)
        plain = engine.compress(data) + engine.flush()
        cipher = Cipher(algorithms.AES(keys[:size]), modes.ECB()).encryptor()
        stream = b"".join(cipher.update(n.to_bytes(16, "little")) for n in range(1, len(plain) // 16 + 2))
        sealed = bytes(a ^ b for a, b in zip(plain, stream, strict=False))
        body = salt + keys[-2:] + sealed + hmac.digest(keys[size : 2 * size], sealed, "sha1")[:10]
        extra = struct.pack("<HHH2sBH", 0x9901, 7, 2, b"AE", strength, 8)
        raw = name.encode()
        common = struct.pack("<HHHHHIII", 51, 1, 99, 0, 33, 0, len(body), len(data)) + struct.pack("<HH", len(raw), 11)
        central += b"PK\x01\x02" + struct.pack("<H", 51) + common + struct.pack("<HHHII", 0, 0, 0, 0, len(out))
        central += raw + extra
        out += b"PK\x03\x04" + common + raw + extra + body
    count = len(members)
    return out + central + b"PK\x05\x06" + struct.pack("<HHHHIIH", 0, 0, count, count, len(central), len(out), 0)


def lying_zip(name: str, size: int, told: int) -> bytes:
    """A ZIP with `size` zeros, of which its headers say that they are `told`."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, bytes(size))
    return out.getvalue().replace(struct.pack("<I", size), struct.pack("<I", told))


def overlapping_zip(count: int, size: int) -> bytes:
    """A flat bomb: `count` entries of the table lead to one member of `size` zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("%PDF-0000", b"%PDF-" + bytes(size))
    made = out.getvalue()
    start = made.index(b"PK\x01\x02")
    end = made.index(b"PK\x05\x06")
    table = made[start:end] * count
    ends = struct.pack("<HHHHIIH", 0, 0, count, count, len(table), start, 0)
    return made[:start] + table + b"PK\x05\x06" + ends


def tar(members: Sequence[tuple[str | tarfile.TarInfo, bytes]], comment: str = "", encoding: str = "utf-8") -> bytes:
    out = io.BytesIO()
    form = tarfile.PAX_FORMAT if comment else tarfile.GNU_FORMAT
    headers = {"comment": comment} if comment else None
    with tarfile.open(fileobj=out, mode="w", format=form, pax_headers=headers, encoding=encoding) as archive:
        for name, data in members:
            info = tarfile.TarInfo(name) if isinstance(name, str) else name
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def link(name: str, target: str, hard: bool = False) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = tarfile.LNKTYPE if hard else tarfile.SYMTYPE
    info.linkname = target
    return info


def special(name: str) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = tarfile.FIFOTYPE
    return info


def gzipped(data: bytes, name: str = "") -> bytes:
    out = io.BytesIO()
    with gzip.GzipFile(name, "wb", fileobj=out, mtime=0) as file:
        file.write(data)
    return out.getvalue()


def gzip_quine() -> bytes:
    """A gzip that unpacks to itself, by Russ Cox's plan ("Zip files all the way down", 2010).

    It is made of two instructions: L writes the units that stand after it, R writes the last four units again. The
    checksum, which stands twice in what it is the checksum of, is found by solving 32 equations in bits.
    """
    four = UNIT * 4

    def literal(units: int) -> bytes:
        return struct.pack("<BHH", 0, units * UNIT, units * UNIT ^ 0xFFFF)

    # A block of fixed codes in forty bits: its kind, two copies of ten bytes from twenty bytes before, its end.
    bits = "010" + ("0001000" + "01000" + format(four - 17, "03b")[::-1]) * 2 + "0000000"
    again = bytes(int(bits[start : start + 8][::-1], 2) for start in range(0, UNIT * 8, 8))
    one, all_four, none = literal(1), literal(4), literal(0)
    head = b"\x1f\x8b\x08\x08" + bytes(4) + b"\x00\xff" + b"self\0"

    def made(checksum: int) -> bytes:
        tail = none + b"\x03\x00" + struct.pack("<II", checksum, SIZE)
        parts = [
            head,
            all_four,
            head,
            all_four,
            again,
            one,
            again,
            one,
            one,
            all_four,
            again,
            one,
            one,
            all_four,
            again,
        ]
        parts += [all_four, again, all_four, again, all_four, again, all_four, again, none, none, all_four]
        parts += [again, none, none, all_four, again, tail, again, tail]
        return b"".join(parts)

    base = zlib.crc32(made(0))
    rows = [zlib.crc32(made(1 << bit)) ^ base ^ 1 << bit for bit in range(32)]
    return made(_solved(rows, base))


def _solved(columns: list[int], wanted: int) -> int:
    """Which of the columns add up, bit by bit, to what is wanted."""
    basis: dict[int, tuple[int, int]] = {}
    for bit, column in enumerate(columns):
        chosen = 1 << bit
        while column and column.bit_length() in basis:
            other, of = basis[column.bit_length()]
            column, chosen = column ^ other, chosen ^ of
        if column:
            basis[column.bit_length()] = column, chosen
    answer = 0
    while wanted:
        other, of = basis[wanted.bit_length()]
        wanted, answer = wanted ^ other, answer ^ of
    return answer
