"""Fonts of a PDF whose letters are known to be right: a page of theirs need not be read again from its picture."""

import ctypes
from collections import Counter
from typing import NamedTuple

import pypdfium2
from pypdfium2 import raw as pdfium

ASKED = 200
"""Characters of a page whose fonts are asked for."""
MOST = 0.6
"""Share of a legible page's characters that a font has, for the page to prove it."""
NEARLY_ALL = 0.6
"""Share of a page's characters that are in proven fonts, for its text to be believed."""
LONGEST = 256
"""Bytes of a font's name."""


class Font(NamedTuple):
    """What tells a document's fonts apart."""

    name: str
    bytes: int
    """Of its shapes, which are in the file."""


class Fonts:
    """A page of names, numbers and abbreviations, an index for instance, looks like nonsense by its letters; but where
    its fonts have given the words of a language elsewhere in the document, it says what it shows."""

    def __init__(self) -> None:
        self._proven: set[Font] = set()

    def learn(self, textpage: pypdfium2.PdfTextPage) -> None:
        """The page's text is what the page shows."""
        found = _fonts(textpage)
        self._proven |= {font for font, count in found.items() if font is not None and count >= MOST * found.total()}

    def vouch(self, textpage: pypdfium2.PdfTextPage) -> bool:
        """Whether most of the page is in fonts that another page has proven."""
        found = _fonts(textpage)
        return sum(found[font] for font in self._proven) >= NEARLY_ALL * max(1, found.total())


def _fonts(textpage: pypdfium2.PdfTextPage) -> Counter[Font | None]:
    """How many of the characters that are asked for have which font; None: whose shapes are not in the file."""
    count = pdfium.FPDFText_CountChars(textpage)
    found: Counter[Font | None] = Counter()
    name, size = ctypes.create_string_buffer(LONGEST), ctypes.c_size_t()
    for at in range(0, count, max(1, count // ASKED)):
        written = pdfium.FPDFText_GetTextObject(textpage, at)
        if not written:  # a space that pdfium put in
            continue
        font = pdfium.FPDFTextObj_GetFont(written)
        length = pdfium.FPDFFont_GetBaseFontName(font, name, LONGEST)
        there = pdfium.FPDFFont_GetIsEmbedded(font) == 1 and pdfium.FPDFFont_GetFontData(font, None, 0, size)
        named = 1 < length <= LONGEST
        found[Font(name.raw[: length - 1].decode("utf-8", "replace"), size.value) if there and named else None] += 1
    return found
