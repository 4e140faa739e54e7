"""What the document process is asked and what it says: one JSON object a line, on its stdin and stdout."""

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


class Request(Struct, frozen=True):
    source: bytes
    """The absolute path, in the file system's own bytes."""
    limits: Limits
    skip: tuple[Skip, ...] = ()
    options: Options = AS_USUAL


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


Said = Probe | At | Text | NoText
