"""Small pictures of what a verification found: a map of lengths and depths, and a curve."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.models import quantities
from app.views import theme
from engine.verify_results import Cell, Point

TALLEST = 26
"""Pixels of a row of the map."""
GAP = 2


class HeatMap(QWidget):
    """A row for each length, the shortest above, and a column for each depth. ✓ and ✗ stand beside the colours."""

    def __init__(self, cells: Sequence[Cell], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cells = cells
        self._lengths = sorted({cell.length for cell in cells})
        self._depths = sorted({cell.depth for cell in cells})
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        found = sum(cell.found for cell in cells)
        said = self.tr("A map of lengths and depths: {found} of {of} found")
        self.setAccessibleName(said.format(found=quantities.number(found), of=quantities.number(len(cells))))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 30, self._head() + TALLEST * len(self._lengths))

    minimumSizeHint = sizeHint

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        left = self.fontMetrics().horizontalAdvance("000,000 ")
        width = (self.width() - left) / max(len(self._depths), 1)
        centre = Qt.AlignmentFlag.AlignCenter
        for at, depth in enumerate(self._depths):
            painter.setPen(theme.color("quiet"))
            painter.drawText(QRectF(left + at * width, 0, width, self._head()), centre, quantities.percent(depth))
        for row, length in enumerate(self._lengths):
            top = self._head() + row * TALLEST
            painter.setPen(theme.color("quiet"))
            painter.drawText(
                QRectF(0, top, left - 6, TALLEST),
                Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter,
                quantities.number(length),
            )
            for at, depth in enumerate(self._depths):
                here = [cell for cell in self._cells if (cell.length, cell.depth) == (length, depth)]
                if not here:
                    continue
                right = all(cell.found for cell in here)
                place = QRectF(left + at * width, top, width, TALLEST).adjusted(GAP, GAP, -GAP, -GAP)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("good" if right else "bad"))
                painter.drawRoundedRect(place, 4, 4)
                painter.setPen(theme.color("paper"))
                painter.drawText(place, centre, "✓" if right else "✗")
        painter.end()

    def _head(self) -> int:
        return self.fontMetrics().height() + 4


class Curve(QWidget):
    """Values over lengths, both by their logarithm, with the expected slope dashed; or over cycles, from nought on."""

    def __init__(self, points: Sequence[Point], expected: float | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._points, self._expected = points, expected
        self._written = any(point.writing is not None for point in points)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        values = ", ".join(f"{quantities.number(p.at)}: {p.value:.2f}" for p in points)
        self.setAccessibleName(self.tr("A curve: {values}").format(values=values))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 30, self.fontMetrics().height() * (6 + self._written))

    minimumSizeHint = sizeHint

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line = self.fontMetrics().height()
        area = QRectF(self.rect()).adjusted(30, line + 4, -34, -line * (1 + self._written) - 4)
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(0, area.bottom() + 3), QPointF(self.width(), area.bottom() + 3))
        steep = self._expected is not None
        xs = [math.log2(p.at) if steep else p.at for p in self._points]
        ys = [math.log2(max(p.value, 1e-6)) if steep else p.value for p in self._points]
        ideal = [ys[0] + (self._expected or 0) * (x - xs[0]) for x in xs] if steep else []
        low, high = min([*ys, *ideal, *([] if steep else [0.0])]), max([*ys, *ideal])

        def place(x: float, y: float) -> QPointF:
            across, up = (x - xs[0]) / ((xs[-1] - xs[0]) or 1), (y - low) / ((high - low) or 1)
            return QPointF(area.left() + across * area.width(), area.bottom() - up * area.height())

        if ideal:
            painter.setPen(QPen(theme.color("quiet"), 1.5, Qt.PenStyle.DashLine))
            painter.drawPolyline([place(x, y) for x, y in zip(xs, ideal, strict=True)])
        painter.setPen(QPen(theme.color("accent"), 2))
        places = [place(x, y) for x, y in zip(xs, ys, strict=True)]
        painter.drawPolyline(places)
        painter.setBrush(theme.color("accent"))
        for at in places:
            painter.drawEllipse(at, 2.5, 2.5)
        painter.setPen(theme.color("quiet"))
        for point, at in zip(self._points, places, strict=True):
            below = QRectF(at.x() - 40, area.bottom() + 4, 80, line)
            painter.drawText(below, Qt.AlignmentFlag.AlignCenter, quantities.number(point.at))
            if point.writing is not None:
                rate = quantities.rate(float(round(point.writing)))
                painter.drawText(below.translated(0, line), Qt.AlignmentFlag.AlignCenter, rate)
            value = f"{point.value:.1f} s" if steep else f"{point.value:.0f} MB"
            if steep or point in (self._points[0], self._points[-1]):
                painter.drawText(QRectF(at.x() - 40, at.y() - line - 3, 80, line), Qt.AlignmentFlag.AlignCenter, value)
        painter.end()
