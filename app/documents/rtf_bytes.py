"""RTF's bytes: the tokens that they form, the fonts that say in which code page they are, and their characters."""

import codecs
import re

from msgspec import Struct

from app.documents.symbols import FONTS, sign

TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})? ?"
    rb"|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<symbol>[^a-zA-Z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<ends>[\r\n]+)"
    rb"|(?P<text>[^\\{}\r\n]+)",
    re.S,
)
SKIPPING = re.compile(rb"\\bin([0-9]{1,10}) ?|\\.|[{}]", re.S)

CHARSETS = dict(
    zip(
        (0, 77, 128, 129, 130, 134, 136, 161, 162, 163, 177, 178, 186, 204, 222, 238, 254, 255),
        (1252, 10000, 932, 949, 1361, 936, 950, 1253, 1254, 1258, 1255, 1256, 1257, 1251, 874, 1250, 437, 850),
        strict=True,
    )
)
CODE_PAGES = {936: "gb18030", 10000: "mac_roman", 1361: "johab", 65001: "utf-8"}
DOUBLE = ("cp932", "gb18030", "cp949", "cp950", "johab")
PAIRS = re.compile(rb"(?:[\x00-\x7f]|[\x81-\xfe][\x80-\xfe])*")
"""Bytes that can be double-byte text in most of its code pages, and are hardly ever text of single bytes."""

WESTERN, SYMBOLS = 0, 2


class Font(Struct):
    name: str = ""
    charset: int = 1
    code_page: int | None = None

    @property
    def is_symbols(self) -> bool:
        return self.name.strip().lower() in FONTS


def encoding(code_page: int) -> str:
    """Python's name of a code page; Windows' Western one where it has none."""
    name = CODE_PAGES.get(code_page, f"cp{code_page}")
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name


class Fonts:
    def __init__(self) -> None:
        self.usual = "cp1252"
        """Where a font does not say."""
        self.fonts: dict[int, Font] = {}

    def text(self, font: int | None, data: bytes) -> str:
        """Bytes of a text in a font."""
        known = self.fonts.get(font) if font is not None else None
        if known is None:
            return self._decoded(data, self.usual)
        if known.code_page is not None:
            return self._decoded(data, encoding(known.code_page))
        if known.charset == SYMBOLS or known.is_symbols:
            return "".join(sign(known.name, code) for code in data)
        if known.charset == WESTERN:
            # So it says in Chinese and Japanese documents as well, of fonts that were never asked
            double = self.usual in DOUBLE and PAIRS.fullmatch(data) is not None
            return self._decoded(data, self.usual if double else "cp1252")
        return self._decoded(data, encoding(CHARSETS[known.charset]) if known.charset in CHARSETS else self.usual)

    def character(self, font: int | None, code: int) -> str:
        """What `\\u` stands for: a font of signs has places of its own in Unicode's private part."""
        known = self.fonts.get(font) if font is not None else None
        return sign(known.name if known is not None and code >= 0xF000 else "", code)

    def _decoded(self, data: bytes, encoding_: str) -> str:
        if data.isascii():
            return data.decode("ascii")
        return data.decode(encoding_, "replace")


def group_end(data: bytes, place: int) -> int:
    """The place of the brace that closes the group in which `place` lies; the end of the data where none does."""
    depth = 0
    while found := SKIPPING.search(data, place):
        place = found.end()
        if found[1] is not None:
            place += int(found[1])
        elif found[0] == b"{":
            depth += 1
        elif found[0] == b"}":
            if not depth:
                return found.start()
            depth -= 1
    return len(data)
