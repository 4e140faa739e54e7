"""Pages of one PDF as they look, and where words stand on them: what the document process does after an `Open`."""

import difflib
import hashlib
import unicodedata
from collections.abc import Callable
from queue import SimpleQueue
from typing import Never

import msgspec
import pypdfium2
from pypdfium2 import PdfiumError
from pypdfium2 import raw as pdfium

from app.documents.errors import Unreadable
from app.documents.messages import Box, Draw, NotDrawn, NotOpened, Open, Opened, Picture, Said, Wanted
from app.documents.names import shown
from app.documents.pdf_page import address, label, open_page, open_pdf, open_text

PIXELS = 40_000_000
"""Of one picture, at most: 160 MB."""
FINE = 16
"""Parts of a pixel in which places are asked for: pdfium gives whole ones."""
ALIKE = 0.8
"""Share of the letters that must be those that were asked for: ligatures and lost letters aside, all are."""
FONTS_ASKED = 24
"""Characters of a page whose shapes are looked at."""
FLAT = 0.05
"""Points: lower than any shape."""


def serve(request: Open, data: bytes, waiting: SimpleQueue[bytes], say: Callable[[Said], None]) -> None:
    """Answer each `Draw` of `waiting`, for ever; return only where the file cannot be opened."""
    if request.sha256 and hashlib.sha256(data).hexdigest() != request.sha256:
        say(NotOpened("changed"))
        return
    try:
        document = open_pdf(data, request.password)
    except Unreadable as reason:
        say(NotOpened("encrypted" if reason.code == "encrypted" else "damaged"))
        return
    say(_opened(document))
    _answer(document, waiting, say)


def _answer(document: pypdfium2.PdfDocument, waiting: SimpleQueue[bytes], say: Callable[[Said], None]) -> Never:
    while True:
        asked = msgspec.json.decode(waiting.get(), type=Draw)
        try:
            said: Said = draw(document, asked)
        except PdfiumError:
            said = NotDrawn(asked.number, "damaged")
        except MemoryError:
            said = NotDrawn(asked.number, "too_big")
        say(said)


def _opened(document: pypdfium2.PdfDocument) -> Opened:
    total = range(len(document))
    labels = tuple(shown(label(document, index)) or str(index + 1) for index in total)
    return Opened(labels, tuple(_size(document, index) for index in total))


def _size(document: pypdfium2.PdfDocument, index: int) -> tuple[float, float]:
    size = pdfium.FS_SIZEF()
    if not pdfium.FPDF_GetPageSizeByIndexF(document, index, size):
        return (0.0, 0.0)
    return (size.width, size.height)


def draw(document: pypdfium2.PdfDocument, asked: Draw) -> Picture:
    """Raises `PdfiumError` where the page is damaged, or there is none."""
    if not 0 <= asked.index < len(document):
        raise PdfiumError("There is no such page.")
    with open_page(document, asked.index) as page:
        width, height = _pixels(page, asked.width)
        with open_text(page) as (textpage, columns):
            characters = _Characters(page, textpage, columns, width, height)
            boxes = tuple(characters.boxes(wanted) for wanted in asked.wanted)
            fontless = characters.fontless()
        bitmap = pypdfium2.PdfBitmap.new_native(width, height, pdfium.FPDFBitmap_BGRx)
        try:
            bitmap.fill_rect((255, 255, 255, 255), 0, 0, width, height)
            place = (bitmap, page, 0, 0, width, height, 0, pdfium.FPDF_ANNOT)
            pdfium.FPDF_RenderPageBitmap(*place)
            pixels = bytes(bitmap.buffer)
        finally:
            bitmap.close()
    name = shown(label(document, asked.index)) or str(asked.index + 1)
    return Picture(asked.number, asked.index, name, width, height, pixels, boxes, fontless)


