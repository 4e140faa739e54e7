"""Asks once before a reading is forgotten for good, and says what that means."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme


class ForgetDialog(QDialog):
    """`agreed` when the person wants it so. "Keep it" is the default button."""

    agreed = Signal()

    def __init__(
        self,
        name: str,
        on_disk: int,
        seconds: float | None = None,
        others: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`on_disk`: bytes that become free. `seconds`: to read it again, where known. `others`: names of documents
        that were read together with it, so that their readings go as well."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Forget this reading?"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel(self.tr("Forget what was read of {name}?").format(name=name), self)
        theme.set_role(title, "title")
        self._said = QLabel(self._words(on_disk, seconds, others), self)
        for label in (title, self._said):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self._said.setMinimumWidth(self.fontMetrics().averageCharWidth() * 62)
        self.keep_button = QPushButton(self.tr("Keep it"), self)
        self.keep_button.setDefault(True)
        self.keep_button.clicked.connect(self.reject)
        self.forget_button = QPushButton(self.tr("Forget this reading"), self)
        self.forget_button.setAutoDefault(False)
        theme.set_role(self.forget_button, "danger")
        self.forget_button.clicked.connect(self._agree)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.forget_button)
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

    def _words(self, on_disk: int, seconds: float | None, others: Sequence[str]) -> str:
        if on_disk:
            size = quantities.size(on_disk)
            said = [self.tr("It leaves memory, and {size} on the disk are deleted for good.").format(size=size)]
        else:
            said = [self.tr("It leaves memory; nothing of it is on the disk.")]
        if others:
            both = self.tr("What was read together with it goes too: {names}.").format(names=", ".join(others))
            said.append(both)
        kept = self.tr("The document and your conversations stay.")
        if seconds is None:
            again = self.tr("The next question about it reads it again.")
        else:
            again = self.tr("The next question about it reads it again, which takes about {time}.")
            again = again.format(time=quantities.roughly(seconds))
        return " ".join([*said, kept, again, self.tr("This cannot be undone.")])

    def _agree(self) -> None:
        self.accept()
        self.agreed.emit()
