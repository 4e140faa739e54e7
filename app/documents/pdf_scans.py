"""Pages of a PDF whose words are pictures, or nonsense: they are read by text recognition where it is there."""

import time
from typing import TYPE_CHECKING

import pypdfium2
from pypdfium2 import raw as pdfium

from app.documents.errors import Unreadable
from app.documents.pdf_page import FEW
from app.documents.source import Source

if TYPE_CHECKING:
    from app.documents.ocr import Recognised

RESOLUTION = 200
"""Dots an inch: Tesseract found 97 to 99 words in 100 of printed pages at it."""
LARGEST = 24_000_000
"""Pixels; a larger page is drawn smaller."""
COVERED = 0.4
"""Share of the page that pictures cover, for it to be one."""
OF_THE_TIME = 0.7
"""Share of the time for the whole document after which nothing more is recognised."""


class Recognition:
    """Text recognition for one document; imported when it is first needed."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._languages = source.options.languages
        self._ends = time.monotonic() + OF_THE_TIME * source.limits.seconds
        self._here: bool | None = None

    @property
    def here(self) -> bool:
        """Whether it is installed and wanted."""
        if self._here is None:
            self._here = self._source.options.ocr and _installed()
        return self._here

    @property
    def late(self) -> bool:
        """Whether there is no time left for it."""
        return time.monotonic() >= self._ends

    def read(self, page: pypdfium2.PdfPage) -> "Recognised | None":
        """What is written on the page as it is drawn; None where that cannot be told."""
        from app.documents import ocr

        size = page.get_width() * page.get_height()
        scale = min(RESOLUTION / 72, (LARGEST / max(size, 1.0)) ** 0.5)
        bitmap = page.render(scale=scale, grayscale=True)
        try:
            return ocr.read_picture(bitmap.to_pil(), self._languages)
        except (Unreadable, RuntimeError):  # RuntimeError: Tesseract, of language data that it cannot use
            return None
        finally:
            bitmap.close()


def _installed() -> bool:
    try:
        from app.documents import ocr
    except ImportError:
        return False
    return bool(ocr.available())


def is_drawn(page: pypdfium2.PdfPage) -> bool:
    """Whether anything at all is on the page."""
    return next(page.get_objects(max_depth=1), None) is not None


def is_picture(page: pypdfium2.PdfPage, text: str) -> bool:
    """Whether pictures cover much of a page of few words: a scan with a stamp on it, or a page of photographs."""
    if len(text) > FEW:
        return False
    left, bottom, right, top = page.get_bbox()
    covered = 0.0
    for picture in page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=3):
        x, y, x_end, y_end = picture.get_bounds()
        covered += max(0.0, min(x_end, right) - max(x, left)) * max(0.0, min(y_end, top) - max(y, bottom))
    return covered > COVERED * (right - left) * (top - bottom)


def agree(text: str, recognised: str) -> bool:
    """Whether what was recognised stands in the text, for the most part. Spaces aside: not every script has them."""
    here, there = ({folded[i : i + 4] for i in range(len(folded) - 3)} for folded in map(_folded, (text, recognised)))
    return len(here & there) > 0.4 * len(there)


def _folded(text: str) -> str:
    return "".join(text.lower().split())
