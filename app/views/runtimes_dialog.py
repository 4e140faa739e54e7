"""What the engine computes with: the runtime that came along, those for graphics cards, and installing one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.data.runtime import RuntimeEntry, Stage
from app.models import quantities
from app.views import theme

PERMILLE = 1000


class RuntimeRow(QFrame):
    """One of the list."""

    used = Signal()
    removed = Signal()

    def __init__(self, entry: RuntimeEntry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "row")
        title = entry.tag or self.tr("The runtime that came with Longread")
        self.title = QLabel(self.tr("{title} · in use").format(title=title) if entry.used else title)
        theme.set_role(self.title, "heading")
        self.facts = QLabel(self._facts(entry))
        self.facts.setWordWrap(True)
        theme.set_role(self.facts, "small-warn" if entry.problem else "small")
        self.use_button, self.remove_button = QPushButton(self.tr("Use")), QPushButton(self.tr("Remove"))
        self.use_button.setVisible(not entry.used and not entry.problem)
        self.remove_button.setVisible(entry.removable)
        for button in (self.use_button, self.remove_button):
            button.setAutoDefault(False)
            button.setAccessibleName(f"{button.text()}: {title}")
        self.use_button.clicked.connect(self.used)
        self.remove_button.clicked.connect(self.removed)
        told = QVBoxLayout()
        told.setSpacing(2)
        told.addWidget(self.title)
        told.addWidget(self.facts)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 12, 4, 12)
        layout.setSpacing(6)
        layout.addLayout(told, 1)
        layout.addWidget(self.use_button)
        layout.addWidget(self.remove_button)

    def _facts(self, entry: RuntimeEntry) -> str:
        facts = [
            self.tr("for NVIDIA cards") if entry.kind == "cuda" else self.tr("for the processor"),
            self.tr("torch {version}").format(version=entry.torch) if entry.torch else "",
            self.tr("{size} on this computer").format(size=quantities.size(entry.size)) if entry.size else "",
            self.tr("not made for this version of Longread") if entry.problem else "",
        ]
        return " · ".join(filter(None, facts))


class RuntimesDialog(QDialog):
    install = Signal(str)
    """From the pack's manifest, or a .tar, that the person pointed at."""
    stopped = Signal()
    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Graphics card"))
        note = QLabel(
            self.tr(
                "To compute on an NVIDIA card, Longread needs a pack of some gigabytes: a folder with manifest.json, "
                "from the place where you got Longread. Every byte of it is checked and it is tried out before it is "
                "used. The runtime that came along stays, and is used again if the new one cannot be."
            )
        )
        note.setWordWrap(True)
        theme.set_role(note, "small")
        self.problem, self.told = QLabel(), QLabel()
        for label, role in ((self.problem, "bad"), (self.told, "small")):
            label.setWordWrap(True)
            label.hide()
            theme.set_role(label, role)
        self.progress = QProgressBar()
        self.progress.setRange(0, PERMILLE)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self.rows: dict[str, RuntimeRow] = {}
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self.install_button = QPushButton(self.tr("Install a pack…"))
        self.stop_button = QPushButton(self.tr("Stop"))
        self.close_button = QPushButton(self.tr("Close"))
        self.stop_button.hide()
        self.install_button.clicked.connect(self._ask)
        self.stop_button.clicked.connect(self.stopped)
        self.close_button.clicked.connect(self.close)
        buttons = QHBoxLayout()
        for button in (self.install_button, self.stop_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(note)
        layout.addWidget(self.problem)
        layout.addLayout(self._list)
        layout.addWidget(self.told)
        layout.addWidget(self.progress)
        layout.addStretch(1)
        layout.addLayout(buttons)
        wide = self.fontMetrics().averageCharWidth()
        self.resize(wide * 96, wide * 62)

    def set_entries(self, entries: tuple[RuntimeEntry, ...]) -> None:
        for row in self.rows.values():
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self.rows = {entry.tag: RuntimeRow(entry) for entry in entries}
        for tag, row in self.rows.items():
            row.used.connect(lambda tag=tag: self.chosen.emit(tag))
            row.removed.connect(lambda tag=tag: self.removed.emit(tag))
            self._list.addWidget(row)

    def show_progress(self, stage: Stage, done: int, total: int) -> None:
        words = {
            "check": self.tr("Checking every byte: {done} of {total}"),
            "unpack": self.tr("Unpacking: {done} of {total}"),
            "try": self.tr("Trying it out, which may take a minute…"),
        }[stage]
        self._say(words.format(done=quantities.size(done), total=quantities.size(total)))
        self.progress.setValue(int(PERMILLE * done / total) if total else 0)
        self._running(True)

    def show_end(self, said: str, problem: str = "") -> None:
        """How an installation ended."""
        self._running(False)
        self._say(said)
        self.show_problem(problem)

    def show_problem(self, sentence: str) -> None:
        """Why something that was asked for here could not be done; empty: nothing is wrong."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def _say(self, words: str) -> None:
        self.told.setText(words)
        self.told.setVisible(bool(words))
        self.progress.setAccessibleName(words)

    def _running(self, running: bool) -> None:
        self.progress.setVisible(running)
        self.stop_button.setVisible(running)
        self.install_button.setEnabled(not running)
        for row in self.rows.values():
            row.setEnabled(not running)

    def _ask(self) -> None:
        asking = QFileDialog(self, self.tr("Install a pack"), "", self.tr("Packs (manifest.json *.tar)"))
        asking.setFileMode(QFileDialog.FileMode.ExistingFile)
        asking.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        asking.fileSelected.connect(self.install)
        asking.open()
