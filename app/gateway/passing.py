"""Texts that came with a request: files for the engine as long as it is answered, and nothing afterwards."""

import contextlib
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path

from app import paths
from app.documents.names import shown
from app.services import passing
from engine.protocol import Document

Keep = Callable[[str, str], Document]
"""Keeps a text under a name."""


class Passing:
    """`keep` raises OSError as the disk does."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._folder: Path | None = None

    def keep(self, text: str, name: str) -> Document:
        if self._folder is None:
            self._folder = self._stack.enter_context(passing.folder(paths.data()))
        content = text.encode("utf-8", "replace")  # half of a surrogate pair is no text: it becomes "?"
        sha256 = hashlib.sha256(content).hexdigest()
        file = self._folder / f"{sha256}.txt"
        file.write_bytes(content)
        return Document(str(file), sha256, shown(name))

    def __bool__(self) -> bool:
        """Whether anything is kept."""
        return self._folder is not None


@contextlib.contextmanager
def texts() -> Iterator[Passing]:
    """For one request."""
    with contextlib.ExitStack() as stack:
        yield Passing(stack)
