"""A button that puts a text on the clipboard and says that it did."""

from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QWidget

from app.views import announce

SAID_MS = 2_000
"""How long it says so."""


class CopyButton(QPushButton):
    def __init__(self, text: Callable[[], str], what: str, parent: QWidget | None = None) -> None:
        """`text` is asked when it is pressed; `what` names it for a screen reader."""
        super().__init__(parent)
        self._text = text
        self.setText(self.tr("Copy"))
        self.setAccessibleName(self.tr("Copy: {what}").format(what=what))
        self.setAutoDefault(False)
        self._back = QTimer(self, singleShot=True, interval=SAID_MS)
        self._back.timeout.connect(lambda: self.setText(self.tr("Copy")))
        self.clicked.connect(self._copy)

    def sizeHint(self) -> QSize:
        """As wide as the longer of its two words, so that nothing beside it moves."""
        hint = super().sizeHint()
        advance = self.fontMetrics().horizontalAdvance
        widest = max(advance(self.tr("Copy")), advance(self.tr("Copied")))
        hint.setWidth(hint.width() + widest - advance(self.text()))
        return hint

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.setText(self.tr("Copied"))
        announce.politely(self, self.tr("Copied"))
        self._back.start()
