"""One key of the list: what it may do, what it has done, and what can be done with it."""

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.data.key import Key
from app.models import key_words
from app.views import theme
from app.views.elided import Elided


class KeyRow(QFrame):
    revoked = Signal()
    forgotten = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "row")
        self.name = Elided(where=Qt.TextElideMode.ElideMiddle)
        self.hint = QLabel()
        self.hint.setFont(theme.font("code"))
        theme.set_role(self.hint, "quiet")
        self.may, self.today, self.done, self.error = Elided(), QLabel(), QLabel(), QLabel()
        for label in (self.may, self.done):
            theme.set_role(label, "small")
        for label in (self.today, self.done, self.error):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        theme.set_role(self.error, "small-warn")
        self.revoke_button = QPushButton(self.tr("Revoke"))
        self.forget_button = QPushButton(self.tr("Delete"))
        self.revoke_button.clicked.connect(self.revoked)
        self.forget_button.clicked.connect(self.forgotten)
        title = QHBoxLayout()
        title.setSpacing(10)
        title.addWidget(self.name)
        title.addWidget(self.hint)
        title.addStretch(1)
        told = QVBoxLayout()
        told.setSpacing(2)
        told.addLayout(title)
        for label in (self.may, self.today, self.done, self.error):
            told.addWidget(label)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 10, 4, 10)
        layout.setSpacing(16)
        layout.addLayout(told, 1)
        for button in (self.revoke_button, self.forget_button):
            button.setAutoDefault(False)
            layout.addWidget(button)

    def set_key(self, key: Key, documents: Mapping[str, str]) -> None:
        """`documents`: names of the library's, by id."""
        gone = key.revoked is not None
        theme.set_role(self.name, "quiet" if gone else "heading")
        self.name.show_text(key.name)
        self.hint.setText(f"sk-…{key.hint}")
        self.hint.setAccessibleName(self.tr("its secret ends in {letters}").format(letters=key.hint))
        self.may.show_text(key_words.may(key, documents))
        self.may.setVisible(not gone)
        self.today.setText(key_words.today(key))
        theme.set_role(self.today, "small-warn" if key.spent else "small-ink")
        self.today.setVisible(not gone)
        self.done.setText(key_words.done(key))
        self.error.setText(key_words.error(key))
        self.error.setVisible(bool(key.last_error) and not gone)
        self.revoke_button.setVisible(not gone)
        self.forget_button.setVisible(gone)
        self.revoke_button.setAccessibleName(self.tr("Revoke the key {name}").format(name=key.name))
        self.forget_button.setAccessibleName(self.tr("Delete the revoked key {name}").format(name=key.name))
