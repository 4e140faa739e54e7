"""OpenDocument: its two parts, its lock, and words without anything that hangs on them."""

import re
from collections.abc import Iterator

from lxml import etree

from app.documents.archive import Archive
from app.documents.errors import Unreadable
from app.documents.source import Source
from app.documents.xml import attribute, child, every, integer, local, parse, value

SPACES = re.compile(r"[ \t\r\n]+")
MOST_SPACES = 100
"""Of one `text:s`, which may ask for any number."""


class OpenDocument:
    def __init__(self, source: Source, kind: str) -> None:
        self.archive = unlocked(source)
        if "content.xml" not in self.archive.names:
            raise Unreadable("damaged", kind)
        self.content = parse(self.archive.read("content.xml"))
        styles = "styles.xml"
        self.styles = parse(self.archive.read(styles)) if styles in self.archive.names else etree.Element("styles")

    def body(self, *names: str) -> etree._Element | None:
        """The element that holds the document, by what it may be called."""
        body = child(self.content, "body")
        return next((one for one in (child(body, name) for name in names) if one is not None), None)

    def object(self, element: etree._Element) -> etree._Element | None:
        """The content of an object that stands in the document as a file of its own; None when it is none of ours."""
        name = attribute(element, "href").removeprefix("./").rstrip("/") + "/content.xml"
        try:
            return parse(self.archive.read(name)) if name in self.archive.names else None
        except Unreadable as reason:
            if reason.code == "too_big":
                raise
            return None

    def style(self, *kinds: str) -> Iterator[etree._Element]:
        """Styles of these kinds, the document's common ones first."""
        for root in (self.styles, self.content):
            yield from every(child(root, "styles"), *kinds)
            yield from every(child(root, "automatic-styles"), *kinds)

    def hidden(self) -> frozenset[str]:
        """Names of the styles whose words, sections or slides are not shown."""
        found: set[str] = set()
        for style in self.style("style"):
            shown = value(style, "text-properties", of="display") or value(style, "section-properties", of="display")
            seen = value(style, "drawing-page-properties", of="visibility")
            if shown == "none" or seen == "hidden" or (not shown and attribute(style, "parent-style-name") in found):
                found.add(attribute(style, "name"))
        return frozenset(found)


def unlocked(source: Source) -> Archive:
    """The zip. Raises `Unreadable("encrypted")` when its content is behind a password."""
    archive = Archive(source.data, source.place().allowance)
    manifest = "META-INF/manifest.xml"
    entries = every(parse(archive.read(manifest)), "file-entry") if manifest in archive.names else ()
    locked = (
        e for e in entries if attribute(e, "full-path") == "content.xml" and child(e, "encryption-data") is not None
    )
    if "encrypted-package" in archive.names or next(locked, None) is not None:
        raise Unreadable("encrypted", "ODF")
    return archive


def spaced(text: str | None) -> str:
    """Text between tags as OpenDocument means it: what stands there to make the file look nice is one space."""
    return SPACES.sub(" ", text or "")


def gap(element: etree._Element) -> str:
    """What a `text:s`, a tab or a break stands for."""
    match local(element):
        case "tab":
            return "\t"
        case "line-break":
            return "\n"
        case _:
            return " " * min(integer(attribute(element, "c"), 1), MOST_SPACES)


def plain(element: etree._Element | None) -> str:
    """All words in an element, its paragraphs on one line."""
    words = []
    for one in element.iter() if element is not None else ():
        tag = local(one)
        words.append(gap(one) if tag in ("s", "tab", "line-break") else spaced(one.text))
        if tag == "p" and one is not element:
            words.append(" ")
        if one is not element:
            words.append(spaced(one.tail))
    return " ".join("".join(words).split())
