"""ODP: slides in their order, each with its notes and comments. Hidden slides are read, and named."""

import re
from collections.abc import Iterator

from lxml import etree

from app.data.document import Heading, LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.odf import OpenDocument, plain
from app.documents.odf_body import Body
from app.documents.odt import unread
from app.documents.pages import Pages, clean
from app.documents.reading_order import Box, reading_order
from app.documents.remarks import folded
from app.documents.source import Content, Source
from app.documents.takers import Lines
from app.documents.tracked import Tracking
from app.documents.xml import attribute, child, every, local

MARGINS = ("page-number", "date-time", "header", "footer")
UNITS = {"cm": 360_000, "mm": 36_000, "in": 914_400, "pt": 12_700, "pc": 152_400, "px": 9_525}
"""English metric units in one of each."""


def read(source: Source) -> Content:
    document = OpenDocument(source, "ODP")
    shown = document.body("presentation", "drawing")
    if shown is None:
        raise Unreadable("damaged", "ODP")
    slides = Slides(document, shown)
    pages = Pages(source.limits.characters)
    drawn = [element for element in shown if local(element) == "page"]
    for index, page in enumerate(drawn):
        source.report(index, len(drawn))
        slides.add(pages, index, page)
    source.report(len(drawn), len(drawn))
    return Content("odp", pages, tuple(slides.left_out), tuple(slides.warnings()))


class Slides:
    def __init__(self, document: OpenDocument, shown: etree._Element) -> None:
        self.left_out: list[LeftOut] = []
        self._lines = Lines()
        self._body = Body(document, Tracking("final"), None, self._lines)
        self._hidden: list[int] = []
        self._masters = {attribute(m, "name"): m for m in every(child(document.styles, "master-styles"), "master-page")}
        self._footers = {attribute(one, "name"): plain(one) for one in every(shown, "footer-decl", "header-decl")}
        self._said: set[str] = set()
        """Names of masters and footers whose words a slide has shown."""

    def add(self, pages: Pages, index: int, page: etree._Element) -> None:
        """One slide, as a page that is labelled by its title."""
        inline = self._body.inline
        if inline.is_hidden(page):
            self._hidden.append(index + 1)
        pictures = inline.pictures
        placed = list(_shapes(page))
        shapes = [placed[at] for at in reading_order([_box(shape) for shape in placed])]
        titles = [shape for shape in shapes if attribute(shape, "class") == "title"]
        title = folded(" ".join(plain(shape) for shape in titles))
        self._lines.lines = []
        for shape in (*titles, *(shape for shape in shapes if shape not in titles)):
            self._take(shape)
        self._around(page)
        for one in page:
            if local(one) == "annotation":
                self._take(one)
        for notes in every(child(page, "notes"), "frame"):
            if attribute(notes, "class") == "notes" and (lines := self._body.lines(notes)):
                self._lines.block("[Notes: {}]".format("\n".join(lines)))
        text = clean("\n\n".join(self._lines.lines))
        if text.strip():
            pages.add(title or str(index + 1), text, index=index)
            if title:
                pages.headings.append(Heading(pages.spans[-1].start, 1, title))
        elif inline.pictures > pictures:
            self.left_out.append(LeftOut(str(index + 1), "picture"))

    def warnings(self) -> list[Warning]:
        slides = Warning("hidden_slides", {"slides": ", ".join(map(str, self._hidden))})
        return ([slides] if self._hidden else []) + unread(self._body)

    def _take(self, element: etree._Element) -> None:
        self._body.take(element)
        self._body.end()

    def _around(self, page: etree._Element) -> None:
        """What the master page and the footers say, on the first slide that shows it."""
        for name in (attribute(page, "use-header-name"), attribute(page, "use-footer-name")):
            if name in self._footers and name not in self._said:
                self._said.add(name)
                self._lines.block(self._footers[name])
        name = attribute(page, "master-page-name")
        if name in self._masters and name not in self._said:
            self._said.add(name)
            for shape in _shapes(self._masters[name]):
                if not attribute(shape, "class"):
                    self._take(shape)


def _shapes(page: etree._Element) -> Iterator[etree._Element]:
    for one in page:
        if local(one) not in ("notes", "annotation", "forms") and attribute(one, "class") not in MARGINS:
            yield one


def _box(shape: etree._Element) -> Box | None:
    if local(shape) == "g":
        boxes = [box for one in shape if (box := _box(one)) is not None]
        if not boxes:
            return None
        return Box(
            min(box.left for box in boxes),
            min(box.top for box in boxes),
            max(box.right for box in boxes),
            max(box.bottom for box in boxes),
        )
    sides = [_length(attribute(shape, name)) for name in ("x", "y", "width", "height")]
    if any(side is None for side in sides):
        return None
    left, top, width, height = (side or 0 for side in sides)
    return Box(left, top, left + width, top + height)


def _length(text: str) -> int | None:
    found = re.fullmatch(r"(-?[0-9]{1,9}(?:\.[0-9]{1,9})?)(cm|mm|in|pt|pc|px)", text)
    return round(float(found[1]) * UNITS[found[2]]) if found else None
