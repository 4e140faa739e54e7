"""The session's history of one gauge, and how it is drawn."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.views import theme

MOST_POINTS = 512


class History:
    """Values of the whole session in bounded memory: when full, neighbours are averaged and the step doubles."""

    def __init__(self) -> None:
        self.points: list[float] = []
        self.most: float | None = None
        self.last: float | None = None
        self._step = 1
        self._pending: list[float] = []

    def add(self, value: float) -> None:
        self.last = value
        self.most = value if self.most is None else max(self.most, value)
        self._pending.append(value)
        if len(self._pending) < self._step:
            return
        self.points.append(sum(self._pending) / len(self._pending))
        self._pending.clear()
        if len(self.points) >= MOST_POINTS:
            pairs = zip(self.points[::2], self.points[1::2], strict=True)
            self.points = [(a + b) / 2 for a, b in pairs]
            self._step *= 2


class Sparkline(QWidget):
    """A line from the session's first value at the left to its last at the right, over nought."""

    def __init__(self, history: History, parent: QWidget | None = None):
        super().__init__(parent)
        self._history = history
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 28, self.fontMetrics().height() * 2)

    minimumSizeHint = sizeHint

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 3, -4, -1)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        points, most = self._history.points, self._history.most
        if len(points) > 1 and most:
            step = area.width() / (len(points) - 1)
            line = [
                QPointF(area.left() + step * n, area.bottom() - area.height() * max(value, 0.0) / most)
                for n, value in enumerate(points)
            ]
            path = QPainterPath(line[0])
            for point in line[1:]:
                path.lineTo(point)
            ground = QPainterPath(path)
            ground.lineTo(area.bottomRight())
            ground.lineTo(area.bottomLeft())
            fill = theme.color("accent")
            fill.setAlphaF(0.14)
            painter.fillPath(ground, fill)
            painter.setPen(QPen(theme.color("accent"), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawPath(path)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent"))
            painter.drawEllipse(line[-1], 2.5, 2.5)
        painter.end()
