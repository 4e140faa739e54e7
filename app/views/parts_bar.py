"""A bar of parts beside each other: what memory holds, or how full a window is. Said in words by its owner too."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views import theme

TOKENS = {"weights": "weights", "kv": "kv", "state": "state", "work": "other", "other": "other", "free": "track"}
"""The theme's colour of every kind of part; any other part has the accent."""


def part_color(part: str) -> QColor:
    return theme.color(TOKENS.get(part, "accent"))


class PartsBar(QWidget):
    """`set_parts([(part, amount), …], total)`: amounts and total in one unit; what is left over stays empty."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._parts: list[tuple[str, float]] = []
        self._total = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_parts(self, parts: list[tuple[str, float]], total: float) -> None:
        if (parts, total) != (self._parts, self._total):
            self._parts, self._total = list(parts), total
            self.update()

    def parts(self) -> list[tuple[str, float]]:
        return list(self._parts)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 24, max(8, self.fontMetrics().height() // 2))

    minimumSizeHint = sizeHint

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        frame = QRectF(self.rect())
        shape = QPainterPath()
        shape.addRoundedRect(frame, 3, 3)
        painter.setClipPath(shape)
        painter.fillRect(frame, theme.color("track"))
        total = max(self._total, sum(amount for _, amount in self._parts))
        left = 0.0
        for part, amount in self._parts:
            if amount <= 0 or total <= 0:
                continue
            # a part that is there is seen, be it ever so small
            width = max(frame.width() * amount / total, 2.0)
            painter.fillRect(QRectF(left, 0, width, frame.height()), part_color(part))
            left += width
        painter.end()


class Swatch(QWidget):
    """The colour of a part, beside its name in a legend."""

    def __init__(self, part: str, parent: QWidget | None = None):
        super().__init__(parent)
        self._part = part
        side = self.fontMetrics().height() * 2 // 3
        self.setFixedSize(side, side)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(theme.color("line"))
        painter.setBrush(part_color(self._part))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2)
        painter.end()
