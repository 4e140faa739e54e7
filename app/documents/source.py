"""What a format's reader is given, and what it gives back."""

from collections.abc import Callable
from typing import Literal

from msgspec import Struct

from app.data.document import Kind, LeftOut, Warning
from app.documents.messages import Limits
from app.documents.pages import Pages


class Source(Struct, frozen=True):
    """`report(done, total)` is called as pages, sections or files are finished."""

    data: bytes
    name: str
    limits: Limits
    report: Callable[[int, int], None]


class Content(Struct, frozen=True):
    kind: Kind
    pages: Pages
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()

    @property
    def unit(self) -> Literal["page", "section", "file"]:
        """What the spans are."""
        return UNITS[self.kind]


UNITS: dict[Kind, Literal["page", "section", "file"]] = {
    "pdf": "page",
    "docx": "section",
    "epub": "section",
    "html": "section",
    "markdown": "section",
    "text": "section",
    "code": "file",
    "folder": "file",
}
