"""Plain text, source code and Markdown: as they were written, whatever they were encoded in."""

import re

from app.data.document import Heading, Kind, Warning
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
    lines = text.split("\n")
    starts = [(0, name, 0), *_headings(lines)]
    for (start, label, level), (end, *_) in zip(starts, [*starts[1:], (len(lines), "", 0)], strict=True):
        section = "\n".join(lines[start:end]).strip("\n")
        if section.strip():
            pages.add(label, section)
            if level:
                pages.headings.append(Heading(pages.spans[-1].start, level, label))


def _headings(lines: list[str]) -> list[tuple[int, str, int]]:
    """The headings' line numbers, words and levels, by CommonMark's rules; code blocks hold none."""
    found = []
    fence = ""
    for number, line in enumerate(lines):
        if opened := FENCE.match(line):
            mark = opened[1]
            if not fence:
                fence = mark
            elif mark.startswith(fence) and not line[opened.end() :].strip():
                fence = ""
        elif not fence and len(line) < 1000:
            if (heading := HEADING.match(line)) and heading[2]:
                found.append((number, heading[2].strip(), len(heading[1])))
            elif number and (under := UNDERLINE.match(line)) and not NO_TITLE.match(lines[number - 1]):
                found.append((number - 1, lines[number - 1].strip(), 1 if under[1].startswith("=") else 2))
    return found
