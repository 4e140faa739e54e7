"""Factual spans of an answer outside of quotations: amounts, numbers, dates, clauses, identifiers, names."""

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from app.services.quotes import values
from app.services.quotes.answers import Paragraph
from app.services.quotes.spans import BESIDE, without

Kind = Literal["date", "clause", "amount", "number", "code", "name"]

LABEL = r"(?:\d+|[ivxlcdm]+)"
PAGE = re.compile(
    rf"(?<!{BESIDE})(?:[Pp]ages?|pp?\.|pg\.|S\.|Seiten?)\s*(?P<label>{LABEL})(?:\s*[-–,]\s*{LABEL})*\b"
    rf"|第\s*(?P<chinese>{LABEL})\s*页"
)
"""Where the answer says that something stands: what a page is called is looked for in no text."""

CLAUSE = re.compile(
    r"(?:\b(?:[Cc]lauses?|[Ss]ections?|[Aa]rticles?|[Ss]chedules?|[Pp]aragraphs?|[Aa]nnex(?:es)?|[Aa]ppendix|[Cc]hapters?"
    r"|[Rr]ules?|[Rr]egulations?|[Rr]ecitals?|Art\.|Sec\.|[Cc]l\.|[Pp]art)|§§?|¶)\s*"
    r"(?P<number>[A-Z]?\d+(?:\.\d+)*(?:\([a-z0-9]{1,4}\))*|[IVXLC]+\b|[A-Z]\b)"
    r"|第\s*[\d.一二三四五六七八九十百零〇]+\s*[条章节款项编]"
)
UNIT = "|".join(sorted(map(re.escape, values.UNITS), key=len, reverse=True))
RANGE = rf"{values.NUMBER}(?:\s?[-–]\s?{values.NUMBER})?"
MEASURED = re.compile(
    rf"(?<![A-Za-z0-9.,])[-−–+]?{RANGE}(?:\s?(?:{values.SCALE}))?[\s-]?(?:{UNIT})(?!{BESIDE})"
    rf"|\b(?:{values.SPOKEN})(?:[\s-](?:{values.SPOKEN}))?[\s-](?:{UNIT})(?!{BESIDE})"
    r"|[一二三四五六七八九十百千万零〇两]+(?:个月|天|日|小时|万元|元|年)|百分之[一二三四五六七八九十百零〇\d.]+",
    re.IGNORECASE,
)
AMOUNT = re.compile(
    rf"(?<![A-Za-z0-9.,])[-−–+]?(?:{values.BEFORE}{values.NUMBER}(?:\s?{values.SCALE})?"
    rf"|{RANGE}(?:\s?{values.SCALE})?\s?(?:{values.AFTER}|{values.PERCENT}|{values.SCALE}))"
)
NUMBER = re.compile(
    rf"(?<![A-Za-z0-9.,/:#-])(?:(?<![^\s(\[（])[-−–+])?(?P<number>\d{{1,2}}(?::\d\d){{1,2}}|{RANGE})"
    r"(?![A-Za-z0-9/]|[.,:-]\d)"
)
CODE = re.compile(
    r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?<![A-Za-z0-9_.])[A-Za-z]\w*_\w+"
    rf"|(?<![A-Za-z0-9_.])(?=[A-Za-z0-9./_-]*\d)(?=[A-Za-z0-9./_-]*[A-Za-z])[A-Za-z0-9]+(?:[-_/.][A-Za-z0-9]+)*(?!{BESIDE})"
    rf"|(?<![A-Za-z0-9_.])(?:[a-z]+[A-Z][A-Za-z0-9]*|[A-Z][a-z]+[A-Z][A-Za-z0-9]+)(?!{BESIDE})"
)
ORDINAL = re.compile(r"\d+(?:st|nd|rd|th|s)|[A-Za-z]?\d[A-Za-z]?", re.IGNORECASE)
LONGEST_CODE = 80

