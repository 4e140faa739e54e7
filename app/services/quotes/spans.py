"""What an answer quotes: text in quotation marks of any kind, and block quotes."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from app.services.quotes.answers import Paragraph

BESIDE = "[A-Za-z0-9]"
MARKS = re.compile(
    rf"""
      “(?P<a>[^“”]+)”
    | „(?P<b>[^„“”]+)[“”]
    | «\s?(?P<c>[^«»]+?)\s?»
    | »(?P<d>[^«»]+)«
    | 「(?P<e>[^「」]+)」
    | 『(?P<f>[^『』]+)』
    | ‹\s?(?P<g>[^‹›]+?)\s?›
    | 〝(?P<h>[^〝〞〟]+)[〞〟]
    | (?<!{BESIDE})"(?=\S)(?P<i>[^"]+?)(?<=\S)"(?!{BESIDE})
    | ＂(?P<j>[^＂]+)＂
    | ‚(?P<k>[^‚‘’]+)[‘’](?!{BESIDE})
    | ‘(?P<l>(?:[^‘’]|’(?={BESIDE}))+)’(?!{BESIDE})
    | (?<!{BESIDE})'(?=[^\s\d])(?P<m>(?:[^']|'(?={BESIDE}))+?)(?<=\S)'(?!{BESIDE})
    """,
    re.VERBOSE,
)
SOURCE_LINE = re.compile(r"\n\s*(?:—|–|-{1,3})\s*[^\n]{1,120}$|^\s*(?:—|–|--)\s*[^\n]{1,120}$")
"""Who is quoted, under a block quote."""
IN_BRACKETS = re.compile(r"\s*[(（\[【][^()（）\[\]【】\n]{1,80}[)）\]】]\s*[.。]?\s*$")
AROUND = 120
"""Characters beside a quotation that may say where it stands."""
SENTENCE = re.compile(
    r"(?<!\bp)(?<!\bpp)(?<!\bpg)(?<!\bS)(?<!\bcl)(?<!\bCl)(?<!\bNo)(?<!\bArt)(?<!\bart)(?<!\bSec)(?<!\bsec)[.!?](?=\s)"
    r"|[。！？\n]"
)
"""Where a sentence ends; "p. 12" is not two."""


class Quotation(NamedTuple):
    """Characters `start` to `end` of the paragraph, with the marks; `text` without them. `before` and `after`: what
    the answer says beside it, which may name a page."""

    start: int
    end: int
    text: str
    before: str
    after: str


def quotations(paragraph: Paragraph) -> list[Quotation]:
    """In order; none lies in another."""
    text = without(paragraph.text, paragraph.code)
    if paragraph.quoted:
        block = _block(text)
        return [] if block is None else [block]
    return list(_marked(text))


def without(text: str, ranges: list[tuple[int, int]]) -> str:
    """The text with signs that stand for nothing in place of these ranges."""
    for start, end in ranges:
        text = text[:start] + "\0" * (end - start) + text[end:]
    return text


def _marked(text: str) -> Iterator[Quotation]:
    found = [(match, match.group(match.lastgroup or 0)) for match in MARKS.finditer(text)]
    kept = [(match, words) for match, words in found if "\0" not in words and _is_quotation(match, words)]
    for place, (match, words) in enumerate(kept):
        least = kept[place - 1][0].end() if place else 0
        most = kept[place + 1][0].start() if place + 1 < len(kept) else len(text)
        before = text[max(least, match.start() - AROUND) : match.start()]
        after = text[match.end() : min(most, match.end() + AROUND)]
        yield Quotation(match.start(), match.end(), words, SENTENCE.split(before)[-1], SENTENCE.split(after)[0])


def _is_quotation(match: re.Match[str], words: str) -> bool:
    """A pair of straight single marks may be two apostrophes."""
    return match.lastgroup != "m" or len(words.split()) > 1


def _block(text: str) -> Quotation | None:
    """A paragraph of a block quote, without the line that names its source."""
    end = len(text.rstrip())
    if source := SOURCE_LINE.search(text, 0, end):
        end = source.start()
    if named := IN_BRACKETS.search(text, 0, end):
        end = named.start()
    start = len(text) - len(text.lstrip())
    words = text[start:end]
    if not words.strip() or "\0" in words:
        return None
    whole = MARKS.fullmatch(words)
    return Quotation(start, end, whole.group(whole.lastgroup or 0) if whole else words, "", text[end:])
