"""Asks as what documents are to be exported."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLabel, QPushButton, QRadioButton, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme


class ExportDialog(QDialog):
    """`chosen` carries "text" or "original"; the folder is asked for next."""

    chosen = Signal(str)

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = QLabel(self.tr("Export {documents}").format(documents=quantities.documents(count)), self)
        theme.set_role(title, "title")
        self.setWindowTitle(title.text())
        self.text = QRadioButton(self.tr("The text, with a mark before each page, and a JSON file for programs"), self)
        self.original = QRadioButton(self.tr("Copies of the original files, where they are still what was read"), self)
        self.text.setChecked(True)
        about = QLabel(self.tr("Nothing is overwritten: where a name is taken, a number is added."), self)
        about.setWordWrap(True)
        theme.set_role(about, "small")
        self.go_button = QPushButton(self.tr("Choose a folder…"), self)
        self.go_button.setDefault(True)
        theme.set_role(self.go_button, "primary")
        self.go_button.clicked.connect(self._go)
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.go_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.setSpacing(12)
        for widget in (title, self.text, self.original, about):
            layout.addWidget(widget)
        layout.addLayout(buttons)

    def _go(self) -> None:
        self.accept()
        self.chosen.emit("text" if self.text.isChecked() else "original")
