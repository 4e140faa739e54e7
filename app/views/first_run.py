"""The first page: what this computer can do, what the model that comes with Longread is, and one button."""

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.data.model import Download, ModelEntry
from app.models import quantities
from app.views import theme
from engine.protocol import DeviceInfo

WORDS_A_PAGE = 500
TOKENS_A_WORD = 1.35
PERMILLE = 1000
MEASURED = 131_072
"""Tokens of the longest texts that the small model was measured with: "Texts of sixteen windows" in the README."""


class FirstRun(QFrame):
    started = Signal()
    sample = Signal()
    """Open the sample document and see how it is read."""
    fetch = Signal(str)
    """Download the offered model (its name)."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "card")
        self._bundled: ModelEntry | None = None
        self._offered: ModelEntry | None = None
        self.title = self._label("display", self.tr("Read whole documents, on this computer"))
        self.promise = self._label(
            "", self.tr("Drop a book, a contract or a folder of code on the window, and ask. It is read in full, and "
            "nothing of it leaves this computer."),
        )  # fmt: skip
        self.machine = self._label("", self.tr("Looking at what this computer can do…"))
        self.bundled = self._label("")
        self.limits = self._label("small")
        self.offer = self._label("")
        self.offer_cost = self._label("small")
        self.start_button = QPushButton(self.tr("Start"))
        self.sample_button = QPushButton(self.tr("Try a sample document"))
        self.fetch_button = QPushButton()
        theme.set_role(self.start_button, "primary")
        self.progress = QProgressBar()
        self.progress.setRange(0, PERMILLE)
        self.progress.setTextVisible(False)
        self.progress.hide()
        self._offer_title = self._label("section", self.tr("A LARGER MODEL THAT FITS"))
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.start_button)
        buttons.addWidget(self.sample_button)
        buttons.addStretch(1)
        offer_line = QHBoxLayout()
        offer_line.setSpacing(16)
        offer_line.addWidget(self.offer, 1)
        offer_line.addWidget(self.fetch_button, 0, Qt.AlignmentFlag.AlignTop)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(30, 26, 30, 26)
        layout.setSpacing(6)
        layout.addWidget(self.title)
        layout.addWidget(self.promise)
        layout.addSpacing(12)
        layout.addWidget(self._label("section", self.tr("THIS COMPUTER")))
        layout.addWidget(self.machine)
        layout.addSpacing(10)
        layout.addWidget(self._label("section", self.tr("THE MODEL THAT COMES WITH LONGREAD")))
        layout.addWidget(self.bundled)
        layout.addWidget(self.limits)
        layout.addSpacing(10)
        layout.addWidget(self._offer_title)
        layout.addLayout(offer_line)
        layout.addWidget(self.offer_cost)
        layout.addWidget(self.progress)
        layout.addSpacing(14)
        layout.addLayout(buttons)
        self.start_button.clicked.connect(self._start)
        self.sample_button.clicked.connect(self.sample)
        self.fetch_button.clicked.connect(self._fetch)
        self.setFocusProxy(self.start_button)
        QWidget.setTabOrder(self.start_button, self.sample_button)
        QWidget.setTabOrder(self.sample_button, self.fetch_button)
        self.set_offer(None, None)

    def set_machine(self, device: DeviceInfo, longest: ModelEntry) -> None:
        """What this computer can do. `longest`: the model for the longest texts."""
        if device.kind != "cuda":
            machine = self.tr("{memory} GB of memory, no GPU in use ({name}).")
            can = self.tr("The small model reads texts of up to {tokens} here; {longest} needs a GPU with {needs} GB.")
        elif longest.needs <= device.memory:
            machine = self.tr("A GPU with {memory} GB ({name}).")
            can = self.tr("The small model reads texts of up to {tokens} here, and {longest} fits.")
        else:
            machine = self.tr("A GPU with {memory} GB ({name}).")
            can = self.tr("The small model reads texts of up to {tokens} here; {longest} needs {needs} GB.")
        values = {
            "memory": quantities.gigabytes(device.memory),
            "name": device.name,
            "tokens": quantities.tokens(MEASURED),
            "longest": longest.title,
            "needs": quantities.number(math.ceil(longest.needs / 2**30)),
        }
        self.machine.setText(f"{machine} {can}".format(**values))

    def set_bundled(self, entry: ModelEntry) -> None:
        """The small model. Where it is not on this computer, the one button fetches it."""
        self._bundled = entry
        here = entry.path is not None
        fetching = self.tr("Download the model, {size}").format(size=quantities.size(entry.size))
        self.start_button.setText(self.tr("Start") if here else fetching)
        self.start_button.setEnabled(True)
        self.sample_button.setEnabled(here)
        self.sample_button.setToolTip("" if here else self.tr("The model must be on this computer first"))
        pages = round(entry.window / TOKENS_A_WORD / WORDS_A_PAGE)
        self.bundled.setText(
            self.tr("{title}: finds facts and quotes in up to {tokens}, about {pages} pages at once.").format(
                title=entry.title, tokens=quantities.tokens(entry.window), pages=quantities.number(pages)
            )
        )
        self.limits.setText(
            self.tr("It is small ({size}) and quick. It does not reason, and it can be wrong: check what it says "
            "against the page. Longer texts are read in segments, and it answers from those that fit the question "
            "best; nothing is cut.").format(size=quantities.size(entry.size))
        )  # fmt: skip

    def set_offer(self, entry: ModelEntry | None, seconds: float | None, *, card: bool = True) -> None:
        """The largest model of the catalogue that fits; `seconds` to download it, None where not known. `card`: there
        is a graphics card that runs it."""
        self._offered = entry
        for widget in (self._offer_title, self.offer, self.offer_cost, self.fetch_button):
            widget.setVisible(entry is not None)
        if entry is None:
            self.progress.hide()
            return
        pages = round(entry.window / TOKENS_A_WORD / WORDS_A_PAGE)
        self.offer.setText(
            self.tr("{title} reads up to {tokens}, about {pages} pages, and reasons better.").format(
                title=entry.title, tokens=quantities.tokens(entry.window), pages=quantities.number(pages)
            )
        )
        time = (
            self.tr("about {time} to download").format(time=quantities.seconds(seconds, rough=True)) if seconds else ""
        )
        slow = "" if card else self.tr("slow without a GPU")
        facts = (quantities.size(entry.size), time, slow, entry.licence, self.tr("from {s}").format(s=entry.source))
        self.offer_cost.setText(" · ".join(filter(None, facts)))
        self.fetch_button.setText(self.tr("Download {size}").format(size=quantities.size(entry.size)))
        self.fetch_button.setEnabled(True)

    def set_download(self, download: Download) -> None:
        """How far the offered model is, or the small one."""
        if self._offered is not None and download.name == self._offered.name:
            button, words = self.fetch_button, self.offer_cost
        elif self._bundled is not None and self._bundled.path is None and download.name == self._bundled.name:
            button, words = self.start_button, self.limits
        else:
            return
        running = download.state in ("running", "checking")
        self.progress.setVisible(running or download.state == "paused")
        self.progress.setValue(int(PERMILLE * download.done / download.total) if download.total else 0)
        button.setEnabled(not running and download.state != "done")
        parts = [
            self.tr("{done} of {total}").format(
                done=quantities.size(download.done), total=quantities.size(download.total)
            )
        ]
        if download.rate is not None:
            parts.append(self.tr("{size}/s").format(size=quantities.size(round(download.rate))))
        if download.left is not None:
            parts.append(self.tr("{time} left").format(time=quantities.seconds(download.left, rough=True)))
        ended = {
            "checking": self.tr("checking that it arrived whole"),
            "paused": self.tr("paused; what arrived is kept"),
            "failed": self.tr("the download stopped; what arrived is kept"),
            "done": self.tr("on this computer now"),
        }
        if download.state in ended:
            parts.append(ended[download.state])
        words.setText(" · ".join(parts))
        self.progress.setAccessibleName(words.text())

    def _start(self) -> None:
        if self._bundled is not None and self._bundled.path is None:
            self.fetch.emit(self._bundled.name)
        else:
            self.started.emit()

    def _fetch(self) -> None:
        if self._offered is not None:
            self.fetch.emit(self._offered.name)

    def _label(self, role: str, text: str = "") -> QLabel:
        label = QLabel(text)
        label.setWordWrap(True)
        if role:
            theme.set_role(label, role)
        return label
