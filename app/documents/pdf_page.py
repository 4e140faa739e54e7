"""A PDF and its pages as pdfium has them: what extracts their words and what draws them must open them alike, for a
character is found on the drawn page by its number. pdfium must be called from one thread alone."""

import ctypes
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate

import pypdfium2
from pypdfium2 import PdfiumError
from pypdfium2 import raw as pdfium

from app.documents.errors import Unreadable
from app.documents.pdf_words import DIVIDED, LIGATURES
from app.documents.placed import Edit, Placed

UNKNOWN = "\ufffd"
"""A character of which the font does not say what it means."""
ASKED = 24
FEW = 300
"""Characters; a page of more is not searched for columns that are left out, nor for pictures of words."""
NO_WIDTH = 0.01
"""Points."""

_CHANGED = re.compile("\r\n?|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x85\u00a0\u00ad\u2028\u2029\ufb00-\ufb06\ud800-\udfff]")
"""All that is changed, of which Python calls the ligatures alone printable."""
_BECOMES = dict.fromkeys(("\r\n", "\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"), "\n")
_BECOMES |= LIGATURES | {"\u00a0": " "}
_OLD_TEX = {"\x0b": "ff", "\x0c": "fi", "\r": "fl", "\x0e": "ffi", "\x0f": "ffl"}
"""Numbers of ligatures in TeX's own fonts, which old papers carry as pictures that say nothing of letters."""


def open_pdf(data: bytes, password: str = "") -> pypdfium2.PdfDocument:
    """Raises `Unreadable`: encrypted where the password does not open it; damaged, also where it has no pages."""
    try:
        # An empty password opens what only forbids printing or copying.
        document = pypdfium2.PdfDocument(data, password=password or None)
    except PdfiumError as error:
        if error.err_code in (pdfium.FPDF_ERR_PASSWORD, pdfium.FPDF_ERR_SECURITY):
            raise Unreadable("encrypted", "PDF") from error
        raise Unreadable("damaged", "PDF") from error
    if not len(document):
        raise Unreadable("damaged", "PDF")
    if document.get_formtype() != pdfium.FORMTYPE_NONE:
        document.init_forms()
    return document


@contextmanager
def open_page(
    document: pypdfium2.PdfDocument, index: int, first: Callable[[pypdfium2.PdfPage], None] | None = None
) -> Iterator[pypdfium2.PdfPage]:
    """A page with what was typed into its form as a part of it. Raises `PdfiumError` where it is damaged.

    `first` is shown the page as the file has it: its form and its comments are gone once they are parts of the page.
    """
    page = document[index]
    try:
        if first is not None:
            first(page)
        if document.formenv is not None:
            page.flatten()
            page.close()
            page = document[index]
        yield page
    finally:
        page.close()


@contextmanager
def open_text(page: pypdfium2.PdfPage) -> Iterator[tuple[pypdfium2.PdfTextPage, frozenset[int]]]:
    """The page's characters, and the addresses of the text objects that were laid on their side to have them.

    Of a font that is neither in the file nor on this computer pdfium does not know how wide its characters are. It
    takes a column of them, for Chinese and Japanese from top to bottom, for one without width, and leaves it out. Laid
    on their side, columns are lines, in the order in which they are read.
    """
    textpage = page.get_textpage()
    try:
        columns = _columns(page) if pdfium.FPDFText_CountChars(textpage) <= FEW else []
        if columns:
            textpage.close()
            for column in columns:
                pdfium.FPDFPageObj_Transform(column, 0, 1, -1, 0, 0, 0)
            textpage = page.get_textpage()
            for column in columns:
                pdfium.FPDFPageObj_Transform(column, 0, -1, 1, 0, 0, 0)
        yield textpage, frozenset(map(address, columns))
    finally:
        textpage.close()


def address(handle: object) -> int:
    """Of one of pdfium's objects: the same for the same object."""
    return ctypes.cast(handle, ctypes.c_void_p).value or 0


def _columns(page: pypdfium2.PdfPage) -> list[object]:
    found = []
    for text in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], max_depth=1):
        left, bottom, right, top = text.get_bounds()
        if right - left < NO_WIDTH < top - bottom:
            found.append(text.raw)
    return found


