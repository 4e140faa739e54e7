"""What readers wrote on a PDF's page: comments, and text that was typed over it."""

import ctypes

import pypdfium2
from msgspec import Struct
from pypdfium2 import raw as pdfium

from app.documents.names import shown
from app.documents.pages import clean
from app.documents.pdf_page import wide

MARKS = (
    pdfium.FPDF_ANNOT_HIGHLIGHT,
    pdfium.FPDF_ANNOT_UNDERLINE,
    pdfium.FPDF_ANNOT_SQUIGGLY,
    pdfium.FPDF_ANNOT_STRIKEOUT,
)
"""Comments on the words that they mark."""
OTHERS = (
    # A popup only shows what another one says; what the others say is shown by the page itself.
    pdfium.FPDF_ANNOT_POPUP,
    pdfium.FPDF_ANNOT_LINK,
    pdfium.FPDF_ANNOT_WIDGET,
    pdfium.FPDF_ANNOT_XFAWIDGET,
)

Box = tuple[float, float, float, float]
"""Left, bottom, right, top, in points of the page."""


class Remark(Struct, frozen=True):
    author: str
    text: str
    struck: bool
    """It strikes words out."""
    typed: bool
    """It is shown on the page as it stands."""
    boxes: tuple[Box, ...]
    """The words that it marks."""


class Remarks:
    """Those of one page. `look` sees the page before its comments become parts of it."""

    def __init__(self) -> None:
        self.found: list[Remark] = []
        self.attached: list[str] = []
        """Names of files that are attached to the page."""

    def look(self, page: pypdfium2.PdfPage) -> None:
        for place in range(pdfium.FPDFPage_GetAnnotCount(page)):
            annotation = pdfium.FPDFPage_GetAnnot(page, place)
            if not annotation:
                continue
            try:
                self._one(annotation, pdfium.FPDFAnnot_GetSubtype(annotation))
            finally:
                pdfium.FPDFPage_CloseAnnot(annotation)

    def lines(self, textpage: pypdfium2.PdfTextPage, text: str) -> str:
        """A line for each, to follow the page's text; not for what stands in that already."""
        page = _folded(text) if self.found else ""
        said = (one for one in self.found if not (one.typed and _folded(one.text) in page))
        return "\n".join(_line(remark, textpage) for remark in said)

    def _one(self, annotation: object, kind: int) -> None:
        if kind in OTHERS:
            return
        text = clean(_value(annotation, b"Contents\0")).strip()
        if kind == pdfium.FPDF_ANNOT_FILEATTACHMENT:
            self.attached.append(_name(pdfium.FPDFAnnot_GetFileAttachment(annotation)))
        struck = kind == pdfium.FPDF_ANNOT_STRIKEOUT
        if text or struck:
            author = clean(_value(annotation, b"T\0"))
            typed = kind == pdfium.FPDF_ANNOT_FREETEXT
            boxes = _boxes(annotation) if kind in MARKS else ()
            self.found.append(Remark(author, text, struck, typed, boxes))


def _line(remark: Remark, textpage: pypdfium2.PdfTextPage) -> str:
    marked = _folded(" ".join(textpage.get_text_bounded(*box) for box in remark.boxes))
    by = f" by {_folded(remark.author)}" if remark.author.strip() else ""
    on = f" on “{marked}”" if marked else ""
    struck = "struck out" if remark.struck else ""
    return f"[Comment{by}{on}: {'; '.join(filter(None, (struck, _folded(remark.text))))}]"


def _folded(text: str) -> str:
    return " ".join(text.split())


def _value(annotation: object, key: bytes) -> str:
    return wide(lambda buffer, length: int(pdfium.FPDFAnnot_GetStringValue(annotation, key, _cast(buffer), length)))


def attached_files(document: pypdfium2.PdfDocument) -> list[str]:
    """The names of the files that the document itself carries."""
    count = pdfium.FPDFDoc_GetAttachmentCount(document)
    return [_name(pdfium.FPDFDoc_GetAttachment(document, place)) for place in range(count)]


def _name(attachment: object) -> str:
    if not attachment:
        return "?"
    return shown(wide(lambda buffer, length: int(pdfium.FPDFAttachment_GetName(attachment, _cast(buffer), length))))


def _cast(buffer: object) -> object:
    return None if buffer is None else ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort))


def _boxes(annotation: object) -> tuple[Box, ...]:
    boxes = []
    for place in range(pdfium.FPDFAnnot_CountAttachmentPoints(annotation)):
        quad = pdfium.FS_QUADPOINTSF()
        if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, place, quad):
            across, up = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            boxes.append((min(across), min(up), max(across), max(up)))
    return tuple(boxes)
