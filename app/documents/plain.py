"""Plain text, source code and Markdown: as they were written, whatever they were encoded in."""

import re

from app.data.document import Heading, Kind, Span, Warning
from app.documents.encodings import Decoded
from app.documents.pages import Pages, clean
from app.documents.source import Content, Source

HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
UNDERLINE = re.compile(r" {0,3}(=+|-+)[ \t]*$")
FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# A line of one of these before a line of hyphens is no paragraph, and so no heading.
NO_TITLE = re.compile(r"\s*$| {4}|\t| {0,3}([>|+*-]|\d+[.)]|#{1,6}\s)")


def warnings(decoded: Decoded) -> tuple[Warning, ...]:
    """What a person should know of how the bytes became text."""
    found = []
    if not decoded.sure:
        found.append(Warning("uncertain_encoding", {"encoding": decoded.encoding}))
    if decoded.damaged:
        found.append(Warning("damaged_characters", {"count": str(decoded.damaged), "encoding": decoded.encoding}))
    return tuple(found)


def read(source: Source, decoded: Decoded, kind: Kind) -> Content:
    """The whole text as one section; a Markdown text as one a heading."""
    pages = Pages(source.limits.characters)
    text = clean(decoded.text.removeprefix("\ufeff")).strip("\n")
    if kind == "markdown":
        _by_headings(text, pages, source.name)
    elif text.strip():
        pages.add(source.name, text)
    source.report(1, 1)
    return Content(kind, pages, warnings=warnings(decoded))


def _by_headings(text: str, pages: Pages, name: str) -> None:
    """One span for each heading and what follows it."""
    found = headings(text)
    starts = [Heading(0, 0, name), *found]
    ends = [*(heading.start for heading in found), len(text)]
    for heading, end in zip(starts, ends, strict=True):
        section = text[heading.start : end].strip("\n")
        if section.strip():
            own = (Heading(0, heading.level, heading.title),) if heading.level else ()
            pages.paste(section, (Span(0, len(section), len(pages.spans), heading.title),), own)


def headings(text: str) -> list[Heading]:
    """Of a Markdown text, by CommonMark's rules; code blocks hold none."""
    found: list[Heading] = []
    fence = before = ""
    start = last = 0
    for line in text.split("\n"):
        if opened := FENCE.match(line):
            mark = opened[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line[opened.end() :].strip():
                fence = ""
        elif not fence and len(line) < 1000:
            if (heading := HEADING.match(line)) and heading[2]:
                found.append(Heading(start, len(heading[1]), heading[2].strip()))
            elif start and (underline := UNDERLINE.match(line)) and not NO_TITLE.match(before):
                found.append(Heading(last, 1 if "=" in underline[1] else 2, before.strip()))
        last, before = start, line
        start += len(line) + 1
    return found
