"""A line over the conversation for what the person must know: the engine came back, settings are damaged, undo."""

from collections.abc import Sequence
from typing import Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.views import announce, theme
from app.views.icons import IconButton, pixmap

Kind = Literal["good", "info", "warn", "bad"]
ICONS = {"good": ("check", "good"), "info": ("info", "quiet"), "warn": ("triangle-alert", "warn")}
ICONS["bad"] = ("circle-alert", "bad")


class Banner(QFrame):
    """Shows one message; a newer one takes its place. `dismissed` when the person closes it."""

    action = Signal(str)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind: Kind = "info"
        self._sign = QLabel(self)
        self._text = QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        close = IconButton("x", self.tr("Close this message"), parent=self)
        close.clicked.connect(self._close)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 7, 10, 7)
        layout.setSpacing(10)
        layout.addWidget(self._sign)
        layout.addWidget(self._text, 1)
        layout.addLayout(self._buttons)
        layout.addWidget(close)
        self.hide()

    def show_message(self, kind: Kind, text: str, buttons: Sequence[tuple[str, str]] = ()) -> None:
        """`buttons`: name and label of each; `action` says the name of the one that was pressed."""
        self._kind = kind
        theme.set_role(self, f"banner-{kind}")
        name, token = ICONS[kind]
        self._sign.setPixmap(pixmap(name, token, round(self.fontMetrics().height())))
        self._text.setText(text)
        while (item := self._buttons.takeAt(0)) is not None:
            item.widget().deleteLater()
        for name, label in buttons:
            button = QPushButton(label, self)
            button.clicked.connect(lambda _=False, name=name: self.action.emit(name))
            self._buttons.addWidget(button)
        self.setVisible(True)
        announce.politely(self, text)

    def text(self) -> str:
        return self._text.text()

    def clear(self) -> None:
        self.hide()

    def _close(self) -> None:
        self.hide()
        self.dismissed.emit()
