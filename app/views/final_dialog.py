"""Asks once before something goes for good, and says what that means."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.views import theme


class FinalDialog(QDialog):
    """`agreed` when the person wants it so. The button that keeps is the default."""

    agreed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

    def ask(self, question: str, said: str, *, keep: str, go: str) -> None:
        """`said`: what goes and what stays. `keep`, `go`: what the buttons say. Once for each dialog."""
        title = QLabel(question, self)
        theme.set_role(title, "title")
        self._said = QLabel(said, self)
        for label in (title, self._said):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._said.setMinimumWidth(self.fontMetrics().averageCharWidth() * 62)
        self.keep_button = QPushButton(keep, self)
        self.keep_button.setDefault(True)
        self.keep_button.clicked.connect(self.reject)
        self.go_button = QPushButton(go, self)
        self.go_button.setAutoDefault(False)
        theme.set_role(self.go_button, "danger")
        self.go_button.clicked.connect(self._agree)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.go_button)
        buttons.addWidget(self.keep_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(12)
        layout.addWidget(title)
        layout.addWidget(self._said)
        layout.addLayout(buttons)
        self.setAccessibleDescription(said)
        self.keep_button.setFocus()

    def text(self) -> str:
        return self._said.text()

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()
