"""One model of the list: what it is, what it needs, and what can be done with it."""

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app import words
from app.data.model import Download, ModelEntry
from app.models import downloads, quantities
from app.models.elsewhere_words import where
from app.models.spoken import spoken
from app.views import theme

Doing = Literal["use", "fetch", "pause", "resume", "cancel"]

PERMILLE = 1000


class ModelRow(QFrame):
    asked = Signal(str)
    """One of `Doing`."""

    def __init__(self, entry: ModelEntry, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "row")
        self.entry = entry
        self._download: Download | None = None
        self._current = False
        self.title = QLabel()
        self.facts = QLabel()
        self.about = QLabel()
        self.progress = QProgressBar()
        self.progress.setRange(0, PERMILLE)
        self.progress.setTextVisible(False)
        self.progress_words = QLabel()
        theme.set_role(self.title, "heading")
        theme.set_role(self.facts, "small")
        theme.set_role(self.progress_words, "small")
        for label in (self.facts, self.about, self.progress_words):
            label.setWordWrap(True)
        self.buttons = {name: QPushButton(label) for name, label in self._labels().items()}
        side = QHBoxLayout()
        side.setSpacing(6)
        for name, button in self.buttons.items():
            button.clicked.connect(lambda _=False, name=name: self.asked.emit(name))
            side.addWidget(button)
        theme.set_role(self.buttons["fetch"], "primary")
        told = QVBoxLayout()
        told.setSpacing(2)
        for widget in (self.title, self.about, self.facts, self.progress, self.progress_words):
            told.addWidget(widget)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 12, 4, 12)
        layout.setSpacing(16)
        layout.addLayout(told, 1)
        layout.addLayout(side)
        self.set_entry(entry)

    def _labels(self) -> dict[str, str]:
        return {
            "use": self.tr("Use"),
            "fetch": self.tr("Download"),
            "resume": self.tr("Resume"),
            "pause": self.tr("Pause"),
            "cancel": self.tr("Cancel"),
        }

    def set_entry(self, entry: ModelEntry, current: bool = False) -> None:
        self.entry, self._current = entry, current
        self._show()

    def set_download(self, download: Download) -> None:
        self._download = download
        self._show()

    def _show(self) -> None:
        entry = self.entry
        self.title.setText(self.tr("{title} · in use").format(title=entry.title) if self._current else entry.title)
        self.about.setText(spoken(words.ABOUT, entry.about) if entry.about else "")
        self.about.setVisible(bool(entry.about))
        self.facts.setText(self._facts())
        theme.set_role(self.facts, "small-remote" if entry.host else "small")
        download = self._download if self._download and self._download.state != "done" else None
        running = download is not None and download.state in ("running", "checking")
        stopped = download is not None and not running
        here = entry.path is not None or bool(entry.host)
        shown = {
            "use": here and not self._current and download is None,
            "fetch": not here and download is None,
            "resume": stopped,
            "pause": download is not None and download.state == "running",
            "cancel": download is not None,
        }
        for name, button in self.buttons.items():
            button.setVisible(shown[name])
            button.setAccessibleName(f"{self._labels()[name]}: {entry.title}")
        self.progress.setVisible(download is not None)
        self.progress_words.setVisible(download is not None)
        if download is not None:
            self.progress.setValue(int(PERMILLE * download.done / download.total) if download.total else 0)
            self.progress_words.setText(downloads.told(download))
            self.progress.setAccessibleName(self.progress_words.text())
            theme.set_role(self.progress_words, "small-warn" if download.state == "failed" else "small")

    def _facts(self) -> str:
        entry = self.entry
        if entry.host:
            window = self.tr("window {n} tokens").format(n=quantities.number(entry.window)) if entry.window else ""
            return " · ".join(filter(None, (where(entry.host), window)))
        size = quantities.size(entry.size)
        facts = [
            self.tr("{n} parameters").format(n=quantities.parameters(entry.parameters)) if entry.parameters else "",
            self.tr("{size} on this computer").format(size=size)
            if entry.path
            else self.tr("{size} to download").format(size=size),
            self.tr("window {n} tokens").format(n=quantities.number(entry.window)) if entry.window else "",
            entry.licence,
            self.tr("from {source}").format(source=entry.source) if entry.source else "",
        ]
        if entry.fits is not None:
            facts.append(self.tr("✓ fits here") if entry.fits else self.tr("× does not fit in this computer's memory"))
        return " · ".join(filter(None, facts))
