"""One file to its content: what it is, and the reader that knows it."""

import importlib
from typing import Protocol, cast

from msgspec import structs

from app.data.document import Kind
from app.documents import html, notebook, ole2, plain, table
from app.documents.errors import PassedOver
from app.documents.sniff import identify
from app.documents.source import Content, Source


class Reader(Protocol):
    def read(self, source: Source) -> Content: ...


class Lock(Protocol):
    def package(self, data: bytes, password: str) -> bytes: ...


READERS: dict[Kind, str] = {
    "pdf": "app.documents.pdf",
    "docx": "app.documents.docx",
    "epub": "app.documents.epub",
    "archive": "app.documents.packed",
    "mail": "app.documents.mail",
    "image": "app.documents.images",
    "pptx": "app.documents.pptx",
    "sheet": "app.documents.sheet",
    "odt": "app.documents.odt",
    "odp": "app.documents.odp",
    "rtf": "app.documents.rtf",
}
"""Each loads a library of its own, so that a process loads the one that it needs."""


def read(source: Source, as_source: bool = False) -> Content:
    """The content of one file. Raises `Unreadable`. `as_source`: a web page is somebody's source code."""
    if source.inside is None:
        source = structs.replace(source, inside=source.place())
    source = _opened(source)
    kind, decoded = identify(source.data, source.name, source.limits.inflated)
    if as_source and kind == "image":
        raise PassedOver("binary")
    if kind == "notebook":
        return notebook.read(source, decoded)
    if decoded is None:
        return cast(Reader, importlib.import_module(READERS[kind])).read(source)
    if kind == "html":
        return plain.read(source, decoded, "code") if as_source else html.read(source, decoded)
    if kind == "sheet":
        return table.read(source, decoded)
    return plain.read(source, decoded, kind)


def _opened(source: Source) -> Source:
    """The document itself where Office has locked it in another file."""
    if not source.data.startswith(ole2.OLE2) or ole2.kind(source.data) != "LOCKED":
        return source
    locked = cast(Lock, importlib.import_module("app.documents.locked"))
    return structs.replace(source, data=locked.package(source.data, source.options.passwords.get("", "")))
