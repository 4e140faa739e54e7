"""A page as it is printed, with marks over its words."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QPainter, QPixmap
from PySide6.QtWidgets import QScrollArea, QWidget

from app.data.drawing import Drawing
from app.views import theme

SETTLED = 150
"""Milliseconds without another size before a page is drawn anew for it."""
NARROWEST = 120


class _Sheet(QWidget):
    """The picture, as wide as it is to be, and its marks."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = QPixmap()
        self.drawing: Drawing | None = None
        self.tokens: Sequence[str] = ()

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        if self.drawing is not None:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawPixmap(self.rect(), self.picture)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
            factor = self.width() / self.drawing.width
            for token, rectangles in zip(self.tokens, self.drawing.marks, strict=False):
                colour = QColor(theme.LIGHT[token])  # on white paper in both colour schemes
                for one in rectangles:
                    area = QRectF(one.left * factor, one.top * factor, one.width * factor, one.height * factor)
                    painter.fillRect(area, colour)
        painter.end()


class DrawnPage(QScrollArea):
    wanted = Signal(int)
    """The page should be drawn so many pixels wide."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sheet = _Sheet()
        self.setWidget(self._sheet)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self.tr("Page as printed"))
        self._zoom = 1.0
        self._asked = 0
        self._settling = QTimer(self, singleShot=True, interval=SETTLED)
        self._settling.timeout.connect(self._ask)

    def set_zoom(self, factor: float) -> None:
        self._zoom = factor
        self._fit()
        self._settling.start()

    def clear(self) -> None:
        self._sheet.drawing = None
        self._asked = 0
        self._sheet.update()

    def ask(self) -> None:
        """Want the page drawn as it is shown now."""
        self._asked = 0
        self._ask()

    def show_drawing(self, drawing: Drawing, tokens: Sequence[str]) -> None:
        """`tokens`: of the theme, one for each of the drawing's marks; the first mark is brought into sight."""
        image = QImage(drawing.pixels, drawing.width, drawing.height, 4 * drawing.width, QImage.Format.Format_RGB32)
        # the pixmap has its own copy: the bytes may go
        self._sheet.picture, self._sheet.drawing, self._sheet.tokens = QPixmap.fromImage(image), drawing, tokens
        self._fit()
        self._sheet.update()
        first = next((rectangles[0] for rectangles in drawing.marks if rectangles), None)
        if first is not None:
            factor = self._sheet.width() / drawing.width
            self.ensureVisible(round(first.left * factor), round(first.top * factor), 40, 80)

    def marks(self) -> int:
        """Rectangles that are shown."""
        drawing = self._sheet.drawing
        return 0 if drawing is None else sum(map(len, drawing.marks))

    def _ask(self) -> None:
        width = round(self._width() * self.devicePixelRatioF())
        if width != self._asked:
            self._asked = width
            self.wanted.emit(width)

    def _width(self) -> int:
        return max(NARROWEST, round(self.viewport().width() * self._zoom))

    def _fit(self) -> None:
        drawing, width = self._sheet.drawing, self._width()
        height = round(width * drawing.height / drawing.width) if drawing is not None else round(width * 1.414)
        self._sheet.resize(QSize(width, height))

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()
        if self.isVisible():
            self._settling.start()