def _pixels(page: pypdfium2.PdfPage, width: int) -> tuple[int, int]:
    """Of the picture, whose sides are those of the page as it is shown."""
    across, down = (max(side, 0.01) for side in page.get_size())
    width = max(1, min(width, int((PIXELS * across / down) ** 0.5), PIXELS))
    return width, max(1, min(round(width * down / across), PIXELS // width))


class _Characters:
    """The characters of a page, and where they stand in the picture."""

    def __init__(
        self,
        page: pypdfium2.PdfPage,
        textpage: pypdfium2.PdfTextPage,
        columns: frozenset[int],
        width: int,
        height: int,
    ) -> None:
        self._page = page
        self._textpage = textpage
        self._columns = columns
        self._width = width
        self._height = height
        self._count = textpage.count_chars()

    def boxes(self, wanted: Wanted) -> tuple[Box, ...]:
        """One for each line of the words; none where other words stand there than those that are wanted."""
        places = [
            place
            for first, count in wanted.pieces
            for place in range(max(0, first), min(first + count, self._count))
            if not chr(pdfium.FPDFText_GetUnicode(self._textpage, place)).isspace()
        ]
        places = list(dict.fromkeys(places))
        if wanted.text and not self._are(places, wanted.text):
            return ()
        return tuple(lines([box for place in places if (box := self._box(place)) is not None]))

    def fontless(self) -> bool:
        """Whether the characters have no shapes to draw."""
        step = max(1, self._count // FONTS_ASKED)
        places = [at for at in range(0, self._count, step) if pdfium.FPDFText_GetUnicode(self._textpage, at) > 0x20]
        flat = sum(top - bottom < FLAT for _, bottom, _, top in map(self._textpage.get_charbox, places))
        return flat > 0.5 * len(places)

    def _are(self, places: list[int], text: str) -> bool:
        units = (pdfium.FPDFText_GetUnicode(self._textpage, place) for place in places)
        here = b"".join(unit.to_bytes(2, "little") for unit in units).decode("utf-16-le", "ignore")
        here, there = _letters(here), _letters(text)
        if here == there or not here or not there:
            return True
        return difflib.SequenceMatcher(None, here, there, False).ratio() >= ALIKE

    def _box(self, place: int) -> Box | None:
        rect = pdfium.FS_RECTF()
        if not pdfium.FPDFText_GetLooseCharBox(self._textpage, place, rect):
            return None
        left, bottom, right, top = rect.left, rect.bottom, rect.right, rect.top
        if self._columns and address(pdfium.FPDFText_GetTextObject(self._textpage, place)) in self._columns:
            left, bottom, right, top = bottom, -right, top, -left
        (x, y), (x_end, y_end) = self._pixel(left, bottom), self._pixel(right, top)
        across, down = sorted((x, x_end)), sorted((y, y_end))
        box = (max(0.0, across[0]), max(0.0, down[0]), min(across[1], self._width), min(down[1], self._height))
        return box if box[0] < box[2] and box[1] < box[3] else None

    def _pixel(self, x: float, y: float) -> tuple[float, float]:
        across, down = pdfium.c_int(), pdfium.c_int()
        size = (self._width * FINE, self._height * FINE)
        pdfium.FPDF_PageToDevice(self._page, 0, 0, *size, 0, x, y, across, down)
        return across.value / FINE, down.value / FINE


def _letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


def lines(boxes: list[Box]) -> list[Box]:
    """Boxes of characters in the order in which they are read, joined to one for each line, or for each column."""
    joined: list[Box] = []
    last: Box | None = None
    for box in boxes:
        if last is not None and (_beside(last, box, 0) or _beside(last, box, 1)):
            other = joined.pop()
            box_ = (min(other[0], box[0]), min(other[1], box[1]), max(other[2], box[2]), max(other[3], box[3]))
            joined.append(box_)
        else:
            joined.append(box)
        last = box
    return joined


def _beside(one: Box, other: Box, axis: int) -> bool:
    """Whether a character follows another along an axis (0: across, 1: down): level with it, and near."""
    level = min(one[3 - axis], other[3 - axis]) - max(one[1 - axis], other[1 - axis])
    smaller = min(one[3 - axis] - one[1 - axis], other[3 - axis] - other[1 - axis])
    apart = max(one[axis], other[axis]) - min(one[2 + axis], other[2 + axis])
    return level > 0.5 * smaller and apart < 3 * smaller
