"""Conversations as files: Markdown, PDF or Word for people, and beside each a JSON twin that can be checked."""

import hashlib
from collections.abc import Callable
from pathlib import Path

import msgspec

from app.data.export import Format, Record
from app.services.export.labels import Labels
from app.services.export.markdown import markdown
from app.services.export.printing import print_pdf
from app.services.export.web import page
from app.services.files import write_whole
from app.services.problem import Problem

FORMATS: tuple[Format, ...] = ("md", "pdf", "docx")
TWIN = ".longread.json"
"""Takes the place of the file's ending in its twin's name."""


def format_of(path: Path) -> Format:
    """By the ending. Raises `Problem("export_format")`."""
    for one in FORMATS:
        if path.suffix.lower() == f".{one}":
            return one
    raise Problem("export_format", subject=path.name)


def twin(path: Path) -> Path:
    return path.with_name(path.stem + TWIN)


async def export(record: Record, path: Path, translate: Callable[[str], str] = str) -> Path:
    """Write the record in the form that the path's ending names, and its twin; the twin's path.

    `translate`: the file's words from English. What stood there is replaced. Raises `Problem`: "export_format",
    "export_failed", "disk_full" or "cannot_write"; then neither file is left half written.
    """
    words = Labels(translate)
    match format_of(path):
        case "md":
            content = markdown(record, words).encode()
        case "pdf":
            content = await print_pdf(page(record, words), record.title)
        case "docx":
            from app.services.export.word import document  # the library takes a while, and is for this alone

            content = document(record, words)
    written = msgspec.structs.replace(record, file=path.name, file_sha256=hashlib.sha256(content).hexdigest())
    write_whole(path, content)
    write_whole(twin(path), msgspec.json.format(msgspec.json.encode(written), indent=1))
    return twin(path)
