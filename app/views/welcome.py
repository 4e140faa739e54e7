"""What stands where a conversation will be: the first run, and afterwards an invitation to drop something."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.views import theme
from app.views.first_run import FirstRun


class NothingOpen(QWidget):
    """Nothing is asked yet: what to do, in two sentences and two buttons."""

    add_files = Signal()
    add_folder = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title, self.text = self._label("display"), self._label("quiet")
        self._files = files = QPushButton(self.tr("Add documents…"), self)
        folder = QPushButton(self.tr("Add folder…"), self)
        files.clicked.connect(self.add_files)
        folder.clicked.connect(self.add_folder)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(files)
        buttons.addWidget(folder)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(24, 120, 24, 24)
        layout.setSpacing(12)
        layout.addWidget(self.title)
        layout.addWidget(self.text)
        layout.addSpacing(8)
        layout.addLayout(buttons)
        layout.addStretch(1)
        self.show_attached(0)

    def show_attached(self, count: int) -> None:
        """With documents attached the invitation is to ask."""
        theme.set_role(self._files, "" if count else "primary")
        if count:
            self.title.setText(self.tr("Ask about what you added"))
            self.text.setText(
                self.tr("The answer is written from the whole text. Ask for a fact, a place or a quote to begin with.")
            )
        else:
            self.title.setText(self.tr("Drop a book, a contract or a folder of code"))
            self.text.setText(
                self.tr(
                    "It is read in full, on this computer, and nothing of it leaves. You see what will be read before "
                    "anything starts; then ask."
                )
            )

    def _label(self, role: str) -> QLabel:
        label = QLabel(self)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        theme.set_role(label, role)
        return label


class Welcome(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.first_run = FirstRun(self)
        self.nothing_open = NothingOpen(self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.first_run)
        layout.addWidget(self.nothing_open)
        layout.addStretch(1)
        self.show_first_run(False)

    def show_first_run(self, shown: bool) -> None:
        self.first_run.setVisible(shown)
        self.nothing_open.setVisible(not shown)
