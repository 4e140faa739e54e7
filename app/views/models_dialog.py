"""The models that can be chosen: the catalogue's and those found on disk, with their downloads."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from app.data.model import Download, ModelEntry
from app.views import theme
from app.views.model_row import ModelRow


class ModelsDialog(QDialog):
    fetch = Signal(str)
    """Start, or go on with, the download of this model."""
    paused = Signal(str)
    cancelled = Signal(str)
    """Stop the download and remove what arrived."""
    add_path = Signal(str)
    """A folder or a .gguf file that the person pointed at."""
    servers_asked = Signal()
    """Show the servers on other computers."""
    chosen = Signal(str)
    """Use this model from now on."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        self._rows: dict[str, ModelRow] = {}
        self._current: str | None = None
        note = QLabel(
            self.tr(
                "A model is downloaded only when you ask for it, and checked against its published hash. Nothing of "
                "yours is sent. After that it runs on this computer alone, but for models of servers that you add."
            )
        )
        note.setWordWrap(True)
        theme.set_role(note, "small")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        theme.set_role(self.problem, "bad")
        self.problem.hide()
        self._list = QWidget()
        self._list_layout = QVBoxLayout(self._list)
        self._list_layout.setContentsMargins(0, 0, 8, 0)
        self._list_layout.setSpacing(0)
        self._list_layout.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._list)
        self.add_file = QPushButton(self.tr("Add a .gguf file…"))
        self.add_folder = QPushButton(self.tr("Add a folder…"))
        self.servers = QPushButton(self.tr("Servers…"))
        self.servers.setToolTip(self.tr("Models on other computers: SGLang, vLLM, llama.cpp or another Longread"))
        self.servers.clicked.connect(self.servers_asked)
        self.close_button = QPushButton(self.tr("Close"))
        self.add_file.clicked.connect(self._ask_file)
        self.add_folder.clicked.connect(self._ask_folder)
        self.close_button.clicked.connect(self.close)
        for button in (self.add_file, self.add_folder, self.servers, self.close_button):
            button.setAutoDefault(False)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_file)
        buttons.addWidget(self.add_folder)
        buttons.addWidget(self.servers)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(note)
        layout.addWidget(self.problem)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)
        wide = self.fontMetrics().averageCharWidth()
        self.resize(wide * 96, wide * 82)

    def set_entries(self, entries: list[ModelEntry], current: str | None = None) -> None:
        """The models in order; `current` is the one in use."""
        self._current = current
        names = [entry.name for entry in entries]
        for name in [name for name in self._rows if name not in names]:
            row = self._rows.pop(name)
            self._list_layout.removeWidget(row)
            row.hide()
            row.deleteLater()
        for place, entry in enumerate(entries):
            row = self._rows.get(entry.name)
            if row is None:
                row = self._rows[entry.name] = ModelRow(entry)
                row.asked.connect(lambda doing, name=entry.name: self._asked(doing, name))
            row.set_entry(entry, entry.name == current)
            self._list_layout.insertWidget(place, row)

    def set_download(self, download: Download) -> None:
        if download.name in self._rows:
            self._rows[download.name].set_download(download)

    def forget_download(self, name: str) -> None:
        """After a cancelled download the row offers it anew."""
        if name in self._rows:
            self._rows[name].set_download(Download(name, "done", 0, 0))

    def show_problem(self, sentence: str) -> None:
        """Why something that was asked for here could not be done; empty: nothing is wrong."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def row(self, name: str) -> ModelRow:
        return self._rows[name]

    def _asked(self, doing: str, name: str) -> None:
        self.show_problem("")
        signal = {
            "use": self.chosen,
            "fetch": self.fetch,
            "resume": self.fetch,
            "pause": self.paused,
            "cancel": self.cancelled,
        }[doing]
        signal.emit(name)

    def _ask_file(self) -> None:
        asking = QFileDialog(self, self.tr("Add a model file"), "", self.tr("Models (*.gguf)"))
        asking.setFileMode(QFileDialog.FileMode.ExistingFile)
        self._open(asking)

    def _ask_folder(self) -> None:
        asking = QFileDialog(self, self.tr("Add a folder with a model"))
        asking.setFileMode(QFileDialog.FileMode.Directory)
        self._open(asking)

    def _open(self, asking: QFileDialog) -> None:
        asking.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        asking.fileSelected.connect(self.add_path)
        asking.open()
