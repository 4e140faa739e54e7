"""The line under an answer: what was read for it and with what it was written. What was not read is said in words."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data.ledger import Ledger
from app.data.quote import Quote
from app.models import forgetting_words, quantities, quote_words, segment_words
from app.models.spoken import spoken
from app.views import theme
from app.views.flow import FlowLayout
from app.views.forgotten_strip import ForgottenStrip
from app.views.ledger_details import details, note
from app.views.place_strip import PlaceStrip
from app.views.segment_strip import SegmentStrip

UNREMARKABLE = ("complete", "stop", "read", "cancelled")
"""Ways to end that the answer itself shows."""
MISSING = ("forgotten_document", "asked_some", "history_long")
"""Notes that say of something that it was not read or seen in full: they stand in the line as well."""


class LedgerLine(QWidget):
    place = Signal(str, int, int)
    """Show these characters of an item."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        hairline = QFrame(self)
        theme.set_role(hairline, "line")
        self._first, self._over, self._second = _Line(self), QLabel(self), _Line(self)
        self._over.setTextFormat(Qt.TextFormat.PlainText)
        self._over.setWordWrap(True)
        self._over.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        theme.set_role(self._over, "small")
        self._more = QPushButton(self.tr("Details"), self)
        self._more.setCheckable(True)
        theme.set_role(self._more, "link")
        self._more.toggled.connect(self._show_details)
        self._details: QWidget | None = None
        self.strip: PlaceStrip | None = None
        self._ledger: Ledger | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 8, 0, 0)
        self._layout.setSpacing(6)
        for widget in (hairline, self._first, self._over, self._second):
            self._layout.addWidget(widget)
        self.setAccessibleName(self.tr("What the answer was made from"))

    def set_ledger(self, ledger: Ledger, quotes: Sequence[Quote] = ()) -> None:
        """`quotes`: of the answer, once they were looked for."""
        self._ledger = ledger
        self._more.setParent(self)
        told = quote_words.counts(quotes)
        self._first.set_parts(self._read(ledger) + [("small", told)] * bool(told) + self._speed(ledger))
        over = segment_words.written_over(ledger) or forgetting_words.most(ledger)
        self._over.setText(over)
        self._over.setVisible(bool(over))
        self._second.set_parts(self._made(ledger))
        self._second.add(self._more)
        self._more.show()
        for opened in (self._details, self.strip):
            if opened is not None:
                opened.deleteLater()
        self._details = self.strip = None
        self._show_details(self._more.isChecked())

    def text(self) -> str:
        """All lines, as they are read aloud."""
        return "\n".join(filter(None, (self._first.text(), self._over.text(), self._second.text())))

    def _read(self, ledger: Ledger) -> list[tuple[str, str]]:
        """(role, words) of what was read and what was not."""
        total = sum(document.tokens for document in ledger.documents)
        count = len(ledger.documents)
        parts: list[tuple[str, str]] = []
        documents = self.tr("1 document") if count == 1 else self.tr("{n} documents").format(n=quantities.number(count))
        if not count:
            parts.append(("small", self.tr("No documents · {tokens}").format(tokens=quantities.tokens(ledger.prompt))))
        elif ledger.unread:
            share = self.tr("Read: {read} of {total} of {documents}")
            read = quantities.number(max(0, total - ledger.unread))
            said = share.format(read=read, total=quantities.tokens(total), documents=documents)
            parts.append(("small", said))
            unread = self.tr("⚠ Not read: {tokens}").format(tokens=quantities.tokens(ledger.unread))
            parts.append(("small-warn", unread))
        else:
            parts.append(("small", self._in_full(ledger, documents, quantities.tokens(total))))
        left_out = sum(document.left_out for document in ledger.documents)
        if left_out:
            said = self.tr("1 part") if left_out == 1 else self.tr("{n} parts").format(n=quantities.number(left_out))
            parts.append(("small-warn", self.tr("⚠ Left out: {parts}").format(parts=said)))
        elif count:
            parts.append(("small", self.tr("Left out: nothing")))
        parts += self._forgotten(ledger)
        if ledger.finish not in UNREMARKABLE:
            parts.append(("small-warn", f"⚠ {spoken(words.FINISHES, ledger.finish)}"))
        parts += [("small-warn", f"⚠ {note(ledger, code)}") for code in ledger.notes if code in MISSING]
        return parts

    def _forgotten(self, ledger: Ledger) -> list[tuple[str, str]]:
        pruned = ledger.pruned
        if pruned is not None and not pruned.forgotten:
            kept = self.tr("Forgotten: nothing ({policy})").format(policy=forgetting_words.policy(pruned.policy))
            return [("small", kept)]
        if not ledger.evicted:
            return []
        what = quantities.tokens(ledger.evicted) if pruned is None else forgetting_words.forgotten(pruned)
        return [("small-warn", self.tr("⚠ Forgotten: {tokens}").format(tokens=what))]

    def _in_full(self, ledger: Ledger, documents: str, tokens: str) -> str:
        told = {"documents": documents, "tokens": tokens, "n": quantities.number(len(ledger.segments))}
        if ledger.mode == "coverage":
            told["n"] = quantities.number(ledger.asked)
            return self.tr("Read in full: {documents} · {tokens} · every part asked: {n}").format_map(told)
        if len(ledger.segments) == 1:
            return self.tr("Read in full: {documents} · {tokens} in 1 segment").format_map(told)
        if ledger.segments:
            return self.tr("Read in full: {documents} · {tokens} in {n} segments").format_map(told)
        return self.tr("Read in full: {documents} · {tokens}").format_map(told)

    def _speed(self, ledger: Ledger) -> list[tuple[str, str]]:
        parts = []
        if ledger.first_token is not None:
            time = quantities.seconds(ledger.first_token)
            parts.append(("small", self.tr("First word {time}").format(time=time)))
        if ledger.writing_rate is not None:
            parts.append(("small", quantities.rate(ledger.writing_rate)))
        return parts

    def _made(self, ledger: Ledger) -> list[tuple[str, str]]:
        far = ledger.host is not None
        said = [self.tr("{model} at {host}").format(model=ledger.model, host=ledger.host)] if far else []
        said += [] if far else [quantities.precision(ledger.precision)]
        if ledger.window:
            said.append(self.tr("window {n}").format(n=quantities.window(ledger.window)))
        if ledger.reused:
            said.append(self.tr("{tokens} reused").format(tokens=quantities.tokens(ledger.reused)))
        if ledger.reopened:
            said.append(self.tr("{tokens} opened from disk").format(tokens=quantities.tokens(ledger.reopened)))
        said.append(self.tr("{tokens} read now").format(tokens=quantities.tokens(ledger.read)))
        return [("small-remote" if far else "small", " · ".join(said))]

    def _show_details(self, shown: bool) -> None:
        if shown and self._details is None and self._ledger is not None:
            if self._ledger.segments:
                self.strip = SegmentStrip(self._ledger, self)
            elif self._ledger.pruned is not None and self._ledger.pruned.parts:
                self.strip = ForgottenStrip(self._ledger, self)
            if self.strip is not None:
                self.strip.place.connect(self.place)
                self._layout.addWidget(self.strip)
            self._details = details(self._ledger, self)
            self._layout.addWidget(self._details)
        for opened in (self._details, self.strip):
            if opened is not None:
                opened.setVisible(shown)


class _Line(QWidget):
    """Labels side by side, in as many lines as they need."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self, gap=14, line_gap=2)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_parts(self, parts: list[tuple[str, str]]) -> None:
        while (item := self._flow.takeAt(0)) is not None:
            if isinstance(item.widget(), QLabel):
                item.widget().deleteLater()
        for role, text in parts:
            label = QLabel(text, self)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(False)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            theme.set_role(label, role)
            self._flow.addWidget(label)
        self.setAccessibleName(", ".join(text for _, text in parts))

    def add(self, widget: QWidget) -> None:
        self._flow.addWidget(widget)

    def text(self) -> str:
        return self.accessibleName()
