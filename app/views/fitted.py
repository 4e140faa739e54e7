"""Lists and trees that are no taller than their rows, so that what follows them stands right beneath."""

from PySide6.QtCore import QEvent, QSize


class Fitted:
    """Stands before a QListView or QTreeView among the bases of a class."""

    def rows_height(self) -> int:
        """Pixels of all rows."""
        raise NotImplementedError

    def row_height(self) -> int:
        """Pixels of one; two of them are always in sight, where there are so many."""
        raise NotImplementedError

    def fit(self) -> None:
        self.setMaximumHeight(max(self.rows_height(), 1))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        return QSize(200, self.rows_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, min(self.rows_height(), 2 * max(self.row_height(), 0)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.model():
            self.fit()
