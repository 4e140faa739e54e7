"""What the document process is asked and what it says: one JSON object a line, on its stdin and stdout.

A `Request` is answered with one document's text, and ends it. After an `Open` it answers each `Draw`, until its stdin
ends.
"""

from typing import Literal

from msgspec import Struct

from app.data.document import Changes, Extracted, Refused

NetworkGuard = Literal["seccomp", "audit_hook"]
MemoryGuard = Literal["rlimit", "watch"]


class Limits(Struct, frozen=True):
    """What one document may cost. All are generous: they stop what is broken or hostile, never a long book."""

    memory: int = 3 << 30
    """Bytes of address space (resident bytes where the system has no such limit)."""
    seconds: float = 1800.0
    silence: float = 120.0
    """Seconds without a finished page or file."""
    inflated: int = 512 << 20
    """Bytes that a zipped document may unpack to, with all that is zipped in it, counted while unpacking."""
    characters: int = 64_000_000
    """Of the whole text: some 16 million tokens."""
    file: int = 16 << 20
    """Bytes of one text file in a folder."""
    members: int = 100_000
    """Files in archives and mails, those in archives in them counted as well."""
    depth: int = 5
    """Levels of archives and mails in one another."""
    pictures: int = 200
    """Pictures whose words are recognised in one folder, archive or mail: each takes seconds."""
    restarts: int = 20
    """How many files of one folder may kill the process before the folder is refused."""


GENEROUS = Limits()


class Options(Struct, frozen=True):
    """How the person wants a document read."""

    passwords: dict[str, str] = {}
    """By relative path of a file in a folder, an archive or a mail; "" for the document itself."""
    changes: Changes = "final"
    ocr: bool = True
    """Read pictures of pages, where the program for that is installed."""
    languages: tuple[str, ...] = ()
    """That pictures are read in, as Tesseract names them; empty: those that are installed."""


AS_USUAL = Options()


class Skip(Struct, frozen=True):
    """A file of a folder, an archive or a mail that ended an earlier process. `path` is relative, with "/" between its
    parts and before what lies in an archive in an archive, in the file system's own bytes."""

    path: bytes
    reason: str


class Request(Struct, frozen=True, tag=True):
    source: bytes
    """The absolute path, in the file system's own bytes."""
    limits: Limits
    skip: tuple[Skip, ...] = ()
    options: Options = AS_USUAL


class Open(Struct, frozen=True, tag=True):
    """Open one PDF to draw its pages."""

    source: bytes
    """As in `Request`."""
    limits: Limits
    sha256: str = ""
    """Of the file as it was read; "": not known, and not compared."""
    password: str = ""


class Wanted(Struct, frozen=True):
    """Words whose place on a page is asked for: characters by pdfium's numbers, as (first, how many)."""

    pieces: tuple[tuple[int, int], ...]
    text: str = ""
    """What they should be; where they are something else, they have no place. "": not known, and not compared."""


class Draw(Struct, frozen=True, tag=True):
    """Draw page `index`, counted from 0, so many pixels wide. `number`: which of the drawings that were asked for."""

    number: int
    index: int
    width: int
    wanted: tuple[Wanted, ...] = ()


Asked = Request | Open


class Probe(Struct, frozen=True, tag=True):
    """What keeps the process in, as it found it by trying. `reached` names a network call that was let through."""

    network: NetworkGuard
    memory: MemoryGuard
    reached: str | None = None


class At(Struct, frozen=True, tag=True):
    """`done` pages or files of `total`; `path` is the file of a folder, an archive or a mail that is read next, as in
    `Skip`."""

    done: int
    total: int
    path: bytes | None = None


class Text(Struct, frozen=True, tag=True):
    extracted: Extracted


class NoText(Struct, frozen=True, tag=True):
    refused: Refused


class Opened(Struct, frozen=True, tag=True):
    labels: tuple[str, ...]
    """The printed number of each page."""
    sizes: tuple[tuple[float, float], ...]
    """Width and height of each page as it is shown, in points."""


NotShownCode = Literal[
    "changed", "missing", "denied", "encrypted", "damaged", "packed", "too_big", "too_slow", "crashed"
]
"""changed: the file is not the one that was read; packed: it lies in an archive or a mail. Others: as `RefusalCode`."""


class NotOpened(Struct, frozen=True, tag=True):
    code: NotShownCode


Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Picture(Struct, frozen=True, tag=True):
    number: int
    index: int
    label: str
    width: int
    """Pixels: as asked, or fewer where that would be too many."""
    height: int
    pixels: bytes
    """Rows from the top, 4 bytes a pixel: blue, green, red, and one of no meaning."""
    boxes: tuple[tuple[Box, ...], ...] = ()
    """Of each `Wanted`, in pixels: one for each line of it. None where it is not on the page."""
    fontless: bool = False
    """Its font is neither in the file nor on this computer: the page looks emptier than it is."""


class NotDrawn(Struct, frozen=True, tag=True):
    number: int
    code: NotShownCode


Said = Probe | At | Text | NoText | Opened | NotOpened | Picture | NotDrawn
