"""Rows of cells as lines that can be read and counted: line n of a sheet is its row n."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from itertools import groupby

FEW_ROWS = 5
FEW_CELLS = 5
"""Empty ones in a row that are written as they are; more are named, so that a far cell costs no page of nothing."""

MANY_EMPTY = " | " * (FEW_CELLS + 1)
EMPTY_ROWS = re.compile(r"\[rows ([0-9]+)–([0-9]+): empty\]")

BESIDE = "[Beside the cells]"
"""The line after the last row, before comments, text boxes and charts."""

Value = str | int | float | bool | date | time | timedelta


def written(value: Value) -> str:
    """One cell on one line: whole numbers without a point, dates and times as ISO writes them."""
    match value:
        case str():
            return " ".join(value.split())
        case float():
            # 15 digits are what a spreadsheet keeps: 0.1 + 0.2 is 0.3 there
            return str(int(value)) if value.is_integer() and abs(value) < 1e15 else format(value, ".15g")
        case bool():
            return "TRUE" if value else "FALSE"
        case datetime():
            return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
        case time():
            return value.isoformat("seconds")
        case timedelta():
            seconds = round(abs(value).total_seconds())
            sign = "-" if value < timedelta() else ""
            return f"{sign}{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
        case date():
            return value.isoformat()
        case _:
            return str(value)


def lines(rows: Iterable[Sequence[Value]], first_column: int = 0) -> Iterator[str]:
    """A line for each row up to the last that holds anything. `first_column`: that of each row's first cell, from 0."""
    empty = 0
    for number, row in enumerate(rows, start=1):
        line = _line(row, first_column)
        if not line:
            empty += 1
            continue
        if empty > FEW_ROWS:
            yield f"[rows {number - empty}–{number - 1}: empty]"
        else:
            yield from [""] * empty
        empty = 0
        yield line


def row_at(text: str, start: int, at: int) -> int | None:
    """The row, from 1, of character `at` of a sheet whose text begins at character `start`; None beside the cells."""
    row = 0
    for line in text[start : text.find("\n", at) if text.find("\n", at) >= 0 else None].split("\n"):
        if line == BESIDE:
            return None
        gap = EMPTY_ROWS.fullmatch(line)
        # A cell may say the same, but not of the very row in which it stands.
        row = int(gap[2]) if gap and int(gap[1]) == row + 1 else row + 1
    return row


def column(place: int) -> str:
    """The letters of a column, from 0."""
    letters = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _line(row: Sequence[Value], first_column: int) -> str:
    end = len(row)
    while end and row[end - 1] == "":
        end -= 1
    cells = [written(value) for value in row[:end]]
    while cells and not cells[-1]:  # spaces alone
        cells.pop()
    if not cells:
        return ""
    line = " | ".join([*[""] * first_column, *cells])
    return _with_gaps(cells, first_column) if MANY_EMPTY in line else line


def _with_gaps(row: Sequence[str], first_column: int) -> str:
    """Where many cells are empty, it is said in which column the next one stands."""
    found: list[str] = []
    place = 0
    for empty, group in groupby([*[""] * first_column, *row], key=lambda cell: not cell):
        cells = list(group)
        place += len(cells)
        found += [f"[column {column(place)}]"] if empty and len(cells) > FEW_CELLS else cells
    return " | ".join(found)
