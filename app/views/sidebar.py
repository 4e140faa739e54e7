"""The left pane: search, the library with how far each item is read, and the conversations."""

from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, QSize, QSortFilterProxyModel, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QSizePolicy,
    QStyledItemDelegate,
    QVBoxLayout,
    QWidget,
)

from app.data.conversation import Conversation, Found
from app.data.document import Item
from app.models.conversations import ConversationsModel, FoundModel
from app.models.library import IdRole, LibraryModel
from app.models.readings import OnDisk
from app.views import theme
from app.views.icons import IconButton
from app.views.sidebar_rows import ConversationRow, FoundRow, LibraryCard

SEARCH_DELAY = 150
"""Milliseconds after the last key before a search is asked for."""


class FittedList(QListView):
    """A list no taller than its rows, so that what follows it stands right beneath. `delete_pressed`: the Delete
    key, never Backspace; `forget_pressed`: the same with Shift."""

    delete_pressed = Signal()
    forget_pressed = Signal()

    def __init__(self, name: str, delegate: QStyledItemDelegate, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "plain")
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setItemDelegate(delegate)
        delegate.setParent(self)
        self.setMouseTracking(True)
        self.setUniformItemSizes(True)
        self.setTabKeyNavigation(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def rows_height(self) -> int:
        count = self.model().rowCount() if self.model() else 0
        return count * self.sizeHintForRow(0) if count else 0

    def fit(self) -> None:
        self.setMaximumHeight(max(self.rows_height(), 1))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self.rows_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.rows_height(), 2 * max(self.sizeHintForRow(0), 0)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.model():
            self.fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            (self.forget_pressed if shift else self.delete_pressed).emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            if self.currentIndex().isValid():
                self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)


