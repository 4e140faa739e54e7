"""The library as a tree: matters, all documents and what was removed, each with its items and how far they are read."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from PySide6.QtCore import QAbstractItemModel, QMimeData, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.data.document import Item
from app.data.matter import Matter
from app.data.original import OriginalState
from app.models import quantities
from app.models.original_words import original_words
from app.models.readings import OnDisk, standing

IdRole = Qt.ItemDataRole.UserRole + 1
"""Of an item, or of a matter; of the other groups "all" and "removed"."""
DetailRole = Qt.ItemDataRole.UserRole + 2
"""Pages and tokens: the second line of a card."""
StateRole = Qt.ItemDataRole.UserRole + 3
"""How far it is read, in words with a sign before them: the third line."""
FractionRole = Qt.ItemDataRole.UserRole + 4
"""None: not read by the loaded model; 1: read; between: being read."""
ItemRole = Qt.ItemDataRole.UserRole + 5
"""None of a group."""
KindRole = Qt.ItemDataRole.UserRole + 6
""""matter", "all" or "removed" of a group; None of an item."""
CountRole = Qt.ItemDataRole.UserRole + 7
"""Items of a group."""
OriginalRole = Qt.ItemDataRole.UserRole + 8
"""How an item's original stands (`OriginalState`)."""

Index = QModelIndex | QPersistentModelIndex
GroupKind = Literal["matter", "all", "removed"]

MIME = "application/x-longread-items"
"""Ids of items, with line ends between them."""


class Group(NamedTuple):
    kind: GroupKind
    id: str
    name: str
    items: tuple[str, ...]


