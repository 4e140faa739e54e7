"""What became other between two versions of a document's text."""

from typing import Literal

from msgspec import Struct

from app.data.quote import QuotePlace


class Change(Struct, frozen=True):
    """One passage (a paragraph, or a sentence of a long one) that was added, removed or changed. `old` and `new`: where
    it is in the version before and in the new one; `before` and `after`: its words, on one line."""

    kind: Literal["added", "removed", "changed"]
    old: QuotePlace | None = None
    new: QuotePlace | None = None
    before: str = ""
    after: str = ""


class Changes(Struct, frozen=True):
    """Between items `old` and `new`, in the order of the new text. `same`: passages that are the same."""

    old: str
    new: str
    changes: tuple[Change, ...] = ()
    same: int = 0

    def count(self, kind: str) -> int:
        return sum(change.kind == kind for change in self.changes)
