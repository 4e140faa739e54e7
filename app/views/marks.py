"""Signs in a text that is shown: which characters of its Markdown they belong to, and how they are drawn.

Two signs that no text has are put into the Markdown before it is parsed; where they come out again among the words, the
letters between them are underlined and the sign is written behind them.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtGui import QTextCharFormat, QTextCursor

from app.views import theme

OPEN, CLOSE = "\ufdd0", "\ufdd1"
"""Noncharacters of Unicode."""
NARROW = "\u202f"
"""A space that is no end of a line."""
SMALLER = 0.85
"""The sign of a mark that is not underlined, beside the words."""
SIGNS = re.compile(f"([{OPEN}{CLOSE}])")


class TextMark(NamedTuple):
    """Characters `start` to `end` of the Markdown. `sign` is written behind them in the colour of the theme's `token`
    and leads to `address`; `underlined`: so are the words."""

    start: int
    end: int
    sign: str
    token: str
    address: str
    underlined: bool


def marked(text: str, marks: Sequence[TextMark]) -> str:
    """The Markdown with the marks' ends in it. They lie in order and do not overlap."""
    pieces, last = [], 0
    for mark in marks:
        pieces += [text[last : mark.start], OPEN, text[mark.start : mark.end], CLOSE]
        last = mark.end
    return "".join(pieces) + text[last:]


class Marker:
    """Writes words in which marks begin and end."""

    def __init__(self, marks: Sequence[TextMark]) -> None:
        self._marks = list(marks)
        self._here: TextMark | None = None

    def write(self, cursor: QTextCursor, text: str, letters: QTextCharFormat) -> None:
        for piece in SIGNS.split(text) if self._marks or self._here else (text,):
            if piece == OPEN and self._marks:
                self._here = self._marks.pop(0)
            elif piece == CLOSE and self._here is not None:
                cursor.insertText(NARROW, letters)
                cursor.insertText(self._here.sign, _sign(letters, self._here))
                self._here = None
            elif piece:
                cursor.insertText(piece, letters if self._here is None else _underlined(letters, self._here))

    def plain(self, text: str) -> str:
        """Words that are written otherwise, without the signs of the marks in them, which are left out."""
        for sign in SIGNS.findall(text):
            self._here = self._marks.pop(0) if sign == OPEN and self._marks else None
        return SIGNS.sub("", text)


def _underlined(under: QTextCharFormat, mark: TextMark) -> QTextCharFormat:
    if not mark.underlined:
        return under
    made = QTextCharFormat(under)
    made.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
    made.setUnderlineColor(theme.color(mark.token))
    return made


def _sign(under: QTextCharFormat, mark: TextMark) -> QTextCharFormat:
    made = QTextCharFormat(under)
    if not mark.underlined:
        made.setFontPointSize(under.fontPointSize() * SMALLER)
    made.setForeground(theme.color(mark.token))
    made.setAnchor(True)
    made.setAnchorHref(mark.address)
    return made
