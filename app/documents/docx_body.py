"""The body of a DOCX: paragraphs, tables and text boxes in order, with what hangs on their words."""

import re

from lxml import etree
from msgspec import Struct

from app.documents.docx_numbering import Numbering
from app.documents.docx_styles import Styles, numbers, outlined
from app.documents.pages import Sections
from app.documents.xml import attribute, local

GONE = ("del", "moveFrom")
"""Taken away by a tracked change. Moved text is read where it was moved to."""

NAMES = {"footnotes": "Footnote", "endnotes": "Endnote"}


class Note(Struct, frozen=True):
    element: etree._Element
    author: str = ""


class Body:
    """Give every child of `w:body` to `take`, then call `end`."""

    def __init__(
        self, sections: Sections, styles: Styles, numbering: Numbering, notes: dict[str, dict[str, Note]]
    ) -> None:
        self.deletions = 0
        self.insertions = 0
        self.hidden = 0
        self._sections = sections
        self._styles = styles
        self._numbering = numbering
        self._notes = notes
        self._noted = {"footnotes": 0, "endnotes": 0}
        self._after: list[str] = []
        """Notes and text boxes that follow the paragraph or table that is being read."""
        self._carried = ""
        """Words of paragraphs whose end was deleted: they belong to the next one."""
        self._ranges: dict[str, int] = {}

    def take(self, element: etree._Element) -> None:
        match local(element):
            case "p":
                self._paragraph(element)
            case "tbl":
                self._sections.block("\n".join(self._rows(element)))
                self._follow()
            case "AlternateContent":
                for child in _chosen(element):
                    self.take(child)
            case "del" | "moveFrom" | "sdtPr" | "sectPr":
                return
            case _:  # content controls, insertions and other wrappings
                for child in element:
                    self.take(child)

    def end(self) -> None:
        if self._carried:
            self._sections.block(self._carried)
        self._follow()

    def _paragraph(self, element: etree._Element) -> None:
        properties = next((e for e in element if local(e) == "pPr"), None)
        text = self._carried + self._words(element)
        self._carried = ""
        if _end_is_deleted(properties):
            self._carried = text
            return
        style = (
            next((attribute(e, "val") for e in properties if local(e) == "pStyle"), "")
            if properties is not None
            else ""
        )
        if text.strip():
            text = self._label(properties, style) + text.strip()
            if outlined(properties) or self._styles.heading(style):
                self._sections.heading(text)
            else:
                self._sections.block(text)
        self._follow()

    def _label(self, properties: etree._Element | None, style: str) -> str:
        list_, level = numbers(properties)
        if list_ is None:
            list_, styled = self._styles.numbering(style)
            level = styled if level is None else level
            if level is None:
                level = self._numbering.level_of_style(list_, style)
        label = self._numbering.label(list_, level or 0)
        return f"{label} " if label else ""

    def _follow(self) -> None:
        after, self._after = self._after, []
        for block in after:
            self._sections.block(block)

    def _rows(self, table: etree._Element) -> list[str]:
        rows = []
        for row in _through(table, "tr"):
            if any(local(e) == "trPr" and any(local(c) == "del" for c in e) for e in row):
                self.deletions += 1
                continue
            cells = [self._cell(cell) for cell in _through(row, "tc")]
            if any(cells):
                rows.append(" | ".join(cells))
        return rows

    def _cell(self, cell: etree._Element) -> str:
        lines: list[str] = []
        for element in _through(cell, "p", "tbl"):
            if local(element) == "tbl":
                lines += self._rows(element)
                continue
            properties = next((e for e in element if local(e) == "pPr"), None)
            if words := self._words(element).strip():
                lines.append(self._label(properties, "") + words)
        return " ".join(" ".join(lines).split())

    def _words(self, paragraph: etree._Element) -> str:
        words: list[str] = []
        for child in paragraph:
            self._inline(child, words)
        return re.sub("\u00a0", " ", "".join(words))

    def _inline(self, element: etree._Element, words: list[str]) -> None:
        tag = local(element)
        match tag:
            case "t":
                words.append(element.text or "")
            case "tab" | "ptab":
                words.append("\t")
            case "br" | "cr":
                words.append("\n")
            case "noBreakHyphen":
                words.append("-")
            case "sym":
                code = attribute(element, "char")
                words.append(chr(int(code, 16)) if re.fullmatch("[0-9A-Fa-f]{4}", code) else "")
            case "del" | "moveFrom":
                self.deletions += tag == "del" and any(local(e) in ("delText", "t") for e in element.iter())
            case "footnoteReference" | "endnoteReference":
                self._reference(tag.removesuffix("Reference") + "s", attribute(element, "id"), words)
            case "commentRangeStart":
                self._ranges[attribute(element, "id")] = len("".join(words))
            case "commentReference":
                self._comment(attribute(element, "id"), words)
            case "AlternateContent":
                for child in _chosen(element):
                    self._inline(child, words)
            case "txbxContent":
                self._box(element)
            case "docPr":
                if description := attribute(element, "descr").strip():
                    words.append(f" [{description}] ")
            case "rt":
                words.append("(")
                self._children(element, words)
                words.append(")")
            case "ruby":
                for part in ("rubyBase", "rt"):
                    for child in element:
                        if local(child) == part:
                            self._inline(child, words) if part == "rt" else self._children(child, words)
            case "r" if _hidden(element):
                self.hidden += 1
            case "pPr" | "rPr" | "sdtPr" | "instrText" | "delText" | "delInstrText" | "fldData" | "":
                return
            case _:
                self.insertions += tag == "ins" and any(local(e) == "t" for e in element.iter())
                self._children(element, words)

    def _children(self, element: etree._Element, words: list[str]) -> None:
        for child in element:
            self._inline(child, words)

    def _reference(self, kind: str, identity: str, words: list[str]) -> None:
        note = self._notes[kind].get(identity)
        if note is None:
            return
        self._noted[kind] += 1
        name = f"{NAMES[kind]} {self._noted[kind]}"
        words.append(f" [{name}]")
        place = len(self._after)
        self._after.append("")
        self._after[place] = f"[{name}: {self._cell(note.element)}]"

    def _comment(self, identity: str, words: list[str]) -> None:
        note = self._notes["comments"].get(identity)
        if note is None:
            return
        about = "".join(words)[self._ranges.pop(identity, 1 << 30) :].strip()
        by = f" by {note.author}" if note.author else ""
        on = f" on “{about}”" if about else ""
        self._after.append(f"[Comment{by}{on}: {self._cell(note.element)}]")

    def _box(self, content: etree._Element) -> None:
        lines = [self._words(element).strip() for element in _through(content, "p")]
        if text := "\n".join(line for line in lines if line):
            self._after.append(text)


def _through(element: etree._Element, *tags: str) -> list[etree._Element]:
    """The nearest elements of these kinds, through content controls and insertions, but not through deletions."""
    found = []
    for child in element:
        if local(child) in tags:
            found.append(child)
        elif local(child) in ("sdt", "sdtContent", "customXml", "ins", "moveTo"):
            found += _through(child, *tags)
    return found


def _chosen(alternatives: etree._Element) -> etree._Element:
    """The first way in which a thing is written down; the others say the same for older programs."""
    return next(iter(alternatives), alternatives)


def _end_is_deleted(properties: etree._Element | None) -> bool:
    for element in properties if properties is not None else ():
        if local(element) == "rPr":
            return any(local(e) in GONE for e in element)
    return False


def _hidden(run: etree._Element) -> bool:
    for element in run:
        if local(element) == "rPr":
            return any(local(e) == "vanish" and attribute(e, "val") not in ("0", "false", "off") for e in element)
    return False
