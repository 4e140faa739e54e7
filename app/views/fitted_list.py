"""A list that is no taller than its rows."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QSizePolicy, QStyledItemDelegate, QWidget

from app.views import theme


class FittedList(QListView):
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
            self.delete_pressed.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.state() != self.State.EditingState:
            if self.currentIndex().isValid():
                self.activated.emit(self.currentIndex())
        else:
            super().keyPressEvent(event)
