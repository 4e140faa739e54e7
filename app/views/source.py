"""The source: a document's text page by page, as it is read, with its printed page numbers."""

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QTextEdit, QVBoxLayout, QWidget

from app.data.document import Item, Span
from app.models import places, quantities
from app.views import announce, theme
from app.views.elided import Elided
from app.views.find_bar import FindBar
from app.views.icons import IconButton
from app.views.passages import Passage, passage_at, passage_named, passages

LINE_HEIGHT = 132


class SourcePane(QFrame):
    """`hidden_by_person`: the pane's own button asks to hide it."""

    hidden_by_person = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._item: Item | None = None
        self._passages: list[Passage] = []
        self._place = 0
        self._found: tuple[int, int] | None = None
        self._shown: tuple[int, int] | None = None
        """Characters that are marked, from first to last."""
        self._stamp: tuple[str, float] | None = None
        theme.set_role(self, "side")

        self._title = QLabel(self.tr("Page"), self)
        theme.set_role(self._title, "tab")
        self._name = Elided(self, Qt.TextElideMode.ElideMiddle)
        theme.set_role(self._name, "small")
        seek = IconButton("search", self.tr("Find in this document"), parent=self)
        seek.clicked.connect(self.find_here)
        close = IconButton("panel-right", self.tr("Hide the source"), parent=self)
        close.clicked.connect(self.hidden_by_person)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._title)
        head.addWidget(self._name, 1)
        head.addWidget(seek)
        head.addWidget(close)

        self._find = FindBar(self)
        self._find.sought.connect(self._seek)
        self._find.closed.connect(lambda: self._page.setFocus())
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight)
        theme.set_role(self._label, "caption")
        self._page = QTextEdit(self)
        self._page.setReadOnly(True)
        self._page.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self._page.setTabChangesFocus(True)
        self._page.setAccessibleName(self.tr("Text of the page"))
        self._page.setUndoRedoEnabled(False)
        paper = QFrame(self)
        theme.set_role(paper, "page")
        inside = QVBoxLayout(paper)
        inside.setContentsMargins(26, 18, 14, 18)
        inside.setSpacing(6)
        inside.addWidget(self._label)
        inside.addWidget(self._page, 1)

        self._back = IconButton("chevron-left", self.tr("Previous page"), parent=self)
        self._back.clicked.connect(lambda: self._go(self._place - 1))
        self._on = IconButton("chevron-right", self.tr("Next page"), parent=self)
        self._on.clicked.connect(lambda: self._go(self._place + 1))
        self._entry = QLineEdit(self)
        self._entry.setAccessibleName(self.tr("Go to page"))
        self._entry.setFixedWidth(self.fontMetrics().averageCharWidth() * 12)
        self._entry.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._entry.returnPressed.connect(self._enter)
        self._of = QLabel(self)
        theme.set_role(self._of, "small")
        self._foot = QWidget(self)
        foot = QHBoxLayout(self._foot)
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(6)
        foot.addWidget(self._back)
        foot.addWidget(self._entry)
        foot.addWidget(self._of)
        foot.addStretch(1)
        foot.addWidget(self._on)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(15, 10, 15, 12)
        layout.setSpacing(10)
        layout.addLayout(head)
        layout.addWidget(self._find)
        layout.addWidget(paper, 1)
        layout.addWidget(self._foot)
        self.clear()

    def show_item(
        self, item: Item, text: str, spans: tuple[Span, ...], position: int = 0, end: int | None = None
    ) -> None:
        """Show the document at the page that holds the character `position` of its text; with `end`, the characters up
        to it are marked, as what an answer or a finding stands on."""
        self._item, self._text = item, text
        self._shown = None if end is None else (position, end)
        self._passages = passages(len(text), spans, item.unit)
        self._name.show_text(item.name)
        self._found = None
        self._foot.show()
        self._go(passage_at(self._passages, position))

    def clear(self) -> None:
        """Nothing is chosen: say what will be here."""
        self._item, self._text, self._passages, self._found = None, "", [], None
        self._shown = None
        self._name.show_text("")
        self._label.clear()
        self._foot.hide()
        self._find.hide()
        self._page.setPlainText(self.tr("Choose a document on the left to see its pages here, as they are read."))
        self._dress("quiet")

    def item(self) -> Item | None:
        return self._item

    def page_text(self) -> str:
        return self._page.toPlainText()

    def page_label(self) -> str:
        return self._label.text()

    def find_here(self) -> None:
        if self._item is not None:
            self._find.open()

    def _go(self, place: int) -> None:
        if not 0 <= place < len(self._passages):
            return
        self._place = place
        passage = self._passages[place]
        self._page.setPlainText(self._text[passage.start : passage.end])
        self._dress("ink")
        self._label.setText(self._words(passage))
        self._entry.setText(passage.label if self._unit() != "file" and passage.label else str(passage.index + 1))
        self._of.setText(self.tr("of {n}").format(n=quantities.units(self._passages[-1].index + 1, self._unit())))
        self._back.setEnabled(place > 0)
        self._on.setEnabled(place + 1 < len(self._passages))
        self._mark()
        announce.politely(self, self._label.text())

    def _unit(self) -> str:
        return self._item.unit if self._item is not None else "page"

    def _words(self, passage: Passage) -> str:
        number = quantities.number(passage.index + 1)
        if passage.file:
            words = places.page(passage.label, passage.unit or "page", passage.file)
        elif self._unit() == "page":
            words = self.tr("{label} (index {n})").format(label=passage.label or number, n=number)
        else:
            words = passage.label or number
        if passage.parts > 1:
            part, parts = quantities.number(passage.part + 1), quantities.number(passage.parts)
            words += self.tr(" · part {part} of {parts}").format(part=part, parts=parts)
        return words

    def _enter(self) -> None:
        wanted = self._entry.text()
        place = passage_named(self._passages, wanted)
        self._go(self._place if place is None else place)
        if place is None:
            self._label.setText(self.tr("There is no page {label}").format(label=wanted))
        self._entry.selectAll()

    def _seek(self, words: str, forward: bool) -> None:
        """Find in the whole document, from the place found last or from this page on, and once around."""
        if not words or not self._passages:
            self._found = None
            self._mark()
            self._find.set_found(None)
            return
        matches = [match.span() for match in re.finditer(re.escape(words), self._text, re.IGNORECASE)]
        here = self._found[0] if self._found else self._passages[self._place].start - (1 if forward else 0)
        if forward:
            chosen = next((m for m in matches if m[0] > here), matches[0] if matches else None)
        else:
            chosen = next((m for m in reversed(matches) if m[0] < here), matches[-1] if matches else None)
        self._found = chosen
        if chosen is not None:
            place = passage_at(self._passages, chosen[0])
            if place != self._place:
                self._go(place)
        self._mark()
        self._find.set_found((matches.index(chosen) + 1 if chosen else 0, len(matches)))

    def _mark(self) -> None:
        """What was asked to be shown in faint, what was found in strong; the page is scrolled to the latter first."""
        marks = [("faint_mark", self._shown), ("mark", self._found)]
        selections = [made for token, span in marks if (made := self._selection(token, span)) is not None]
        if selections:
            seen = QTextCursor(selections[-1].cursor)
            seen.setPosition(seen.selectionStart())
            self._page.setTextCursor(seen)
            self._page.ensureCursorVisible()
            if self._found is None:  # what was asked to be shown begins near the top, so that more of it is in sight
                bar = self._page.verticalScrollBar()
                bar.setValue(bar.value() + self._page.cursorRect().top() - self.fontMetrics().lineSpacing())
        self._page.setExtraSelections(selections)

    def _selection(self, token: str, span: tuple[int, int] | None) -> QTextEdit.ExtraSelection | None:
        """The characters of the span that lie on this page, in the token's colour."""
        passage = self._passages[self._place] if self._passages else None
        if span is None or passage is None or span[0] >= passage.end or span[1] <= passage.start:
            return None
        first, last = max(span[0], passage.start), min(span[1], passage.end)
        cursor = QTextCursor(self._page.document())
        cursor.setPosition(_utf16(self._text[passage.start : first]))
        cursor.setPosition(_utf16(self._text[passage.start : last]), QTextCursor.MoveMode.KeepAnchor)
        made = QTextEdit.ExtraSelection()
        made.cursor = cursor
        made.format.setBackground(theme.color(token))
        return made

    def _dress(self, token: str) -> None:
        """Serif, at one and a half lines, in the token's colour."""
        self._stamp = theme.stamp()
        cursor = QTextCursor(self._page.document())
        cursor.select(QTextCursor.SelectionType.Document)
        block = QTextBlockFormat()
        block.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.setBlockFormat(block)
        letters = QTextCharFormat()
        letters.setFont(theme.font("code" if self._item and self._item.kind == "code" else "document"))
        letters.setForeground(theme.color(token))
        cursor.setCharFormat(letters)
        self._page.moveCursor(QTextCursor.MoveOperation.Start)

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if self._stamp is not None and self._stamp != theme.stamp():
            self._dress("ink" if self._item is not None else "quiet")
            self._mark()


def _utf16(text: str) -> int:
    """Qt counts positions in UTF-16 units, Python in characters."""
    return len(text) + sum(ord(character) > 0xFFFF for character in text)
