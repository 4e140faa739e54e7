"""Shown while files are dragged over the window: what a drop would do, before it is done."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QLabel, QStyle, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme

FADE_MS = 120
MARGIN = 14
RADIUS = 14


class DropOverlay(QWidget):
    """Lies over its parent, lets every event through, and fades in."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        title = QLabel(self.tr("Drop to read in full"), self)
        theme.set_role(title, "display")
        self._contents = QLabel(self)
        theme.set_role(self._contents, "quiet")
        layout = QVBoxLayout(self)
        layout.setSpacing(12)
        layout.addStretch(1)
        for label in (title, self._contents):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
            layout.addWidget(label)
        layout.addStretch(1)
        self._fade = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._fade.valueChanged.connect(lambda _: self.update())
        self.hide()

    def show_paths(self, paths: Sequence[Path]) -> None:
        files = sum(not path.is_dir() for path in paths)
        self._contents.setText(self._words(files, len(paths) - files))
        self.setAccessibleName(self._contents.text())
        # a system that asks for less motion answers 0
        self._fade.setDuration(min(FADE_MS, self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)))
        self.raise_()
        self.show()
        self._fade.start()

    def text(self) -> str:
        return self._contents.text()

    def _words(self, files: int, folders: int) -> str:
        file = self.tr("1 file") if files == 1 else self.tr("{n} files").format(n=quantities.number(files))
        folder = self.tr("1 folder") if folders == 1 else self.tr("{n} folders").format(n=quantities.number(folders))
        if files and folders:
            what = self.tr("{files} and {folders}").format(files=file, folders=folder)
        else:
            what = file if files else folder
        return self.tr("{what} · you will see what is read before anything starts").format(what=what)

    def paintEvent(self, event) -> None:
        shown = float(self._fade.currentValue() or 0.0)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ground = QColor(theme.color("drop"))
        ground.setAlphaF(0.94 * shown)
        edge = QColor(theme.color("accent"))
        edge.setAlphaF(shown)
        pen = QPen(edge, 2, Qt.PenStyle.CustomDashLine)
        pen.setDashPattern([3.0, 2.0])
        painter.setPen(pen)
        painter.setBrush(ground)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), RADIUS, RADIUS)
        painter.end()
