"""Workbooks (XLSX, XLSB, XLS, ODS): each sheet's rows as lines, with what was written beside the cells after them."""

import importlib
import io
from typing import Protocol, cast

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from app.data.document import LeftOut, Warning
from app.documents import xls
from app.documents.archive import Archive
from app.documents.errors import Unreadable
from app.documents.ods_notes import of_open_document
from app.documents.ole2 import OLE2
from app.documents.pages import Pages, clean
from app.documents.remarks import folded
from app.documents.rows import BESIDE, lines, written
from app.documents.sheet_notes import MOST_CELLS, Beside, of_package
from app.documents.source import Content, Source


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
        label = folded(clean(sheet.name)) or str(index + 1)
        if notes.cells.get(sheet.name, 0) > MOST_CELLS:
            left_out.append(LeftOut(label, "too_big"))
            continue
        rows = None if sheet.name in notes.astray else _rows(workbook, sheet.name)
        if rows is None:
            left_out.append(LeftOut(label, "damaged"))
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
        raise _refusal(error) from error


def _rows(workbook: CalamineWorkbook, name: str) -> list[str] | None:
    """The lines of a sheet; None when it is damaged."""
    try:
        sheet: CalamineSheet = workbook.get_sheet_by_name(name)
        first = sheet.start[1] if sheet.start else 0
        text = "\n".join(lines(([written(cell) for cell in row] for row in sheet.iter_rows()), first))
    except (CalamineError, OverflowError, ValueError):
        return None
    except BaseException as error:
        raise _refusal(error) from error
    return [text] if text else []


def _refusal(error: BaseException) -> BaseException:
    """A panic of the library is no exception to Python, and would end the process; anything else goes on."""
    return Unreadable("damaged", "XLSX") if type(error).__name__ == "PanicException" else error


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
