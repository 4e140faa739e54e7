"""What a format's reader is given, and what it gives back."""

from collections.abc import Callable

from msgspec import Struct

from app.data.document import Kind, LeftOut, Run, Unit, Warning
from app.documents.errors import PassedOver, Unreadable
from app.documents.messages import Limits, Options
from app.documents.pages import Pages


class Allowance:
    """What all files in one document may still cost together, however deep they lie."""

    def __init__(self, limits: Limits) -> None:
        self.inflated = limits.inflated
        self._members = limits.members
        self._pictures = limits.pictures

    def inflate(self, count: int) -> None:
        """So many bytes were unpacked. Raises `Unreadable("too_big")`, and from then on always."""
        self.inflated -= count
        if self.inflated < 0:
            raise Unreadable("too_big", "ZIP")

    def open(self, members: int) -> None:
        """So many files are to be read. Raises `Unreadable("too_big")`."""
        self._members -= members
        if self._members < 0:
            raise Unreadable("too_big", "ZIP")

    def picture(self) -> None:
        """The words of a picture are to be recognised. Raises `PassedOver("many_pictures")`."""
        self._pictures -= 1
        if self._pictures < 0:
            raise PassedOver("many_pictures")


class Inside(Struct, frozen=True):
    """Where a file lies in the document that is read."""

    allowance: Allowance
    at: Callable[[int, int, str], None]
    """Called with files done and in all, and the path of the one that is read next."""
    path: str = ""
    """"" for the document itself, else with "/" between folders, archives and mails."""
    depth: int = 0
    """Levels above it; 0 for the document itself."""
    skip: dict[str, str] = {}
    """By path: files that ended an earlier process, and the codes of why."""


class Source(Struct, frozen=True):
    """`report(done, total)` is called as pages, sections or files are finished."""

    data: bytes
    name: str
    limits: Limits
    report: Callable[[int, int], None]
    options: Options = Options()
    inside: Inside | None = None
    """None: the document itself, as the tests read one."""

    def place(self) -> Inside:
        if self.inside is not None:
            return self.inside
        return Inside(Allowance(self.limits), lambda done, total, path: self.report(done, total))


class Content(Struct, frozen=True):
    kind: Kind
    pages: Pages
    left_out: tuple[LeftOut, ...] = ()
    warnings: tuple[Warning, ...] = ()
    runs: tuple[Run, ...] = ()
    """Of a PDF, or of PDFs in a folder, an archive or a mail: offsets as in `pages`."""
    sha256: str = ""
    """Of a folder, as in `Extracted.file_sha256`."""
    size: int = 0
    """Of a folder: bytes of the files that were read."""

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
