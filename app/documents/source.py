"""What a format's reader is given, and what it gives back."""

from collections.abc import Callable

from msgspec import Struct

from app.data.document import Kind, LeftOut, Run, Unit, Warning
from app.documents.messages import Limits, Options
from app.documents.pages import Pages


class Source(Struct, frozen=True):
    """`report(done, total)` is called as pages, sections or files are finished."""

    data: bytes
    name: str
    limits: Limits
    report: Callable[[int, int], None]
    options: Options = Options()


class Content(Struct, frozen=True):
    kind: Kind
    pages: Pages
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
    runs: tuple[Run, ...] = ()
    """Of a PDF: offsets as in `pages`."""

    @property
    def unit(self) -> Unit:
        """What the spans are."""
        return UNITS[self.kind]


UNITS: dict[Kind, Unit] = {
    "pdf": "page",
    "docx": "section",
    "pptx": "slide",
    "sheet": "sheet",
    "odt": "section",
    "odp": "slide",
    "epub": "section",
    "html": "section",
    "rtf": "section",
    "mail": "message",
    "notebook": "cell",
    "image": "page",
    "markdown": "section",
    "text": "section",
    "code": "file",
    "folder": "file",
    "archive": "file",
}
