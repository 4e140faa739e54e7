"""DOCX: the text as it stands when all changes are accepted, with clause numbers, notes and comments in their places.

Read here and not by a library: docx2python gives moved text twice and text boxes twice, writes a clause "1.2(a)" as
"a)", puts notes and comments at the end, and opens parts with XML settings that are not ours.
"""

import posixpath

from lxml import etree
from msgspec import Struct

from app.data.document import Warning
from app.documents.archive import Archive
from app.documents.docx_body import Body, Note
from app.documents.docx_numbering import Numbering
from app.documents.docx_styles import Styles
from app.documents.errors import Unreadable
from app.documents.pages import Pages, Sections
from app.documents.source import Content, Source
from app.documents.xml import attribute, local, parse

REPORT_EVERY = 50
"""Paragraphs and tables."""


class Part(Struct, frozen=True):
    """Another part that a part refers to: the last word of its type, and its name in the archive."""

    type: str
    name: str


def read(source: Source) -> Content:
    archive = Archive(source.data, source.limits.inflated)
    try:
        main = next((p.name for p in _parts(archive, "") if p.type == "officeDocument"), "word/document.xml")
        document = parse(archive.read(main))
    except KeyError as error:
        raise Unreadable("damaged", "DOCX") from error
    parts = _parts(archive, main)
    roots = {part.type: parse(archive.read(part.name)) for part in parts if part.type in OTHERS}
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    body = Body(
        sections,
        Styles(roots.get("styles")),
        Numbering(roots.get("numbering")),
        {kind: _notes(roots.get(kind)) for kind in ("footnotes", "endnotes", "comments")},
    )
    content = next((e for e in document if local(e) == "body"), None)
    if content is None:
        raise Unreadable("damaged", "DOCX")
    total = len(content)
    for done, element in enumerate(content):
        if done % REPORT_EVERY == 0:
            source.report(done, total)
        body.take(element)
    body.end()
    _margins(archive, parts, sections)
    sections.close()
    source.report(total, total)
    return Content("docx", pages, warnings=_warnings(body))


OTHERS = ("styles", "numbering", "footnotes", "endnotes", "comments")


def _warnings(body: Body) -> tuple[Warning, ...]:
    found = []
    if body.deletions or body.insertions:
        values = {"deletions": str(body.deletions), "insertions": str(body.insertions)}
        found.append(Warning("tracked_changes", values))
    if body.hidden:
        found.append(Warning("hidden_text", {"count": str(body.hidden)}))
    return tuple(found)


def _parts(archive: Archive, name: str) -> list[Part]:
    """What a part refers to inside the archive; name "" is the archive itself."""
    folder, own = posixpath.split(name)
    try:
        root = parse(archive.read(posixpath.join(folder, "_rels", own + ".rels")))
    except KeyError:
        return []
    found = []
    for element in root:
        target = attribute(element, "Target")
        if attribute(element, "TargetMode") == "External":
            continue
        place = posixpath.normpath(posixpath.join(folder, target)) if not target.startswith("/") else target[1:]
        if place in archive.names:
            found.append(Part(attribute(element, "Type").rpartition("/")[2], place))
    return found


def _notes(root: etree._Element | None) -> dict[str, Note]:
    """By id. Separators between text and notes are notes too, for Word alone."""
    if root is None:
        return {}
    return {
        attribute(element, "id"): Note(element, attribute(element, "author"))
        for element in root
        if "eparator" not in attribute(element, "type") and attribute(element, "type") != "continuationNotice"
    }


def _margins(archive: Archive, parts: list[Part], sections: Sections) -> None:
    """What stands at the head and foot of the pages, each once, after the text."""
    lines: dict[str, None] = {}
    for part in parts:
        if part.type in ("header", "footer"):
            for paragraph in parse(archive.read(part.name)).iter():
                if local(paragraph) == "p":
                    words = "".join(e.text or "" for e in paragraph.iter() if local(e) == "t").strip()
                    if any(c.isalpha() for c in words):
                        lines[words] = None
    if lines:
        sections.begin("Headers and footers")
        sections.block("\n".join(lines))