class LibraryModel(QAbstractItemModel):
    """Matters by name, then "all", then "removed" when there is anything in it. It only says what was asked: `renamed`
    (a matter and its new name), `filled` (a matter and the ids of items that were dropped on it)."""

    renamed = Signal(str, str)
    filled = Signal(str, list)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._items: dict[str, Item] = {}
        self._groups: list[Group] = [Group("all", "all", "", ())]
        self._states: dict[str, tuple[float | None, str]] = {}
        self._estimated = False
        self._saved: dict[str, OnDisk] = {}
        self._originals: dict[str, OriginalState] = {}
        self._older: set[str] = set()
        """Of which the library has a newer version."""

    # what is shown

    def set_items(self, items: Sequence[Item], matters: Sequence[Matter] = (), removed: Sequence[Item] = ()) -> bool:
        """Show these, in this order. False when the same things stand in the same places: then selection and what is
        folded stay as they are."""
        known = {item.id: item for item in (*items, *removed)}
        self._older = {item.succeeds for item in items if item.succeeds is not None}
        groups = [
            *(Group("matter", one.id, one.name, tuple(id for id in one.items if id in known)) for one in matters),
            Group("all", "all", self.tr("All documents"), tuple(item.id for item in items)),
        ]
        if removed:
            groups.append(Group("removed", "removed", self.tr("Removed"), tuple(item.id for item in removed)))
        if [(one.id, one.items) for one in groups] == [(one.id, one.items) for one in self._groups]:
            self._items, self._groups = known, groups
            self._changed()
            return False
        self.beginResetModel()
        self._items, self._groups = known, groups
        self._states = {id: state for id, state in self._states.items() if id in known}
        self.endResetModel()
        return True

    def set_state(self, item_id: str, fraction: float | None, text: str = "") -> None:
        """`fraction` 1: in memory. `text` takes the usual words' place: "reading 63 % · 4,812 tok/s · 26 s left"."""
        self._states[item_id] = (fraction, text)
        self._changed(item_id)

    def set_estimated(self, estimated: bool) -> None:
        """Whether tokens are about so many: the model that counts them is elsewhere."""
        if estimated != self._estimated:
            self._estimated = estimated
            self._changed()

    def set_saved(self, saved: Mapping[str, OnDisk]) -> None:
        """What is on disk of each item's reading, by the item's id."""
        if saved != self._saved:
            self._saved = dict(saved)
            self._changed()

    def set_originals(self, states: Mapping[str, OriginalState]) -> None:
        """How the originals of these items stand; what was known of others stays."""
        if any(self._originals.get(id) != state for id, state in states.items()):
            self._originals |= states
            self._changed()

    def original(self, item_id: str) -> OriginalState:
        if item_id in self._older:
            return "older"
        state = self._originals.get(item_id, "unknown")
        return "unknown" if state == "older" else state  # its newer version was removed since

    def has_reading(self, item_id: str) -> bool:
        """Whether there is one to forget, in memory or on disk."""
        return item_id in self._saved or self._states.get(item_id, (None, ""))[0] is not None

    def item(self, item_id: str) -> Item | None:
        return self._items.get(item_id)

    def ids(self) -> list[str]:
        """Of all that are not removed."""
        return list(next(group.items for group in self._groups if group.kind == "all"))

    def matters(self) -> list[Group]:
        return [group for group in self._groups if group.kind == "matter"]

    def group_index(self, id: str) -> QModelIndex:
        """Invalid when there is no such group."""
        row = next((row for row, group in enumerate(self._groups) if group.id == id), None)
        return QModelIndex() if row is None else self.index(row, 0)

    def item_index(self, item_id: str, group: str = "all") -> QModelIndex:
        """Where the item stands in a group; invalid when it does not."""
        parent = self.group_index(group)
        if not parent.isValid() or item_id not in self._groups[parent.row()].items:
            return QModelIndex()
        return self.index(self._groups[parent.row()].items.index(item_id), 0, parent)

    def _changed(self, item_id: str | None = None) -> None:
        """Everything is drawn anew, or one item wherever it stands."""
        if item_id is None:
            for row, group in enumerate(self._groups):
                parent = self.index(row, 0)
                self.dataChanged.emit(parent, parent)
                if group.items:
                    self.dataChanged.emit(self.index(0, 0, parent), self.index(len(group.items) - 1, 0, parent))
            return
        for group in self._groups:
            index = self.item_index(item_id, group.id)
            if index.isValid():
                self.dataChanged.emit(index, index)

    # the tree: an item's internal id is 1 + the row of its group, a group's is 0

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008 - Qt's signature
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        return self.createIndex(row, column, parent.row() + 1 if parent.isValid() else 0)

    def parent(self, index: Index) -> QModelIndex:
        place = index.internalId()
        return self.createIndex(place - 1, 0, 0) if index.isValid() and place else QModelIndex()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        if not parent.isValid():
            return len(self._groups)
        return 0 if parent.internalId() else len(self._groups[parent.row()].items)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 1

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        group = self._group(index)
        if group is None:
            return flags | Qt.ItemFlag.ItemIsDragEnabled | Qt.ItemFlag.ItemNeverHasChildren
        if group.kind == "matter":
            return flags | Qt.ItemFlag.ItemIsEditable | Qt.ItemFlag.ItemIsDropEnabled
        return flags

    def _group(self, index: Index) -> Group | None:
        """The group that this row is; None of an item."""
        return self._groups[index.row()] if index.isValid() and not index.internalId() else None

    def group_of(self, index: Index) -> Group:
        """The group that a row is, or is in."""
        return self._groups[index.internalId() - 1 if index.internalId() else index.row()]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid():
            return None
        group = self._group(index)
        return self._of_item(index, role) if group is None else self._of_group(group, role)

    def _of_group(self, group: Group, role: int):
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return group.name
        if role == IdRole:
            return group.id
        if role == KindRole:
            return group.kind
        if role == CountRole:
            return len(group.items)
        if role in (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole):
            return f"{group.name}, {quantities.documents(len(group.items))}"
        return None

    def _of_item(self, index: Index, role: int):
        item = self._items[self._groups[index.internalId() - 1].items[index.row()]]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.name
        if role == IdRole:
            return item.id
        if role == ItemRole:
            return item
        if role == DetailRole:
            return self._detail(item)
        if role == StateRole:
            return self._state(item)
        if role == OriginalRole:
            return self.original(item.id)
        if role == FractionRole:
            return self._states.get(item.id, (None, ""))[0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(item)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            note = original_words(self.original(item.id))[1:]
            return ", ".join((item.name, *note, self._detail(item), self._words(item)))
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        group = self._group(index)
        name = " ".join(str(value).split())
        if role != Qt.ItemDataRole.EditRole or group is None or group.kind != "matter" or not name:
            return False
        if name != group.name:
            self.renamed.emit(group.id, name)
        return True

    # items are dragged onto matters

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def supportedDropActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def mimeTypes(self) -> list[str]:
        return [MIME]

    def mimeData(self, indexes: Iterable[Index]) -> QMimeData:
        ids = dict.fromkeys(index.data(IdRole) for index in indexes if self._group(index) is None)
        mime = QMimeData()
        mime.setData(MIME, "\n".join(ids).encode())
        return mime

    def canDropMimeData(self, mime: QMimeData, action, row: int, column: int, parent: Index) -> bool:
        return mime.hasFormat(MIME) and parent.isValid() and self.group_of(parent).kind == "matter"

    def dropMimeData(self, mime: QMimeData, action, row: int, column: int, parent: Index) -> bool:
        if not self.canDropMimeData(mime, action, row, column, parent):
            return False
        self.filled.emit(self.group_of(parent).id, bytes(mime.data(MIME).data()).decode().split("\n"))
        return True

    # words

    def _detail(self, item: Item) -> str:
        units = quantities.units(item.units, item.unit)
        counted = quantities.tokens(item.tokens) if item.tokens is not None else self.tr("tokens not counted")
        if self._estimated and item.tokens is not None:
            counted = f"≈ {counted}"
        return f"{units} · {counted}"

    def _words(self, item: Item) -> str:
        fraction, text = self._states.get(item.id, (None, ""))
        if text:
            return text
        if fraction is not None and fraction < 1:
            return self.tr("reading {percent}").format(percent=quantities.percent(fraction))
        return standing(fraction is not None, self._saved.get(item.id))[1]

    def _state(self, item: Item) -> str:
        fraction = self._states.get(item.id, (None, ""))[0]
        reading = fraction is not None and fraction < 1
        sign = "◐" if reading else standing(fraction is not None, self._saved.get(item.id))[0]
        return f"{sign} {self._words(item)}"

    def _tip(self, item: Item) -> str:
        lines = [item.name, item.source, self._detail(item), self._words(item)]
        if note := original_words(self.original(item.id)):
            lines.append(note[1])
        if item.left_out:
            lines.append(self.tr("Left out: {n}").format(n=quantities.number(len(item.left_out))))
        if matters := [group.name for group in self.matters() if item.id in group.items]:
            lines.append(self.tr("Matters: {names}").format(names=", ".join(matters)))
        return "\n".join(lines)