WORD = re.compile(r"(?:[^\W\d_]\.){2,}|[^\W\d_][\w'’]*(?:\.(?=\s[^\W\d_a-z]))?")
WITHIN = frozenset({"of", "de", "van", "von", "der", "den", "la", "le", "du", "di", "da", "del"})
"""Small words inside a name."""
SMALL_WORDS = """
    the a an this that these those it its he she they we you i his her their our your my in on at by for from to of if
    when while where as and or but not no yes so then thus hence however therefore moreover furthermore also both each
    every all any some one two three there here what which who whom whose how why according under after before during
    since until with without within per only such other another otherwise finally first second third next yet nor is are
    was were be been has have had do does did can could may might must shall should will would let see
"""
NO_NAMES = frozenset(SMALL_WORDS.split())
"""Words that are no part of a name where they begin a sentence."""
STARTS = re.compile(r"(?:^|[.!?:;]\s|[\n\"“(•\0])\s*$")


class Fact(NamedTuple):
    """Characters `start` to `end` of the paragraph. `shorter`: where the fact begins if its first word only begins a
    sentence."""

    start: int
    end: int
    text: str
    kind: Kind
    shorter: int | None = None


def facts(paragraph: Paragraph, quoted: list[tuple[int, int]]) -> list[Fact]:
    """In order; none overlaps another, nor what is quoted."""
    text = without(paragraph.text, quoted)
    found: list[Fact] = []
    for fact in (*_in_code(paragraph, text), *_by_patterns(without(text, paragraph.code))):
        found.append(fact)
        text = without(text, [(fact.start, fact.end)])
    pages = [match.span() for match in PAGE.finditer(text)]
    if not paragraph.heading:
        found += _names(without(text, [*pages, *paragraph.code]))
    return sorted(found)


def _in_code(paragraph: Paragraph, text: str) -> Iterator[Fact]:
    """What stands in inline code is what it says, letter for letter."""
    for start, end in paragraph.code:
        words = text[start:end].strip()
        if "\0" not in words and sum(map(str.isalnum, words)) >= 2 and len(words) <= LONGEST_CODE:
            first = text.index(words, start)
            yield Fact(first, first + len(words), words, "code")


def _by_patterns(text: str) -> Iterator[Fact]:
    text = without(text, [match.span() for match in PAGE.finditer(text)])
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            words = match.group()
            start, end = match.start(), match.end() - len(words) + len(words.rstrip(" .-"))
            words = text[start:end]
            if not words or (kind == "number" and not _is_told(match["number"])):
                continue
            if kind == "code" and (len(words) < 4 or ORDINAL.fullmatch(words)):
                continue
            yield Fact(start, end, words, kind)
            text = without(text, [(start, end)])


_PATTERNS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("date", values.DATE),
    ("clause", CLAUSE),
    ("amount", AMOUNT),
    ("amount", MEASURED),
    ("code", CODE),
    ("number", NUMBER),
)


def _is_told(number: str) -> bool:
    """One digit by itself counts things in the answer as often as it says something of a text."""
    return sum(map(str.isdigit, number)) > 1


def _names(text: str) -> Iterator[Fact]:
    """Two words and more in a row that begin with a capital letter."""
    row: list[re.Match[str]] = []
    last: re.Match[str] | None = None
    for word in [*WORD.finditer(text), None]:
        touches = word is not None and last is not None and text[last.end() : word.start()] in (" ", "\n", " & ")
        if row and not touches:
            yield from _name(text, row)
            row = []
        last = word
        if word is None:
            continue
        if _capital(word.group()) or (row and word.group() in WITHIN):
            row.append(word)
        elif row:
            yield from _name(text, row)
            row = []


def _capital(word: str) -> bool:
    return word[0].isupper()


def _name(text: str, row: list[re.Match[str]]) -> Iterator[Fact]:
    while row and not _capital(row[-1].group()):
        row = row[:-1]
    begins = bool(STARTS.search(text[: row[0].start()]))
    while row and (row[0].group().lower() in NO_NAMES or not _capital(row[0].group())):
        row, begins = row[1:], False
    if sum(_capital(word.group()) for word in row) < 2 or _is_title(text, row):
        return
    start, words = row[0].start(), text[row[0].start() : row[-1].end()]
    words = re.sub(r"['’]s?$|\.$", "", words)
    second = next(word.start() for word in row[1:] if _capital(word.group()))
    yield Fact(start, start + len(words), words, "name", second if begins else None)


def _is_title(text: str, row: list[re.Match[str]]) -> bool:
    """A line of its own, or the words before a colon that begin one: the answer's own headings."""
    before, after = text[: row[0].start()].rpartition("\n")[2], text[row[-1].end() :]
    return not before.strip() and (not after.strip() or after.lstrip().startswith((":", "：")))
