"""What the attention read while an answer was written: for each sentence the passages, the most read first."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.data.evidence import ShownPassage, ShownSentence, Without
from app.data.quote import QuotePlace
from app.models import places, quantities
from app.views import announce, theme

LONGEST = 220
"""Characters of a passage in the list."""


class EvidenceView(QScrollArea):
    opened = Signal(object)
    """A `QuotePlace` whose page should be shown."""
    without = Signal(object)
    """Ask again with the passage at this `QuotePlace` left out."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setAccessibleName(self.tr("What the attention read"))
        self._cards: dict[QuotePlace, list[PassageCard]] = {}
        self.set_sentences(())

    def set_sentences(self, sentences: Sequence[ShownSentence], host: str | None = None) -> None:
        """Of one answer, in its order. `host`: the server that wrote it, which tells none."""
        self._cards = {}
        content = QWidget()
        layout = QVBoxLayout(content)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(_label(self._about(sentences, host), "small"))
        for sentence in sentences:
            layout.addSpacing(4)
            layout.addWidget(_label(sentence.words, "heading"))
            for rank, shown in enumerate(sentence.passages, 1):
                card = PassageCard(rank, shown, content)
                card.opened.connect(partial(self.opened.emit, shown.passage.place))
                card.without.connect(partial(self.without.emit, shown.passage.place))
                self._cards.setdefault(shown.passage.place, []).append(card)
                layout.addWidget(card)
        layout.addStretch(1)
        self.setWidget(content)

    def set_without(self, result: Without) -> None:
        for card in self._cards.get(result.place, ()):
            card.set_without(result)

    def cards(self) -> list["PassageCard"]:
        return [card for cards in self._cards.values() for card in cards]

    def _about(self, sentences: Sequence[ShownSentence], host: str | None) -> str:
        if host is not None:
            return self.tr(
                "This answer was written at {host}. What a model's attention read is known for models of this computer "
                "alone. Its quotes were checked here, as always."
            ).format(host=host)
        if not sentences:
            return self.tr(
                "When an answer has been written, this shows which passages the attention read most for each of its "
                "sentences."
            )
        said = self.tr(
            "What the attention read, sentence by sentence, the most read first. It shows where the model looked, not "
            "why it wrote what it did."
        )
        if any(sentence.how == "segments" for sentence in sentences):
            said += " " + self.tr("Segments come first by how well they foretold the question.")
        return said


class PassageCard(QFrame):
    opened = Signal()
    without = Signal()

    def __init__(self, rank: int, shown: ShownPassage, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "card")
        place = shown.passage.place
        path = " › ".join(place.path)
        where = " · ".join(part for part in (shown.document, place.file, places.cited(place), path) if part)
        self.open_button = QPushButton(where or self.tr("Show"), self)
        theme.set_role(self.open_button, "link")
        self.open_button.clicked.connect(self.opened)
        words = " ".join(shown.words.split())
        self.words = words if len(words) <= LONGEST else words[: LONGEST - 1] + "…"
        share = quantities.percent(shown.passage.score)
        number = self.tr("{rank}.").format(rank=quantities.number(rank))
        self.open_button.setAccessibleName(f"{number} {where}, {share}: {self.words}")
        head = QHBoxLayout()
        head.setSpacing(6)
        head.addWidget(_label(number, "small", wrap=False))
        head.addWidget(self.open_button)
        head.addStretch(1)
        head.addWidget(_label(share, "small", wrap=False))
        self.without_button = QPushButton(self.tr("Answer without this passage"), self)
        theme.set_role(self.without_button, "link")
        self.without_button.clicked.connect(self._ask)
        self._result = _label("", "small")
        self._result.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(10, 8, 10, 8)
        layout.setSpacing(4)
        layout.addLayout(head)
        layout.addWidget(_label(self.words, "small-ink"))
        layout.addWidget(self.without_button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addWidget(self._result)

    def set_without(self, result: Without) -> None:
        asked = result.changed is None and not result.problem
        self.without_button.setEnabled(not asked)
        if result.problem:
            said = result.problem
        elif result.changed is None:
            said = self.tr("Asking without it: {text}").format(text=result.text) if result.text else self.tr("Asking…")
        elif result.changed:
            said = self.tr("≠ Without it the answer is: {text}").format(text=result.text)
        else:
            said = self.tr("= Without it the answer is the same.")
        self._result.setText(said)
        self._result.show()
        if not asked:
            announce.politely(self, said)

    def result(self) -> str:
        return self._result.text()

    def _ask(self) -> None:
        self.without_button.setEnabled(False)
        self.without.emit()


def _label(text: str, role: str, wrap: bool = True) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(wrap)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    theme.set_role(label, role)
    return label
