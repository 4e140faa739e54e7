"""Under the list: what can be done with the chosen item. Its text, its password, its tracked changes."""

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QWidget

from app.data.document import Changes
from app.data.preflight import PreflightRow

TRACKED = ("tracked_changes",)
"""Warnings of texts that hold tracked changes."""


class PreflightTools(QWidget):
    preview_asked = Signal(str)
    password_given = Signal(str, str)
    changes_chosen = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._row: PreflightRow | None = None
        self.preview_button = QPushButton(self.tr("Show its text"), self)
        self.preview_button.clicked.connect(lambda: self._row and self.preview_asked.emit(self._row.key))
        self.password = QLineEdit(self)
        self.password.setEchoMode(QLineEdit.EchoMode.Password)
        self.password.setPlaceholderText(self.tr("Password of the chosen item"))
        self.password.setAccessibleName(self.tr("Password of the chosen item"))
        self.password.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, False)
        self.open_button = QPushButton(self.tr("Open"), self)
        self.open_button.clicked.connect(self._unlock)
        self.password.returnPressed.connect(self._unlock)
        self.changes_button = QPushButton(self.tr("Tracked changes"), self)
        names: dict[Changes, str] = {
            "final": self.tr("As if all were accepted"),
            "original": self.tr("As if none were made"),
            "marked": self.tr("With each one marked"),
        }
        menu = QMenu(self.changes_button)
        for name, words in names.items():
            action = menu.addAction(words, partial(self._choose, name))
            action.setCheckable(True)
            action.setData(name)
        self.changes_button.setMenu(menu)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        for widget in (self.preview_button, self.changes_button, self.password, self.open_button):
            layout.addWidget(widget)
        layout.addStretch(1)
        self.show_row(None)

    def show_row(self, row: PreflightRow | None) -> None:
        if self._row is None or row is None or row.key != self._row.key:
            self.password.clear()
        self._row = row
        item = None if row is None else row.item
        locked = row is not None and row.refused is not None and row.refused.code == "encrypted"
        parts = item is not None and any(part.reason == "encrypted" for part in item.left_out)
        self.password.setVisible(locked or parts)
        self.open_button.setVisible(locked or parts)
        self.preview_button.setVisible(item is not None)
        changed = item is not None and (
            item.changes != "final" or any(warning.code in TRACKED for warning in item.warnings)
        )
        self.changes_button.setVisible(changed)
        for action in self.changes_button.menu().actions():
            action.setChecked(item is not None and action.data() == item.changes)
        # its room is kept while nothing is chosen, so that the list does not jump
        self.setVisible(row is not None and (item is not None or locked))

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return  # was the field's, which passes it on; the card would begin to read
        super().keyPressEvent(event)

    def _unlock(self) -> None:
        if self._row is not None and self.password.text():
            key, password = self._row.key, self.password.text()
            self.password.clear()
            self.password_given.emit(key, password)

    def _choose(self, changes: Changes) -> None:
        if self._row is not None:
            self.changes_chosen.emit(self._row.key, changes)
