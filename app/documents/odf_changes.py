"""Tracked changes of OpenDocument: listed at the head of the text, and pointed at where they were made."""

from collections.abc import Callable

from lxml import etree

from app.documents.odf import plain
from app.documents.tracked import ChangeKind, Mark, Tracking
from app.documents.xml import attribute, every, local

KINDS: dict[str, ChangeKind] = {"insertion": "inserted", "deletion": "deleted"}


class Changes:
    def __init__(self, tracking: Tracking, listed: etree._Element | None) -> None:
        self.tracking = tracking
        self._regions: dict[str, tuple[Mark, etree._Element]] = {}
        self._open: dict[str, Mark] = {}
        for region in listed if listed is not None else ():
            for change in region:
                if kind := KINDS.get(local(change)):
                    author = plain(next(every(change, "creator"), None))
                    self._regions[attribute(region, "id")] = (Mark(kind, author), change)

    def begin(self, identity: str) -> None:
        if identity in self._regions:
            mark, _ = self._regions[identity]
            self.tracking.count(mark.kind)
            self._open[identity] = mark

    def end(self, identity: str) -> None:
        self._open.pop(identity, None)

    def taken_away(self, identity: str) -> tuple[Mark, etree._Element] | None:
        """What was deleted at a place, where it is read."""
        if identity not in self._regions:
            return None
        mark, change = self._regions[identity]
        self.tracking.count(mark.kind)
        return (mark, change) if self.tracking.reads(mark.kind) else None

    def aside(self, lines: Callable[[], list[str]]) -> list[str]:
        """What stands beside the text, in a note or a box: it is marked where it hangs, and not once more in itself."""
        before, self._open = self._open, {}
        read = lines()
        self._open = before
        return read

    @property
    def read(self) -> bool:
        """Whether the words that come now are read."""
        return all(self.tracking.reads(mark.kind) for mark in self._open.values())

    @property
    def marks(self) -> tuple[Mark, ...]:
        return tuple(self._open.values()) if self.tracking.marks else ()
