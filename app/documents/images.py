"""Pictures of text: what Tesseract makes of them, where it is installed; a TIFF page by page."""

import io
import struct
import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from app.data.document import LeftOut, Warning
from app.documents import ocr
from app.documents.errors import PassedOver, Unreadable
from app.documents.pages import Pages, clean
from app.documents.source import Content, Source

if TYPE_CHECKING:
    from PIL.Image import Image

FORMATS = ("PNG", "JPEG", "TIFF", "BMP", "GIF", "WEBP")
PAGED = "TIFF"
"""The format whose further pictures are pages; those of the others are an animation, or the same in another form."""
SMALLEST = 64
"""Pixels of the shorter side, under which a picture is an icon."""
FAULTS = (OSError, ValueError, SyntaxError, TypeError, LookupError, ArithmeticError, EOFError, struct.error, zlib.error)
"""What damaged pictures make Pillow raise."""


def read(source: Source) -> Content:
    if not source.options.ocr:
        raise Unreadable("ocr_off")
    if not ocr.available():
        raise Unreadable("no_ocr")
    pages = Pages(source.limits.characters)
    recognised: dict[str, ocr.Recognised] = {}
    left_out: list[LeftOut] = []
    warnings: list[Warning] = []
    allowance = source.place().allowance
    total = 1
    for index, total, picture in _pictures(source.data, warnings):
        source.report(index, total)
        label = str(index + 1)
        try:
            allowance.picture()
            found = ocr.read_picture(picture, source.options.languages)
        except Unreadable as reason:
            if total == 1:
                raise
            left_out.append(LeftOut(label, reason.detail if isinstance(reason, PassedOver) else reason.code))
            continue
        except FAULTS as error:
            if total == 1:
                raise Unreadable("damaged", "picture") from error
            left_out.append(LeftOut(label, "damaged"))
            continue
        if text := clean(found.text).strip():
            pages.add(label, text, index=index)
            recognised[label] = found
        elif total > 1:
            left_out.append(LeftOut(label, "no_text"))
    source.report(total, total)
    return Content("image", pages, tuple(left_out), (*warnings, *ocr.warnings(recognised)))


def _pictures(data: bytes, warnings: list[Warning]) -> Iterator[tuple[int, int, "Image"]]:
    """Each page with its place and their number, not yet decoded. Raises `Unreadable("damaged")`."""
    from PIL import Image, ImageOps

    Image.MAX_IMAGE_PIXELS = None  # pictures that are too big are refused by `ocr`, before they are decoded
    try:
        with Image.open(io.BytesIO(data), formats=FORMATS) as file:
            if min(file.size) < SMALLEST:
                raise PassedOver("binary")
            frames = getattr(file, "n_frames", 1)
            paged = file.format == PAGED
            if frames > 1 and not paged:
                warnings.append(Warning("animation", {"count": str(frames)}))
            total = frames if paged else 1
            for index in range(total):
                file.seek(index)
                yield index, total, ImageOps.exif_transpose(file) if ocr.fits(file) else file
    except FAULTS as error:
        raise Unreadable("damaged", "picture") from error
