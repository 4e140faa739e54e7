"""The library's matters and cards, folded and unfolded, with everything that can be asked of them by mouse and keys."""

from collections.abc import Collection

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, SignalInstance
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QMenu, QSizePolicy, QWidget

from app.models.library import CountRole, IdRole, KindRole, LibraryModel
from app.models.shown_items import ShownItems
from app.views import theme
from app.views.fitted import Fitted
from app.views.library_asks import AskingTree
from app.views.library_menu import group_menu, items_menu, matters_menu
from app.views.library_rows import LibraryRow, card_height, group_height

FOLDED = ("removed",)
"""Groups that are folded at first."""


class LibraryTree(Fitted, AskingTree):
    """No taller than its rows, so that what follows it stands right beneath."""

    def __init__(self, items: LibraryModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items = items
        self._shown = ShownItems(items, self)
        self._folded = set(FOLDED)
        self._searching = False
        theme.set_role(self, "plain")
        self.setAccessibleName(self.tr("Library"))
        self.setModel(self._shown)
        self.setItemDelegate(LibraryRow(self))
        self.setHeaderHidden(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setExpandsOnDoubleClick(False)
        self.setMouseTracking(True)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragDrop)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.clicked.connect(self._clicked)
        self.doubleClicked.connect(self._double_clicked)
        self.activated.connect(self._activated)
        self.customContextMenuRequested.connect(self._open_menu)
        self.collapsed.connect(lambda index: self._fold(index, True))
        self.expanded.connect(lambda index: self._fold(index, False))
        items.renamed.connect(self.matter_renamed)
        items.filled.connect(self.matter_filled)
        items.modelReset.connect(self.arrange)
        self.arrange()

    # what is shown

    def arrange(self) -> None:
        """Groups where there are matters or removed items and nothing is sought; else the items alone."""
        everything = self._shown.mapFromSource(self._items.group_index("all"))
        grouped = not self._searching and self._items.rowCount() > 1
        self.setRootIndex(QModelIndex() if grouped else everything)
        if grouped:
            for row in range(self._shown.rowCount()):
                index = self._shown.index(row, 0)
                self.setExpanded(index, index.data(IdRole) not in self._folded)
        self.fit()

    def search(self, words: str) -> None:
        """Show the items whose name holds the words; all with none."""
        self._searching = bool(words)
        self._shown.setFilterFixedString(words)
        self.arrange()

    def count(self) -> int:
        """Rows under the root: 0 when there is nothing to see."""
        return self._shown.rowCount(self.rootIndex())

    def folded(self) -> tuple[str, ...]:
        """Ids of the groups that are."""
        return tuple(sorted(self._folded))

    def set_folded(self, folded: Collection[str]) -> None:
        self._folded = set(folded)
        self.arrange()

    def _fold(self, index: QModelIndex, folded: bool) -> None:
        (self._folded.add if folded else self._folded.discard)(index.data(IdRole))
        self.fit()

    def rows_height(self) -> int:
        root, card, head = self.rootIndex(), card_height(self.font()), group_height(self.font())
        if root.isValid():
            return self._shown.rowCount(root) * card
        groups = [self._shown.index(row, 0) for row in range(self._shown.rowCount())]
        return sum(head + (card * group.data(CountRole) if self.isExpanded(group) else 0) for group in groups)

    def row_height(self) -> int:
        return card_height(self.font())

    # what is chosen

    def chosen(self) -> list[str]:
        """Ids of the items that are selected, each once; with a group selected, of its items."""
        ids: dict[str, None] = {}
        for index in self.selectionModel().selectedIndexes():
            if index.data(KindRole) is None:
                ids[index.data(IdRole)] = None
            else:
                ids |= dict.fromkeys(self._items.group_of(self._shown.mapToSource(index)).items)
        return list(ids)

    def group(self) -> str:
        """Id of the group that the current row is or is in: "all" where none is."""
        index = self.currentIndex()
        return self._items.group_of(self._shown.mapToSource(index)).id if index.isValid() else "all"

    def choose(self, item_id: str | None, group: str = "all") -> None:
        """Select an item, where it is shown; None selects nothing."""
        index = self._items.item_index(item_id, group) if item_id else QModelIndex()
        if item_id and not index.isValid():
            index = self._items.item_index(item_id)
        shown = self._shown.mapFromSource(index)
        if not shown.isValid():
            self.clearSelection()
            return
        self.selectionModel().setCurrentIndex(shown, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def edit_matter(self, id: str) -> None:
        """Let the person name it, in its place."""
        index = self._shown.mapFromSource(self._items.group_index(id))
        if index.isValid():
            self.setFocus(Qt.FocusReason.OtherFocusReason)
            self.setCurrentIndex(index)
            self.edit(index)

    # what is asked

    def _clicked(self, index: QModelIndex) -> None:
        if index.data(KindRole) is not None:
            self.setExpanded(index, not self.isExpanded(index))
        else:
            self.item_clicked.emit(index.data(IdRole))

    def _activated(self, index: QModelIndex) -> None:
        if index.data(KindRole) is None:
            self.item_clicked.emit(index.data(IdRole))

    def _double_clicked(self, index: QModelIndex) -> None:
        if index.data(KindRole) is None and self.group() != "removed":
            self.items_attached.emit([index.data(IdRole)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() == Qt.Key.Key_Delete and index.isValid():
            self._delete(index, bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            if index.isValid():
                self._clicked(index)
        else:
            super().keyPressEvent(event)

    def _delete(self, index: QModelIndex, shift: bool) -> None:
        """Delete takes an item out of the matter that it is chosen in, else out of the library; a matter is removed
        itself. What is removed already is deleted for good. With Shift the reading is forgotten."""
        kind, group, chosen = index.data(KindRole), self.group(), self.chosen()
        if shift:
            self.forget_chosen_reading()
        elif kind == "matter":
            self.matter_removed.emit(group)
        elif kind is None and group == "removed":
            self.items_forgotten.emit(chosen)
        elif kind is None and group != "all":
            self.matter_emptied.emit(group, chosen)
        elif kind is None:
            self.items_removed.emit(chosen)

    def forget_chosen_reading(self) -> None:
        """Ask to forget the reading of the chosen item, where it has one."""
        index = self.currentIndex()
        if index.isValid() and index.data(KindRole) is None and self._items.has_reading(index.data(IdRole)):
            self.reading_forgotten.emit(index.data(IdRole))

    def ask(self, wish: SignalInstance) -> None:
        """Emit one of the signals that carry items, for what is chosen, if anything is."""
        if chosen := self.chosen():
            wish.emit(chosen)

    def ask_of_one(self, wish: SignalInstance) -> None:
        """Emit one of the signals that carry an item, when a single one is chosen."""
        if len(chosen := self.chosen()) == 1:
            wish.emit(chosen[0])

    def menu(self) -> QMenu:
        """What can be done with what is chosen."""
        index = self.currentIndex()
        if index.data(KindRole) is None:
            return items_menu(self, self._items, self.chosen(), self.group())
        return group_menu(self, self._items.group_of(self._shown.mapToSource(index)))

    def matters_menu(self) -> QMenu:
        """The matters that what is chosen may be put into."""
        return matters_menu(self, self._items, self.chosen())

    def show_matters_menu(self) -> None:
        """By key: beside what is chosen."""
        if self.chosen():
            corner = self.visualRect(self.currentIndex()).bottomLeft()
            self.matters_menu().popup(self.viewport().mapToGlobal(corner))

    def _open_menu(self, point: QPoint) -> None:
        index = self.indexAt(point)
        if index.isValid():
            if not self.selectionModel().isSelected(index):
                self.setCurrentIndex(index)
            self.menu().popup(self.viewport().mapToGlobal(point))
