"""The library's items as a list, each with how far it is read."""

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.data.document import Item
from app.models import quantities
from app.models.readings import OnDisk, standing

IdRole = Qt.ItemDataRole.UserRole + 1
DetailRole = Qt.ItemDataRole.UserRole + 2
"""Pages and tokens: the second line of a card."""
StateRole = Qt.ItemDataRole.UserRole + 3
"""How far it is read, in words with a sign before them: the third line."""
FractionRole = Qt.ItemDataRole.UserRole + 4
"""None: not read by the loaded model; 1: read; between: being read."""
ItemRole = Qt.ItemDataRole.UserRole + 5

Index = QModelIndex | QPersistentModelIndex


class LibraryModel(QAbstractListModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self._items: list[Item] = []
        self._states: dict[str, tuple[float | None, str]] = {}
        self._saved: dict[str, OnDisk] = {}

    def set_items(self, items: list[Item]) -> None:
        """Show these, in this order. Keeps the selection where the same items stand in the same places."""
        if [item.id for item in items] == [item.id for item in self._items]:
            self._items = list(items)
            if items:
                self.dataChanged.emit(self.index(0), self.index(len(items) - 1))
            return
        self.beginResetModel()
        self._items = list(items)
        self._states = {item.id: self._states[item.id] for item in items if item.id in self._states}
        self.endResetModel()

    def set_state(self, item_id: str, fraction: float | None, text: str = "") -> None:
        """`fraction` 1: in memory. `text` takes the usual words' place: "reading 63 % · 4,812 tok/s · 26 s left"."""
        self._states[item_id] = (fraction, text)
        row = self.row_of(item_id)
        if row is not None:
            self.dataChanged.emit(self.index(row), self.index(row))

    def set_saved(self, saved: dict[str, OnDisk]) -> None:
        """What is on disk of each item's reading, by the item's id."""
        if saved != self._saved:
            self._saved = dict(saved)
            if self._items:
                self.dataChanged.emit(self.index(0), self.index(len(self._items) - 1))

    def saved(self, item_id: str) -> OnDisk | None:
        return self._saved.get(item_id)

    def has_reading(self, item_id: str) -> bool:
        """Whether there is one to forget, in memory or on disk."""
        return item_id in self._saved or self._states.get(item_id, (None, ""))[0] is not None

    def ids(self) -> list[str]:
        return [item.id for item in self._items]

    def row_of(self, item_id: str) -> int | None:
        return next((row for row, item in enumerate(self._items) if item.id == item_id), None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid() or index.row() >= len(self._items):
            return None
        item = self._items[index.row()]
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
        if role == FractionRole:
            return self._states.get(item.id, (None, ""))[0]
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(item)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((item.name, self._detail(item), self._words(item)))
        return None

    def _detail(self, item: Item) -> str:
        units = quantities.units(item.units, item.unit)
        counted = quantities.tokens(item.tokens) if item.tokens is not None else self.tr("tokens not counted")
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
        if item.left_out:
            lines.append(self.tr("Left out: {n}").format(n=quantities.number(len(item.left_out))))
        return "\n".join(lines)
