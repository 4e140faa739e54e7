"""The line under an answer: what was read for it and with what it was written. What was not read is said in words."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app import words
from app.data.ledger import Ledger, LedgerDocument
from app.models import quantities
from app.models.spoken import spoken
from app.views import theme
from app.views.flow import FlowLayout

UNREMARKABLE = ("complete", "stop", "read", "cancelled")
"""Ways to end that the answer itself shows."""
MISSING = ("forgotten_document",)
"""Notes that say of something that it was not read: they stand in the line, not among the details."""


class LedgerLine(QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        hairline = QFrame(self)
        theme.set_role(hairline, "line")
        self._first, self._second = _Line(self), _Line(self)
        self._more = QPushButton(self.tr("Details"), self)
        self._more.setCheckable(True)
        theme.set_role(self._more, "link")
        self._more.toggled.connect(self._show_details)
        self._details: QWidget | None = None
        self._ledger: Ledger | None = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 8, 0, 0)
        self._layout.setSpacing(6)
        for widget in (hairline, self._first, self._second):
            self._layout.addWidget(widget)
        self.setAccessibleName(self.tr("What the answer was made from"))

    def set_ledger(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._more.setParent(self)
        self._first.set_parts(self._read(ledger) + self._speed(ledger))
        self._second.set_parts(self._made(ledger))
        self._second.add(self._more)
        self._more.show()
        if self._details is not None:
            self._details.deleteLater()
            self._details = None
        self._show_details(self._more.isChecked())

    def text(self) -> str:
        """Both lines, as they are read aloud."""
        return f"{self._first.text()}\n{self._second.text()}"

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
            said = self.tr("Read in full: {documents} · {tokens}")
            parts.append(("small", said.format(documents=documents, tokens=quantities.tokens(total))))
        left_out = sum(document.left_out for document in ledger.documents)
        if left_out:
            said = self.tr("1 part") if left_out == 1 else self.tr("{n} parts").format(n=quantities.number(left_out))
            parts.append(("small-warn", self.tr("⚠ Left out: {parts}").format(parts=said)))
        elif count:
            parts.append(("small", self.tr("Left out: nothing")))
        if ledger.evicted:
            said = self.tr("⚠ Forgotten: {tokens}").format(tokens=quantities.tokens(ledger.evicted))
            parts.append(("small-warn", said))
        if ledger.finish not in UNREMARKABLE:
            parts.append(("small-warn", f"⚠ {spoken(words.FINISHES, ledger.finish)}"))
        parts += [("small-warn", f"⚠ {spoken(words.NOTES, note)}") for note in ledger.notes if note in MISSING]
        return parts

    def _speed(self, ledger: Ledger) -> list[tuple[str, str]]:
        parts = []
        if ledger.first_token is not None:
            time = quantities.seconds(ledger.first_token)
            parts.append(("small", self.tr("First word {time}").format(time=time)))
        if ledger.writing_rate is not None:
            parts.append(("small", quantities.rate(ledger.writing_rate)))
        return parts

    def _made(self, ledger: Ledger) -> list[tuple[str, str]]:
        said = [quantities.precision(ledger.precision)]
        said.append(self.tr("window {n}").format(n=quantities.window(ledger.window)))
        if ledger.reused:
            said.append(self.tr("{tokens} reused").format(tokens=quantities.tokens(ledger.reused)))
        said.append(self.tr("{tokens} read now").format(tokens=quantities.tokens(ledger.read)))
        return [("small", " · ".join(said))]

    def _show_details(self, shown: bool) -> None:
        if shown and self._details is None and self._ledger is not None:
            self._details = _details(self, self._ledger)
            self._layout.addWidget(self._details)
        if self._details is not None:
            self._details.setVisible(shown)


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


def _details(parent: LedgerLine, ledger: Ledger) -> QWidget:
    """Everything the ledger holds, as a table of names and values."""
    tr = parent.tr
    rows = [(tr("Document"), _document(parent, document)) for document in ledger.documents]
    rows += [
        (tr("Prompt"), quantities.tokens(ledger.prompt)),
        (tr("Written"), quantities.tokens(ledger.written)),
        (tr("Model"), f"{ledger.model} · {ledger.fingerprint[:12]}"),
        (tr("Device"), ledger.device),
        (tr("Layers"), ", ".join(f"{count} {kind}" for kind, count in ledger.layers.items())),
        (tr("Written with"), ledger.writing),
        (tr("Temperature"), quantities.decimal(ledger.temperature, 2)),
    ]
    if ledger.seed is not None:
        rows.append((tr("Seed"), str(ledger.seed)))
    if ledger.reading_rate is not None:
        rows.append((tr("Reading"), quantities.rate(ledger.reading_rate)))
    # the ledger keeps codes alone: a sentence with a gap to fill says less than its code
    whole = {code: said for code, said in words.NOTES.items() if "{" not in said}
    rows += [(tr("Note"), spoken(whole, note)) for note in ledger.notes]
    box = QWidget(parent)
    grid = QGridLayout(box)
    grid.setContentsMargins(0, 2, 0, 0)
    grid.setHorizontalSpacing(16)
    grid.setVerticalSpacing(2)
    grid.setColumnStretch(1, 1)
    for place, (name, value) in enumerate(row for row in rows if row[1]):
        for column, text in enumerate((name, value)):
            label = QLabel(text, box)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(column == 1)
            theme.set_role(label, "small" if column == 0 else "small-ink")
            if column:
                label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(label, place, column, Qt.AlignmentFlag.AlignTop)
    return box


def _document(parent: LedgerLine, document: LedgerDocument) -> str:
    said = [document.name, quantities.tokens(document.tokens)]
    if document.unread:
        said.append(parent.tr("{tokens} not read").format(tokens=quantities.tokens(document.unread)))
    if document.left_out:
        said.append(parent.tr("{n} left out").format(n=quantities.number(document.left_out)))
    said.append(f"sha256 {document.sha256[:12]}")
    return " · ".join(said)
