"""The check of the local API: it is called as a program would call it, and each finding is a line with a sign."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app import gateway_words, words
from app.data.check import Check
from app.models.spoken import spoken
from app.views import announce, theme
from app.views.icons import pixmap

SIGNS = {"good": ("check", "good"), "warn": ("triangle-alert", "warn"), "bad": ("circle-alert", "bad")}


class Checks(QWidget):
    asked = Signal()
    """Check now; answer with `begin`, `add` for each finding, and `finish`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.found: list[Check] = []
        self._signs: list[QLabel] = []
        self._stamp: object = None
        self.button = QPushButton(self.tr("Check"))
        self.button.setAccessibleName(self.tr("Check the local API"))
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.asked)
        self.note = QLabel(
            self.tr("Calls the address with the key and the model above, as a program would, with a tiny question.")
        )
        self.note.setWordWrap(True)
        theme.set_role(self.note, "small")
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(self.button)
        head.addWidget(self.note, 1)
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(10)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addLayout(self._grid)

    def begin(self) -> None:
        while (held := self._grid.takeAt(0)) is not None:
            held.widget().hide()
            held.widget().deleteLater()
        self.found, self._signs = [], []
        self.button.setEnabled(False)

    def add(self, check: Check) -> None:
        sign, said = QLabel(), QLabel(self._sentence(check))
        said.setWordWrap(True)
        said.setTextFormat(Qt.TextFormat.PlainText)
        said.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        said.setAccessibleName(f"{self._verdict(check)}: {said.text()}")
        sign.setAccessibleName(self._verdict(check))
        row = len(self.found)
        self._grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(said, row, 1)
        self.found.append(check)
        self._signs.append(sign)
        self._draw()
        announce.politely(self, said.accessibleName())

    def finish(self) -> None:
        self.button.setEnabled(True)

    def text(self) -> str:
        """All findings, a line each."""
        return "\n".join(self._sentence(check) for check in self.found)

    def _sentence(self, check: Check) -> str:
        table = gateway_words.CHECKS if check.code in gateway_words.CHECKS else words.FAILURES
        return spoken(table, check.code, check.values)

    def _verdict(self, check: Check) -> str:
        return {"good": self.tr("in order"), "warn": self.tr("mind this"), "bad": self.tr("not in order")}[
            check.verdict
        ]

    def _draw(self) -> None:
        self._stamp = theme.stamp()
        for sign, check in zip(self._signs, self.found, strict=True):
            name, token = SIGNS[check.verdict]
            sign.setPixmap(pixmap(name, token, round(self.fontMetrics().height())))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._stamp is not None and self._stamp != theme.stamp():
            self._draw()
