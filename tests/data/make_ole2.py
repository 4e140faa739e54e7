"""OLE2 files with known words: what Office wrote before zip, and what it locks its documents in."""

import hashlib
import io
import random
import struct
import zipfile
from collections.abc import Mapping

from msoffcrypto.format.ooxml import OOXMLFile
from msoffcrypto.method.rc4 import DocumentRC4


def locked(data: bytes, password: str) -> bytes:
    """An OOXML document behind a password, in the OLE2 file in which Office puts it."""
    larger = io.BytesIO(data)
    with zipfile.ZipFile(larger, "a") as archive:
        # What the library makes of a package of under 4,096 bytes it cannot read itself.
        archive.writestr("docProps/thumbnail.jpeg", random.Random(5).randbytes(5000))
    out = io.BytesIO()
    OOXMLFile(larger).encrypt(password, out)
    return out.getvalue()


def ole2(streams: Mapping[str, bytes]) -> bytes:
    """An OLE2 file of these streams, each padded to the size from which sectors of its own hold one."""
    sectors: list[bytes] = []
    chains: list[int] = []

    def append(data: bytes) -> int:
        start, count = len(sectors), (len(data) + 511) // 512
        sectors.extend(data[512 * at : 512 * at + 512].ljust(512, b"\0") for at in range(count))
        chains.extend([*range(start + 1, start + count), END])
        return start

    END, FREE, FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
    places = {name: append(data.ljust(4096, b"\0")) for name, data in streams.items()}
    entries = [_entry("Root Entry", 5, END, 0, 1)]
    for number, (name, data) in enumerate(streams.items(), start=1):
        right = number + 1 if number < len(streams) else FREE
        entries.append(_entry(name, 2, places[name], max(len(data), 4096), right=right))
    directory = append(b"".join(entries))
    fat = len(sectors)
    table = [*chains, FAT]
    assert len(table) <= 128, "one sector of the allocation table is enough for a test"
    sectors.append(struct.pack("<128I", *table, *[FREE] * (128 - len(table))))
    magic, versions = bytes.fromhex("d0cf11e0a1b11ae1"), (0x3E, 3, 0xFFFE, 9, 6)
    tables = (0, 1, directory, 0, 4096, END, 0, END, 0)
    header = struct.pack("<8s16s5H6s9I", magic, b"", *versions, b"", *tables)
    return header + struct.pack("<109I", fat, *[FREE] * 108) + b"".join(sectors)


def _entry(name: str, kind: int, start: int, size: int, child: int = 0xFFFFFFFF, right: int = 0xFFFFFFFF) -> bytes:
    encoded = name.encode("utf-16-le")
    head = struct.pack("<64sHBBIII", encoded, len(encoded) + 2, kind, 1, 0xFFFFFFFF, right, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


Records = list[tuple[int, bytes]]


def xls(cells: Mapping[tuple[int, int], str | float] | None = None, password: str | None = None) -> bytes:
    """An Excel 97 workbook of one sheet "Old"; `password` locks it as Excel 97 did (RC4)."""
    cells = {(0, 0): "Item", (0, 1): "Net", (2, 1): 12.5} if cells is None else cells
    sheet: Records = [(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))]
    sheet.append((0x200, struct.pack("<IIHHH", 0, 1 + max(r for r, _ in cells), 0, 1 + max(c for _, c in cells), 0)))
    for (at_row, at_column), value in cells.items():
        place = struct.pack("<HHH", at_row, at_column, 0)
        if isinstance(value, str):
            sheet.append((0x204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le")))
        else:
            sheet.append((0x203, place + struct.pack("<d", value)))
    sheet.append((0x0A, b""))
    salt, verifier = bytes(range(16)), bytes(range(16, 32))
    book: Records = [(0x809, struct.pack("<HHHHII", 0x600, 0x05, 0, 0, 0, 0))]
    if password is not None:
        hashed = verifier + hashlib.md5(verifier).digest()
        proof = DocumentRC4.decrypt(password, salt, io.BytesIO(hashed)).read()
        book.append((0x2F, struct.pack("<HHH", 1, 1, 1) + salt + proof))
    book += [(0x42, struct.pack("<H", 1200)), (0x85, b""), (0x0A, b"")]
    name = struct.pack("<BB", 3, 0) + b"Old"
    start = sum(4 + len(data) for _, data in book) + 6 + len(name)
    book[-2] = (0x85, struct.pack("<IBB", start, 0, 0) + name)
    records = book + sheet
    # A stream of under 4,096 bytes would have to stand elsewhere; and nothing may follow the last record.
    records.append((0x0C, bytes(max(0, 4096 - 4 - len(_written(records))))))
    return ole2({"Workbook": _locked(records, password, salt) if password is not None else _written(records)})


def _written(records: Records) -> bytes:
    return b"".join(struct.pack("<HH", kind, len(data)) + data for kind, data in records)


def _locked(records: Records, password: str, salt: bytes) -> bytes:
    """Record heads, the beginning of the book and the place of each sheet stay open; the rest is enciphered."""
    plain = _written(records)
    keystream = DocumentRC4.decrypt(password, salt, io.BytesIO(bytes(len(plain))), blocksize=1024).read()
    out = bytearray(plain)
    place = 0
    for kind, data in records:
        start = place + 4 + {0x809: len(data), 0x2F: len(data), 0x85: 4}.get(kind, 0)
        place += 4 + len(data)
        for at in range(start, place):
            out[at] ^= keystream[at]
    return bytes(out)
