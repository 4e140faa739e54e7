"""The left pane: search, the library with how far each item is read, and the conversations."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.data.conversation import Conversation, Found
from app.data.document import Item
from app.data.found import FoundTexts
from app.data.matter import Matter
from app.data.original import OriginalState
from app.data.quote import QuotePlace
from app.models import quantities
from app.models.conversations import ConversationsModel, FoundModel
from app.models.found_texts import FoundTextsModel, PlaceRole, summary
from app.models.library import IdRole, LibraryModel
from app.models.readings import OnDisk
from app.views import announce, theme
from app.views.fitted_list import FittedList
from app.views.icons import IconButton
from app.views.library_tree import LibraryTree
from app.views.sidebar_rows import ConversationRow, FoundRow, FoundTextRow

SEARCH_DELAY = 150
"""Milliseconds after the last key before a search is asked for."""


class Sidebar(QFrame):
    """What can be asked of the library are the signals of `library`."""

    searched = Signal(str)
    """What stands in the search field, a moment after the last key; empty when it was cleared."""
    more_wanted = Signal(str)
    """More places in texts for what stands there."""
    place_clicked = Signal(QuotePlace)
    """Show this place of a text."""
    item_clicked = Signal(str)
    """Show this item (click, or Return)."""
    reading_forgotten = Signal(str)
    """Asked for: the owner asks back once, since it cannot be undone."""
    conversation_selected = Signal(str)
    conversation_renamed = Signal(str, str)
    conversation_removed = Signal(str)
    new_conversation = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "side")
        self._items = LibraryModel(self)
        self._conversations = ConversationsModel(self)
        self._found = FoundModel(self)
        self._found_texts = FoundTextsModel(self)

        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName(self.tr("Find anything"))
        find = QKeySequence("Ctrl+K").toString(QKeySequence.SequenceFormat.NativeText)
        self.search.setPlaceholderText(self.tr("Find anything…   {keys}").format(keys=find))
        self.search.installEventFilter(self)

        self.library = LibraryTree(self._items)
        self.found_texts = FittedList(self.tr("Found in documents"), FoundTextRow())
        self.found_texts.setModel(self._found_texts)
        self.conversations = FittedList(self.tr("Conversations"), ConversationRow())
        self.conversations.setModel(self._conversations)
        self.conversations.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.found = FittedList(self.tr("Found in conversations"), FoundRow())
        self.found.setModel(self._found)

        self._library_title = self._title(self.tr("LIBRARY"))
        self._texts_title = self._title(self.tr("FOUND IN DOCUMENTS"))
        self._conversations_title = self._title(self.tr("CONVERSATIONS"))
        self._found_title = self._title(self.tr("FOUND IN CONVERSATIONS"))
        self._preparing = self._hint("")
        self._counted = self._hint("")
        self._no_items = self._hint(self.tr("Drop files or a folder on the window. They are read in full, here."))
        self._nothing = self._hint(self.tr("Nothing found."))
        self.more = QPushButton(self.tr("Show more places"))
        theme.set_role(self.more, "link")
        self.more.clicked.connect(lambda: self.more_wanted.emit(self.search.text().strip()))
        self.new = IconButton("plus", self.tr("New conversation"))
        self.new.clicked.connect(self.new_conversation)
        self.new_matter = IconButton("plus", self.tr("New matter"))
        self.new_matter.clicked.connect(lambda: self.library.matter_made.emit([]))

        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(SEARCH_DELAY)
        self._delay.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))
        self._lay_out()
        self._wire()
        self._arrange()

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addWidget(self._preparing)
        layout.addSpacing(4)
        layout.addLayout(self._heading(self._library_title, self.new_matter))
        layout.addWidget(self._no_items)
        layout.addWidget(self.library, 3)
        layout.addWidget(self._texts_title)
        layout.addWidget(self._counted)
        layout.addWidget(self.found_texts, 3)
        layout.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addLayout(self._heading(self._conversations_title, self.new))
        layout.addWidget(self._found_title)
        layout.addWidget(self._nothing)
        layout.addWidget(self.conversations, 2)
        layout.addWidget(self.found, 2)
        layout.addStretch(0)

    def _heading(self, title: QLabel, button: IconButton) -> QHBoxLayout:
        heading = QHBoxLayout()
        heading.addWidget(title, 1)
        heading.addWidget(button)
        return heading

    def _wire(self) -> None:
        self.search.textChanged.connect(self._searching)
        self.library.item_clicked.connect(self.item_clicked)
        self.library.reading_forgotten.connect(self.reading_forgotten)
        for signal in (self.found_texts.clicked, self.found_texts.activated):
            signal.connect(lambda index: self.place_clicked.emit(index.data(PlaceRole)))
        for view in (self.conversations, self.found):
            view.clicked.connect(lambda index: self.conversation_selected.emit(index.data(IdRole)))
            view.activated.connect(lambda index: self.conversation_selected.emit(index.data(IdRole)))
        self.conversations.delete_pressed.connect(self._remove_conversation)
        self.conversations.customContextMenuRequested.connect(self._conversation_menu)
        self._conversations.renamed.connect(self.conversation_renamed)

    # what is shown

    def set_items(self, items: list[Item], matters: Sequence[Matter] = (), removed: Sequence[Item] = ()) -> None:
        chosen, group = self.library.chosen(), self.library.group()
        if self._items.set_items(items, matters, removed):
            self.library.choose(chosen[0] if len(chosen) == 1 else None, group)
        self._arrange()

    def set_item_state(self, item_id: str, fraction: float | None, text: str = "") -> None:
        """None: not in memory; 1: in memory; between: being read. `text` replaces the usual words."""
        self._items.set_state(item_id, fraction, text)

    def set_estimated(self, estimated: bool) -> None:
        """Whether the tokens of the items are about so many."""
        self._items.set_estimated(estimated)

    def set_saved(self, saved: dict[str, OnDisk]) -> None:
        """What is on disk of each item's reading, by the item's id."""
        self._items.set_saved(saved)

    def set_originals(self, states: Mapping[str, OriginalState]) -> None:
        """How the originals of these items stand, by the items' ids."""
        self._items.set_originals(states)

    def item_ids(self) -> list[str]:
        """Of all items, also of those that a search hides."""
        return self._items.ids()

    def select_item(self, item_id: str | None) -> None:
        self.library.choose(item_id)

    def set_conversations(self, conversations: list[Conversation], current: str | None = None) -> None:
        self._conversations.set_conversations(conversations)
        row = self._conversations.row_of(current) if current else None
        if row is None:
            self.conversations.clearSelection()
        else:
            index = self._conversations.index(row, 0)
            flag = QItemSelectionModel.SelectionFlag.ClearAndSelect
            self.conversations.selectionModel().setCurrentIndex(index, flag)
        self._arrange()

    def set_found(self, found: list[Found]) -> None:
        """Conversations that answer `searched`; shown while the search field holds something."""
        self._found.set_found(found)
        self._arrange()

    def set_found_texts(self, found: FoundTexts) -> None:
        """Places in texts that answer `searched` or `more_wanted`."""
        self._found_texts.set_found(found)
        told = summary(found) if found.texts else ""
        if found.waiting:
            waiting = self.tr("{documents} not searched yet")
            told = f"{told} · ".lstrip(" ·") + waiting.format(documents=quantities.documents(found.waiting))
        self._counted.setText(told)
        self.more.setEnabled(found.more or any(text.count > len(text.places) for text in found.texts))
        self._arrange()
        if told:
            announce.politely(self.search, told)

    def set_preparing(self, fraction: float | None) -> None:
        """How far the texts are prepared for searching; None: they are."""
        words = self.tr("Preparing the search: {percent}")
        self._preparing.setText("" if fraction is None else words.format(percent=quantities.percent(fraction)))
        self._arrange()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def clear_search(self) -> None:
        self.search.clear()

    def _searching(self, text: str) -> None:
        self.library.search(text.strip())
        if not text.strip():
            self._found.set_found([])
            self.set_found_texts(FoundTexts())
        self._delay.start()
        self._arrange()

    def _arrange(self) -> None:
        searching = bool(self.search.text().strip())
        items, found, texts = self.library.count(), self._found.rowCount(), self._found_texts.rowCount()
        self._preparing.setVisible(bool(self._preparing.text()))
        self._no_items.setVisible(not searching and not items)
        self._library_title.setVisible(not searching or items > 0)
        self.library.setVisible(items > 0)
        self.new_matter.setVisible(not searching and items > 0)
        self._texts_title.setVisible(searching and bool(texts or self._counted.text()))
        self._counted.setVisible(searching and bool(self._counted.text()))
        self.found_texts.setVisible(searching and texts > 0)
        self.more.setVisible(searching and texts > 0 and self.more.isEnabled())
        self._conversations_title.setVisible(not searching)
        self.new.setVisible(not searching)
        self.conversations.setVisible(not searching)
        self._found_title.setVisible(searching and found > 0)
        self.found.setVisible(searching and found > 0)
        self._nothing.setVisible(searching and not found and not items and not texts)
        for view in (self.library, self.found_texts, self.conversations, self.found):
            view.fit()

    # what is asked

    def forget_chosen(self) -> None:
        """Ask to forget the reading of the chosen item, where it has one."""
        self.library.forget_chosen_reading()

    def _remove_conversation(self) -> None:
        self.conversation_removed.emit(self.conversations.currentIndex().data(IdRole))

    def conversation_menu(self, conversation_id: str) -> QMenu:
        menu = QMenu(self)
        rename = QAction(self.tr("Rename"), menu)
        rename.setShortcut(QKeySequence(Qt.Key.Key_F2))
        rename.triggered.connect(lambda: self.conversations.edit(self.conversations.currentIndex()))
        remove = QAction(self.tr("Delete the conversation"), menu)
        remove.setShortcut(QKeySequence(Qt.Key.Key_Delete))
        remove.triggered.connect(lambda: self.conversation_removed.emit(conversation_id))
        menu.addActions([rename, remove])
        return menu

    def _conversation_menu(self, point: QPoint) -> None:
        index = self.conversations.indexAt(point)
        if index.isValid():
            self.conversation_menu(index.data(IdRole)).popup(self.conversations.viewport().mapToGlobal(point))

    def eventFilter(self, watched, event) -> bool:
        """In the search field Esc clears, and Down goes on to what was found."""
        overrides = watched is self.search and event.type() == QEvent.Type.ShortcutOverride
        if overrides and event.key() == Qt.Key.Key_Escape and self.search.text():
            event.accept()  # or it would stop the answer
            return True
        if watched is self.search and event.type() == QEvent.Type.KeyPress:
            if event.key() == Qt.Key.Key_Escape and self.search.text():
                self.search.clear()
                return True
            if event.key() == Qt.Key.Key_Down:
                for view in (self.library, self.found_texts, self.conversations, self.found):
                    if view.isVisible():
                        if not view.currentIndex().isValid():
                            view.setCurrentIndex(view.model().index(0, 0, view.rootIndex()))
                        view.setFocus(Qt.FocusReason.OtherFocusReason)
                        return True
        return super().eventFilter(watched, event)

    def _title(self, text: str) -> QLabel:
        label = QLabel(text)
        theme.set_role(label, "section")
        return label

    def _hint(self, text: str) -> QLabel:
        label = QLabel(text)
        theme.set_role(label, "small")
        label.setWordWrap(True)
        return label
