"""A folder: its files one after another, each under a line with its path; what is left out is named with a reason."""

import os
import stat
from collections import Counter
from collections.abc import Callable

from msgspec import structs

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.messages import Limits
from app.documents.names import relative, shown
from app.documents.pages import Pages
from app.documents.passing_over import text_reason
from app.documents.reading import read as read_file
from app.documents.source import Content, Source
from app.documents.tree import File, Tree

Report = Callable[[int, int, bytes | None], None]

BIGGEST = 1 << 30
"""Bytes of a document with pictures; of a text, `Limits.file`."""
ALIKE = 20
"""Warnings of one kind that are given file by file; the others are counted."""
NOT_TEXT = (b"%PDF-", b"PK\x03\x04")
PICTURES = ("", "PNG", "JPEG", "GIF", "TIFF", "BMP", "RIFF", "ELF", "EXE", "SQLite", "OGG", "MP3", "FLAC", "SVG", "JAR")
"""Formats that hold no text to speak of; `Unreadable` names others, which a later Longread may read."""


class PassedOver(Unreadable):
    """A file that could be read and is nobody's words."""

    def __init__(self, reason: str) -> None:
        super().__init__("no_text", reason)


def read(root: str, limits: Limits, skip: dict[str, str], report: Report) -> Content:
    """The text of all files. `skip` holds the relative paths of files that ended an earlier process, and why."""
    tree = Tree(root)
    pages = Pages(limits.characters)
    left_out = tree.left_out
    warnings: list[Warning] = []
    for done, file in enumerate(tree.files):
        path = os.path.relpath(file.path, root)
        label = relative(path)
        if path in skip:
            left_out.append(LeftOut(label, skip[path]))
            continue
        report(done, len(tree.files), os.fsencode(path))
        try:
            content = _content(file, limits)
        except Unreadable as reason:
            left_out.append(LeftOut(label, _reason(reason)))
            continue
        except MemoryError:
            left_out.append(LeftOut(label, "too_big"))
            continue
        except RecursionError:
            left_out.append(LeftOut(label, "damaged"))
            continue
        pages.add(label, content.pages.text(), before=f"=== {label} ===\n")
        left_out += [structs.replace(part, what=f"{label}: {part.what}") for part in content.left_out]
        warnings += [structs.replace(w, values={**w.values, "file": label}) for w in content.warnings]
    report(len(tree.files), len(tree.files), None)
    return Content("folder", pages, tuple(left_out), _shortened(warnings))


def _content(file: File, limits: Limits) -> Content:
    data = _load(file.path, limits)
    content = read_file(Source(data, shown(file.name), limits, lambda done, total: None), as_source=file.under_git)
    text = content.pages.text()
    if not text.strip():
        raise Unreadable("no_text")
    if content.kind in ("text", "code", "markdown") and (reason := text_reason(file.name, text)):
        raise PassedOver(reason)
    return content


def _reason(unreadable: Unreadable) -> str:
    if isinstance(unreadable, PassedOver):
        return unreadable.detail
    return "binary" if unreadable.code == "unknown_format" and unreadable.detail in PICTURES else unreadable.code


def _load(path: str, limits: Limits) -> bytes:
    try:
        # Between the walk and now the file may have become a pipe, which would never end.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        with open(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise Unreadable("missing")
            start = stream.read(8)
            biggest = BIGGEST if start.startswith(NOT_TEXT) else limits.file
            data = start + stream.read(biggest)
    except FileNotFoundError as error:
        raise Unreadable("missing") from error
    except OSError as error:
        raise Unreadable("denied") from error
    if len(data) > biggest:
        raise Unreadable("too_big")
    return data


def _shortened(warnings: list[Warning]) -> tuple[Warning, ...]:
    """The first of each kind, and a count of the rest."""
    seen: Counter[str] = Counter()
    kept = []
    for warning in warnings:
        seen[warning.code] += 1
        if seen[warning.code] <= ALIKE:
            kept.append(warning)
    if more := len(warnings) - len(kept):
        kept.append(Warning("more", {"count": str(more)}))
    return tuple(kept)
