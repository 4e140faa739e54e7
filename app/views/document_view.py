"""One document, page by page: as it is read or as it is printed, with what was found and cited marked on it."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from app.data.document import Item, Span
from app.data.drawing import Drawing
from app.models import places, quantities
from app.views import announce, theme
from app.views.document_foot import DocumentFoot
from app.views.drawn_page import DrawnPage
from app.views.find_bar import FindBar
from app.views.passages import Passage, passage_at, passage_named, passages
from app.views.text_page import Mark, TextPage

ZOOMS = (0.5, 0.67, 0.8, 0.9, 1.0, 1.1, 1.25, 1.5, 1.75, 2.0, 2.5, 3.0)
DRAWN = ("pdf",)
"""Kinds of documents whose pages can be drawn."""

Shade = tuple[int, int, str]
"""Characters of the text, from first to last, and the theme's token that marks them."""


class DocumentView(QWidget):
    drawing_wanted = Signal(str, int, int, list)
    """An item, the place of its page among its spans, pixels of width, and the (start, end) of what is to be marked."""
    shown_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = ""
        self._item: Item | None = None
        self._passages: list[Passage] = []
        self._place = 0
        self._found: tuple[int, int] | None = None
        self._shown: Shade | None = None
        self._shades: Sequence[Shade] = ()
        self._zoom = ZOOMS.index(1.0)
        self._as_printed = True
        self._drawn_marks: list[Shade] = []
        self._find = FindBar(self)
        self._find.sought.connect(self._seek)
        self._find.closed.connect(self.focus_page)
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight)
        theme.set_role(self._label, "caption")
        self._page = TextPage(self)
        self._drawn = DrawnPage(self)
        self._drawn.wanted.connect(self._want_drawing)
        self._drawn.viewport().installEventFilter(self)
        self._page.viewport().installEventFilter(self)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._page)
        self._pages.addWidget(self._drawn)
        paper = QFrame(self)
        theme.set_role(paper, "page")
        inside = QVBoxLayout(paper)
        inside.setContentsMargins(14, 12, 8, 10)
        inside.setSpacing(6)
        inside.addWidget(self._label)
        inside.addWidget(self._pages, 1)
        self._foot = DocumentFoot(self)
        self._foot.stepped.connect(lambda step: self._go(self._place + step))
        self._foot.entered.connect(self._enter)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(10)
        layout.addWidget(self._find)
        layout.addWidget(paper, 1)
        layout.addWidget(self._foot)
        self.clear()

    def show_item(
        self, item: Item, text: str, spans: tuple[Span, ...], position: int = 0, end: int | None = None
    ) -> None:
        """Show the page that holds the character `position` of the text; with `end`, the characters up to it are
        marked, as what an answer stands on."""
        if self._item is None or self._item.id != item.id:
            self._shades = ()
            self._drawn.clear()
        self._item, self._text = item, text
        self._shown = None if end is None else (position, end, "mark")
        self._passages = passages(len(text), spans, item.unit)
        self._found = None
        self._foot.show()
        self._go(passage_at(self._passages, position))

    def shade(self, shades: Sequence[Shade]) -> None:
        """Mark these as well, faintly: what the attention read."""
        self._shades = shades
        self._mark()

    def clear(self) -> None:
        """Nothing is chosen: say what will be here."""
        self._item, self._text, self._passages, self._found, self._shown = None, "", [], None, None
        self._shades = ()
        self._label.clear()
        self._foot.hide()
        self._find.hide()
        self._pages.setCurrentWidget(self._page)
        self._page.show_text(
            self.tr("Choose a document on the left to see its pages here, as they are read."), ink="quiet"
        )
        self.shown_changed.emit()

    def item(self) -> Item | None:
        return self._item

    def page_text(self) -> str:
        return self._page.toPlainText()

    def page_label(self) -> str:
        return self._label.text()

    def can_draw(self) -> bool:
        """Pages of a PDF, be it one of a folder."""
        if self._item is None or not self._passages:
            return False
        passage = self._passages[self._place]
        inner = self._item.kind == "folder" and passage.unit == "page" and passage.file.lower().endswith(".pdf")
        return self._item.kind in DRAWN or inner

    def as_printed(self) -> bool:
        return self._as_printed

    def set_as_printed(self, printed: bool) -> None:
        self._as_printed = printed
        self._mark()
        self.shown_changed.emit()

    def zoom(self, step: int) -> None:
        """One step in (1) or out (-1); 0: back to the usual size."""
        usual = ZOOMS.index(1.0)
        self._zoom = usual if step == 0 else min(max(self._zoom + step, 0), len(ZOOMS) - 1)
        self._page.set_zoom(ZOOMS[self._zoom])
        self._drawn.set_zoom(ZOOMS[self._zoom])
        announce.politely(self, quantities.percent_of(ZOOMS[self._zoom]))

    def zoomed(self) -> float:
        return ZOOMS[self._zoom]

    def find_here(self) -> None:
        if self._item is not None:
            self._find.open()

    def focus_page(self) -> None:
        self._pages.currentWidget().setFocus()

    def cited(self) -> tuple[int, int] | None:
        """Characters that a copy with reference is of: what is selected, else what is marked, else the page."""
        if self._item is None or not self._passages:
            return None
        passage = self._passages[self._place]
        first, last = self._page.selected()
        if first < last and self._pages.currentWidget() is self._page:
            return passage.start + first, passage.start + last
        if self._shown is not None and self._shown[0] < passage.end and self._shown[1] > passage.start:
            return self._shown[:2]
        return passage.start, passage.end

    def show_drawing(self, item: str, span: int, drawing: Drawing) -> None:
        """The answer to `drawing_wanted`; one of a page that was left since is not shown."""
        if self._item is None or self._item.id != item or self._passages[self._place].span != span:
            return
        self._drawn.show_drawing(drawing, [token for *_, token in self._drawn_marks])

    def drawing_failed(self, item: str, said: str) -> None:
        """The text stands in the picture's place, under a line that says why."""
        if self._item is None or self._item.id != item:
            return
        self._as_printed = False
        self._mark()
        self._label.setText(said)
        self.shown_changed.emit()

    def _go(self, place: int) -> None:
        if not 0 <= place < len(self._passages):
            return
        self._place = place
        passage = self._passages[place]
        role = "code" if self._item and self._item.kind == "code" else "document"
        self._page.show_text(self._text[passage.start : passage.end], role=role)
        self._label.setText(self._words(passage))
        self._foot.show_place(
            passage.label if self._unit() != "file" and passage.label else str(passage.index + 1),
            quantities.units(self._passages[-1].index + 1, self._unit()),
            place > 0,
            place + 1 < len(self._passages),
        )
        self._mark()
        announce.politely(self, self._label.text())
        self.shown_changed.emit()

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

    def _enter(self, wanted: str) -> None:
        place = passage_named(self._passages, wanted)
        self._go(self._place if place is None else place)
        if place is None:
            self._label.setText(self.tr("There is no page {label}").format(label=wanted))

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
        if chosen is not None and passage_at(self._passages, chosen[0]) != self._place:
            self._go(passage_at(self._passages, chosen[0]))
        self._mark()
        self._find.set_found((matches.index(chosen) + 1 if chosen else 0, len(matches)))

    def _marks(self) -> list[Shade]:
        """Of this page, faint ones first, what was found last."""
        if not self._passages:
            return []
        passage = self._passages[self._place]
        wanted = [*self._shades]
        if self._shown is not None:
            wanted.append((*self._shown[:2], "mark" if self._found is None else "faint_mark"))
        if self._found is not None:
            wanted.append((*self._found, "mark"))
        return [
            (max(first, passage.start), min(last, passage.end), token)
            for first, last, token in wanted
            if first < passage.end and last > passage.start
        ]

    def _mark(self) -> None:
        marks = self._marks()
        start = self._passages[self._place].start if self._passages else 0
        on_page: list[Mark] = [(token, first - start, last - start) for first, last, token in marks]
        self._page.mark(on_page, near_top=self._found is None)
        drawn = self._as_printed and self.can_draw()
        self._pages.setCurrentWidget(self._drawn if drawn else self._page)
        if drawn:
            self._drawn.ask()

    def _want_drawing(self, width: int) -> None:
        if self._item is None or not self.can_draw() or not self._as_printed:
            return
        # The strongest first, since the first is brought into sight
        self._drawn_marks = self._marks()[::-1]
        spans = [(first, last) for first, last, _ in self._drawn_marks]
        self.drawing_wanted.emit(self._item.id, self._passages[self._place].span, width, spans)

    def eventFilter(self, watched, event) -> bool:
        if event.type() == QEvent.Type.Wheel and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
            return True
        return super().eventFilter(watched, event)

    def entry(self) -> QLineEdit:
        return self._foot.entry
