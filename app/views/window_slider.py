"""The context window as a slider in octaves, with a mark for each and a sign where memory ends."""

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QSizePolicy, QSlider, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme

SMALLEST = 512
MOST_MARKS = 8


def marks(native: int, largest: int, stretched: int = 1) -> list[int]:
    """Windows to choose from: powers of two up to `native`, then its doubles up to `stretched` times it, together at
    most `MOST_MARKS`, with `largest` (what memory allows) among them where it lies between."""
    octaves = []
    window = SMALLEST
    while window < native:
        octaves.append(window)
        window *= 2
    beyond = [native]
    while beyond[-1] * 2 <= native * stretched:
        beyond.append(beyond[-1] * 2)
    chosen = [*octaves, *beyond][-MOST_MARKS:]
    if SMALLEST <= largest < chosen[-1] and largest not in chosen:
        # nearer than a fifth of an octave two marks would be told apart by nobody
        chosen = [w for w in chosen if w > largest or w * 1.15 < largest]
        chosen.append(largest)
    return sorted(chosen)


class WindowSlider(QWidget):
    """`window_chosen(tokens)` as it moves; 0 stands for "the largest that fits"."""

    window_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._marks = [SMALLEST]
        self._largest = 0
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Context window"))
        self.slider.setPageStep(1)
        self.ticks = _Ticks(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.slider)
        layout.addWidget(self.ticks)
        self.slider.valueChanged.connect(self._moved)

    def set_limits(self, native: int, largest: int, stretched: int = 1) -> None:
        """`largest`: what the planner allows, 0 when no window fits. `stretched`: times `native` that there are."""
        self._largest = largest
        self._marks = marks(native, largest, stretched)
        blocked = self.slider.blockSignals(True)
        self.slider.setRange(0, len(self._marks) - 1)
        self.slider.blockSignals(blocked)
        self.ticks.show_marks(self._marks, largest)

    def set_window(self, window: int) -> None:
        place = min(range(len(self._marks)), key=lambda n: abs(self._marks[n] - window))
        blocked = self.slider.blockSignals(True)
        self.slider.setValue(place)
        self.slider.blockSignals(blocked)
        self._tell()

    def window_tokens(self) -> int:
        return self._marks[self.slider.value()]

    def _moved(self, place: int) -> None:
        window = self._marks[place]
        self._tell()
        # the largest that fits stays the largest when memory changes, so it is kept as "largest", not as a number
        fitting = [w for w in self._marks if w <= self._largest]
        self.window_chosen.emit(0 if fitting and window == fitting[-1] else window)

    def _tell(self) -> None:
        window = self.window_tokens()
        words = quantities.tokens(window)
        if self._largest and window > self._largest:
            words = self.tr("{tokens}, does not fit in memory").format(tokens=words)
        self.slider.setAccessibleDescription(words)
        self.slider.setToolTip(words)


class _Ticks(QWidget):
    """The marks' names under the slider; those beyond memory in the quiet colour after a sign."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._marks: list[int] = []
        self._largest = 0
        self.setFont(theme.font("caption"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_marks(self, marks: list[int], largest: int) -> None:
        self._marks, self._largest = marks, largest
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(100, self.fontMetrics().height() + 2)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        handle = 13
        room = self.width() - handle
        count = max(len(self._marks) - 1, 1)
        free_until = -1.0
        for place, window in enumerate(self._marks):
            middle = handle / 2 + room * place / count
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                middle = self.width() - middle
            fits = window <= self._largest
            text = quantities.window(window) if fits else f"× {quantities.window(window)}"
            width = self.fontMetrics().horizontalAdvance(text)
            left = min(max(middle - width / 2, 0.0), self.width() - width)
            painter.setPen(QPen(theme.color("quiet" if fits else "warn")))
            if left > free_until:
                painter.drawText(QRectF(left, 0, width + 2, self.height()), Qt.AlignmentFlag.AlignVCenter, text)
                free_until = left + width + 4
        painter.end()
