"""Items written into a folder: their text with page marks and a JSON twin, or copies of the originals."""

import asyncio
import functools
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from app.data.document import Heading, Item, Span
from app.services.files import storage_problem
from app.services.library import Library
from app.services.problem import Problem

What = Literal["text", "original"]
Refusal = Literal["text_missing", "original_missing", "original_changed", "original_folder"]

LONGEST = 180
"""Bytes of a name: all systems allow 255, and an ending and a number are added."""
PIECE = 1 << 20

_FORBIDDEN = re.compile(r'[\x00-\x1f<>:"/\\|?*\ufffd]')
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


class Exported(Struct, frozen=True):
    """The files that were written of an item; or the code of why none was (`app.document_words.EXPORTS`)."""

    item: str
    name: str
    files: tuple[str, ...] = ()
    refused: Refusal | None = None


class _Other(Exception):
    """The original is not what was read."""


async def export(
    library: Library,
    items: Sequence[Item],
    folder: Path,
    what: What,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Exported]:
    """Write each item into `folder`, which is made if need be. A file that is there already is never overwritten: the
    new one gets a number. Raises `Problem` ("disk_full", "cannot_write"); half a file is not left behind.

    `on_progress` hears items done and in all.
    """
    await asyncio.to_thread(_make, folder)
    done = []
    for number, item in enumerate(items):
        on_progress(number, len(items))
        if what == "text":
            done.append(await _export_text(library, item, folder))
        else:
            done.append(await asyncio.to_thread(_export_original, item, folder))
    on_progress(len(items), len(items))
    return done


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise storage_problem(error, folder) from error


async def _export_text(library: Library, item: Item, folder: Path) -> Exported:
    try:
        text, spans = library.text(item.id), library.spans(item.id)
    except Problem:
        return Exported(item.id, item.name, refused="text_missing")
    about = twin(item, text, spans, library.headings(item.id))
    contents = (marked_text(text, spans, item).encode(), msgspec.json.format(msgspec.json.encode(about)) + b"\n")
    writing = [functools.partial(iter, (one,)) for one in contents]
    files = await asyncio.to_thread(_new_files, folder, item.name, (".txt", ".json"), writing)
    return Exported(item.id, item.name, files)


def marked_text(text: str, spans: Sequence[Span], item: Item) -> str:
    """The text with a line before each page, section or file that says which it is."""
    parts, at = [], 0
    for span in spans:
        parts += [text[at : span.start], f"[{_label(span, item)}]\n", text[span.start : span.end]]
        at = span.end
    return "".join([*parts, text[at:]]).rstrip("\n") + "\n"


def _label(span: Span, item: Item) -> str:
    number = f"{span.unit or item.unit} {span.index + 1}"
    said = f"{span.file}: {number}" if span.file else number
    return said if span.label in ("", str(span.index + 1)) else f"{said}, “{span.label}”"


def twin(item: Item, text: str, spans: Sequence[Span], headings: Sequence[Heading]) -> dict[str, object]:
    """All that is known of an item, for programs. Offsets count characters of the text, which is `between` and `text`
    of all pages, one after the other, and `after`."""
    pages, at = [], 0
    for span in spans:
        page = msgspec.to_builtins(span) | {"unit": span.unit or item.unit}
        pages.append(page | {"between": text[at : span.start], "text": text[span.start : span.end]})
        at = span.end
    about: dict[str, object] = msgspec.to_builtins(item)
    # where things lie on this computer is nobody else's business
    known = {name: value for name, value in about.items() if name not in ("id", "path", "source")}
    told = [{"start": one.start, "level": one.level, "title": one.title} for one in headings]
    return {
        "format": "longread item 1",
        "text_sha256": item.id,
        **known,
        "headings": told,
        "pages": pages,
        "after": text[at:],
    }


def _export_original(item: Item, folder: Path) -> Exported:
    """Only when it is still what was read: a copy of something else would pass for it."""
    source = Path(item.source)
    if source.is_dir():
        return Exported(item.id, item.name, refused="original_folder")
    if not os.access(source, os.R_OK):
        return Exported(item.id, item.name, refused="original_missing")
    stem, ending = os.path.splitext(item.name)
    try:
        files = _new_files(folder, stem, (ending,), [lambda: _checked(source, item.file_sha256)])
    except _Other:
        return Exported(item.id, item.name, refused="original_changed")
    return Exported(item.id, item.name, files)


def _checked(source: Path, expected: str) -> Iterator[bytes]:
    """The file's bytes; raises `_Other` at their end when they are not those expected, where that is known."""
    found = hashlib.sha256()
    with source.open("rb") as stream:
        while piece := stream.read(PIECE):
            found.update(piece)
            yield piece
    if expected and found.hexdigest() != expected:
        raise _Other


def _new_files(
    folder: Path, stem: str, endings: Sequence[str], contents: Sequence[Callable[[], Iterator[bytes]]]
) -> tuple[str, ...]:
    """Files of one name with these endings, none of which was there. They are all written, or none is."""
    number = 1
    while True:
        numbered = safe_name(stem) + (f" ({number})" if number > 1 else "")
        paths = [folder / f"{numbered}{safe_name(ending) if ending else ''}" for ending in endings]
        number += 1
        if any(path.exists() for path in paths):
            continue
        made: list[Path] = []
        try:
            for path, content in zip(paths, contents, strict=True):
                with path.open("xb") as file:
                    made.append(path)
                    for piece in content():
                        file.write(piece)
            return tuple(map(str, paths))
        except BaseException as error:
            for path in made:
                path.unlink(missing_ok=True)
            if isinstance(error, FileExistsError):
                continue  # another program was quicker
            if isinstance(error, OSError):
                raise storage_problem(error, folder) from error
            raise


def safe_name(name: str) -> str:
    """A name that every system takes, and that stays in its folder."""
    tidy = _FORBIDDEN.sub("_", name).rstrip(" .").lstrip(" ")
    if _RESERVED.match(tidy):
        tidy = f"_{tidy}"
    return tidy.encode()[:LONGEST].decode(errors="ignore").rstrip(" .") or "_"
