"""A page as text: what was read of it, with marks."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from app.views import theme

LINE_HEIGHT = 132

Mark = tuple[str, int, int]
"""A token of the theme and the characters that it marks, counted in the page."""


class TextPage(QTextEdit):
    def __init__(self, parent: QWidget | None = None) -> None:
        self._source = ""
        self._role, self._ink, self._zoom = "document", "ink", 1.0
        self._marks: Sequence[Mark] = ()
        self._stamp: tuple[str, float] | None = None
        super().__init__(parent)
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setTabChangesFocus(True)
        self.setAccessibleName(self.tr("Text of the page"))
        self.setUndoRedoEnabled(False)

    def show_text(self, text: str, *, ink: str = "ink", role: str = "document") -> None:
        """`ink`: the theme's token of the letters; `role`: of their font."""
        self._source, self._ink, self._role, self._marks = text, ink, role, ()
        self.setPlainText(text)
        self._dress()

    def set_zoom(self, factor: float) -> None:
        self._zoom = factor
        self._dress()
        self.mark(self._marks)

    def mark(self, marks: Sequence[Mark], *, near_top: bool = False) -> None:
        """Colour these; the last one is brought into sight, `near_top`: so that more of it is."""
        self._marks = marks
        made = [self._selection(*mark) for mark in marks]
        if made:
            seen = QTextCursor(made[-1].cursor)
            seen.setPosition(seen.selectionStart())
            self.setTextCursor(seen)
            self.ensureCursorVisible()
            if near_top:
                bar = self.verticalScrollBar()
                bar.setValue(bar.value() + self.cursorRect().top() - self.fontMetrics().lineSpacing())
        self.setExtraSelections(made)

    def selected(self) -> tuple[int, int]:
        """The characters of the page that the person selected, from first to last; equal where none is."""
        cursor = self.textCursor()
        if not cursor.hasSelection():
            return 0, 0
        return self._character(cursor.selectionStart()), self._character(cursor.selectionEnd())

    def _selection(self, token: str, first: int, last: int) -> QTextEdit.ExtraSelection:
        cursor = QTextCursor(self.document())
        cursor.setPosition(_utf16(self._source[:first]))
        cursor.setPosition(_utf16(self._source[:last]), QTextCursor.MoveMode.KeepAnchor)
        made = QTextEdit.ExtraSelection()
        made.cursor = cursor
        made.format.setBackground(theme.color(token))
        return made

    def _character(self, position: int) -> int:
        """Of a position in UTF-16 units."""
        encoded = self._source.encode("utf-16-le")[: 2 * position]
        return len(encoded.decode("utf-16-le", "ignore"))

    def _dress(self) -> None:
        """The role's font, at one and a half lines, in the token's colour."""
        self._stamp = theme.stamp()
        cursor = QTextCursor(self.document())
        cursor.select(QTextCursor.SelectionType.Document)
        block = QTextBlockFormat()
        block.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        letters = QTextCharFormat()
        font = theme.font(self._role)
        font.setPointSizeF(font.pointSizeF() * self._zoom)
        letters.setFont(font)
        letters.setForeground(theme.color(self._ink))
        cursor.setCharFormat(letters)
        self.moveCursor(QTextCursor.MoveOperation.Start)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if self._stamp is not None and self._stamp != theme.stamp():
            self._dress()
            self.mark(self._marks)


def _utf16(text: str) -> int:
    """Qt counts positions in UTF-16 units, Python in characters."""
    return len(text) + sum(ord(character) > 0xFFFF for character in text)
