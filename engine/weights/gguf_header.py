"""The header of a GGUF file: metadata and where each tensor lies, without touching the tensors.

Arrays (a tokenizer's words, by the hundred thousand) are stepped over unless they are asked for: the `gguf` package's
own reader keeps a few objects for each word, and takes seconds where the planner has milliseconds.
"""

import mmap
import struct
from pathlib import Path
from typing import Any

from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType
from msgspec import Struct

from engine.weights.checkpoint import BadModel, Stored

STRING, ARRAY = 8, 9
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
SIZE = struct.Struct("<Q")
MOST_ENTRIES = 1_000_000

Value = int | float | bool | str


class Header(Struct):
    """`metadata` has no arrays; `arrays` has the names of all, and what is in those that were asked for. `tensors` by
    the file's names, `head` the bytes before the first of them."""

    metadata: dict[str, Value]
    arrays: dict[str, list[Any] | None]
    tensors: dict[str, Stored]
    head: bytes


class _Cursor:
    def __init__(self, data: mmap.mmap, path: Path) -> None:
        self.data = data
        self.path = path
        self.at = 0

    def number(self, form: str) -> Value:
        start = self.skip(struct.calcsize("<" + form))
        (value,) = struct.unpack_from("<" + form, self.data, start)
        return value

    def count(self, form: str = "Q", most: int = MOST_ENTRIES) -> int:
        value = self.number(form)
        if not isinstance(value, int) or value > most:
            raise self.damaged()
        return value

    def skip(self, size: int) -> int:
        start, self.at = self.at, self.at + size
        if self.at > len(self.data):
            raise BadModel("the file is cut short within its header", self.path.name)
        return start

    def text(self) -> str:
        size = self.count(most=len(self.data))
        start = self.skip(size)
        try:
            return self.data[start : self.at].decode()
        except UnicodeDecodeError:
            raise self.damaged() from None

    def damaged(self) -> BadModel:
        return BadModel("the file's header is damaged", self.path.name)

    def array(self, keep: bool) -> list[Any] | None:
        kind, count = self.count("I"), self.count(most=len(self.data))
        if kind == STRING:
            return [self.text() for _ in range(count)] if keep else self._step_over(count)
        if kind not in SCALARS:
            raise self.damaged()
        form = f"<{count}{SCALARS[kind]}"
        start = self.skip(struct.calcsize(form))
        return list(struct.unpack_from(form, self.data, start)) if keep else None

    def _step_over(self, count: int) -> None:
        """So many strings, by the hundred thousand: without a call for each."""
        data, at, last = self.data, self.at, len(self.data) - SIZE.size
        for _ in range(count):
            if at > last:
                at = len(data) + 1
                break
            (size,) = SIZE.unpack_from(data, at)
            at += SIZE.size + size
        self.skip(at - self.at)  # refuses what lies beyond the end


def read(data: mmap.mmap, path: Path, arrays: str | None = None) -> Header:
    """`arrays`: keep what is in those whose names begin so. BadModel: another format, version or byte order, damage, a
    tensor beyond the file's end."""
    cursor = _Cursor(data, path)
    if data[:4] != b"GGUF":
        raise BadModel("the file is no GGUF file", path.name)
    cursor.skip(4)
    if cursor.number("I") not in (2, 3):
        raise BadModel("the file is GGUF of another version or byte order than 2 or 3, little-endian", path.name)
    tensor_count, entry_count = cursor.count(), cursor.count()
    metadata: dict[str, Value] = {}
    found: dict[str, list[Any] | None] = {}
    for _ in range(entry_count):
        key, kind = cursor.text(), cursor.count("I")
        if kind == ARRAY:
            found[key] = cursor.array(arrays is not None and key.startswith(arrays))
        elif kind == STRING:
            metadata[key] = cursor.text()
        elif kind in SCALARS:
            metadata[key] = cursor.number(SCALARS[kind])
        else:
            raise cursor.damaged()
    places = [_tensor(cursor) for _ in range(tensor_count)]
    align = metadata.get("general.alignment", 32)
    if not isinstance(align, int) or align <= 0:
        raise cursor.damaged()
    base = -(-cursor.at // align) * align
    tensors = {}
    for name, shape, kind, offset in places:
        if name in tensors:
            raise BadModel(f"{name} is in the file twice", path.name)
        tensors[name] = _place(name, shape, kind, base + offset, path, len(data))
    return Header(metadata, found, tensors, data[: cursor.at])


def _tensor(cursor: _Cursor) -> tuple[str, tuple[int, ...], int, int]:
    name = cursor.text()
    dimensions = cursor.count("I", most=4)
    sizes = [cursor.count(most=1 << 40) for _ in range(dimensions)]
    # GGUF names the innermost dimension first
    return name, tuple(reversed(sizes)), cursor.count("I"), cursor.count(most=1 << 60)


def _place(name: str, shape: tuple[int, ...], kind: int, start: int, path: Path, size: int) -> Stored:
    try:
        quantisation = GGMLQuantizationType(kind)
    except ValueError:
        raise BadModel(f"{name} is stored as type {kind}, which is not supported", path.name) from None
    block, block_bytes = GGML_QUANT_SIZES[quantisation]
    stored = Stored(path, quantisation.name, shape, start, start)
    if not shape or shape[-1] % block:
        raise BadModel(f"{name} does not divide into blocks of {block}", path.name)
    end = start + stored.elements // block * block_bytes
    if end > size:
        raise BadModel(f"the file is cut short: {size} bytes where {name} ends at {end}", path.name)
    return Stored(path, quantisation.name, shape, start, end)
