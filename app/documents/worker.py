"""What the document process does: lock itself in, read one document, say what it found."""

import hashlib
import importlib
import os
import stat
from queue import SimpleQueue
from typing import get_args

import msgspec

from app.data.document import Extracted, RefusalCode, Refused
from app.documents import folder
from app.documents.errors import Unreadable
from app.documents.isolation import enclose, end_with_parent, lines
from app.documents.messages import Asked, At, NoText, NotOpened, Open, Request, Said, Text
from app.documents.names import shown
from app.documents.reading import read
from app.documents.source import Allowance, Content, Inside, Source

BIGGEST = 1 << 30
"""Bytes of one file. A longer one is pictures, not words: the text of the whole Encyclopaedia is a quarter of it."""


def main() -> None:
    """Read a `Request` line from stdin, and write `Said` lines to stdout until one is `Text` or `NoText`. After an
    `Open`, answer each `Draw`."""
    asked = lines()
    request: Asked = msgspec.json.decode(next(asked), type=Asked)
    say = _Writer()
    probe = enclose(request.limits)
    if isinstance(request, Open):
        waiting: SimpleQueue[bytes] = SimpleQueue()
        end_with_parent(asked, waiting.put)
        _draw(request, waiting, say)
        return
    end_with_parent(asked)
    if not request.source:
        say(probe)
        return
    path = os.fsdecode(request.source)
    name = shown(os.path.basename(path) or path)
    try:
        extracted = _extract(path, name, request, say)
    except Unreadable as reason:
        say(NoText(Refused(reason.code, name, reason.detail)))
    except MemoryError:
        say(NoText(Refused("too_big", name)))
    except RecursionError:
        say(NoText(Refused("damaged", name)))
    else:
        say(Text(extracted))


def _draw(request: Open, waiting: SimpleQueue[bytes], say: "_Writer") -> None:
    try:
        data = _load(longest_path(os.fsdecode(request.source)))
    except (FileNotFoundError, NotADirectoryError):
        say(NotOpened("missing"))
    except OSError:
        say(NotOpened("denied"))
    except (Unreadable, MemoryError):
        say(NotOpened("too_big"))
    else:
        # Loads a library of its own, which other documents do not need.
        importlib.import_module("app.documents.drawing").serve(request, data, waiting, say)


class _Writer:
    """Writes messages to the descriptor that was stdout; a library's print goes to stderr from now on."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        os.dup2(2, 1)
        self._encoder = msgspec.json.Encoder()

    def __call__(self, said: Said) -> None:
        for part in (self._encoder.encode(said), b"\n"):  # a copy of a whole text would be too much
            left = memoryview(part)
            while left:
                left = left[self._out.write(left) :]


def _extract(path: str, name: str, request: Request, say: _Writer) -> Extracted:
    limits, options = request.limits, request.options
    path = longest_path(path)
    inside = Inside(
        Allowance(limits),
        lambda done, total, path: say(At(done, total, os.fsencode(path) if path else None)),
        skip={os.fsdecode(left.path): left.reason for left in request.skip},
    )
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            content = folder.read(path, limits, options, inside)
            sha256, size = content.sha256, content.size
        elif stat.S_ISREG(mode):
            data = _load(path)
            sha256, size = hashlib.sha256(data).hexdigest(), len(data)
            content = read(Source(data, name, limits, lambda done, total: say(At(done, total)), options, inside))
        else:
            raise Unreadable("unknown_format")
    except (FileNotFoundError, NotADirectoryError) as error:
        raise Unreadable("missing") from error
    except OSError as error:
        raise Unreadable("denied", os.strerror(error.errno) if error.errno else "") from error
    text = content.pages.text()
    if not text.strip():
        raise Unreadable(_why(content))
    return Extracted(
        text=text,
        kind=content.kind,
        name=name,
        unit=content.unit,
        spans=tuple(content.pages.spans),
        left_out=content.left_out,
        warnings=content.warnings,
        headings=tuple(content.pages.headings),
        runs=content.runs,
        file_sha256=sha256,
        file_size=size,
    )


def _why(content: Content) -> RefusalCode:
    """Why there is no text at all: what was left out may tell, when it was left out for one reason."""
    reasons = {part.reason for part in content.left_out}
    if reasons == {"missing"}:
        return "damaged"  # its parts are not in it; "missing" would say that it itself is not there
    codes: tuple[RefusalCode, ...] = get_args(RefusalCode)
    return next((code for code in codes if reasons == {code}), "no_text")


def _load(path: str) -> bytes:
    with open(path, "rb") as file:
        data = file.read(BIGGEST + 1)
    if len(data) > BIGGEST:
        raise Unreadable("too_big")
    return data


def longest_path(path: str, windows: bool = os.name == "nt") -> str:
    """The path in the form in which Windows takes more than 260 characters."""
    if not windows or path.startswith("\\\\?\\"):
        return path
    return "\\\\?\\UNC" + path[1:] if path.startswith("\\\\") else "\\\\?\\" + path
