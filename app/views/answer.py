"""An answer in the conversation: what was found for it, its words as they come, its state, and the ledger under it."""

from time import monotonic

from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.data.conversation import FoundPart, Message
from app.data.quote import Quote
from app.models import quantities, segment_words
from app.views import announce, theme
from app.views.failure import FailureCard
from app.views.findings import Findings
from app.views.icons import IconButton
from app.views.ledger_line import LedgerLine
from app.views.markdown_view import MarkdownView
from app.views.marks import TextMark
from app.views.quote_chips import TOKENS, Chip, QuoteChips

QUOTE = "quote:"
"""Begins the address of a sign. No link in an answer can have it: they lead to http, https and mailto alone."""


class AnswerView(QWidget):
    regenerate = Signal(str)
    copied = Signal(str)
    evidence_wanted = Signal(str)
    """Show what the attention read while this answer was written."""
    exported = Signal(str)
    """Write this answer to a file."""
    action = Signal(str, str)
    link = Signal(str)
    place = Signal(str, int, int)
    """Show these characters of an item."""
    quote_opened = Signal(str, int, int)
    """Of this message a quote, and which of its places, both from 0."""
    excerpts_wanted = Signal(str)
    """The passages of this message's quotes; answer with `quotes.set_excerpts`."""

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._since = monotonic()
        self._said = ""
        self.reader = MarkdownView(self)
        self.reader.setAccessibleName(self.tr("Answer"))
        self.reader.anchorClicked.connect(lambda url: self._follow(url.toString()))
        self.reader.hovered.connect(self._explain)
        self._status = QLabel(self)
        self._status.setWordWrap(True)
        theme.set_role(self._status, "quiet")
        self._failure: FailureCard | None = None
        self._ledger: LedgerLine | None = None
        self._findings: Findings | None = None
        self.quotes: QuoteChips | None = None
        self._buttons = QWidget(self)
        copy = IconButton("copy", self.tr("Copy this answer"), parent=self._buttons, scale=0.9)
        copy.clicked.connect(self.copy)
        again = IconButton("refresh-cw", self.tr("Write this answer again"), parent=self._buttons, scale=0.9)
        again.clicked.connect(lambda: self.regenerate.emit(self.message.id))
        out = IconButton("download", self.tr("Export this answer"), parent=self._buttons, scale=0.9)
        out.clicked.connect(lambda: self.exported.emit(self.message.id))
        self._evidence = IconButton("list-checks", self.tr("What the attention read"), parent=self._buttons, scale=0.9)
        self._evidence.clicked.connect(lambda: self.evidence_wanted.emit(self.message.id))
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(copy)
        row.addWidget(again)
        row.addWidget(out)
        row.addWidget(self._evidence)
        row.addStretch(1)
        self._tick = QTimer(self, interval=1000)
        self._tick.timeout.connect(self._show_status)
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(6)
        for widget in (self.reader, self._status, self._buttons):
            self._layout.addWidget(widget)
        self.set_message(message)

    def set_message(self, message: Message) -> None:
        """Show the message as it is now: text, state, failure, ledger."""
        before = self.message.state
        self.message = message
        self.reader.set_text(message.text)
        if self._failure is not None:
            self._failure.deleteLater()
            self._failure = None
        if message.failure is not None and message.state == "failed":
            self._failure = FailureCard(message.failure, self)
            self._failure.action.connect(lambda name: self.action.emit(name, self.message.id))
            self._layout.insertWidget(self._layout.indexOf(self._status) + 1, self._failure)
        if message.ledger is None:
            if self._ledger is not None:
                self._ledger.hide()
        else:
            if self._ledger is None:
                self._ledger = LedgerLine(self)
                self._ledger.place.connect(self.place)
                self._layout.insertWidget(self._layout.count() - 1, self._ledger)
            self._ledger.set_ledger(message.ledger, message.quotes)
            self._ledger.show()
        self._set_quotes(message)
        self.set_found(message.found)
        self._show_state()
        if before != message.state and before in ("waiting", "writing"):
            self._announce()

    def append(self, text: str) -> None:
        """More of the answer, drawn at the next repaint."""
        first = not self.reader.source()
        self.reader.append(text)
        if first:
            self._tick.stop()
            self.reader.show()
            self._status.hide()
            announce.politely(self, self.tr("The answer begins"))

    def set_found(self, found: tuple[FoundPart, ...]) -> None:
        """What the parts of the text gave so far; it stands before the answer's words."""
        if self._findings is None:
            if not found:
                return
            self._findings = Findings(self)
            self._findings.place.connect(self.place)
            self._layout.insertWidget(0, self._findings)
        self._findings.set_found(found, running=self.message.state in ("waiting", "writing"))
        self._findings.setVisible(bool(found))

    def findings(self) -> Findings | None:
        return self._findings

    def _set_quotes(self, message: Message) -> None:
        """Signs in the text and chips under it: they come once, after the answer."""
        self.reader.set_marks([_mark(number, quote) for number, quote in enumerate(message.quotes)])
        if self.quotes is None:
            if not message.quotes:
                return
            self.quotes = QuoteChips(self)
            self.quotes.opened.connect(lambda quote, place: self.quote_opened.emit(self.message.id, quote, place))
            self.quotes.excerpts_wanted.connect(lambda: self.excerpts_wanted.emit(self.message.id))
            self._layout.insertWidget(self._layout.indexOf(self._status) + 1, self.quotes)
        names = segment_words.names(message.ledger) if message.ledger is not None else {}
        self.quotes.set_quotes(message.quotes, message.text, names)

    def _follow(self, address: str) -> None:
        """A sign leads to its quote, everything else to where it says."""
        chip = self._chip(address)
        if chip is None:
            self.link.emit(address)
        else:
            chip.open()

    def _explain(self, address: str, where: QPoint) -> None:
        if self.quotes is not None and self._chip(address) is not None:
            self.quotes.explain(_number(address), where)

    def _chip(self, address: str) -> Chip | None:
        if self.quotes is None or not address.startswith(QUOTE):
            return None
        return self.quotes.chip(_number(address))

    def set_status(self, text: str) -> None:
        """What is being waited for, in place of "the first word"; empty for that again."""
        self._said = text
        self._show_status()

    def status(self) -> str:
        return self._status.text()

    def ledger(self) -> LedgerLine | None:
        return self._ledger

    def copy(self) -> None:
        """Put the answer's Markdown on the clipboard."""
        QGuiApplication.clipboard().setText(self.reader.source())
        self.copied.emit(self.message.id)

    def _show_state(self) -> None:
        going = self.message.state in ("waiting", "writing")
        waiting = going and not self.reader.source()
        self.reader.setVisible(bool(self.reader.source()))
        self._buttons.setVisible(not going)
        self._evidence.setVisible(bool(self.message.evidence))
        if waiting and not self._tick.isActive():
            self._since = monotonic()
            self._tick.start()
        elif not waiting:
            self._tick.stop()
        self._show_status()

    def _show_status(self) -> None:
        text = ""
        if self.message.state in ("waiting", "writing") and not self.reader.source():
            time = quantities.whole_seconds(monotonic() - self._since)
            text = f"{self._said or self.tr('Waiting for the first word')} · {time}"
        elif self.message.state == "stopped":
            if self.message.found and not self.reader.source():
                text = self.tr("Stopped. What was found is kept, and so is what was read.")
            elif self.reader.source():
                text = self.tr("Stopped. What was written is kept, and so is what was read.")
            else:
                text = self.tr("Stopped. What was read is kept: asking again goes on from there.")
        self._status.setText(text)
        self._status.setVisible(bool(text))

    def _announce(self) -> None:
        told = {
            "answered": self.tr("The answer is complete"),
            "stopped": self.tr("The answer was stopped"),
            "failed": self._failure.accessibleName() if self._failure else self.tr("The answer failed"),
        }
        if self.message.state in told:
            announce.politely(self, told[self.message.state])


def _mark(number: int, quote: Quote) -> TextMark:
    token, address = TOKENS[quote.verdict], f"{QUOTE}{number}"
    return TextMark(quote.start, quote.end, quote.sign, token, address, quote.kind == "quote")


def _number(address: str) -> int:
    return int(address.removeprefix(QUOTE))
