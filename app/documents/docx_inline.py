"""What stands in a DOCX's paragraphs: words, signs, fields and equations, with the changes that they are part of."""

import re
from collections.abc import Callable

from lxml import etree

from app.documents.docx_fields import Field, chosen
from app.documents.docx_notes import Notes
from app.documents.drawings import chart, diagram
from app.documents.equation import equation
from app.documents.names import listed
from app.documents.remarks import brief, comment
from app.documents.remarks import note as remark
from app.documents.symbols import sign
from app.documents.tracked import NEW, ChangeKind, Mark, Piece, Tracking, written
from app.documents.xml import attribute, child, local

CHANGES: dict[str, ChangeKind] = {
    "ins": "inserted",
    "del": "deleted",
    "moveFrom": "moved away",
    "moveTo": "moved here",
}
WORDLESS = listed("pPr rPr sdtPr sdtEndPr delInstrText fldData bookmarkStart bookmarkEnd proofErr annotationRef")


class Inline:
    """What hangs on the words, such as notes and text boxes, gathers in `after`, for whoever reads the paragraphs."""

    def __init__(
        self,
        tracking: Tracking,
        notes: Notes,
        part: Callable[[str], etree._Element | None],
        lines: Callable[[etree._Element], list[str]],
    ) -> None:
        self.hidden = 0
        self.pictures = 0
        self.embedded = 0
        self.after: list[str] = []
        self.within: tuple[Mark, ...] = ()
        """Changes that the whole row is part of: not said again of its words."""
        self.page_numbers = True
        """Whether to read them: at the head of every page another one stands."""
        self._tracking = tracking
        self._notes = notes
        self._part = part
        self._lines = lines
        self._pieces: list[Piece] = []
        self._marks: tuple[Mark, ...] = ()
        self._taken_away = False
        self._fields: list[Field] = []
        """Those that have begun, the outermost first."""
        self._expanded: set[etree._Element] = set()
        """Notes and comments that were read: a second reference to one, or its own to itself, is only a name."""
        self._paragraphs = 0
        self._paragraph = 0
        self._ranges: dict[str, tuple[int, int, str]] = {}
        """Of comments that have begun: the paragraph, the piece in it, and once that paragraph is over its words."""

    def pieces(self, paragraph: etree._Element) -> list[Piece]:
        before = self._pieces, self._marks, self._taken_away, self._paragraph
        self._paragraphs += 1
        self._pieces, self._marks, self._taken_away, self._paragraph = [], (), False, self._paragraphs
        self._children(paragraph)
        found = self._pieces
        for identity, (begun, place, _) in self._ranges.items():
            if begun == self._paragraph:
                self._ranges[identity] = (begun, place, written(found[place:]))
        self._pieces, self._marks, self._taken_away, self._paragraph = before
        return found

    def comment_begins(self, element: etree._Element, paragraph: int | None = None) -> None:
        """A comment's range; between paragraphs it begins with the next one."""
        begun = self._paragraphs + 1 if paragraph is None else paragraph
        self._ranges[attribute(element, "id")] = (begun, len(self._pieces), "")

    def _say(self, text: str) -> None:
        if text and (self.page_numbers or not any(field.is_page_number for field in self._fields)):
            self._pieces.append((text, self._marks))

    def _children(self, element: etree._Element) -> None:
        for one in element:
            self._take(one)

    def _take(self, element: etree._Element) -> None:
        tag = local(element)
        match tag:
            case "r":
                if _hidden(element):
                    self.hidden += 1
                else:
                    self._children(element)
            case "t":
                self._say(element.text or "")
            case _ if not tag or tag in WORDLESS:
                return
            case _ if tag in CHANGES:
                self._change(CHANGES[tag], element)
            case "delText":
                # Deleted words that stand in no deletion are nobody's: never read as if they were valid.
                self._say(element.text or "" if self._taken_away else "")
            case "tab" | "ptab":
                self._say("\t")
            case "br" | "cr":
                self._say("\n")
            case "noBreakHyphen":
                self._say("-")
            case "sym":
                code = attribute(element, "char")
                self._say(sign(attribute(element, "font"), int(code, 16)) if re.fullmatch("[0-9A-Fa-f]+", code) else "")
            case "fldChar":
                self._field(element)
            case "fldSimple":
                self._fields.append(Field(attribute(element, "instr"), shown=True))
                self._children(element)
                self._fields.pop()
            case "instrText":
                if self._fields:
                    self._fields[-1].told += element.text or ""
            case "footnoteReference" | "endnoteReference":
                self._reference(tag.removesuffix("Reference") + "s", element)
            case "commentRangeStart":
                self.comment_begins(element, self._paragraph)
            case "commentReference":
                self._comment(attribute(element, "id"))
            case "oMath":
                self._say(equation(element, lambda change: self._tracking.reads(CHANGES[local(change)])))
            case "ruby":
                self._children_of(element, "rubyBase")
                self._say("(")
                self._children_of(element, "rt")
                self._say(")")
            case _:
                self._thing(tag, element)

    def _thing(self, tag: str, element: etree._Element) -> None:
        """Drawings and what is in them; of anything else, what it holds."""
        match tag:
            case "AlternateContent":
                # The first way in which a thing is written down; the others say the same for older programs.
                self._children(next(iter(element), element))
            case "txbxContent":
                self.after.append("\n".join(self._lines(element)))
            case "docPr":
                if description := attribute(element, "descr").strip():
                    self._say(f" [{description}] ")
            case "textpath":
                self.after.append(attribute(element, "string"))
            case "blip" | "imagedata":
                self.pictures += 1
            case "object" if any(local(one) == "OLEObject" for one in element):
                self.embedded += 1
            case "chart" | "relIds":
                read, name = (chart, "id") if tag == "chart" else (diagram, "dm")
                root = self._part(attribute(element, name))
                self.after.append(read(root) if root is not None else "")
            case _:
                self._children(element)

    def _field(self, element: etree._Element) -> None:
        match attribute(element, "fldCharType"):
            case "begin":
                self._say(chosen(element))
                self._fields.append(Field())
            case "separate" if self._fields:
                self._fields[-1].shown = True
            case "end" if self._fields:
                self._fields.pop()

    def _children_of(self, element: etree._Element, name: str) -> None:
        if (found := child(element, name)) is not None:
            self._children(found)

    def _change(self, kind: ChangeKind, element: etree._Element) -> None:
        words = ("t",) if kind in NEW else ("t", "delText")
        if any(local(one) in words for one in element.iter()):
            self._tracking.count(kind)
        if not self._tracking.reads(kind):
            return
        before = self._marks, self._taken_away
        mark = Mark(kind, attribute(element, "author"))
        if self._tracking.marks and mark not in self.within:
            self._marks = (*self._marks, mark)
        self._taken_away = self._taken_away or kind in ("deleted", "moved away")
        self._children(element)
        self._marks, self._taken_away = before

    def _reference(self, kind: str, element: etree._Element) -> None:
        sign_ = ""
        if attribute(element, "customMarkFollows") in ("1", "true", "on"):
            following = element.getnext()
            sign_ = (following.text or "").strip() if following is not None and local(following) == "t" else ""
        named = self._notes.named(kind, attribute(element, "id"), sign_)
        if named is None:
            return
        name, note = named
        self._say(f" [{name}]")
        self._append(note, lambda lines: remark(name, lines))

    def _comment(self, identity: str) -> None:
        found = self._notes.comment(identity)
        if found is not None:
            about = self._about(identity)
            self._append(found.element, lambda lines: comment(" ".join(lines), found.author, about))

    def _append(self, element: etree._Element, say: Callable[[list[str]], str]) -> None:
        """A note after the paragraph, before the notes that it has itself."""
        if element in self._expanded:
            return
        self._expanded.add(element)
        place = len(self.after)
        self.after.append("")
        self.after[place] = say(self._lines(element))

    def _about(self, identity: str) -> str:
        """The words that a comment hangs on; of several paragraphs, the first and the last ones."""
        if identity not in self._ranges:
            return ""
        begun, place, before = self._ranges.pop(identity)
        if begun == self._paragraph:
            return written(self._pieces[place:]).strip()
        return brief(before, written(self._pieces))


def _hidden(run: etree._Element) -> bool:
    properties = child(run, "rPr")
    return properties is not None and any(
        local(one) == "vanish" and attribute(one, "val") not in ("0", "false", "off") for one in properties
    )
