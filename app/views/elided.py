"""A line of text that gives way: shortened with an ellipsis where there is no room, whole in its tooltip."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget


class Elided(QLabel):
    """`where` letters are lost: names lose their middle, so that their ending stays."""

    def __init__(self, parent: QWidget | None = None, where: Qt.TextElideMode = Qt.TextElideMode.ElideRight):
        super().__init__(parent)
        self._where = where
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        if text != self._whole:
            self._whole = text
            self.setAccessibleName(text)
            self.updateGeometry()
            self._fit()

    def whole(self) -> str:
        return self._whole

    def sizeHint(self) -> QSize:
        # the style sheet's font is the label's own only once it was polished
        self.ensurePolished()
        return QSize(self.fontMetrics().horizontalAdvance(self._whole) + 4, self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 8, self.fontMetrics().height())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        shown = self.fontMetrics().elidedText(self._whole, self._where, self.width())
        self.setText(shown)
        self.setToolTip(self._whole if shown != self._whole else "")
