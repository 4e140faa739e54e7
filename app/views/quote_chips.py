"""Under an answer: a chip for each of its quotes, with the page that it stands on."""

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QMenu, QPushButton, QSizePolicy, QToolTip, QVBoxLayout, QWidget

from app.data.quote import Excerpt, Quote
from app.models import quantities, quote_words
from app.views import theme
from app.views.flow import FlowLayout

FEW = 8
"""Chips that are shown without folding those of facts that stand in the text."""
TOKENS = {"exact": "good", "close": "warn", "missing": "bad", "ambiguous": "quiet"}
"""The theme's colour of a verdict; the sign says it as well."""


class Chip(QPushButton):
    """One quote. `opened` says which of its places is asked for; one without a place explains itself."""

    opened = Signal(int)

    def __init__(self, quote: Quote, said: str, names: Mapping[str, str], parent: QWidget | None = None) -> None:
        super().__init__(quote_words.chip(quote, said, names), parent)
        self.quote = quote
        theme.set_role(self, f"quote-{quote.verdict}")
        self.setAccessibleName(quote_words.spoken(quote, said, names))
        self.set_excerpts(said, names, ())
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        if len(quote.places) > 1:
            menu = QMenu(self)
            for number, place in enumerate(quote.places):
                menu.addAction(quote_words.where(place, names), partial(self.opened.emit, number))
            if quote.count > len(quote.places):
                more = menu.addAction(
                    self.tr("and {n} more").format(n=quantities.number(quote.count - len(quote.places)))
                )
                more.setEnabled(False)
            self.setMenu(menu)
        else:
            self.clicked.connect(self.open)

    def set_excerpts(self, said: str, names: Mapping[str, str], excerpts: Sequence[Excerpt]) -> None:
        """The passages at its first places."""
        self.setToolTip(quote_words.tooltip(self.quote, said, names, excerpts, theme.css("mark")))
        if excerpts:
            self.setAccessibleDescription(excerpts[0].text)

    def open(self) -> None:
        """As a click does: its place, or a list of them, or the explanation."""
        if self.menu() is not None:
            self.menu().popup(QCursor.pos())
        elif self.quote.places:
            self.opened.emit(0)
        else:
            self.explain(self.mapToGlobal(QPoint(0, self.height())))

    def explain(self, where: QPoint) -> None:
        QToolTip.showText(where, self.toolTip(), self)


class QuoteChips(QWidget):
    opened = Signal(int, int)
    """A quote, and which of its places: both counted from 0."""
    excerpts_wanted = Signal()
    """A passage is about to be shown; answer with `set_excerpts`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._quotes: tuple[Quote, ...] = ()
        self._said: list[str] = []
        self._names: Mapping[str, str] = {}
        self._chips: dict[int, Chip] = {}
        self._folded: list[Chip] = []
        self._excerpts: Sequence[Sequence[Excerpt]] | None = None
        self._row = QWidget(self)
        self._flow = FlowLayout(self._row)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._row.setSizePolicy(policy)
        self._more = QPushButton(self)
        self._more.setCheckable(True)
        theme.set_role(self._more, "link")
        self._more.toggled.connect(self._unfold)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._row)
        layout.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self.setAccessibleName(self.tr("Quotes of this answer"))
        self.hide()

    def set_quotes(self, quotes: tuple[Quote, ...], text: str, names: Mapping[str, str]) -> None:
        """`text`: the answer. `names`: of the documents by item, where it had several."""
        said = [text[quote.start : quote.end] for quote in quotes]
        if (quotes, said, names) == (self._quotes, self._said, self._names):
            return
        self._quotes, self._said, self._names, self._excerpts = quotes, said, names, None
        self._flow.clear()
        self._chips, self._folded = {}, []
        made: dict[tuple[object, ...], Chip] = {}
        for number, quote in enumerate(quotes):
            same = (quote.kind, quote_words.bare(said[number]), quote.verdict, quote.places)
            if same not in made:
                made[same] = self._chip(number)
            self._chips[number] = made[same]
        exact = [chip for chip in made.values() if chip.quote.kind == "fact" and chip.quote.verdict == "exact"]
        self._folded = exact if len(made) > FEW else []
        self._more.setText(self.tr("Facts that stand in the text: {n}").format(n=quantities.number(len(self._folded))))
        self._more.setVisible(bool(self._folded))
        self._unfold(self._more.isChecked())
        self.setVisible(bool(quotes))

    def set_excerpts(self, excerpts: Sequence[Sequence[Excerpt]]) -> None:
        """Of each quote the passages at its first places."""
        self._excerpts = excerpts
        for number, chip in self._chips.items():
            chip.set_excerpts(self._said[number], self._names, excerpts[number])

    def chip(self, number: int) -> Chip | None:
        """That of a quote. Facts that are told twice share one."""
        return self._chips.get(number)

    def chips(self) -> list[Chip]:
        """Those in sight, in order."""
        return [chip for chip in dict.fromkeys(self._chips.values()) if not chip.isHidden()]

    def point_at(self, number: int) -> Chip | None:
        """Outline a quote's chip, and no other, and have it in sight."""
        chosen = self._chips.get(number)
        for chip in dict.fromkeys(self._chips.values()):
            if chip.property("shown") != (chip is chosen):
                chip.setProperty("shown", chip is chosen)
                chip.style().polish(chip)
        if chosen in self._folded:
            self._more.setChecked(True)
        return chosen

    def explain(self, number: int, where: QPoint) -> None:
        """Show a quote's passage at a point of the screen."""
        if (chip := self._chips.get(number)) is not None:
            self._want_excerpts()
            chip.explain(where)

    def _chip(self, number: int) -> Chip:
        chip = Chip(self._quotes[number], self._said[number], self._names, self._row)
        chip.opened.connect(partial(self.opened.emit, number))
        chip.installEventFilter(self)
        self._flow.addWidget(chip)
        chip.show()
        return chip

    def _unfold(self, shown: bool) -> None:
        for chip in self._folded:
            chip.setVisible(shown)

    def _want_excerpts(self) -> None:
        if self._excerpts is None:
            self.excerpts_wanted.emit()

    def eventFilter(self, watched, event) -> bool:
        if isinstance(watched, Chip):
            by_key = event.type() == QEvent.Type.FocusIn and event.reason() in (
                Qt.FocusReason.TabFocusReason,
                Qt.FocusReason.BacktabFocusReason,
            )
            if by_key or event.type() in (QEvent.Type.ToolTip, QEvent.Type.MouseButtonPress, QEvent.Type.KeyPress):
                self._want_excerpts()
            if by_key:
                watched.explain(watched.mapToGlobal(QPoint(0, watched.height())))
        return super().eventFilter(watched, event)
