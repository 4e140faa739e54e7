"""An answer's paragraphs as they are read, without the marks of Markdown, and the way back to its own characters."""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple

FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
QUOTED = re.compile(r"(?:\s{0,3}>[ ]?)+")
HEADING = re.compile(r"\s{0,3}#{1,6}\s+")
ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)])\s+")
RULE = re.compile(r"\s{0,3}(?:(?:[-*_=]\s*){3,}|[|:\s-]*-[|:\s-]*)$")
MARKUP = re.compile(
    r"""
      (?P<escape>\\[!-/:-@\[-`{-~])
    | (?P<code>(?P<ticks>`+)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))
    | (?P<link>!?\[(?P<words>[^\[\]\n]*)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"\n]*")?\))
    | (?P<times>(?<=\d)[*](?=\d))
    | (?P<drop><https?://[^>\s]+>|https?://[^\s<>)\]]+|\[\^\w+\]
        |(?<!\s)[*]{1,3}|[*]{1,3}(?!\s)|(?<![^\W_])_{1,3}(?=[^\s_])|(?<=[^\s_])_{1,3}(?![^\W_])|~~)
    | (?P<entity>&(?:\#\d{1,7}|\#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});)
    """,
    re.VERBOSE,
)
THOUGHT = "</think>"


class Paragraph(NamedTuple):
    """`starts` and `ends`: of each character of `text`, where it lies in the answer. `code`: the ranges of `text` that
    are program text."""

    text: str
    starts: list[int]
    ends: list[int]
    code: list[tuple[int, int]]
    quoted: bool
    heading: bool

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Where the characters `first` to `last` lie in the answer."""
        return self.starts[first], self.ends[last - 1]


class _Line(NamedTuple):
    start: int
    end: int
    quoted: bool
    heading: bool
    alone: bool
    """It begins a paragraph: a heading, an item of a list, a row of a table."""


def paragraphs(answer: str) -> list[Paragraph]:
    """Without program text that stands by itself, and without what the model thought before it answered."""
    made: list[Paragraph] = []
    together: list[_Line] = []
    for line in [*_lines(answer), None]:
        # a line without the mark of a block quote goes on with the one before it
        goes_on = line is not None and together and not line.alone and line.quoted <= together[0].quoted
        if together and not goes_on:
            made.append(_paragraph(answer, together))
            together = []
        if line is not None:
            together.append(line)
            if line.heading:
                made.append(_paragraph(answer, together))
                together = []
    return [each for each in made if each.text.strip()]


def _lines(answer: str) -> Iterator[_Line | None]:
    """Lines without the marks before them; None where a paragraph ends."""
    place = answer.rfind(THOUGHT) + len(THOUGHT) if THOUGHT in answer else 0
    fence = ""
    while place < len(answer):
        end = answer.find("\n", place)
        end = len(answer) if end < 0 else end
        line, start, place = answer[place:end], place, end + 1
        quoted = QUOTED.match(line)
        inner = line[quoted.end() :] if quoted else line
        opened = FENCE.match(inner)
        if opened and (not fence or inner.strip().startswith(fence)):
            fence = "" if fence else opened[1]
            yield None
        elif fence or not inner.strip() or RULE.match(inner):
            yield None
        else:
            start += len(line) - len(inner)
            mark = HEADING.match(inner) or ITEM.match(inner)
            heading = HEADING.match(inner) is not None
            yield _Line(start + (mark.end() if mark else 0), end, bool(quoted), heading, bool(mark) or "|" in inner)


def _paragraph(answer: str, lines: list[_Line]) -> Paragraph:
    text: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    code: list[tuple[int, int]] = []

    def take(start: int, end: int) -> None:
        text.append(answer[start:end])
        starts.extend(range(start, end))
        ends.extend(range(start + 1, end + 1))

    for number, line in enumerate(lines):
        if number:
            text.append("\n")
            starts.append(lines[number - 1].end)
            ends.append(line.start)
        place = line.start
        for mark in MARKUP.finditer(answer, line.start, line.end):
            take(place, mark.start())
            place = mark.end()
            if mark["code"]:
                first = len(starts)
                take(*mark.span("inside"))
                code.append((first, len(starts)))
            elif mark["link"] or mark["times"]:
                take(*mark.span("words" if mark["link"] else "times"))
            elif mark["escape"] or mark["entity"]:
                letters = mark["escape"][1:] if mark["escape"] else html.unescape(mark["entity"])
                text.append(letters)
                starts.extend([mark.start()] * len(letters))
                ends.extend([mark.end()] * len(letters))
        take(place, line.end)
    return Paragraph("".join(text), starts, ends, code, lines[0].quoted, lines[0].heading)
