"""Footnotes, endnotes and comments of a DOCX, and the numbers under which its pages show them."""

from collections.abc import Iterable

from lxml import etree
from msgspec import Struct

from app.documents.docx_numbering import number
from app.documents.xml import attribute, child, every, integer, local

NAMES = {"footnotes": "Footnote", "endnotes": "Endnote"}
FORMATS = {"footnotes": "decimal", "endnotes": "lowerRoman"}
"""What Word writes where a document does not say."""


class Note(Struct, frozen=True):
    element: etree._Element
    author: str = ""


class Count(Struct, frozen=True):
    """How the notes of one section are numbered."""

    format: str
    start: int = 1
    restart: str = ""


class Notes:
    """Ask `named` once for each reference, in order, and say `section_ends` where a section does."""

    def __init__(
        self, parts: dict[str, etree._Element], document: etree._Element, settings: etree._Element | None
    ) -> None:
        self._comments = _by_id(parts.get("comments"))
        self._notes = {kind: _by_id(parts.get(kind)) for kind in NAMES}
        ends = list(every(document, "sectPr"))
        self._counts = {kind: [_count(kind, section, settings) for section in ends] for kind in NAMES}
        self._section = 0
        self._names: dict[tuple[str, str], str] = {}
        self._next = {kind: self._count(kind).start for kind in NAMES}

    @property
    def begin_anew_by_page(self) -> bool:
        """Whether the printed numbers depend on where pages end, which nothing in the file says."""
        counts = [count for kind in NAMES if self._notes[kind] for count in self._counts[kind]]
        return any(count.restart == "eachPage" for count in counts)

    def named(self, kind: str, identity: str, sign: str = "") -> tuple[str, etree._Element] | None:
        """ "Footnote 3" and the note. `sign`: the mark that stands in the text instead of a number."""
        note = self._notes[kind].get(identity)
        if note is None:
            return None
        if (kind, identity) not in self._names:
            if not sign:
                sign = number(self._next[kind], self._count(kind).format)
                self._next[kind] += 1
            self._names[kind, identity] = f"{NAMES[kind]} {sign}"
        return self._names[kind, identity], note.element

    def comment(self, identity: str) -> Note | None:
        return self._comments.get(identity)

    def section_ends(self) -> None:
        self._section += 1
        for kind in NAMES:
            if self._count(kind).restart == "eachSect":
                self._next[kind] = self._count(kind).start

    def _count(self, kind: str) -> Count:
        counts = self._counts[kind]
        return counts[min(self._section, len(counts) - 1)] if counts else Count(FORMATS[kind])


def _by_id(root: Iterable[etree._Element] | None) -> dict[str, Note]:
    """Separators between text and notes are notes too, for Word alone."""
    return {
        attribute(element, "id"): Note(element, attribute(element, "author"))
        for element in (root if root is not None else ())
        if "eparator" not in attribute(element, "type") and attribute(element, "type") != "continuationNotice"
    }


def _count(kind: str, section: etree._Element, settings: etree._Element | None) -> Count:
    """As the section says, or else the document's settings."""
    found: dict[str, str] = {}
    for owner in (settings, section):
        properties = child(owner, kind.removesuffix("s") + "Pr")
        for element in properties if properties is not None else ():
            found[local(element)] = attribute(element, "val")
    format_ = found.get("numFmt") or FORMATS[kind]
    return Count(format_, integer(found.get("numStart", ""), 1), found.get("numRestart", ""))


def ends_section(paragraph: etree._Element) -> bool:
    return child(paragraph, "pPr", "sectPr") is not None
