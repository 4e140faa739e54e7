"""The keys of the local API, each with what it may do and has done, and a button for a new one."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.data.key import Key
from app.views import theme
from app.views.key_row import KeyRow


class KeysList(QWidget):
    new_asked = Signal()
    revoked = Signal(str)
    """The key of this name shall open nothing any more."""
    forgotten = Signal(str)
    """The revoked key of this name shall go, with what is known of its use."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: dict[str, KeyRow] = {}
        self.none = QLabel(self.tr("No keys yet. Make one for each program, so that each can be limited and revoked."))
        self.none.setWordWrap(True)
        theme.set_role(self.none, "quiet")
        self.new_button = QPushButton(self.tr("New key…"))
        self.new_button.setAutoDefault(False)
        self.new_button.clicked.connect(self.new_asked)
        buttons = QHBoxLayout()
        buttons.addWidget(self.new_button)
        buttons.addStretch(1)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.none)
        layout.addLayout(self._list)
        layout.addLayout(buttons)

    def set_keys(self, keys: Sequence[Key], documents: Mapping[str, str]) -> None:
        """`documents`: names of the library's, by id."""
        for id in self._rows.keys() - {key.id for key in keys}:
            row = self._rows.pop(id)
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, key in enumerate(keys):
            row = self._rows.get(key.id)
            if row is None:
                row = self._rows[key.id] = KeyRow()
                row.revoked.connect(lambda name=key.name: self.revoked.emit(name))
                row.forgotten.connect(lambda name=key.name: self.forgotten.emit(name))
            if self._list.indexOf(row) != place:
                self._list.insertWidget(place, row)
            row.set_key(key, documents)
        self.none.setVisible(not keys)

    def row(self, name: str) -> KeyRow:
        """Of the key that is called so. Raises StopIteration."""
        return next(row for row in self._rows.values() if row.name.whole() == name)
