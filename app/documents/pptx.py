"""PPTX: slides in their order, each with its notes and comments. Hidden slides are read, and named.

Read here and not by python-pptx, which knows no comments, no SmartArt and no reading order, and takes several times as
long.
"""

from collections.abc import Callable

from lxml import etree

from app.data.document import Heading, LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.package import Package, Part
from app.documents.pages import Pages, clean
from app.documents.pptx_comments import Comments
from app.documents.pptx_shapes import MARGINS, NUMBERS, TITLES, Found, Shape, shapes
from app.documents.pptx_text import paragraphs
from app.documents.source import Content, Source
from app.documents.xml import attribute, child, every, local


def read(source: Source) -> Content:
    presentation = Presentation(Package(source, "PPTX"))
    pages = Pages(source.limits.characters)
    total = len(presentation.slides)
    for index, name in enumerate(presentation.slides):
        source.report(index, total)
        presentation.add(pages, index, name)
    source.report(total, total)
    return Content("pptx", pages, tuple(presentation.left_out), presentation.warnings())


class Presentation:
    """`slides` are the names of the slides' parts; "" for one that is not in the file."""

    def __init__(self, package: Package) -> None:
        main = package.main("ppt/presentation.xml")
        root = package.root(main)
        parts = package.parts(main)
        names = {part.id: part.name for part in parts}
        self.slides = [names.get(_relation(one), "") for one in every(child(root, "sldIdLst"), "sldId")]
        self.left_out: list[LeftOut] = []
        self._package = package
        self._comments = Comments(package, parts)
        self._found = Found()
        self._hidden: list[int] = []
        self._repeated = 0
        self._margins: set[str] = set()
        self._layouts: dict[str, etree._Element] = {}
        self._shown: set[str] = set()
        """Layouts and masters whose own words a slide has shown."""

    def add(self, pages: Pages, index: int, name: str) -> None:
        """One slide, as a page that is labelled by its title."""
        if not name:
            self.left_out.append(LeftOut(str(index + 1), "missing"))
            return
        try:
            root = self._package.root(name)
        except Unreadable as reason:
            if reason.code != "damaged":
                raise
            self.left_out.append(LeftOut(str(index + 1), "damaged"))
            return
        if attribute(root, "show") in ("0", "false"):
            self._hidden.append(index + 1)
        pictures = self._found.pictures
        title, blocks = self._blocks(name, root)
        text = clean("\n\n".join(block for block in blocks if block.strip()))
        if not text:
            if self._found.pictures > pictures:
                self.left_out.append(LeftOut(str(index + 1), "picture"))
            return
        pages.add(title or str(index + 1), text, index=index)
        if title:
            pages.headings.append(Heading(pages.spans[-1].start, 1, title))

    def warnings(self) -> tuple[Warning, ...]:
        found = []
        if self._hidden:
            found.append(Warning("hidden_slides", {"slides": ", ".join(map(str, self._hidden))}))
        if missing := len(self.left_out) - sum(one.reason == "picture" for one in self.left_out):
            found.append(Warning("slides_missing", {"count": str(missing)}))
        counted = (("running_heads", self._repeated), ("pictures", self._found.pictures))
        for code, count in (*counted, ("embedded", self._found.embedded)):
            if count:
                found.append(Warning(code, {"count": str(count)}))
        return tuple(found)

    def _blocks(self, name: str, root: etree._Element) -> tuple[str, list[str]]:
        """The title on one line, and all that is on the slide, the title first."""
        parts = self._package.parts(name)
        layouts, drawn = self._layout(root, parts)
        found = shapes(child(root, "cSld", "spTree"), self._part(parts), layouts, self._found)
        titles = [shape.text for shape in found if shape.role in TITLES]
        blocks = [*titles, *(shape.text for shape in found if self._is_own(shape)), drawn]
        for part in parts:
            if part.type == "notesSlide":
                blocks += self._notes(part.name)
            elif part.type == "comments":
                blocks += self._comments.of(part.name)
        return " ".join(" ".join(titles).split()), blocks

    def _is_own(self, shape: Shape) -> bool:
        """Whether it is the slide's own; of what stands on every slide, the first time."""
        if shape.role in TITLES or shape.role in NUMBERS:
            return False
        if shape.role in MARGINS:
            if shape.text in self._margins:
                self._repeated += 1
                return False
            self._margins.add(shape.text)
        return True

    def _layout(self, root: etree._Element, parts: list[Part]) -> tuple[list[etree._Element], str]:
        """The shape trees of the slide's layout and master, and the words on them that no slide has yet shown."""
        trees: list[etree._Element] = []
        words = []
        shown = attribute(root, "showMasterSp") not in ("0", "false")
        for type_ in ("slideLayout", "slideMaster"):
            name = next((part.name for part in parts if part.type == type_), "")
            if not name:
                break
            parts = self._package.parts(name)
            if name not in self._layouts:
                self._layouts[name] = self._package.root(name)
            layout = self._layouts[name]
            if (tree := child(layout, "cSld", "spTree")) is not None:
                trees.append(tree)
                if shown and name not in self._shown:
                    self._shown.add(name)
                    words += [s.text for s in shapes(tree, self._part(parts), (), Found()) if not s.role]
            shown = shown and attribute(layout, "showMasterSp") not in ("0", "false")
        return trees, "\n\n".join(words)

    def _part(self, parts: list[Part]) -> Callable[[str], etree._Element | None]:
        names = {part.id: part.name for part in parts}
        return lambda identity: self._package.root(names[identity]) if identity in names else None

    def _notes(self, name: str) -> list[str]:
        """What is written for the speaker: the one text of the notes page that is no slide, number or date."""
        tree = child(self._package.root(name), "cSld", "spTree")
        found = []
        for one in tree if tree is not None else ():
            role = next((attribute(ph, "type") or "body" for ph in every(child(one, "nvSpPr", "nvPr"), "ph")), "")
            text = paragraphs(child(one, "txBody")) if local(one) == "sp" else ""
            if text and role not in (*NUMBERS, *MARGINS, "sldImg"):
                found.append(f"[Notes: {text}]")
        return found


def _relation(element: etree._Element) -> str:
    """The reference of a slide, not its own number: both are called "id", in two namespaces."""
    return next((str(v) for key, v in element.attrib.items() if str(key).endswith("}id")), "")
