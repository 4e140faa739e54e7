"""Fields for choices and amounts, with arrows in the theme's colours."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QComboBox, QSpinBox, QStyle, QStyleOptionComboBox, QStyleOptionSpinBox, QWidget

from app.views import theme

HALF = 4.0
"""Half the width of an arrow."""


def arrow(widget: QWidget, area: QRectF, down: bool) -> None:
    """An arrow in the middle of `area`, quiet, and quieter still where it can do nothing."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = theme.color("quiet" if widget.isEnabled() else "edge")
    painter.setPen(QPen(color, 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin))
    middle, rise = area.center(), HALF / 2 if down else -HALF / 2
    ends = (QPointF(-HALF, -rise), QPointF(0, rise), QPointF(HALF, -rise))
    painter.drawPolyline([middle + end for end in ends])
    painter.end()


class Choice(QComboBox):
    """A wheel that turns over it scrolls what is behind; it never changes a choice by accident."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        place = QStyle.SubControl.SC_ComboBoxArrow
        area = self.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, place, self)
        arrow(self, QRectF(area), down=True)

    def wheelEvent(self, event) -> None:
        event.ignore()


class Amount(QSpinBox):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.lineEdit().setTextMargins(6, 0, 6, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        option = QStyleOptionSpinBox()
        self.initStyleOption(option)
        for place, down in ((QStyle.SubControl.SC_SpinBoxUp, False), (QStyle.SubControl.SC_SpinBoxDown, True)):
            area = self.style().subControlRect(QStyle.ComplexControl.CC_SpinBox, option, place, self)
            arrow(self, QRectF(area), down)

    def wheelEvent(self, event) -> None:
        event.ignore()
