"""What stands in OpenDocument's paragraphs, and what hangs on their words."""

from collections.abc import Callable

from lxml import etree

from app.documents.names import listed
from app.documents.odf import OpenDocument, gap, plain, spaced
from app.documents.odf_changes import Changes
from app.documents.remarks import brief, comment, note
from app.documents.tracked import Mark, Piece, written
from app.documents.xml import attribute, child, every, local

SHAPES = listed("custom-shape rect ellipse circle line polyline polygon path connector caption measure")
WORDLESS = listed("number tracked-changes soft-page-break title desc control")


class Inline:
    """Notes, comments and text boxes gather in `after`, for whoever reads the paragraphs."""

    def __init__(
        self,
        document: OpenDocument,
        changes: Changes,
        lines: Callable[[etree._Element], list[str]],
    ) -> None:
        self.changes = changes
        self.hidden = 0
        self.pictures = 0
        self.embedded = 0
        self.after: list[str] = []
        self.page_numbers = True
        """Whether to read them: at the head of every page another one stands."""
        self.unseen = document.hidden()
        self._document = document
        self._lines = lines
        self._pieces: list[Piece] = []
        self._deleted: tuple[Mark, ...] = ()
        self._paragraphs = 0
        self._paragraph = 0
        self._ranges: dict[str, tuple[int, int, str, etree._Element]] = {}
        """Of comments that have begun: the paragraph, the piece in it, its words once it is over, and the comment."""

    def pieces(self, paragraph: etree._Element, alone: bool = False) -> list[Piece]:
        """The words in a paragraph; `alone`: of something that stands between paragraphs."""
        before = self._pieces, self._paragraph
        self._paragraphs += 1
        self._pieces, self._paragraph = [], self._paragraphs
        self.take(paragraph) if alone else self._mixed(paragraph)
        found = self._pieces
        for name, (begun, place, _, annotation) in self._ranges.items():
            if begun == self._paragraph:
                self._ranges[name] = (begun, place, written(found[place:]), annotation)
        self._pieces, self._paragraph = before
        return found

    def take(self, element: etree._Element) -> None:
        tag = local(element)
        match tag:
            case _ if not tag or tag in WORDLESS:
                return
            case "s" | "tab" | "line-break":
                self._say(gap(element))
            case "note":
                self._note(element)
            case "annotation":
                self._comment(element)
            case "annotation-end":
                self._comment_ends(attribute(element, "name"))
            case "change-start":
                self.changes.begin(attribute(element, "change-id"))
            case "change-end":
                self.changes.end(attribute(element, "change-id"))
            case "change":
                self._deletion(attribute(element, "change-id"))
            case "page-number" | "page-count" if not self.page_numbers:
                return
            case "ruby":
                self._mixed_of(element, "ruby-base")
                self._say("(")
                self._mixed_of(element, "ruby-text")
                self._say(")")
            case "frame":
                self._frame(element)
            case "g":
                for one in element:
                    self.take(one)
            case _ if tag in SHAPES:
                self._box(element)
            case _ if self.is_hidden(element):
                self.hidden += 1
            case _:
                self._mixed(element)

    def is_hidden(self, element: etree._Element) -> bool:
        told = attribute(element, "is-hidden") == "true" or attribute(element, "display") == "none"
        return told or attribute(element, "style-name") in self.unseen

    def _say(self, text: str) -> None:
        if text and self.changes.read:
            self._pieces.append((text, (*self.changes.marks, *self._deleted)))

    def _mixed(self, element: etree._Element) -> None:
        self._say(spaced(element.text))
        for one in element:
            self.take(one)
            self._say(spaced(one.tail))

    def _mixed_of(self, element: etree._Element, name: str) -> None:
        if (found := child(element, name)) is not None:
            self._mixed(found)

    def _note(self, element: etree._Element) -> None:
        if not self.changes.read:
            return
        citation = child(element, "note-citation")
        sign = plain(citation) or (attribute(citation, "label") if citation is not None else "")
        name = f"{'Endnote' if attribute(element, 'note-class') == 'endnote' else 'Footnote'} {sign}".strip()
        self._say(f" [{name}]")
        body = child(element, "note-body")
        self._append(lambda: note(name, self._beside(body) if body is not None else ()))

    def _comment(self, annotation: etree._Element) -> None:
        if name := attribute(annotation, "name"):
            self._ranges[name] = (self._paragraph, len(self._pieces), "", annotation)
        else:
            self._comment_on(annotation, "")

    def _comment_ends(self, name: str) -> None:
        if name in self._ranges:
            begun, place, before, annotation = self._ranges.pop(name)
            if begun == self._paragraph:
                self._comment_on(annotation, written(self._pieces[place:]))
            else:
                self._comment_on(annotation, brief(before, written(self._pieces)))

    def open_comments(self) -> None:
        """Those whose end never came: on a place, and not on words."""
        for name in list(self._ranges):
            *_, annotation = self._ranges.pop(name)
            self._comment_on(annotation, "")

    def _comment_on(self, annotation: etree._Element, about: str) -> None:
        if self.changes.read:
            author = plain(child(annotation, "creator"))
            self._append(lambda: comment(" ".join(self._beside(annotation)), author, about))

    def _beside(self, element: etree._Element) -> list[str]:
        return self.changes.aside(lambda: self._lines(element))

    def _append(self, say: Callable[[], str]) -> None:
        """After the paragraph, before what hangs on the note's own words."""
        place = len(self.after)
        self.after.append("")
        self.after[place] = say()

    def _deletion(self, identity: str) -> None:
        found = self.changes.taken_away(identity)
        if found is None:
            return
        mark, change = found
        marks = self.changes.tracking.marks
        before, self._deleted = self._deleted, (mark,) if marks else ()
        for place, one in enumerate(every(change, "p", "h")):
            if place:
                self._say(" ¶ " if marks else "\n")
            self._mixed(one)
        self._deleted = before

    def _frame(self, element: etree._Element) -> None:
        for name in ("title", "desc"):
            if (described := plain(child(element, name))) and self.changes.read:
                self._say(f" [{described}] ")
        for one in element:
            match local(one):
                case "text-box" | "table":
                    self._box(element)
                case "image":
                    self.pictures += 1
                case "object":
                    self._object(one)
                case "object-ole" | "plugin" | "applet" | "floating-frame":
                    self.embedded += 1
                case _:
                    continue
            return  # what follows is the same once more, for programs that cannot show this

    def _box(self, element: etree._Element) -> None:
        if self.changes.read:
            self._append(lambda: "\n".join(self._beside(element)))

    def _object(self, element: etree._Element) -> None:
        root = element[0] if len(element) else self._document.object(element)
        if root is not None and local(root) == "math":
            self._say(f" {plain(next(every(root, 'annotation'), root))} ")
        elif root is not None and (chart := next(every(root, "chart"), None)) is not None:
            self.after.append(_chart(chart))
        else:
            self.embedded += 1


def _chart(chart: etree._Element) -> str:
    """Its titles, and the table that it is drawn from."""
    titles = [text for one in every(chart, "title", "subtitle") if (text := plain(one))]
    rows = [" | ".join(plain(cell) for cell in row) for row in every(chart, "table-row")]
    return "\n".join(([" | ".join(titles)] if titles else []) + rows)
