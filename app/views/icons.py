"""Icons: lucide's drawings in `resources/icons`, drawn in a colour of the theme, and buttons that carry them."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QToolButton, QWidget

from app.views import theme

FOLDER = Path(__file__).parents[2] / "resources" / "icons"


def pixmap(name: str, token: str = "ink", side: int = 16, ratio: float = 2.0) -> QPixmap:
    """The drawing in the token's colour, `side` device-independent pixels wide. Raises FileNotFoundError."""
    key = f"{name} {theme.css(token)} {side} {ratio}"
    made = QPixmap()
    if QPixmapCache.find(key, made):
        return made
    drawing = (FOLDER / f"{name}.svg").read_text("utf-8").replace("currentColor", theme.css(token))
    made = QPixmap(QSize(round(side * ratio), round(side * ratio)))
    made.fill(Qt.GlobalColor.transparent)
    painter = QPainter(made)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(made.rect()))
    painter.end()
    made.setDevicePixelRatio(ratio)
    QPixmapCache.insert(key, made)
    return made


def icon(name: str, token: str = "ink", side: int = 16) -> QIcon:
    return QIcon(pixmap(name, token, side))


class IconButton(QToolButton):
    """A button that shows only an icon, recoloured with the theme; its words are accessible name and tooltip."""

    def __init__(
        self, name: str, words: str, token: str = "quiet", parent: QWidget | None = None, scale: float = 1.0
    ) -> None:
        """`scale`: the icon's side in heights of the text beside it."""
        super().__init__(parent)
        self._scale = scale
        self._drawn: tuple[object, ...] = ()
        self._name, self._token = name, token
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        theme.set_role(self, "icon")
        self.set_words(words)
        self._draw()

    def set_words(self, words: str) -> None:
        self.setToolTip(words)
        self.setAccessibleName(words)

    def set_icon(self, name: str) -> None:
        self._name = name
        self._draw()

    def _draw(self) -> None:
        side = round(self.fontMetrics().height() * self._scale)
        drawn = (self._name, side, theme.stamp())
        if drawn == self._drawn:
            return
        self._drawn = drawn
        self.setIconSize(QSize(side, side))
        self.setIcon(icon(self._name, self._token, side))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.PaletteChange, QEvent.Type.FontChange):
            self._draw()
