"""The Verify tab: proof, on this computer and with these settings, that the long window is real."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app import verify_words
from app.data.verified import ShownTest
from app.models import quantities
from app.views import announce, theme
from app.views.fields import Choice
from app.views.verify_card import TestCard
from engine.verify_names import TestName
from engine.verify_results import Verdict


class VerifyView(QWidget):
    chosen = Signal(str)
    """A tier, of which a forecast is wanted."""
    started = Signal(str, bool)
    """The tier, and whether facts are planted in a copy of the attached documents."""
    stopped = Signal()
    saved = Signal()
    """The certificate is wanted as a file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards: dict[TestName, TestCard] = {}
        self._current: TestCard | None = None
        self.tier = Choice(self)
        for name, words in verify_words.TIERS.items():
            self.tier.addItem(QCoreApplication.translate("words", words), name)
        self.tier.setAccessibleName(self.tr("How much is verified"))
        self.tier.currentIndexChanged.connect(self._weigh)
        self.forecast = QLabel(self)
        self.forecast.setTextFormat(Qt.TextFormat.PlainText)
        self.forecast.setWordWrap(True)
        theme.set_role(self.forecast, "small")
        self.forecast.hide()
        self.own = QCheckBox(self.tr("In a copy of the attached documents"), self)
        self.own.setToolTip(self.tr("Facts are planted in a copy; the documents themselves stay as they are."))
        self.go_button = QPushButton(self.tr("Verify"), self)
        theme.set_role(self.go_button, "primary")
        self.go_button.clicked.connect(self._go)
        self.save_button = QPushButton(self.tr("Save the certificate…"), self)
        self.save_button.clicked.connect(self.saved)
        self.save_button.hide()
        self.about = QLabel(self)
        self.about.setTextFormat(Qt.TextFormat.PlainText)
        self.about.setWordWrap(True)
        theme.set_role(self.about, "small")
        self.about.setText(
            self.tr(
                "Questions whose answers are known are asked about long texts and short ones, with the model and the "
                "settings in use. Verdicts come one by one; your own questions go first meanwhile."
            )
        )
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setAccessibleName(self.tr("What was verified"))
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.go_button)
        buttons.addWidget(self.save_button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for widget in (self.about, self.tier, self.forecast, self.own):
            layout.addWidget(widget)
        layout.addLayout(buttons)
        layout.addWidget(self._scroll, 1)
        self._running = False

    @property
    def running(self) -> bool:
        return self._running

    def begin(self, tests: Sequence[TestName]) -> None:
        self._set_running(True)
        self.save_button.hide()
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        self.cards, self._current = {}, None
        for name in tests:
            card = self.cards[name] = TestCard(name, content)
            card.set_waiting()
            column.addWidget(card)
        column.addStretch(1)
        self._scroll.setWidget(content)

    def set_forecast(self, seconds: float | None) -> None:
        """None: it is not known yet."""
        self.forecast.setVisible(seconds is not None)
        if seconds is not None:
            said = self.tr("About {time} with this model.")
            self.forecast.setText(said.format(time=quantities.roughly(seconds)))

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not self._running:
            self._weigh()

    def _weigh(self) -> None:
        self.chosen.emit(self.tier.currentData())

    def set_progress(self, test: TestName, share: float) -> None:
        if (card := self.cards.get(test)) is None:
            return
        card.set_progress(share)
        if card is not self._current:
            # who looks elsewhere in the list is left there
            if self._current is None or not self._current.visibleRegion().isEmpty():
                self._scroll.ensureWidgetVisible(card)
            self._current = card

    def set_outcome(self, shown: ShownTest) -> None:
        self.cards[shown.test].set_outcome(shown)

    def scroll_to(self, test: TestName) -> None:
        self._scroll.verticalScrollBar().setValue(self.cards[test].y())

    def finish(self, verdict: Verdict | None, seed: str = "", problem: str = "") -> None:
        """`verdict` None: it was stopped, or could not be done, which `problem` says."""
        self._set_running(False)
        if verdict is None:
            for card in self.cards.values():
                if card.bar.isVisibleTo(card) or card.verdict.text() == card.tr("waits"):
                    card.set_stopped()
            said = problem or self.tr("Stopped. What has a verdict keeps it.")
        else:
            words = QCoreApplication.translate("words", verify_words.VERDICTS[verdict])
            said = self.tr("{sign} {verdict}. With the seed {seed} the same is asked again.").format(
                sign=verify_words.SIGNS[verdict], verdict=words, seed=seed
            )
            self.save_button.show()
        self.about.setText(said)
        announce.politely(self, said)

    def _go(self) -> None:
        if self._running:
            self.go_button.setEnabled(False)
            self.stopped.emit()
        else:
            self.started.emit(self.tier.currentData(), self.own.isChecked())

    def _set_running(self, running: bool) -> None:
        self._running = running
        self.go_button.setEnabled(True)
        self.go_button.setText(self.tr("Stop") if running else self.tr("Verify"))
        for widget in (self.tier, self.own):
            widget.setEnabled(not running)
