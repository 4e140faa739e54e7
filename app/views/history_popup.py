"""A small history of the session, shown over the instruments: what memory holds, and each gauge as a line."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme
from app.views.parts_bar import Swatch
from app.views.sparkline import History, Sparkline
from engine.protocol import MemoryParts


class HistoryPopup(QFrame):
    """Closes by Esc or a click elsewhere, as popups do."""

    def __init__(self, histories: dict[str, History], parent: QWidget):
        super().__init__(parent, Qt.WindowType.Popup)
        theme.set_role(self, "popup")
        self.setAccessibleName(self.tr("History of this session"))
        self._histories = histories
        self._amounts: dict[str, QLabel] = {}
        self._values: dict[str, QLabel] = {}
        title = QLabel(self.tr("This session"))
        theme.set_role(title, "heading")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(18, 14, 18, 16)
        layout.setSpacing(10)
        layout.addWidget(title)
        layout.addLayout(self._lines())
        layout.addLayout(self._legend())

    def _lines(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(14)
        grid.setVerticalSpacing(6)
        names = {
            "memory": self.tr("Memory"),
            "window": self.tr("Window"),
            "first_word": self.tr("First word"),
            "reading": self.tr("Reading"),
            "writing": self.tr("Writing"),
        }
        for row, (name, words) in enumerate(names.items()):
            label, value = QLabel(words), QLabel()
            theme.set_role(label, "small")
            theme.set_role(value, "small")
            line = Sparkline(self._histories[name])
            line.setAccessibleName(words)
            grid.addWidget(label, row, 0)
            grid.addWidget(line, row, 1)
            grid.addWidget(value, row, 2)
            self._values[name] = value
        return grid

    def _legend(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(3)
        grid.setColumnStretch(1, 1)
        parts = {
            "weights": self.tr("Weights"),
            "kv": self.tr("Keys and values of what was read"),
            "state": self.tr("States"),
            "other": self.tr("Other programs and the system"),
            "free": self.tr("Free"),
        }
        for row, (part, words) in enumerate(parts.items()):
            label, amount = QLabel(words), QLabel("–")
            theme.set_role(label, "small")
            theme.set_role(amount, "small")
            amount.setAlignment(Qt.AlignmentFlag.AlignRight)
            grid.addWidget(Swatch(part), row, 0)
            grid.addWidget(label, row, 1)
            grid.addWidget(amount, row, 2)
            self._amounts[part] = amount
        return grid

    def set_memory(self, memory: MemoryParts) -> None:
        for part, amount in (
            ("weights", memory.weights),
            ("kv", memory.kv),
            ("state", memory.state),
            ("other", memory.other),
            ("free", memory.free),
        ):
            self._amounts[part].setText(quantities.size(amount))
        if self.isVisible():
            self._tell()
            self.update()

    def _tell(self) -> None:
        """Each line in words: its last value and its highest."""
        words = {
            "memory": lambda v: self.tr("{n} GB").format(n=quantities.decimal(v)),
            "window": lambda v: quantities.tokens(round(v)),
            "first_word": quantities.seconds,
            "reading": quantities.rate,
            "writing": quantities.rate,
        }
        for name, history in self._histories.items():
            if history.last is None or history.most is None:
                text = self.tr("nothing yet")
            else:
                form = self.tr("{last} · longest {most}") if name == "first_word" else self.tr("{last} · most {most}")
                text = form.format(last=words[name](history.last), most=words[name](history.most))
            self._values[name].setText(text)

    def show_above(self, strip: QWidget) -> None:
        self._tell()
        self.adjustSize()
        corner = strip.mapToGlobal(QPoint(12, -self.height() - 6))
        self.move(corner)
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
