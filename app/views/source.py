"""The right pane: a document's pages, a second beside it, what an answer's attention read, and the verification."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.data.document import Item, Span
from app.data.drawing import Drawing
from app.models.references import STYLES
from app.views import theme
from app.views.document_view import DocumentView, Shade
from app.views.elided import Elided
from app.views.evidence_view import EvidenceView
from app.views.icons import IconButton
from app.views.verify_view import VerifyView

BESIDE = 700
"""Pixels of width from which two documents stand side by side; below, one above the other."""


class SourcePane(QFrame):
    """`hidden_by_person`: the pane's own button asks to hide it."""

    hidden_by_person = Signal()
    evidence_chosen = Signal()
    """Its tab, by a person: of no answer in particular."""
    drawing_wanted = Signal(str, int, int, list)
    """As of `DocumentView`."""
    reference_wanted = Signal(str, int, int, str)
    """Put these characters of an item on the clipboard, with a reference in this style."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "side")
        self.document = DocumentView(self)
        """The one that `show_item` shows in."""
        self.held = DocumentView(self)
        """The one that was kept beside it."""
        self.held.hide()
        self.evidence = EvidenceView(self)
        self._documents = QSplitter(Qt.Orientation.Vertical, self)
        self._documents.setChildrenCollapsible(False)
        for view in (self.held, self.document):
            self._documents.addWidget(view)
            view.drawing_wanted.connect(self.drawing_wanted)
            view.shown_changed.connect(self._show_state)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self._documents)
        self._stack.addWidget(self.evidence)
        self.verify = VerifyView(self)
        self._stack.addWidget(self.verify)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(15, 10, 15, 12)
        layout.setSpacing(10)
        layout.addLayout(self._head())
        layout.addLayout(self._tools())
        layout.addWidget(self._stack, 1)
        for keys, step in ((QKeySequence.StandardKey.ZoomIn, 1), (QKeySequence.StandardKey.ZoomOut, -1)):
            shortcut = QShortcut(QKeySequence(keys), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._zoom(step))
        self._show_state()

    def _head(self) -> QHBoxLayout:
        self._tabs = QButtonGroup(self)
        head = QHBoxLayout()
        head.setSpacing(12)
        self.tabs = {}
        named = {"page": self.tr("Page"), "evidence": self.tr("Evidence"), "verify": self.tr("Verify")}
        for name, words in named.items():
            tab = QPushButton(words, self)
            tab.setCheckable(True)
            theme.set_role(tab, "tab")
            tab.clicked.connect(lambda _=False, name=name: self.choose_tab(name))
            self._tabs.addButton(tab)
            self.tabs[name] = tab
            head.addWidget(tab)
        self.tabs["page"].setChecked(True)
        head.addStretch(1)
        close = IconButton("panel-right", self.tr("Hide the source"), parent=self)
        close.clicked.connect(self.hidden_by_person)
        head.addWidget(close)
        return head

    def _tools(self) -> QHBoxLayout:
        self._name = Elided(self, Qt.TextElideMode.ElideMiddle)
        theme.set_role(self._name, "small")
        self.seek = IconButton("search", self.tr("Find in this document"), parent=self)
        self.seek.clicked.connect(self.find_here)
        self.out = IconButton("zoom-out", self.tr("Smaller"), parent=self)
        self.out.clicked.connect(lambda: self._zoom(-1))
        self.into = IconButton("zoom-in", self.tr("Larger"), parent=self)
        self.into.clicked.connect(lambda: self._zoom(1))
        self.printed = IconButton("image", self.tr("As printed"), parent=self)
        self.printed.setCheckable(True)
        self.printed.clicked.connect(lambda on: self.document.set_as_printed(on))
        self.hold = IconButton("pin", self.tr("Keep this page, and open others beside it"), parent=self)
        self.hold.setCheckable(True)
        self.hold.toggled.connect(self._hold)
        self.cite = IconButton("quote", self.tr("Copy with reference"), parent=self)
        menu = QMenu(self.cite)
        names = {
            "plain": self.tr("With document and page"),
            "bluebook": self.tr("In the manner of the Bluebook"),
            "gbt7714": self.tr("After GB/T 7714"),
        }
        for style in STYLES:
            menu.addAction(names[style], lambda style=style: self._copy(style))
        self.cite.setMenu(menu)
        self.cite.setPopupMode(IconButton.ToolButtonPopupMode.InstantPopup)
        tools = QHBoxLayout()
        tools.setSpacing(4)
        tools.addWidget(self._name, 1)
        self._buttons = (self.printed, self.out, self.into, self.seek, self.cite, self.hold)
        for button in self._buttons:
            tools.addWidget(button)
        return tools

    def show_item(
        self, item: Item, text: str, spans: tuple[Span, ...], position: int = 0, end: int | None = None
    ) -> None:
        """As of `DocumentView`."""
        self.show_tab("page")
        self.document.show_item(item, text, spans, position, end)

    def choose_tab(self, name: str) -> None:
        """As a person does."""
        self.show_tab(name)
        if name == "evidence":
            self.evidence_chosen.emit()

    def shows_evidence(self) -> bool:
        return self._stack.currentWidget() is self.evidence

    def show_tab(self, name: str) -> None:
        self.tabs[name].setChecked(True)
        self._stack.setCurrentIndex(list(self.tabs).index(name))
        self._show_state()

    def shade(self, item: str, shades: Sequence[Shade]) -> None:
        """What the attention read of an item that is open."""
        for view in (self.document, self.held):
            shown = view.item()
            if shown is not None and shown.id == item:
                view.shade(shades)

    def show_drawing(self, item: str, span: int, drawing: Drawing) -> None:
        for view in (self.document, self.held):
            view.show_drawing(item, span, drawing)

    def drawing_failed(self, item: str, said: str) -> None:
        for view in (self.document, self.held):
            view.drawing_failed(item, said)

    def clear(self) -> None:
        self.document.clear()

    def item(self) -> Item | None:
        return self.document.item()

    def page_text(self) -> str:
        return self.document.page_text()

    def page_label(self) -> str:
        return self.document.page_label()

    def find_here(self) -> None:
        self.show_tab("page")
        self.document.find_here()

    def _zoom(self, step: int) -> None:
        self.document.zoom(step)
        self.held.zoom(step)

    def _hold(self, on: bool) -> None:
        """The document in sight stays where it is, and others open beside it; or it goes."""
        if on:
            held, free = self.document, self.held
            self.held, self.document = held, free
            free.clear()
            free.show()
            self._documents.insertWidget(0, held)
        else:
            self.held.hide()
        self._lay()
        self._show_state()

    def _lay(self) -> None:
        wide = self._documents.width() >= BESIDE
        self._documents.setOrientation(Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical)

    def _copy(self, style: str) -> None:
        item, cited = self.document.item(), self.document.cited()
        if item is not None and cited is not None:
            self.reference_wanted.emit(item.id, *cited, style)

    def _show_state(self) -> None:
        item = self.document.item()
        on_page = self._stack.currentWidget() is self._documents
        self._name.show_text(item.name if item is not None and on_page else "")
        for button in self._buttons:
            button.setVisible(on_page)
            button.setEnabled(item is not None)
        self.hold.setEnabled(item is not None or self.hold.isChecked())
        self.printed.setVisible(on_page and self.document.can_draw())
        self.printed.setChecked(self.document.as_printed())

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._lay()
