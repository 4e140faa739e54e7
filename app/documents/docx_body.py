"""The body of a DOCX: paragraphs, tables and text boxes in order, with what hangs on their words."""

from collections.abc import Callable, Iterable, Iterator

from lxml import etree

from app.documents.docx_inline import CHANGES, Inline
from app.documents.docx_notes import Notes, ends_section
from app.documents.docx_numbering import Numbering
from app.documents.docx_styles import Styles, numbers
from app.documents.errors import Unreadable
from app.documents.pages import Sections
from app.documents.takers import lays_out
from app.documents.tracked import Mark, Piece, Tracking, written
from app.documents.xml import attribute, child, local, value

WRAPPINGS = ("sdt", "sdtContent", "customXml", "smartTag", "AlternateContent")
DEEPEST = 40
"""Tables in tables and boxes in boxes; no one has made a document of more by hand."""


class Body:
    """Give every child of `w:body` to `take`, then call `end`."""

    def __init__(
        self,
        sections: Sections,
        styles: Styles,
        numbering: Numbering,
        notes: Notes,
        tracking: Tracking,
        part: Callable[[str], etree._Element | None],
    ) -> None:
        self.inline = Inline(tracking, notes, part, self.lines)
        self._sections = sections
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._tracking = tracking
        self._carried: list[Piece] = []
        """Words of paragraphs whose end is not read: they belong to the next one."""
        self._depth = 0

    def take(self, element: etree._Element) -> None:
        match local(element):
            case "p":
                self._paragraph(element)
                if ends_section(element):
                    self._notes.section_ends()
            case "tbl":
                self._flush()
                self._table(element)
            case "commentRangeStart":
                self.inline.comment_begins(element)
            case "sdtPr" | "sectPr":
                return
            case "altChunk":
                self.inline.embedded += 1
            case _:
                for inner in self._inside(element):
                    self.take(inner)

    def end(self) -> None:
        self._flush()
        self._follow()

    def lines(self, element: etree._Element) -> list[str]:
        """The paragraphs and rows of a note, a text box or a page's head, each a line."""
        if self._depth >= DEEPEST:
            raise Unreadable("damaged", "DOCX")
        before, self._carried = self._carried, []
        self._depth += 1
        found: list[str] = []
        for inner in self._through(element, "p", "tbl"):
            if local(inner) == "tbl":
                found += [line for row in self._through(inner, "tr") if (line := self._row(row))]
            elif (read := self._read(inner)) and read[0]:
                found.append(" ".join(read[0].split()))
        found += [line for line in (written(self._carried).strip(),) if line]
        self._depth -= 1
        self._carried = before
        return found

    def _paragraph(self, element: etree._Element) -> None:
        if (read := self._read(element)) is None:
            return
        text, level = read
        if text and level:
            self._sections.heading(text, level)
        elif text:
            self._sections.block(text)
        self._follow()

    def _read(self, element: etree._Element) -> tuple[str, int] | None:
        """A paragraph with its number, and its level as a heading; None when it goes on in the next one."""
        properties = child(element, "pPr")
        pieces = self._carried + self.inline.pieces(element)
        self._carried = []
        if (end := _end(properties)) is not None:
            if not self._tracking.reads(end.kind):
                self._carried = pieces
                return None
            if self._tracking.marks and end not in self.inline.within:
                pieces.append((" ¶", (end,)))
        if not self._tracking.reads("inserted"):
            before = child(properties, "pPrChange", "pPr")
            properties = properties if before is None else before
        style = value(properties, "pStyle")
        # A paragraph without words is counted as well: its number is on the page.
        label = self._label(properties, style)
        text = written(pieces).replace("\u00a0", " ").strip()
        return (label + text if text else ""), self._styles.heading(style, properties)

    def _label(self, properties: etree._Element | None, style: str) -> str:
        list_, level = numbers(properties)
        if list_ is None:
            list_, styled = self._styles.numbering(style)
            level = styled if level is None else level
            if level is None:
                level = self._numbering.level_of_style(list_, style)
        label = self._numbering.label(list_, level or 0)
        return f"{label} " if label else ""

    def _flush(self) -> None:
        """A paragraph that should go on in the next one, where none comes."""
        if text := written(self._carried).strip():
            self._sections.block(text)
        self._carried = []

    def _follow(self) -> None:
        after, self.inline.after = self.inline.after, []
        for block in after:
            self._sections.block(block)

    def _table(self, table: etree._Element) -> None:
        lines: list[str] = []
        for row in self._through(table, "tr"):
            cells = self._cells(row)
            if lays_out([sum(map(_has_words, cell)) for cell in cells]) and self._row_mark(row) is None:
                self._put(lines)
                lines = []
                for cell in cells:
                    for element in cell:
                        self.take(element)
                    self._flush()
            elif line := self._row(row):
                lines.append(line)
        self._put(lines)

    def _put(self, lines: Iterable[str]) -> None:
        self._sections.block("\n".join(lines))
        self._follow()

    def _row(self, row: etree._Element) -> str:
        """A row as a line; "" when it is empty or not read."""
        mark, cells = self._row_mark(row), self._cells(row)
        if mark is None:
            return self._joined(cells)
        if not self._tracking.reads(mark.kind) or not any(_has_changes(cell) for cell in cells):
            self._tracking.count(mark.kind)  # else the words in it are counted
        if not self._tracking.reads(mark.kind):
            return ""
        if not self._tracking.marks:
            return self._joined(cells)
        before, self.inline.within = self.inline.within, (*self.inline.within, mark)
        line = self._joined(cells)
        self.inline.within = before
        return written([(line, (mark,))])

    def _joined(self, cells: list[etree._Element]) -> str:
        texts = [" ".join("\n".join(self.lines(cell)).split()) for cell in cells]
        return " | ".join(texts) if any(texts) else ""

    def _cells(self, row: etree._Element) -> list[etree._Element]:
        cells = []
        for cell in self._through(row, "tc"):
            added, gone = child(cell, "tcPr", "cellIns"), child(cell, "tcPr", "cellDel")
            if (added is None or self._tracking.reads("inserted")) and (
                gone is None or self._tracking.reads("deleted")
            ):
                cells.append(cell)
        return cells

    def _row_mark(self, row: etree._Element) -> Mark | None:
        return _mark(child(row, "trPr"))

    def _inside(self, element: etree._Element) -> Iterable[etree._Element]:
        """What a wrapping holds: a content control, a change around whole paragraphs, alternatives."""
        tag = local(element)
        if tag in CHANGES and not self._tracking.reads(CHANGES[tag]):
            return ()
        return next(iter(element), ()) if tag == "AlternateContent" else element

    def _through(self, elements: Iterable[etree._Element], *tags: str) -> Iterator[etree._Element]:
        """The nearest elements of these kinds, through wrappings."""
        for one in elements:
            tag = local(one)
            if tag in tags:
                yield one
            elif tag in WRAPPINGS or tag in CHANGES:
                yield from self._through(self._inside(one), *tags)


def _has_changes(element: etree._Element) -> bool:
    return any(local(one) in CHANGES for one in element.iter())


def _has_words(element: etree._Element) -> bool:
    return local(element) in ("p", "tbl", "sdt") and any(local(one) == "t" for one in element.iter())


def _end(properties: etree._Element | None) -> Mark | None:
    """The change of a paragraph's end, if there is one."""
    return _mark(child(properties, "rPr"))


def _mark(properties: etree._Element | None) -> Mark | None:
    for one in properties if properties is not None else ():
        if local(one) in CHANGES:
            return Mark(CHANGES[local(one)], attribute(one, "author"))
    return None
