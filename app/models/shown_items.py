"""The library's tree as a search leaves it: groups stay, items whose name does not hold the words go."""

from PySide6.QtCore import QObject, QSortFilterProxyModel, Qt

from app.models.library import Index, LibraryModel


class ShownItems(QSortFilterProxyModel):
    def __init__(self, items: LibraryModel, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setSourceModel(items)
        self.setFilterCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        return not parent.isValid() or super().filterAcceptsRow(row, parent)