class Sidebar(QFrame):
    searched = Signal(str)
    """What stands in the search field, a moment after the last key; empty when it was cleared."""
    item_clicked = Signal(str)
    """Show this item (click, or Return)."""
    item_attached = Signal(str)
    """Attach this item to the question (double click, or the context menu)."""
    item_removed = Signal(str)
    """Asked for, never done here: the owner makes it undoable."""
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
        self._shown_items = QSortFilterProxyModel(self)
        self._shown_items.setSourceModel(self._items)
        self._shown_items.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._conversations = ConversationsModel(self)
        self._found = FoundModel(self)

        self.search = QLineEdit()
        self.search.setClearButtonEnabled(True)
        self.search.setAccessibleName(self.tr("Find anything"))
        find = QKeySequence("Ctrl+K").toString(QKeySequence.SequenceFormat.NativeText)
        self.search.setPlaceholderText(self.tr("Find anything…   {keys}").format(keys=find))
        self.search.installEventFilter(self)

        self.library = FittedList(self.tr("Library"), LibraryCard())
        self.library.setModel(self._shown_items)
        self.conversations = FittedList(self.tr("Conversations"), ConversationRow())
        self.conversations.setModel(self._conversations)
        self.conversations.setEditTriggers(
            QAbstractItemView.EditTrigger.EditKeyPressed | QAbstractItemView.EditTrigger.DoubleClicked
        )
        self.found = FittedList(self.tr("Found in conversations"), FoundRow())
        self.found.setModel(self._found)

        self._library_title = self._title(self.tr("LIBRARY"))
        self._conversations_title = self._title(self.tr("CONVERSATIONS"))
        self._found_title = self._title(self.tr("FOUND IN CONVERSATIONS"))
        self._no_items = self._hint(self.tr("Drop files or a folder on the window. They are read in full, here."))
        self._nothing = self._hint(self.tr("Nothing found."))
        self.new = IconButton("plus", self.tr("New conversation"))
        self.new.clicked.connect(self.new_conversation)

        heading = QHBoxLayout()
        heading.addWidget(self._conversations_title, 1)
        heading.addWidget(self.new)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 12, 12, 12)
        layout.setSpacing(8)
        layout.addWidget(self.search)
        layout.addSpacing(4)
        layout.addWidget(self._library_title)
        layout.addWidget(self._no_items)
        layout.addWidget(self.library, 3)
        layout.addLayout(heading)
        layout.addWidget(self._found_title)
        layout.addWidget(self._nothing)
        layout.addWidget(self.conversations, 2)
        layout.addWidget(self.found, 2)
        layout.addStretch(0)

        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(SEARCH_DELAY)
        self._delay.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))
        self.search.textChanged.connect(self._searching)
        self.library.clicked.connect(lambda index: self.item_clicked.emit(index.data(IdRole)))
        self.library.activated.connect(lambda index: self.item_clicked.emit(index.data(IdRole)))
        self.library.doubleClicked.connect(lambda index: self.item_attached.emit(index.data(IdRole)))
        self.library.delete_pressed.connect(self._remove_item)
        self.library.forget_pressed.connect(self.forget_chosen)
        self.library.customContextMenuRequested.connect(self._item_menu)
        for view in (self.conversations, self.found):
            view.clicked.connect(lambda index: self.conversation_selected.emit(index.data(IdRole)))
            view.activated.connect(lambda index: self.conversation_selected.emit(index.data(IdRole)))
        self.conversations.delete_pressed.connect(self._remove_conversation)
        self.conversations.customContextMenuRequested.connect(self._conversation_menu)
        self._conversations.renamed.connect(self.conversation_renamed)
        self._arrange()

    # what is shown

    def set_items(self, items: list[Item]) -> None:
        chosen = self.library.currentIndex().data(IdRole)
        self._items.set_items(items)
        self._choose(self.library, self._items.row_of(chosen) if chosen else None)
        self._arrange()

    def set_item_state(self, item_id: str, fraction: float | None, text: str = "") -> None:
        """None: not in memory; 1: in memory; between: being read. `text` replaces the usual words."""
        self._items.set_state(item_id, fraction, text)

    def set_saved(self, saved: dict[str, OnDisk]) -> None:
        """What is on disk of each item's reading, by the item's id."""
        self._items.set_saved(saved)

    def item_ids(self) -> list[str]:
        """Of all items, also of those that a search hides."""
        return self._items.ids()

    def select_item(self, item_id: str | None) -> None:
        self._choose(self.library, self._items.row_of(item_id) if item_id else None)

    def set_conversations(self, conversations: list[Conversation], current: str | None = None) -> None:
        self._conversations.set_conversations(conversations)
        self._choose(self.conversations, self._conversations.row_of(current) if current else None)
        self._arrange()

    def set_found(self, found: list[Found]) -> None:
        """The answer to `searched`; shown while the search field holds something."""
        self._found.set_found(found)
        self._arrange()

    def focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def clear_search(self) -> None:
        self.search.clear()

    def _searching(self, text: str) -> None:
        self._shown_items.setFilterFixedString(text.strip())
        if not text.strip():
            self._found.set_found([])
        self._delay.start()
        self._arrange()

    def _arrange(self) -> None:
        searching = bool(self.search.text().strip())
        items, found = self._shown_items.rowCount(), self._found.rowCount()
        self._no_items.setVisible(not searching and not items)
        self._library_title.setVisible(not searching or items > 0)
        self.library.setVisible(items > 0)
        self._conversations_title.setVisible(not searching)
        self.new.setVisible(not searching)
        self.conversations.setVisible(not searching)
        self._found_title.setVisible(searching and found > 0)
        self.found.setVisible(searching and found > 0)
        self._nothing.setVisible(searching and not found and not items)
        for view in (self.library, self.conversations, self.found):
            view.fit()

    def _choose(self, view: FittedList, row: int | None) -> None:
        model = view.model()
        index = model.index(row, 0) if row is not None else None
        if index is not None and isinstance(model, QSortFilterProxyModel):
            index = model.mapFromSource(self._items.index(row))
        if index is None or not index.isValid():
            view.clearSelection()
            return
        view.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    # what is asked

    def _remove_item(self) -> None:
        self.item_removed.emit(self.library.currentIndex().data(IdRole))

    def forget_chosen(self) -> None:
        """Ask to forget the reading of the chosen item, where it has one."""
        item_id = self.library.currentIndex().data(IdRole)
        if item_id is not None and self._items.has_reading(item_id):
            self.reading_forgotten.emit(item_id)

    def _remove_conversation(self) -> None:
        self.conversation_removed.emit(self.conversations.currentIndex().data(IdRole))

    def item_menu(self, item_id: str) -> QMenu:
        menu = QMenu(self)
        for label, signal in (
            (self.tr("Show its text"), self.item_clicked),
            (self.tr("Attach to the question"), self.item_attached),
            (self.tr("Remove from the library"), self.item_removed),
        ):
            menu.addAction(label).triggered.connect(lambda _=False, signal=signal: signal.emit(item_id))
        menu.actions()[-1].setShortcut(QKeySequence(Qt.Key.Key_Delete))
        menu.addSeparator()
        forget = menu.addAction(self.tr("Forget this reading…"), lambda: self.reading_forgotten.emit(item_id))
        forget.setShortcut(QKeySequence("Shift+Del"))
        forget.setEnabled(self._items.has_reading(item_id))
        return menu

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

    def _item_menu(self, point: QPoint) -> None:
        index = self.library.indexAt(point)
        if index.isValid():
            self.item_menu(index.data(IdRole)).popup(self.library.viewport().mapToGlobal(point))

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
                for view in (self.library, self.conversations, self.found):
                    if view.isVisible() and view.model().rowCount():
                        if not view.currentIndex().isValid():
                            view.setCurrentIndex(view.model().index(0, 0))
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
