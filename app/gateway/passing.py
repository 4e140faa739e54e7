"""What came with a request and is to be a file: as long as it is answered, and nothing afterwards."""

import contextlib
import hashlib
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from app import paths
from app.documents.names import shown
from app.gateway.errors import ApiError
from app.services import passing
from engine.protocol import Document

log = logging.getLogger(__name__)

Keep = Callable[[str, str], Document]
"""Keeps a text under a name."""


class Passing:
    """Raises `ApiError("cannot_keep")` where the disk does not take it."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._folder: Path | None = None

    def keep(self, text: str, name: str) -> Document:
        content = text.encode("utf-8", "replace")  # half of a surrogate pair is no text: it becomes "?"
        sha256 = hashlib.sha256(content).hexdigest()
        return Document(str(self.write(f"{sha256}.txt", content)), sha256, shown(name))

    def write(self, name: str, content: bytes) -> Path:
        """The file, in a folder for the person alone."""
        try:
            if self._folder is None:
                self._folder = self._stack.enter_context(passing.folder(paths.data()))
            file = self._folder / name
            file.write_bytes(content)
        except OSError as error:
            log.error("what came with a request cannot be kept: %s", error.strerror or type(error).__name__)
            raise ApiError("cannot_keep") from None
        return file

    def __bool__(self) -> bool:
        """Whether anything is kept."""
        return self._folder is not None


@contextlib.contextmanager
def files() -> Iterator[Passing]:
    """For one request."""
    with contextlib.ExitStack() as stack:
        yield Passing(stack)
