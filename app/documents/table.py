"""Tables of separated values: each record a line, whatever stands between its fields."""

import csv
from collections import Counter
from collections.abc import Iterator

from app.data.document import Warning
from app.documents.encodings import Decoded
from app.documents.pages import Pages, clean
from app.documents.plain import warnings
from app.documents.rows import lines
from app.documents.source import Content, Source

SEPARATORS = "\t;|,"
"""Where several would do, the first: a comma also stands in prices, and in prose."""

SAMPLE = 1 << 16
RECORDS = 200
LONGEST_FIELD = 1 << 17  # characters
LONGEST_RECORD = 1000  # lines
"""A record of more is a quotation mark that nobody closed: then marks are what they are, signs."""

ALIKE = 0.75
"""Share of records with the same number of fields, without which commas are only commas."""
NONE = "\x1f"
"""Stands in no text that was cleaned, and so divides nothing."""


def read(source: Source, decoded: Decoded) -> Content:
    text = clean(decoded.text.removeprefix("\ufeff")).rstrip("\n")
    separator, text = _declared(text)
    separator = separator or _separator(text)
    pages = Pages(source.limits.characters)
    quoted = True
    try:
        table = "\n".join(lines(_records(text, separator, quoted)))
    except csv.Error:
        quoted = False
        table = "\n".join(lines(_records(text, separator, quoted)))
    if table.strip():
        pages.add(source.name, table)
    source.report(1, 1)
    found = warnings(decoded) if quoted else (*warnings(decoded), Warning("quotes_not_closed"))
    return Content("sheet", pages, warnings=found)


def _records(text: str, separator: str, quoted: bool) -> Iterator[list[str]]:
    """Raises `csv.Error` where a quotation mark opens and is not closed soon."""
    csv.field_size_limit(LONGEST_FIELD if quoted else len(text) + 1)
    physical = text.splitlines(keepends=True)
    records = csv.reader(
        physical, delimiter=separator, quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE, skipinitialspace=True
    )
    read = 0
    for record in records:
        within, read = physical[read : records.line_num], records.line_num
        if len(within) > LONGEST_RECORD or (len(within) > 1 and "".join(within).count('"') % 2):
            raise csv.Error
        yield record


def _declared(text: str) -> tuple[str, str]:
    """The separator that Excel's first line names, and the text without that line."""
    first, _, rest = text.partition("\n")
    return (first[4], rest) if len(first) == 5 and first.lower().startswith("sep=") else ("", text)


def _separator(text: str) -> str:
    """The sign that divides most records into the same number of fields."""
    sample = text[:SAMPLE]
    if len(text) > SAMPLE:
        sample = sample[: sample.rfind("\n") + 1] or sample
    csv.field_size_limit(SAMPLE)
    best = (ALIKE, NONE)
    for separator in SEPARATORS:
        records = [record for record in csv.reader(sample.splitlines()[:RECORDS], delimiter=separator) if record]
        fields, times = Counter(map(len, records)).most_common(1)[0] if records else (1, 0)
        share = times / len(records) if fields > 1 else 0.0
        if share > best[0]:
            best = (share, separator)
    return best[1]
