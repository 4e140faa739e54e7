"""EPUB: the spine's pages in reading order, sections by heading. What lies outside the file is never fetched."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from lxml import etree

from app.data.document import LeftOut, Warning
from app.documents.archive import Archive
from app.documents.blocks import walk
from app.documents.encodings import decode
from app.documents.errors import Unreadable
from app.documents.html import from_xhtml
from app.documents.names import shown
from app.documents.pages import Pages, Sections
from app.documents.source import Content, Source
from app.documents.xml import attribute, every, local, parse

PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
FONTS = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")
"""Scrambled fonts: the one kind of encryption that leaves the words open."""


def read(source: Source) -> Content:
    archive = Archive(source.data, source.place().allowance)
    if _locked(archive):
        raise Unreadable("encrypted", "DRM")
    package_name = _package(archive)
    package = parse(archive.read(package_name))
    names, warnings = _reading_order(package, package_name)
    titles = _titles(archive, package, package_name)
    pages = Pages(source.limits.characters)
    sections = Sections(pages, source.name)
    left_out = []
    for done, name in enumerate(names):
        source.report(done, len(names))
        if reason := _page(archive, name, titles, sections):
            left_out.append(LeftOut(shown(name), reason))
    sections.close()
    source.report(len(names), len(names))
    if left_out:
        warnings.append(Warning("parts_missing", {"count": str(len(left_out))}))
    return Content("epub", pages, tuple(left_out), tuple(warnings))


def _page(archive: Archive, name: str, titles: dict[str, tuple[str, int]], sections: Sections) -> str:
    """Give one page's blocks to the sections; the reason when it has none to give."""
    if urlsplit(name).scheme or name.startswith("//"):
        return "remote"
    if name not in archive.names:
        return "missing"
    try:
        decoded = decode(archive.read(name))
    except Unreadable as reason:
        if reason.code == "too_big":
            raise
        return reason.code
    if decoded is None:
        return "binary"
    if name in titles:
        sections.begin(*titles[name])
    walk(from_xhtml(decoded.text), sections)
    return ""


def _locked(archive: Archive) -> bool:
    """Whether words, and not only fonts, are encrypted."""
    if "META-INF/encryption.xml" not in archive.names:
        return False
    methods = [e for e in parse(archive.read("META-INF/encryption.xml")).iter() if local(e) == "EncryptionMethod"]
    return any(attribute(method, "Algorithm") not in FONTS for method in methods)


def _package(archive: Archive) -> str:
    """The name of the file that lists the book's parts."""
    if "META-INF/container.xml" in archive.names:
        for element in parse(archive.read("META-INF/container.xml")).iter():
            name = attribute(element, "full-path")
            if local(element) == "rootfile" and name in archive.names:
                return name
    for name in sorted(archive.names):
        if name.endswith(".opf"):
            return name
    raise Unreadable("damaged", "EPUB")


def _reading_order(package: etree._Element, package_name: str) -> tuple[list[str], list[Warning]]:
    """The pages in order, each once. Without a spine, in the order in which the book lists its parts."""
    parts: dict[str, tuple[str, str]] = {}
    spine: list[str] = []
    for element in package.iter():
        if local(element) == "item":
            parts[attribute(element, "id")] = (attribute(element, "href"), attribute(element, "media-type"))
        elif local(element) == "itemref":
            spine.append(attribute(element, "idref"))
    warnings = []
    listed = [parts[part][0] for part in spine if part in parts]
    if not listed:
        warnings.append(Warning("no_reading_order"))
        listed = [href for href, media in parts.values() if media in PAGES]
    return list(dict.fromkeys(_resolve(package_name, href) for href in listed)), warnings


def _resolve(base: str, href: str) -> str:
    """A reference's place in the archive; an address outside it stays what it is."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return href
    return posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(parts.path)))


def _titles(archive: Archive, package: etree._Element, package_name: str) -> dict[str, tuple[str, int]]:
    """By page: its title in the table of contents and that title's level, for pages that carry no heading."""
    titles: dict[str, tuple[str, int]] = {}
    for element in package.iter():
        if local(element) != "item":
            continue
        is_older = attribute(element, "media-type") == "application/x-dtbncx+xml"
        if not is_older and "nav" not in attribute(element, "properties").split():
            continue
        name = _resolve(package_name, attribute(element, "href"))
        if name not in archive.names:
            continue
        try:
            contents = parse(archive.read(name))
        except Unreadable as reason:
            if reason.code == "too_big":
                raise
            continue
        for target, title, level in _points(contents) if is_older else _links(contents):
            if title:
                titles.setdefault(_resolve(name, target), (title, level))
    return titles


def _points(contents: etree._Element) -> Iterator[tuple[str, str, int]]:
    """Target, title and level of each entry of an older table of contents."""
    for point in every(contents, "navPoint"):
        level = 1 + sum(local(outer) == "navPoint" for outer in point.iterancestors())
        title = next((" ".join((e.text or "").split()) for e in every(point, "text")), "")
        yield next((attribute(e, "src") for e in every(point, "content")), ""), title, level


def _links(contents: etree._Element) -> Iterator[tuple[str, str, int]]:
    """The same of a newer one, which is a page of nested lists; lists of pages and landmarks are no contents."""
    for nav in every(contents, "nav"):
        if attribute(nav, "type") in ("", "toc"):
            for link in every(nav, "a"):
                level = sum(local(outer) == "ol" for outer in link.iterancestors())
                yield attribute(link, "href"), " ".join("".join(link.itertext()).split()), max(level, 1)
