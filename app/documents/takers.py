"""Whoever takes a document's blocks, one after the other; and when a table is no table."""

from collections.abc import Sequence
from typing import Protocol

PAGE_IN_A_CELL = 4


class Taker(Protocol):
    """`app.documents.pages.Sections`, or anything else that takes blocks."""

    def heading(self, text: str, level: int = 1) -> None: ...
    def block(self, text: str) -> None: ...


class Lines:
    """Takes blocks as lines, for what stands in a note, a box or a cell."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def heading(self, text: str, level: int = 1) -> None:
        self.block(text)

    def block(self, text: str) -> None:
        if text.strip():
            self.lines.append(text)


def lays_out(paragraphs: Sequence[int]) -> bool:
    """Whether a row's cells, by how many paragraphs each has, are parts of a page that are read one after the other,
    and no values side by side: four paragraphs in one cell, or more than one in the only cell."""
    most = max(paragraphs, default=0)
    return most >= PAGE_IN_A_CELL or (len(paragraphs) == 1 and most > 1)
