"""A list that is no taller than its rows."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QStyledItemDelegate, QWidget

from app.views import theme
from app.views.fitted import Fitted


class FittedList(Fitted, QListView):
    """What follows it stands right beneath. `delete_pressed`: the Delete key, never Backspace."""

    delete_pressed = Signal()

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

    def row_height(self) -> int:
        return self.sizeHintForRow(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.currentIndex().isValid():
            self.delete_pressed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            if self.currentIndex().isValid():
                self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
