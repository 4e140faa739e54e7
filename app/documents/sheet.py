"""Workbooks (XLSX, XLSB, XLS, ODS): each sheet's rows as lines, with what was written beside the cells after them."""

import importlib
import io
from collections.abc import Callable
from functools import partial
from typing import Protocol, cast

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from app.data.document import LeftOut, Warning
from app.documents import xls
from app.documents.archive import Archive
from app.documents.errors import Unreadable
from app.documents.names import shown
from app.documents.ods_notes import of_open_document
from app.documents.ole2 import OLE2
from app.documents.pages import Pages, clean
from app.documents.remarks import folded
from app.documents.rows import BESIDE, lines
from app.documents.sheet_notes import MOST_CELLS, Beside, of_package
from app.documents.source import Content, Source

REPORT_EVERY = 10_000
"""Rows, after which it is said again that the sheet is being read."""


class SheetLeftOut(Exception):
    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Lock(Protocol):
    def workbook(self, data: bytes, password: str) -> bytes: ...


def read(source: Source) -> Content:
    workbook, notes = _open(source)
    pages = Pages(source.limits.characters)
    left_out: list[LeftOut] = []
    hidden: list[str] = []
    sheets = workbook.sheets_metadata
    if not sheets:
        raise Unreadable("damaged", "XLSX")
    for index, sheet in enumerate(sheets):
        source.report(index, len(sheets))
        label = shown(folded(clean(sheet.name))) or str(index + 1)
        if sheet.name in notes.astray:
            left_out.append(LeftOut(label, "damaged"))
            continue
        try:
            rows = _rows(workbook, sheet.name, notes, partial(source.report, index, len(sheets)), pages)
        except SheetLeftOut as left:
            left_out.append(LeftOut(label, left.reason))
            continue
        blocks = [block for block in notes.blocks.get(sheet.name, ()) if block.strip()]
        text = clean("\n\n".join([*rows, *([BESIDE] if blocks else []), *blocks]))
        if not text.strip():
            continue
        if sheet.visible != SheetVisibleEnum.Visible:
            hidden.append(label)
        pages.add(label, text, index=index)
    source.report(len(sheets), len(sheets))
    if left_out and not pages.spans:
        raise Unreadable("too_big" if left_out[0].reason == "too_big" else "damaged", "XLSX")
    return Content("sheet", pages, tuple(left_out), _warnings(notes, left_out, hidden))


def _open(source: Source) -> tuple[CalamineWorkbook, Beside]:
    data = source.data
    if data.startswith(OLE2):
        if xls.is_locked(data):
            locked = cast(Lock, importlib.import_module("app.documents.locked"))  # loads more than any sheet needs
            data = locked.workbook(data, source.options.passwords.get("", ""))
        data, notes = xls.safe(data)
        return _workbook(data), notes
    is_open = "content.xml" in Archive(data, source.limits.inflated).names
    notes = of_open_document(source) if is_open else of_package(source)
    return _workbook(data), notes


def _workbook(data: bytes) -> CalamineWorkbook:
    try:
        return CalamineWorkbook.from_filelike(io.BytesIO(data))
    except CalamineError as error:
        raise Unreadable("damaged", "XLSX") from error
    except BaseException as error:
        if _is_panic(error):
            raise Unreadable("damaged", "XLSX") from error
        raise


def _rows(workbook: CalamineWorkbook, name: str, notes: Beside, report: Callable[[], None], pages: Pages) -> list[str]:
    """The lines of a sheet."""
    if notes.cells.get(name, 0) > MOST_CELLS:
        raise SheetLeftOut("too_big")
    read: list[str] = []
    characters = pages.length
    try:
        sheet: CalamineSheet = workbook.get_sheet_by_name(name)
        if sheet.total_height * sheet.total_width > MOST_CELLS:
            raise SheetLeftOut("too_big")
        for line in lines(sheet.iter_rows(), sheet.start[1] if sheet.start else 0):
            read.append(line)
            characters += len(line)
            if len(read) % REPORT_EVERY == 0:
                report()
                if characters > pages.limit:
                    raise Unreadable("too_big")
    except (CalamineError, OverflowError, ValueError) as error:
        raise SheetLeftOut("damaged") from error
    except BaseException as error:
        if _is_panic(error):
            raise SheetLeftOut("damaged") from error
        raise
    return ["\n".join(read)] if read else []


def _is_panic(error: BaseException) -> bool:
    """A panic of the library is no exception to Python, and would end the process."""
    return type(error).__name__ == "PanicException"


def _warnings(notes: Beside, left_out: list[LeftOut], hidden: list[str]) -> tuple[Warning, ...]:
    found = []
    if left_out:
        found.append(Warning("sheets_left_out", {"sheets": ", ".join(one.what for one in left_out)}))
    if hidden:
        found.append(Warning("hidden_sheets", {"sheets": ", ".join(hidden)}))
    counted = (
        ("formulas_without_values", notes.without_values),
        ("error_cells", notes.errors),
        ("beside_cells", notes.unread),
        ("pictures", notes.found.pictures),
        ("embedded", notes.found.embedded),
    )
    return (*found, *(Warning(code, {"count": str(count)}) for code, count in counted if count))
