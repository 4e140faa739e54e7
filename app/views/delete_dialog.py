"""Asks once before documents are deleted for good, and says what goes and what stays."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme
from app.views.library_notices import named


class DeleteDialog(QDialog):
    """`agreed` when the person wants it so. "Keep" is the default button."""

    agreed = Signal()

    def __init__(
        self,
        names: Sequence[str],
        *,
        texts: int,
        on_disk: int,
        matters: Sequence[str],
        conversations: int,
        parent: QWidget | None = None,
    ) -> None:
        """`texts`: characters. `on_disk`: bytes of readings. `conversations`: in how many they were asked about."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Delete for good?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel(self.tr("Delete {names} for good?").format(names=named(names)), self)
        theme.set_role(title, "title")
        self._said = QLabel(self._words(texts, on_disk, matters, conversations), self)
        for label in (title, self._said):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._said.setMinimumWidth(self.fontMetrics().averageCharWidth() * 62)
        self.keep_button = QPushButton(self.tr("Keep"), self)
        self.keep_button.setDefault(True)
        self.keep_button.clicked.connect(self.reject)
        self.delete_button = QPushButton(self.tr("Delete for good"), self)
        self.delete_button.setAutoDefault(False)
        theme.set_role(self.delete_button, "danger")
        self.delete_button.clicked.connect(self._agree)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.delete_button)
        buttons.addWidget(self.keep_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(12)
        layout.addWidget(title)
        layout.addWidget(self._said)
        layout.addLayout(buttons)
        self.setAccessibleDescription(self._said.text())
        self.keep_button.setFocus()

    def text(self) -> str:
        return self._said.text()

    def _words(self, texts: int, on_disk: int, matters: Sequence[str], conversations: int) -> str:
        told = [
            self.tr("The kept text ({n} characters) goes, and what the search knows of it.").format(
                n=quantities.number(texts)
            )
        ]
        if on_disk:
            size = quantities.size(on_disk)
            told.append(self.tr("What was read of it goes: {size} on the disk.").format(size=size))
        if matters:
            told.append(self.tr("It leaves these matters: {names}.").format(names=named(matters)))
        told.append(self.tr("The original files are not touched."))
        if conversations == 1:
            told.append(self.tr("1 conversation about it stays, with what it quotes, and goes on without it."))
        elif conversations:
            said = self.tr("{n} conversations about it stay, with what they quote, and go on without it.")
            told.append(said.format(n=quantities.number(conversations)))
        return " ".join([*told, self.tr("This cannot be undone.")])

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()
