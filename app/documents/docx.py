"""DOCX: the text with clause numbers, notes and comments in their places, and tracked changes as they are asked for.

Read here and not by a library: docx2python gives moved text twice and text boxes twice, writes a clause "1.2(a)" as
"a)", puts notes and comments at the end, and opens parts with XML settings that are not ours.
"""

from lxml import etree

from app.data.document import Warning
from app.documents.docx_body import Body
from app.documents.docx_margins import lines_of_margins
from app.documents.docx_notes import Notes
from app.documents.docx_numbering import Numbering
from app.documents.docx_styles import Styles
from app.documents.errors import Unreadable
from app.documents.package import Package
from app.documents.pages import Pages, Sections
from app.documents.source import Content, Source
from app.documents.tracked import Tracking
from app.documents.xml import child

REPORT_EVERY = 50
"""Paragraphs and tables."""

OTHERS = ("styles", "numbering", "footnotes", "endnotes", "comments", "settings")


def read(source: Source) -> Content:
    package = Package(source, "DOCX")
    main = package.main("word/document.xml")
    document = package.root(main)
    parts = package.parts(main)
    roots = {part.type: package.root(part.name) for part in parts if part.type in OTHERS}
    names = {part.id: part.name for part in parts}

    def referred(identity: str) -> etree._Element | None:
        return package.root(names[identity]) if identity in names else None

    content = child(document, "body")
    if content is None:
        raise Unreadable("damaged", "DOCX")
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    tracking = Tracking(source.options.changes)
    notes = Notes(roots, document, roots.get("settings"))
    numbering = Numbering(roots.get("numbering"))
    body = Body(sections, Styles(roots.get("styles")), numbering, notes, tracking, referred)
    total = len(content)
    for done, element in enumerate(content):
        if done % REPORT_EVERY == 0:
            source.report(done, total)
        body.take(element)
    body.end()
    if margins := lines_of_margins(package, parts, body):
        sections.begin("Headers and footers", level=1)
        sections.block("\n".join(margins))
    sections.close()
    source.report(total, total)
    return Content("docx", pages, warnings=_warnings(body, tracking, notes))


def _warnings(body: Body, tracking: Tracking, notes: Notes) -> tuple[Warning, ...]:
    found = tracking.warnings()
    counted = (("hidden_text", body.inline.hidden), ("pictures", body.inline.pictures))
    for code, count in (*counted, ("embedded", body.inline.embedded)):
        if count:
            found.append(Warning(code, {"count": str(count)}))
    if notes.begin_anew_by_page:
        found.append(Warning("notes_by_page"))
    return tuple(found)
