"""The body of an OpenDocument: headings, paragraphs, lists and tables in order, with what hangs on their words."""

from collections.abc import Iterable, Iterator

from lxml import etree
from msgspec import Struct

from app.documents.errors import Unreadable
from app.documents.names import listed
from app.documents.odf import OpenDocument, plain
from app.documents.odf_changes import Changes
from app.documents.odf_inline import SHAPES, Inline
from app.documents.odf_lists import Counter, list_styles
from app.documents.remarks import folded
from app.documents.takers import Lines, Taker, lays_out
from app.documents.tracked import Piece, Tracking, written
from app.documents.xml import attribute, child, integer, local

SKIPPED = listed(
    "tracked-changes forms sequence-decls variable-decls user-field-decls dde-connection-decls "
    "table-of-content-source index-title-template database-ranges named-expressions"
)
ROWS = ("table-header-rows", "table-rows", "table-row-group")
MOST_REPEATED = 1000
"""Of one cell or row with words, which may say that it is repeated any number of times."""


class Place(Struct):
    """A list that is being read: how it counts, how deep, and the number before the next paragraph."""

    counter: Counter
    depth: int
    label: str = ""
    continued: bool = False
    """Whether the item has had a paragraph: a further one has no number."""


class Body:
    """Give every child of the document's element to `take`, then call `end`."""

    def __init__(self, document: OpenDocument, tracking: Tracking, listed: etree._Element | None, taker: Taker) -> None:
        self.inline = Inline(document, Changes(tracking, listed), self.lines)
        self.taker = taker
        self._styles = list_styles(document.style("list-style", "outline-style"))
        self._outline = Counter(self._styles.get("", {}))
        self._lists: dict[str, Counter] = {}
        """By the list's id, and the last one of each style: another list may go on with its numbers."""
        self._places: list[Place] = []
        self._carried: list[Piece] = []
        """Words of paragraphs whose end is not read: they belong to the next one."""
        self._inside = 0

    def take(self, element: etree._Element) -> None:
        tag = local(element)
        match tag:
            case "p" | "h":
                self._paragraph(element, tag == "h")
            case "list":
                self._list(element)
            case "table":
                self._table(element)
            case "section" if self.inline.is_hidden(element):
                self.inline.hidden += 1
            case _ if tag in SKIPPED:
                return
            case "frame" | "g" | "annotation" | "annotation-end" | "change-start" | "change-end" | "change":
                self._alone(element)
            case _ if tag in SHAPES:
                self._alone(element)
            case _:
                for one in element:
                    self.take(one)

    def end(self) -> None:
        self._flush()
        self.inline.open_comments()
        self.follow()

    def lines(self, element: etree._Element) -> list[str]:
        """What stands in a note, a box or a cell, a line for each block."""
        before = self.taker, self._places, self._carried
        taken = Lines()
        self.taker, self._places, self._carried = taken, [], []
        self._inside += 1
        for one in element:
            self.take(one)
        self._flush()
        self._inside -= 1
        self.taker, self._places, self._carried = before
        return taken.lines

    def follow(self) -> None:
        """What hangs on the words that were read, after them; not inside a note, a box or a cell."""
        if self._inside:
            return
        after, self.inline.after = self.inline.after, []
        for block in after:
            self.taker.block(block)

    def _alone(self, element: etree._Element) -> None:
        self._carried += self.inline.pieces(element, alone=True)
        if self.inline.changes.read:
            self._flush()
        self.follow()

    def _flush(self) -> None:
        if text := written(self._carried).strip():
            self.taker.block(text)
        self._carried = []

    def _paragraph(self, element: etree._Element, is_heading: bool) -> None:
        if self.inline.is_hidden(element):
            self.inline.hidden += 1
            return
        pieces = self._carried + self.inline.pieces(element)
        self._carried = []
        changes = self.inline.changes
        if not changes.read:
            self._carried = pieces  # this paragraph's end was put in by a change that is not read
            return
        if changes.marks:
            pieces.append((" ¶", changes.marks))
        level = min(max(integer(attribute(element, "outline-level"), 1), 1), 10)
        label = self._label(element, level if is_heading else 0)
        text = written(pieces).replace("\u00a0", " ").strip()
        if text and is_heading:
            self.taker.heading(label + text, level)
        elif text:
            self.taker.block(label + text)
        self.follow()

    def _label(self, element: etree._Element, heading: int) -> str:
        """The number before a paragraph; a further paragraph of an item has none."""
        label = ""
        if self._places:
            place = self._places[-1]
            label = "" if place.continued else place.label
            place.continued = True
        elif heading and attribute(element, "is-list-header") != "true":
            anew = attribute(element, "restart-numbering") == "true"
            label = self._outline.label(heading, integer(attribute(element, "start-value"), 1) if anew else None)
        written_out = plain(child(element, "number"))
        return f"{written_out or label} " if written_out or label.strip() else ""

    def _list(self, element: etree._Element) -> None:
        outer = self._places[-1] if self._places else None
        depth = outer.depth + 1 if outer else 1
        counter = self._counter(element, outer)
        if identity := attribute(element, "id"):
            self._lists[identity] = counter
        for item in element:
            first = attribute(item, "start-value")
            numbered = local(item) == "list-item" and self.inline.changes.read
            label = counter.label(depth, integer(first, 1) if first else None) if numbered else ""
            self._places.append(Place(counter, depth, label))
            for one in item:
                self.take(one)
            self._places.pop()

    def _counter(self, element: etree._Element, outer: Place | None) -> Counter:
        name = attribute(element, "style-name")
        if outer is not None:
            if not name:
                return outer.counter
            return Counter(self._styles.get(name, {}), outer.counter)
        continued = self._lists.get(attribute(element, "continue-list"))
        if continued is None and attribute(element, "continue-numbering") == "true":
            continued = self._lists.get(f"style {name}")
        counter = continued or Counter(self._styles.get(name, {}))
        self._lists[f"style {name}"] = counter
        return counter

    def _table(self, table: etree._Element) -> None:
        self._flush()
        lines: list[str] = []
        for row in _rows(table):
            cells = [cell for cell in row if local(cell) in ("table-cell", "covered-table-cell")]
            if lays_out([_paragraphs(cell) for cell in cells]):
                self.taker.block("\n".join(lines))
                lines = []
                for cell in cells:
                    for one in cell:
                        self.take(one)
                    self._flush()
            elif line := self._row(cells):
                lines += [line] * _repeated(row, "number-rows-repeated")
        self.taker.block("\n".join(lines))
        self.follow()

    def _row(self, cells: list[etree._Element]) -> str:
        texts: list[str] = []
        for cell in cells:
            text = folded(" ".join(self.lines(cell)))
            texts += [text] * (_repeated(cell, "number-columns-repeated") if text else 1)
        while texts and not texts[-1]:
            texts.pop()
        return " | ".join(texts)


def _rows(table: Iterable[etree._Element]) -> Iterator[etree._Element]:
    for one in table:
        if local(one) == "table-row":
            yield one
        elif local(one) in ROWS:
            yield from _rows(one)


def _repeated(element: etree._Element, name: str) -> int:
    """How many times a row or cell with words stands there. Raises `Unreadable`: nobody writes by the million."""
    times = integer(attribute(element, name) or "1", MOST_REPEATED + 1)
    if times > MOST_REPEATED:
        raise Unreadable("too_big", "ODF")
    return times


def _paragraphs(cell: etree._Element) -> int:
    return sum(local(one) in ("p", "h", "list", "table") and bool(plain(one)) for one in cell)
