"""Web pages: their words in blocks, sections by heading. Nothing is fetched and no script is run."""

import re
from html import escape

from app.documents.blocks import walk
from app.documents.encodings import Decoded
from app.documents.names import listed
from app.documents.pages import Pages, Sections
from app.documents.plain import warnings
from app.documents.source import Content, Source

VOID = listed("area base br col embed hr img input link meta source track wbr")
SELF_CLOSED = re.compile(r"<([a-zA-Z][\w.-]*)((?:\s[^<>]*)?)/>")
CDATA = re.compile(r"<!\[CDATA\[(.*?)\]\]>", re.S)


def from_xhtml(page: str) -> str:
    """XHTML as an HTML parser reads it rightly: there `<title/>` would swallow the rest of the page."""
    page = CDATA.sub(lambda found: escape(found[1]), page)
    return SELF_CLOSED.sub(lambda tag: tag[0] if tag[1].lower() in VOID else f"<{tag[1]}{tag[2]}></{tag[1]}>", page)


def read(source: Source, decoded: Decoded) -> Content:
    page = decoded.text
    if page.lstrip("\ufeff \t\r\n").startswith("<?xml"):
        page = from_xhtml(page)
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    walk(page, sections)
    sections.close()
    source.report(1, 1)
    return Content("html", pages, warnings=warnings(decoded))
