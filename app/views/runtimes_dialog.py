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

from app.data.model import Download
from app.data.runtime import RuntimeEntry, Stage
from app.models import downloads, quantities
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
    look = Signal()
    """Ask where packs are published for one, and for how large it is."""
    discard = Signal()
    """Delete what a download that did not end has brought."""
    stopped = Signal()
    chosen = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Graphics card"))
        note = QLabel(
            self.tr(
                "To compute on an NVIDIA card, Longread needs a pack of some gigabytes: one that you have in a folder, "
                "with manifest.json or, from a release, longread-gpu-…-manifest.json, or one that is downloaded. Every "
                "byte of it is checked and it is tried out before it is used. The runtime that came along stays, and "
                "is used again if the new one cannot be."
            )
        )
        note.setWordWrap(True)
        theme.set_role(note, "small")
        self.problem, self.told, self.kept = QLabel(), QLabel(), QLabel()
        for label, role in ((self.problem, "bad"), (self.told, "small"), (self.kept, "small")):
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
        self.look_button = QPushButton()
        self.look_button.setToolTip(self.tr("Asks there how large the pack is, and you before it is downloaded"))
        self.discard_button = QPushButton(self.tr("Delete it"))
        self.discard_button.hide()
        self.stop_button = QPushButton(self.tr("Stop"))
        self.close_button = QPushButton(self.tr("Close"))
        self.stop_button.hide()
        self.install_button.clicked.connect(self._ask)
        self.look_button.clicked.connect(self.look)
        self.discard_button.clicked.connect(self.discard)
        self.stop_button.clicked.connect(self.stopped)
        self.close_button.clicked.connect(self.close)
        buttons = QHBoxLayout()
        for button in (self.install_button, self.look_button, self.stop_button):
            buttons.addWidget(button)
        for button in (self.install_button, self.look_button, self.discard_button, self.stop_button):
            button.setAutoDefault(False)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        left = QHBoxLayout()
        left.addWidget(self.kept, 1)
        left.addWidget(self.discard_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(note)
        layout.addWidget(self.problem)
        layout.addLayout(self._list)
        layout.addWidget(self.told)
        layout.addWidget(self.progress)
        layout.addLayout(left)
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

    def set_source(self, host: str, kept: int) -> None:
        """Where packs are downloaded from, and the bytes that are kept of a download that did not end."""
        self.look_button.setText(self.tr("Download from {host}…").format(host=host))
        self.kept.setText(
            self.tr("{size} of a download that did not end are kept; the next one goes on from there.").format(
                size=quantities.size(kept)
            )
        )
        for widget in (self.kept, self.discard_button):
            widget.setVisible(bool(kept))

    def show_looking(self, host: str) -> None:
        self._say(self.tr("Asking {host} which pack there is…").format(host=host))
        self.progress.setValue(0)
        self._running(True)

    def show_download(self, download: Download) -> None:
        self._say(self.tr("Downloading: {told}").format(told=downloads.told(download)))
        self.progress.setValue(int(PERMILLE * download.done / download.total) if download.total else 0)
        self._running(True)

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
        for button in (self.install_button, self.look_button, self.discard_button):
            button.setEnabled(not running)
        for row in self.rows.values():
            row.setEnabled(not running)

    def _ask(self) -> None:
        asking = QFileDialog(self, self.tr("Install a pack"), "", self.tr("Packs (*manifest.json *.tar)"))
        asking.setFileMode(QFileDialog.FileMode.ExistingFile)
        asking.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        asking.fileSelected.connect(self.install)
        asking.open()
