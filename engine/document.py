"""A document's kept text, checked against its digest."""

import hashlib
from pathlib import Path

from engine.protocol import Document


class BadDocument(Exception):
    """A document's file is missing or not what its sha256 says. `subject`: its name, for the window only."""

    def __init__(self, message: str, subject: str) -> None:
        super().__init__(message)
        self.message = message
        self.subject = subject


def text(document: Document) -> str:
    """Raises `BadDocument`."""
    try:
        data = Path(document.path).read_bytes()
    except OSError as error:
        raise BadDocument(f"a document's text cannot be read ({type(error).__name__})", document.name) from None
    if hashlib.sha256(data).hexdigest() != document.sha256:
        raise BadDocument("a document's text is not what it was", document.name)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadDocument("a document's text is not UTF-8", document.name) from None