def wide(ask: Callable[[ctypes.Array[ctypes.c_char] | None, int], int]) -> str:
    """A text that pdfium writes as UTF-16 with a NUL into a buffer of so many bytes, and says how many it needs.
    Half characters become U+FFFD."""
    length = ask(None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    ask(buffer, length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace")


def label(document: pypdfium2.PdfDocument, index: int) -> str:
    """The number printed on a page, as the file gives it; "" where it gives none."""
    return wide(lambda buffer, length: int(pdfium.FPDF_GetPageLabel(document, index, buffer, length)))


def words(textpage: pypdfium2.PdfTextPage) -> tuple[Placed, int]:
    """The page's text, clean but for `DIVIDED`, with pdfium's number of each character; and how many of its characters
    are control characters, which no page means to show."""
    raw, unshown = _units(textpage)

    def meant(found: re.Match[str]) -> str:
        # pdfium has one sign for a divided word and for a character to which the font gives no meaning
        return DIVIDED if pdfium.FPDFText_IsHyphen(textpage, raw.raw(found.start())) else UNKNOWN

    if DIVIDED in raw.text:
        raw = Placed(re.sub(DIVIDED, meant, raw.text), raw.starts, raw.raws)
    lines = raw.text.split("\r\n")
    if len(raw.starts) == 1 and _plain("".join(lines)):
        starts = list(accumulate((len(line) + 1 for line in lines[:-1]), initial=0))
        return Placed("\n".join(lines), starts, [raw.raws[0] + start + i for i, start in enumerate(starts)]), unshown
    edits: list[Edit] = []
    for found in _CHANGED.finditer(raw.text):
        old, start = found[0], found.start()
        new = _BECOMES.get(old, "")
        if old in _OLD_TEX and _unmapped(textpage, raw.raw(start)):
            new = _OLD_TEX[old]
        unshown += not new and old != "\u00ad"
        edits.append((start, found.end(), new))
    return raw.edited(edits), unshown


def _unmapped(textpage: pypdfium2.PdfTextPage, at: int) -> bool:
    """Whether the font has no letter for a character, nor for one beside it: signs are no ligatures of letters."""
    near = (pdfium.FPDFText_HasUnicodeMapError(textpage, at + step) == 1 for step in (-1, 1))
    return pdfium.FPDFText_HasUnicodeMapError(textpage, at) == 1 and any(near)


def unmapped(textpage: pypdfium2.PdfTextPage) -> float:
    """The share of the page's characters, of a few, for which the font has no letter."""
    count = pdfium.FPDFText_CountChars(textpage)
    asked = range(0, count, max(1, count // ASKED))
    return sum(pdfium.FPDFText_HasUnicodeMapError(textpage, at) == 1 for at in asked) / max(1, len(asked))


def _plain(text: str) -> bool:
    """Whether nothing in it is changed: quick, for most pages are so."""
    return text.replace(DIVIDED, "").isprintable() and not any(ligature in text for ligature in LIGATURES)


def _units(textpage: pypdfium2.PdfTextPage) -> tuple[Placed, int]:
    """The page's text as pdfium gives it, and how many characters that leaves out.

    pdfium numbers the page's characters, each half of one beyond U+FFFF for itself, and leaves some of them out of its
    text; so a character's place in the text is not always its number.
    """
    count = pdfium.FPDFText_CountChars(textpage)
    first, last = 0, count - 1
    while first <= last and pdfium.FPDFText_GetTextIndexFromCharIndex(textpage, first) < 0:
        first += 1
    while last > first and pdfium.FPDFText_GetTextIndexFromCharIndex(textpage, last) < 0:
        last -= 1
    if first > last:
        return Placed("", [], []), count
    length = pdfium.FPDFText_GetTextIndexFromCharIndex(textpage, last) + 1
    buffer = (ctypes.c_ushort * (length + 1))()
    written = pdfium.FPDFText_GetText(textpage, first, last - first + 1, buffer) - 1
    text = bytes(memoryview(buffer)[: max(0, written)]).decode("utf-16-le", "surrogatepass")
    if len(text) == length == last - first + 1:
        return Placed(text, [0], [first]), count - length
    starts: list[int] = []
    raws: list[int] = []
    unit = 0
    for place, character in enumerate(text):
        raw = pdfium.FPDFText_GetCharIndexFromTextIndex(textpage, unit)
        if not raws or raw != raws[-1] + place - starts[-1]:
            starts.append(place)
            raws.append(raw)
        unit += 2 if character > "\uffff" else 1
    return Placed(text, starts, raws), count - length
