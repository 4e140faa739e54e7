"""One test of a verification: what it asks, how far it is, what it found."""

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QVBoxLayout, QWidget

from app import verify_words
from app.data.verified import ShownTest
from app.views import theme
from app.views.verify_pictures import Curve, HeatMap
from engine.verify_names import TestName

LOOKS = {"pass": "good", "degraded": "warn", "fail": "bad", "inactive": "bad", "skipped": "small"}
"""Roles of a verdict's words; its sign says it as well."""
STEPS = 1000


class TestCard(QFrame):
    __test__ = False  # no test of pytest's

    def __init__(self, test: TestName, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "card")
        self._title = _said(verify_words.TITLES[test])
        self.verdict = _label("", "small", wrap=False)
        self.said = _label("", "small-ink")
        self.said.hide()
        self.bar = QProgressBar(self)
        self.bar.setRange(0, STEPS)
        self.bar.setTextVisible(False)
        self.bar.hide()
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(_label(self._title, "heading"), 1)
        head.addWidget(self.verdict, 0, Qt.AlignmentFlag.AlignTop)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(10, 8, 10, 8)
        self._layout.setSpacing(4)
        self._layout.addLayout(head)
        self._layout.addWidget(_label(_said(verify_words.ABOUT[test]), "small"))
        self._layout.addWidget(self.bar)
        self._layout.addWidget(self.said)
        self.picture: QWidget | None = None
        self.setAccessibleName(self._title)

    def set_waiting(self) -> None:
        self.verdict.setText(self.tr("waits"))

    def set_progress(self, share: float) -> None:
        self.verdict.setText(self.tr("running"))
        self.bar.setAccessibleName(self._title)
        self.bar.setValue(int(STEPS * min(max(share, 0.0), 1.0)))
        self.bar.show()

    def set_stopped(self) -> None:
        """It has no verdict: it was not run to its end."""
        self.bar.hide()
        self.verdict.setText(self.tr("not run"))

    def set_outcome(self, shown: ShownTest) -> None:
        self.bar.hide()
        words = f"{verify_words.SIGNS[shown.verdict]} {_said(verify_words.VERDICTS[shown.verdict])}"
        theme.set_role(self.verdict, LOOKS[shown.verdict])
        self.verdict.setText(words)
        self.said.setText(shown.said)
        self.said.setVisible(bool(shown.said))
        self.setAccessibleName(f"{self._title}: {words}. {shown.said}")
        if shown.test == "needles" and shown.cells:
            self.picture = HeatMap(shown.cells, self)
        elif len(shown.points) > 1:
            self.picture = Curve(shown.points, shown.expected, self)
        if self.picture is not None:
            self._layout.addWidget(self.picture)


def _said(words: str) -> str:
    return QCoreApplication.translate("words", words)


def _label(text: str, role: str, wrap: bool = True) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    theme.set_role(label, role)
    return label
