"""An RTF's tables of fonts, styles and authors, whose entries end with semicolons."""

from msgspec import Struct

from app.documents.docx_styles import HEADING
from app.documents.rtf_bytes import Font, Fonts

BODY_TEXT = 9
"""The outline level of what is no heading."""


class Style(Struct):
    name: str = ""
    parent: int | None = None
    level: int | None = None
    """Of the outline, from 0."""


class Tables:
    """`entry` names the table that is being read, "" outside of all; words and numbers of an entry come one by one."""

    def __init__(self) -> None:
        self.fonts = Fonts()
        self.authors: list[str] = []
        self._styles: dict[int, Style] = {}
        self._font = Font()
        self._style = Style()
        self._number = 0
        self._words = ""

    def say(self, table: str, text: str) -> None:
        *ended, self._words = (self._words + text).split(";")
        for name in ended:
            self._end(table, name.strip())

    def number(self, table: str, word: str, number: int) -> None:
        match table, word:
            case "fonttbl", "f":
                self._number = number
            case "fonttbl", "fcharset":
                self._font.charset = number
            case "fonttbl", "cpg":
                self._font.code_page = number
            case "stylesheet", "s":
                self._number = number
            case "stylesheet", "sbasedon":
                self._style.parent = number
            case "stylesheet", "outlinelevel":
                self._style.level = number

    def level(self, style: int, own: int | None) -> int:
        """A paragraph's level as a heading, from 1, or 0; `own`: the outline level that it has without its style."""
        if own is not None:
            return own + 1 if 0 <= own < BODY_TEXT else 0
        seen: set[int] = set()
        number: int | None = style
        while number is not None and number in self._styles and number not in seen:
            seen.add(number)
            found = self._styles[number]
            if found.level is not None:
                return found.level + 1 if 0 <= found.level < BODY_TEXT else 0
            if named := HEADING.match(found.name):
                return int(named[1] or 1)
            number = found.parent
        return 0

    def author(self, number: int) -> str:
        return self.authors[number] if 0 <= number < len(self.authors) else ""

    def _end(self, table: str, name: str) -> None:
        match table:
            case "fonttbl":
                self._font.name = name
                self.fonts.fonts[self._number] = self._font
            case "stylesheet":
                self._style.name = name
                self._styles[self._number] = self._style
            case "revtbl":
                self.authors.append(name)
        self._font, self._style, self._number = Font(), Style(), 0
