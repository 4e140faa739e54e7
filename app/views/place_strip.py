"""Parts of a text as a strip of cells, each of which opens its place: the stronger its colour, the more there is."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.data.ledger import LedgerPlace
from app.views import theme
from app.views.flow import FlowLayout

GAP = 3
"""Device-independent pixels between cells."""


class Cell(QAbstractButton):
    """One part; it says itself in its tooltip and to a screen reader. `shade`: 0 to 1; None: an outline. `kept`: it has
    a tick."""

    def __init__(self, words: str, shade: float | None, kept: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.shade, self.kept = shade, kept
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        side = max(14, self.fontMetrics().height())
        return QSize(side, side)

    minimumSizeHint = sizeHint

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5)
        edge, fill = theme.color("edge"), _mixed("sheet", "kv", 0.08 + 0.8 * (self.shade or 0.0))
        painter.setPen(QPen(edge if self.shade is None else fill, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush if self.shade is None else fill)
        if self.kept:
            painter.setPen(QPen(theme.color("button"), 1))
            painter.setBrush(theme.color("button"))
        painter.drawRoundedRect(area, 2.5, 2.5)
        if self.kept:
            pen = QPen(theme.color("button_ink"), 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            points = ((0.22, 0.52), (0.43, 0.73), (0.78, 0.29))
            painter.drawPolyline([area.topLeft() + QPointF(area.width() * x, area.height() * y) for x, y in points])
        if self.hasFocus() or self.underMouse():
            painter.setPen(QPen(theme.color("ink"), 1.3))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area.adjusted(-0.7, -0.7, 0.7, 0.7), 3, 3)
        painter.end()

    def enterEvent(self, event) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event) -> None:
        super().leaveEvent(event)
        self.update()


class PlaceStrip(QWidget):
    """Tab reaches it as one thing; arrows go from cell to cell, Return opens the first place of one."""

    place = Signal(str, int, int)
    """An item, and the characters of it that the chosen part holds."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._legend = ""
        self._places: list[Sequence[LedgerPlace]] = []
        self._cells_area = QWidget(self)
        self._flow = FlowLayout(self._cells_area, gap=GAP, line_gap=GAP)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._cells_area.setSizePolicy(policy)
        self.cells: list[Cell] = []
        self._about = QLabel(self)
        self._about.setTextFormat(Qt.TextFormat.PlainText)
        self._about.setWordWrap(True)
        theme.set_role(self._about, "caption")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(6)
        layout.addWidget(self._cells_area)
        layout.addWidget(self._about)
        self._here = 0

    def explain(self, name: str, legend: str) -> None:
        """`legend`: what the colours mean, under the cells while none of them is looked at."""
        self.setAccessibleName(name)
        self._legend = legend
        self._about.setText(legend)

    def add(self, words: str, shade: float | None, kept: bool, places: Sequence[LedgerPlace]) -> None:
        cell = Cell(words, shade, kept, self._cells_area)
        cell.clicked.connect(partial(self._open, len(self.cells)))
        cell.installEventFilter(self)
        self._flow.addWidget(cell)
        self.cells.append(cell)
        self._places.append(places)

    def begin_at(self, place: int) -> None:
        """The cell that Tab reaches first."""
        self._here = place
        if self.cells:
            self.cells[place].setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def about(self) -> str:
        """The line under the cells: the part under the pointer or the focus, else what the shades mean."""
        return self._about.text()

    def _open(self, place: int, _checked: bool = False) -> None:
        self._stand_at(place)
        if self._places[place]:
            first = self._places[place][0]
            self.place.emit(first.item, first.start, first.end)

    def _stand_at(self, place: int) -> None:
        """The cell that Tab reaches, and has the focus now."""
        self.cells[self._here].setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._here = place
        self.cells[place].setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.cells[place].setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched, event) -> bool:
        if not isinstance(watched, Cell):
            return super().eventFilter(watched, event)
        if event.type() == event.Type.KeyPress and self._move(event):
            return True
        if event.type() in (event.Type.FocusIn, event.Type.Enter):
            self._about.setText(watched.accessibleName())
        elif event.type() in (event.Type.FocusOut, event.Type.Leave):
            focused = next((cell for cell in self.cells if cell.hasFocus() and cell is not watched), None)
            self._about.setText(focused.accessibleName() if focused else self._legend)
        return super().eventFilter(watched, event)

    def _move(self, event: QKeyEvent) -> bool:
        key, last = event.key(), len(self.cells) - 1
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open(self._here)
            return True
        columns = sum(cell.y() == self.cells[0].y() for cell in self.cells)
        step = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Up: -columns,
            Qt.Key.Key_Down: columns,
            Qt.Key.Key_Home: -self._here,
            Qt.Key.Key_End: last - self._here,
        }.get(Qt.Key(key))
        if step is None:
            return False
        if 0 <= self._here + step <= last:
            self._stand_at(self._here + step)
        return True


def _mixed(ground: str, over: str, share: float) -> QColor:
    """`share` of the second colour in the first."""
    first, second = theme.color(ground), theme.color(over)
    parts = zip(first.getRgb()[:3], second.getRgb()[:3], strict=True)
    return QColor(*(round(one + (two - one) * share) for one, two in parts))
