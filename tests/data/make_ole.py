"""OLE2 files (MS-CFB, version 3) made of a tree of storages and streams, as bytes."""

import struct
from collections.abc import Iterator

from msgspec import Struct

Tree = dict[str, "bytes | Tree"]

SECTOR, MINI, CUTOFF = 512, 64, 4096
FREE, END, FAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD
STORAGE, STREAM, ROOT = 1, 2, 5
RED, BLACK = 0, 1
IN_HEADER = 109


class Entry(Struct):
    name: str
    kind: int
    data: bytes = b""
    colour: int = BLACK
    left: int = FREE
    right: int = FREE
    child: int = FREE
    start: int = END

    def packed(self) -> bytes:
        name = self.name.encode("utf-16-le") + b"\0\0"
        head = struct.pack("<64sHBBIII", name, len(name), self.kind, self.colour, self.left, self.right, self.child)
        return head + bytes(36) + struct.pack("<IQ", self.start, len(self.data))


def ole(tree: Tree) -> bytes:
    """A file of up to 7 MB: its sector table stands in the header, with no further one."""
    entries = [Entry("Root Entry", ROOT)]
    entries[0].child = _storage(tree, entries)
    streams = [entry for entry in entries if entry.kind == STREAM and entry.data]
    small = [entry for entry in streams if len(entry.data) < CUTOFF]
    mini, mini_table = _laid_out(small, MINI)
    entries[0].data = mini
    table: list[int] = []
    body = b""
    for entry in [entries[0], *(entry for entry in streams if len(entry.data) >= CUTOFF)]:
        if entry.data:
            entry.start = len(table)
            body += _chained(entry.data, table)
    mini_start = len(table) if mini_table else END
    body += _chained(struct.pack(f"<{len(mini_table)}I", *mini_table), table, b"\xff")
    mini_count = len(table) - mini_start if mini_table else 0
    directory_start = len(table)
    body += _chained(b"".join(entry.packed() for entry in entries), table)
    count = 1
    while count * SECTOR // 4 < len(table) + count:
        count += 1
    assert count <= IN_HEADER
    own = list(range(len(table), len(table) + count))
    table += [FAT] * count
    body += struct.pack(f"<{len(table)}I", *table).ljust(count * SECTOR, b"\xff")
    header = struct.pack(
        *("<8s16xHHHHH6xIIIIIIIII", bytes.fromhex("d0cf11e0a1b11ae1"), 0x3E, 3, 0xFFFE, 9, 6),
        *(0, count, directory_start, 0, CUTOFF, mini_start, mini_count, END, 0),
    )
    return header + struct.pack(f"<{count}I", *own).ljust(4 * IN_HEADER, b"\xff") + body


def _storage(tree: Tree, entries: list[Entry]) -> int:
    """Add what a storage holds; the number of the entry at the top of its tree of names."""
    names = sorted(tree, key=lambda name: (len(name.encode("utf-16-le")), name.upper()))
    numbers = []
    for name in names:
        held = tree[name]
        numbers.append(len(entries))
        entries.append(Entry(name, STREAM, held) if isinstance(held, bytes) else Entry(name, STORAGE))
    for name, number in zip(names, numbers, strict=True):
        held = tree[name]
        if not isinstance(held, bytes):
            entries[number].child = _storage(held, entries)
    full = (len(numbers) + 1).bit_length() - 1
    return _balanced(numbers, entries, full)


def _balanced(numbers: list[int], entries: list[Entry], levels: int) -> int:
    """Names in a red-black tree: all levels that are full are black, the last one, when it is not, is red."""
    if not numbers:
        return FREE
    middle = len(numbers) // 2
    entry = entries[numbers[middle]]
    entry.colour = BLACK if levels > 0 else RED
    entry.left = _balanced(numbers[:middle], entries, levels - 1)
    entry.right = _balanced(numbers[middle + 1 :], entries, levels - 1)
    return numbers[middle]


def _laid_out(entries: list[Entry], size: int) -> tuple[bytes, list[int]]:
    """Streams one after another in pieces of `size`, and the table that chains them."""
    data, table = b"", []
    for entry in entries:
        entry.start = len(table)
        table += _chain(len(table), -(-len(entry.data) // size))
        data += entry.data.ljust(-(-len(entry.data) // size) * size, b"\0")
    return data, table


def _chained(data: bytes, table: list[int], filler: bytes = b"\0") -> bytes:
    count = -(-len(data) // SECTOR)
    table += _chain(len(table), count)
    return data.ljust(count * SECTOR, filler)


def _chain(first: int, count: int) -> Iterator[int]:
    return iter([*range(first + 1, first + count), END] if count else [])
