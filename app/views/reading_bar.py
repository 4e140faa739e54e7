"""One bar through loading, extracting, tokenising and reading: never back, and full only when all of it is done.

Asking a text that was read in segments is another thing to wait for, and has the bar to itself.
"""

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.models import quantities
from app.views import announce, theme
from app.views.elided import Elided

# Shares of the bar; a stage that never comes leaves its share to those after it.
SHARES = {"load": 15, "extract": 10, "tokenise": 5, "read": 70}
ASKING = ("ask", "parts")
"""Stages that count segments, and parts of them, and not tokens."""
STEPS = 1000
SILENT_AFTER = 2.0
"""Seconds without a word from the engine before the bar says so."""


class ReadingBar(QFrame):
    cancelled = Signal()
    answer_now = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "card")
        self._stage: str | None = None
        self._start = self._value = 0.0
        self._quarter = 0
        self._label = Elided(self)
        theme.set_role(self._label, "heading")
        self._figures = QLabel(self)
        self._figures.setTextFormat(Qt.TextFormat.PlainText)
        theme.set_role(self._figures, "small")
        self._silent = QLabel(self)
        theme.set_role(self._silent, "small-warn")
        self._bar = QProgressBar(self)
        self._bar.setTextVisible(False)
        self._answer = QPushButton(self.tr("Answer from what has been read"), self)
        self._answer.clicked.connect(self.answer_now)
        self._answer.hide()
        self._cancel = QPushButton(self.tr("Cancel"), self)
        self._cancel.setAccessibleName(self.tr("Cancel reading"))
        self._cancel.setToolTip(self.tr("What was read is kept"))
        self._cancel.clicked.connect(self.cancelled)

        words = QHBoxLayout()
        words.setSpacing(12)
        words.addWidget(self._label, 1)
        words.addWidget(self._silent)
        words.addWidget(self._figures)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self._bar, 1)
        below.addWidget(self._answer)
        below.addWidget(self._cancel)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(13, 9, 12, 9)
        layout.setSpacing(4)
        layout.addLayout(words)
        layout.addLayout(below)
        self.hide()

    def show_progress(
        self,
        stage: str,
        fraction: float | None,
        rate: float | None = None,
        left: float | None = None,
        names: Sequence[str] = (),
        counted: tuple[int, int] = (0, 0),
        segments: bool = False,
    ) -> None:
        """`stage`: one of `SHARES` or of `ASKING`. `fraction` of that stage, None when unknown. `rate`: bytes a second
        for load, pages or files for extract, tokens otherwise. `left`: seconds. `names`: what is being read.
        `counted`: segments or parts that were asked, of how many. `segments`: the text is read in segments."""
        if stage in ASKING and self._stage not in ASKING:
            self._value, self._quarter = 0.0, 0
        if stage != self._stage:
            self._stage, self._start = stage, self._value
        span = (1 - self._start) * self._share(stage)
        self._value = max(self._value, min(self._start + span * (fraction or 0.0), 0.99))
        unknown = fraction is None and self._value == 0
        with QSignalBlocker(self._bar):
            self._bar.setRange(0, 0 if unknown else STEPS)
            self._bar.setValue(round(self._value * STEPS))
        self._label.show_text(self._asking(stage, counted) if stage in ASKING else self._words(stage, names, segments))
        figures = [] if unknown else [quantities.percent(self._value)]
        if rate is not None and stage not in ASKING:
            figures.append(self._rate(stage, rate))
        if left is not None:
            figures.append(self.tr("{time} left").format(time=quantities.whole_seconds(max(1.0, left))))
        self._figures.setText(" · ".join(figures))
        self._bar.setAccessibleName(self._label.whole())
        self._silent.clear()
        self._speak()
        self.setVisible(True)

    def set_silent(self, seconds: float) -> None:
        """How long ago the engine last spoke."""
        if seconds < SILENT_AFTER:
            self._silent.clear()
            return
        said = self.tr("the engine last spoke {time} ago").format(time=quantities.whole_seconds(seconds))
        self._silent.setText(said)
        # a rate and a time left that nobody confirms any more are taken away
        self._figures.setText(self._figures.text().split(" · ")[0])

    def set_can_answer(self, can: bool) -> None:
        """Whether a question waits that could be answered from what has been read."""
        self._answer.setVisible(can)

    def finish(self) -> None:
        """All is read, or given up: the next progress starts from nothing."""
        self._stage = None
        self._start = self._value = 0.0
        self._quarter = 0
        self._answer.hide()
        self._silent.clear()
        self.hide()

    def value(self) -> float:
        """The fraction that the bar shows."""
        return self._value

    def _speak(self) -> None:
        quarter = int(self._value * 4)
        if quarter > self._quarter or not self.isVisible():
            self._quarter = max(quarter, self._quarter)
            announce.politely(self, f"{self._label.whole()}, {quantities.percent(self._value)}")

    def _share(self, stage: str) -> float:
        """Of what is left of the bar."""
        if stage in ASKING:
            return 1.0
        later = list(SHARES)[list(SHARES).index(stage) :]
        return SHARES[stage] / sum(SHARES[each] for each in later)

    def _asking(self, stage: str, counted: tuple[int, int]) -> str:
        numbers = dict(zip(("done", "total"), map(quantities.number, counted), strict=True))
        if stage == "parts":
            return self.tr("Going over part {done} of {total}").format_map(numbers)
        return self.tr("Asking {done} of {total} segments").format_map(numbers)

    def _words(self, stage: str, names: Sequence[str], segments: bool) -> str:
        what = names[0] if len(names) == 1 else self.tr("{n} documents").format(n=quantities.number(len(names)))
        if stage == "load":
            return self.tr("Loading {name}").format(name=what) if names else self.tr("Loading the model")
        if not names:
            words = {
                "extract": self.tr("Extracting"),
                "tokenise": self.tr("Counting"),
                "read": self.tr("Reading in full"),
            }
            return words[stage]
        sentences = {
            "extract": self.tr("Extracting the text of {name}"),
            "tokenise": self.tr("Counting the tokens of {name}"),
            "read": self.tr("Reading {name} in full"),
        }
        if segments:
            sentences["read"] = self.tr("Reading {name} in full, in segments")
        width = self.fontMetrics().averageCharWidth() * 40
        return sentences[stage].format(name=self.fontMetrics().elidedText(what, Qt.TextElideMode.ElideMiddle, width))

    def _rate(self, stage: str, rate: float) -> str:
        if stage == "load":
            return self.tr("{size}/s").format(size=quantities.size(round(rate)))
        if stage == "extract":
            return self.tr("{n} a second").format(n=quantities.decimal(rate))
        return quantities.rate(rate)
