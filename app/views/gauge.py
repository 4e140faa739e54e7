"""One gauge of the instruments: a quiet label, a strong number, and a bar where there is a whole to be part of.

Its width comes from the font and a sample of the longest text, so that nothing moves when numbers change.
"""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.views import theme
from app.views.parts_bar import PartsBar


class Gauge(QWidget):
    """With `bar`: label, number and whole in one line over a bar. Without: the number under the label."""

    def __init__(self, label: str, sample: str, bar: bool = False, parent: QWidget | None = None):
        super().__init__(parent)
        self._sample = sample
        self.label = QLabel(label)
        self.value = QLabel("–")
        self.whole = QLabel()
        theme.set_role(self.label, "small")
        theme.set_role(self.value, "figure" if bar else "reading")
        theme.set_role(self.whole, "whole")
        self.bar = PartsBar() if bar else None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(3)
        if self.bar is not None:
            line = QHBoxLayout()
            line.setSpacing(4)
            for part in (self.label, self.value, self.whole):
                line.addWidget(part)
            line.addStretch(1)
            layout.addLayout(line)
            layout.addWidget(self.bar)
        else:
            layout.addWidget(self.label)
            layout.addWidget(self.value)
        layout.addStretch(1)
        self.fit()

    def show_value(self, value: str, whole: str = "", words: str = "") -> None:
        """`words`: the same as a sentence, for tooltips and screen readers."""
        if self.value.text() != value:
            self.value.setText(value)
        if self.whole.text() != whole:
            self.whole.setText(whole)
        if words != self.toolTip():
            self.setToolTip(words)
            self.setAccessibleName(f"{self.label.text()}: {words}" if words else self.label.text())

    def set_idle(self, idle: bool) -> None:
        """An idle gauge shows its last value in the quiet colour."""
        if self.bar is None:
            theme.set_role(self.value, "reading-idle" if idle else "reading")

    def fit(self) -> None:
        """Give the gauge the width of its longest text."""
        wide = self.fontMetrics()
        # the number is drawn larger and bolder than the font that is measured
        width = int(wide.horizontalAdvance(self._sample) * (1.12 if self.bar is not None else 1.08)) + 12
        self.setFixedWidth(max(width, wide.horizontalAdvance(self.label.text()) + 6))
