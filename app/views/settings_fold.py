"""A group of settings folded under a heading that says how they stand."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QFrame, QSizePolicy, QVBoxLayout, QWidget

from app.views import theme

PADDING = 7
ARROW = 4.0
"""Half the width of the arrow, in pixels."""
CORNER = 6.0


class Fold(QWidget):
    """A hairline, the heading and, when it is open, `body`. All text is `PADDING` within the edges."""

    toggled = Signal(bool)

    def __init__(self, words: str, body: QWidget, parent: QWidget | None = None):
        super().__init__(parent)
        self.body = body
        self.heading = Heading(words)
        line = QFrame()
        theme.set_role(line, "line")
        self._inside = QWidget()
        inside = QVBoxLayout(self._inside)
        inside.setContentsMargins(PADDING, 6, PADDING, 14)
        inside.addWidget(body)
        self._inside.hide()
        lines = QVBoxLayout()
        lines.setContentsMargins(PADDING, 0, PADDING, 0)
        lines.addWidget(line)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addLayout(lines)
        layout.addWidget(self.heading)
        layout.addWidget(self._inside)
        self.heading.toggled.connect(self._toggle)

    def show_state(self, state: str, warns: bool = False) -> None:
        """How the settings in here stand, in a few words; `warns` where they are not harmless."""
        self.heading.show_state(state, warns)

    def is_open(self) -> bool:
        return self.heading.isChecked()

    def set_open(self, on: bool) -> None:
        self.heading.setChecked(on)

    def _toggle(self, on: bool) -> None:
        self._inside.setVisible(on)
        self.toggled.emit(on)


class Heading(QAbstractButton):
    """The words, under them the state, and an arrow that says whether more is to be seen. Space and Return open it."""

    def __init__(self, words: str, parent: QWidget | None = None):
        super().__init__(parent)
        self._state, self._warns = "", False
        self.setText(words)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(words)

    def state(self) -> str:
        return self._state

    def show_state(self, state: str, warns: bool) -> None:
        if (state, warns) != (self._state, self._warns):
            self._state, self._warns = state, warns
            self.setAccessibleDescription(state)
            self.setToolTip(state)
            self.update()

    def sizeHint(self) -> QSize:
        words, state = self._heights()
        return QSize(120, round(words + state + 2 * PADDING))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _heights(self) -> tuple[float, float]:
        painting = self.fontMetrics()
        return float(painting.height()), painting.height() * theme.SIZES["small"] + 1

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() or self.hasFocus():
            around = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
            painter.setPen(theme.color("accent") if self.hasFocus() else Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover") if self.underMouse() else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(around, CORNER, CORNER)
        mirrored = self.layoutDirection() == Qt.LayoutDirection.RightToLeft
        words, state = self._heights()
        beside = 6 * ARROW
        lines = QRectF(PADDING, PADDING, self.width() - PADDING - beside, words)
        if mirrored:
            lines.moveLeft(beside)
        side = Qt.AlignmentFlag.AlignRight if mirrored else Qt.AlignmentFlag.AlignLeft
        side |= Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignAbsolute
        painter.setPen(theme.color("ink"))
        painter.drawText(lines, side, self.text())
        painter.setFont(theme.font("small"))
        painter.setPen(theme.color("warn" if self._warns else "quiet"))
        lines.translate(0, words)
        lines.setHeight(state)
        shown = painter.fontMetrics().elidedText(self._state, Qt.TextElideMode.ElideRight, int(lines.width()))
        painter.drawText(lines, side, shown)
        self._paint_arrow(painter, QPointF(beside / 2 if mirrored else self.width() - beside / 2, self.height() / 2))
        painter.end()

    def _paint_arrow(self, painter: QPainter, middle: QPointF) -> None:
        pen = QPen(theme.color("quiet"), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
        painter.setPen(pen)
        if self.isChecked():
            ends = (QPointF(-ARROW, -ARROW / 2), QPointF(0, ARROW / 2), QPointF(ARROW, -ARROW / 2))
        elif self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
            ends = (QPointF(ARROW / 2, -ARROW), QPointF(-ARROW / 2, 0), QPointF(ARROW / 2, ARROW))
        else:
            ends = (QPointF(-ARROW / 2, -ARROW), QPointF(ARROW / 2, 0), QPointF(-ARROW / 2, ARROW))
        painter.drawPolyline([middle + end for end in ends])
