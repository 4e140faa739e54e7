"""What an ODS holds beside its cells: comments, text boxes, charts."""

import re

from lxml import etree

from app.documents.odf import OpenDocument, plain, unlocked
from app.documents.odf_body import Body
from app.documents.remarks import comment
from app.documents.rows import column
from app.documents.sheet_notes import Beside
from app.documents.source import Source
from app.documents.takers import Lines
from app.documents.tracked import Tracking
from app.documents.xml import attribute, check, child, every, integer, local

ERROR = re.compile(rb'value-type="error"')
BESIDE = re.compile(rb"<(?:\w+:)?annotation\b|<draw:|table:shapes")


def of_open_document(source: Source) -> Beside:
    """Raises `Unreadable` when the workbook is locked or damaged."""
    archive = unlocked(source)
    errors = 0
    if "content.xml" in archive.names:
        content = archive.read("content.xml")
        check(content)  # of what is cut off calamine waits for the end for ever
        errors = len(ERROR.findall(content))
        if not BESIDE.search(content):
            return Beside(errors=errors)
    document = OpenDocument(source, "ODS")
    taken = Lines()
    body = Body(document, Tracking("final"), None, taken)
    beside = Beside(errors=errors)
    for table in every(document.body("spreadsheet"), "table"):
        taken.lines = []
        row = 0
        for one in every(table, "table-row"):
            _row(one, row, taken)
            row += _times(one, "number-rows-repeated")
        for shape in (*_children(table, "shapes"), *_in_cells(table)):
            body.take(shape)
            body.end()
        beside.blocks.setdefault(attribute(table, "name"), []).extend(taken.lines)
    beside.found.pictures, beside.found.embedded = body.inline.pictures, body.inline.embedded
    return beside


def _row(row: etree._Element, number: int, taken: Lines) -> None:
    place = 0
    for cell in row:
        annotation = child(cell, "annotation")
        if annotation is not None:
            words = " ".join(plain(one) for one in annotation if local(one) in ("p", "list"))
            where = f"{column(place)}{number + 1}"
            taken.block(comment(words, plain(child(annotation, "creator")), kind=f"Comment on {where}"))
        place += _times(cell, "number-columns-repeated")


def _children(element: etree._Element, name: str) -> list[etree._Element]:
    found = child(element, name)
    return list(found) if found is not None else []


def _in_cells(table: etree._Element) -> list[etree._Element]:
    """Boxes and charts that are anchored to cells."""
    cells = every(table, "table-cell")
    return [
        one for cell in cells for one in cell if local(one) not in ("p", "list", "annotation", "table", "detective")
    ]


def _times(element: etree._Element, name: str) -> int:
    return max(integer(attribute(element, name), 1), 1)
