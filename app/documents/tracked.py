"""Tracked changes: whose words are read, and how they are marked where that is asked for."""

from collections.abc import Iterable
from itertools import groupby
from typing import Literal

from msgspec import Struct

from app.data.document import Changes, Warning

ChangeKind = Literal["inserted", "deleted", "moved here", "moved away"]

NEW = ("inserted", "moved here")
CODES: dict[Changes, str] = {
    "final": "tracked_changes",
    "original": "tracked_changes_original",
    "marked": "tracked_changes_marked",
}


class Mark(Struct, frozen=True):
    kind: ChangeKind
    author: str = ""


Piece = tuple[str, tuple[Mark, ...]]
"""Words, and the changes that they stand in, the outermost first."""


class Tracking:
    """Says which changes are read, and counts those that a document has."""

    def __init__(self, changes: Changes) -> None:
        self.deletions = 0
        self.insertions = 0
        self.marks = changes == "marked"
        self._changes = changes

    def reads(self, kind: ChangeKind) -> bool:
        """Whether what was so changed is in the text."""
        return self.marks or (kind in NEW) == (self._changes == "final")

    def count(self, kind: ChangeKind) -> None:
        """Moved words are neither: they are read once, here or there."""
        self.deletions += kind == "deleted"
        self.insertions += kind == "inserted"

    def warnings(self) -> list[Warning]:
        if not self.deletions and not self.insertions:
            return []
        values = {"deletions": str(self.deletions), "insertions": str(self.insertions)}
        return [Warning(CODES[self._changes], values)]


def written(pieces: Iterable[Piece], depth: int = 0) -> str:
    """The words in order; those of one change by one person together in brackets that say so."""
    text = []
    for mark, group in groupby(pieces, lambda piece: piece[1][depth] if len(piece[1]) > depth else None):
        if mark is None:
            text += [words for words, _ in group]
            continue
        inner = written(group, depth + 1)
        by = f" by {mark.author}" if mark.author else ""
        text.append(f"[{mark.kind}{by}: {inner}]" if inner.strip() else inner)
    return "".join(text)
