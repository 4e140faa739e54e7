"""PDF: each page's words, with the number printed on it. pdfium reads; it must be called from one thread alone."""

import pypdfium2
from pypdfium2 import PdfiumError
from pypdfium2 import raw as pdfium

from app.data.document import LeftOut, Warning
from app.documents.errors import Unreadable
from app.documents.names import shown
from app.documents.pages import Pages, clean
from app.documents.pdf_words import GARBLED, Hyphens, ranges, unfold, without_running_heads
from app.documents.source import Content, Source


def read(source: Source) -> Content:
    document = _open(source.data)
    total = len(document)
    texts: list[str] = []
    empty: list[int] = []
    damaged: list[int] = []
    for index in range(total):
        source.report(index, total)
        try:
            text, drawn = _page(document, index)
        except PdfiumError:
            text, drawn = "", False
            damaged.append(index)
        texts.append(text)
        if drawn and not text.strip():
            empty.append(index)
    labels = [shown(document.get_page_label(index)) or str(index + 1) for index in range(total)]
    texts, heads = without_running_heads(texts, labels)
    hyphens = Hyphens(texts)
    pages = Pages(source.limits.characters)
    garbled = []
    for index, text in enumerate(texts):
        text = hyphens.join(text).strip("\n")
        if text.strip():
            pages.add(labels[index], text, index=index)
        if len(GARBLED.findall(text)) > 0.1 * len(text):
            garbled.append(index)
    source.report(total, total)
    left_out = [LeftOut(pages_, "no_text_layer") for pages_ in ranges(empty)]
    left_out += [LeftOut(pages_, "damaged") for pages_ in ranges(damaged)]
    found = (("no_text_layer", empty), ("damaged_pages", damaged), ("garbled_pages", garbled))
    warnings = [Warning(code, {"pages": ", ".join(ranges(where))}) for code, where in found if where]
    if heads:
        warnings.append(Warning("running_heads", {"count": str(heads)}))
    if attachments := document.count_attachments():
        warnings.append(Warning("attachments", {"count": str(attachments)}))
    return Content("pdf", pages, tuple(left_out), tuple(warnings))


def _open(data: bytes) -> pypdfium2.PdfDocument:
    try:
        # An empty password opens what only forbids printing or copying.
        document = pypdfium2.PdfDocument(data)
    except PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise Unreadable("encrypted", "PDF") from error
        raise Unreadable("damaged", "PDF") from error
    if not len(document):
        raise Unreadable("damaged", "PDF")
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    return document


def _page(document: pypdfium2.PdfDocument, index: int) -> tuple[str, bool]:
    """The page's words, and whether anything at all is drawn on it."""
    page = document[index]
    try:
        if document.formenv is not None:
            page.flatten()  # what was typed into a form becomes part of the page
            page.close()
            page = document[index]
        textpage = page.get_textpage()
        try:
            text = textpage.get_text_range()
        finally:
            textpage.close()
        drawn = bool(text.strip()) or next(page.get_objects(max_depth=1), None) is not None
    finally:
        page.close()
    return unfold(clean(text)), drawn
