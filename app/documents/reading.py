"""One file to its content: what it is, and the reader that knows it."""

import importlib
from typing import Protocol, cast

from msgspec import structs

from app.data.document import Kind
from app.documents import html, notebook, plain
from app.documents.errors import PassedOver
from app.documents.sniff import identify
from app.documents.source import Content, Source


class Reader(Protocol):
    def read(self, source: Source) -> Content: ...


READERS: dict[Kind, str] = {
    "pdf": "app.documents.pdf",
    "docx": "app.documents.docx",
    "epub": "app.documents.epub",
    "archive": "app.documents.packed",
    "mail": "app.documents.mail",
    "image": "app.documents.images",
}
"""Each loads a library of its own, so that a process loads the one that it needs."""


def read(source: Source, as_source: bool = False) -> Content:
    """The content of one file. Raises `Unreadable`. `as_source`: a web page is somebody's source code."""
    if source.inside is None:
        source = structs.replace(source, inside=source.place())
    kind, decoded = identify(source.data, source.name, source.limits.inflated)
    if as_source and kind == "image":
        raise PassedOver("binary")
    if kind == "notebook":
        return notebook.read(source, decoded)
    if decoded is None:
        return cast(Reader, importlib.import_module(READERS[kind])).read(source)
    if kind == "html":
        return plain.read(source, decoded, "code") if as_source else html.read(source, decoded)
    return plain.read(source, decoded, kind)
