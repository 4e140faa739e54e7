"""ODT: headings with their numbers, lists, tables, notes and comments, and tracked changes as they are asked for."""

from lxml import etree

from app.data.document import Warning
from app.documents.errors import Unreadable
from app.documents.odf import OpenDocument
from app.documents.odf_body import Body
from app.documents.pages import Pages, Sections
from app.documents.source import Content, Source
from app.documents.tracked import Tracking
from app.documents.xml import child, every, local

REPORT_EVERY = 50
"""Paragraphs and tables."""

MARGINS = tuple(f"{place}{which}" for place in ("header", "footer") for which in ("", "-left", "-first"))


def read(source: Source) -> Content:
    document = OpenDocument(source, "ODT")
    text = document.body("text")
    if text is None:
        raise Unreadable("damaged", "ODT")
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    tracking = Tracking(source.options.changes)
    body = Body(document, tracking, child(text, "tracked-changes"), sections)
    total = len(text)
    for done, element in enumerate(text):
        if done % REPORT_EVERY == 0:
            source.report(done, total)
        body.take(element)
    body.end()
    if margins := _margins(document, body):
        sections.begin("Headers and footers", level=1)
        sections.block("\n".join(margins))
    sections.close()
    source.report(total, total)
    return Content("odt", pages, warnings=(*tracking.warnings(), *unread(body)))


def unread(body: Body) -> list[Warning]:
    """What was seen and is not in the text."""
    inline = body.inline
    counted = (("hidden_text", inline.hidden), ("pictures", inline.pictures), ("embedded", inline.embedded))
    return [Warning(code, {"count": str(count)}) for code, count in counted if count]


def _margins(document: OpenDocument, body: Body) -> list[str]:
    """The lines at the head and foot of the pages, each once; a page's number is no word of the document."""
    lines: dict[str, None] = {}
    body.inline.page_numbers = False
    masters: etree._Element | None = child(document.styles, "master-styles")
    for margin in every(masters, *MARGINS):
        if local(margin.getparent()) == "master-page":
            found = [*body.lines(margin), *"\n".join(body.inline.after).split("\n")]
            lines |= dict.fromkeys(line for line in found if any(sign.isalnum() for sign in line))
            body.inline.after = []
    return list(lines)
