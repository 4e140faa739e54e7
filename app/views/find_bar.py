"""A field that finds: in the conversation, or in the source."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.models import quantities
from app.views import theme
from app.views.icons import IconButton


class FindBar(QFrame):
    """`sought` says words and direction; the owner answers with `set_found`."""

    sought = Signal(str, bool)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = QLineEdit(self)
        self._field.setPlaceholderText(self.tr("Find here"))
        self._field.setAccessibleName(self.tr("Find here"))
        self._field.setClearButtonEnabled(False)
        self._field.textChanged.connect(lambda words: self.sought.emit(words, True))
        self._count = QLabel(self)
        theme.set_role(self._count, "small")
        back = IconButton("chevron-up", self.tr("Previous match"), parent=self)
        back.clicked.connect(lambda: self.sought.emit(self.words(), False))
        on = IconButton("chevron-down", self.tr("Next match"), parent=self)
        on.clicked.connect(lambda: self.sought.emit(self.words(), True))
        close = IconButton("x", self.tr("Close the search"), parent=self)
        close.clicked.connect(self.close_bar)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 4)
        layout.setSpacing(4)
        layout.addWidget(self._field, 1)
        for widget in (self._count, back, on, close):
            layout.addWidget(widget)
        self.hide()

    def words(self) -> str:
        return self._field.text()

    def open(self) -> None:
        self.show()
        self._field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._field.selectAll()

    def close_bar(self) -> None:
        self.sought.emit("", True)
        self.hide()
        self.closed.emit()

    def set_found(self, found: tuple[int, int] | None) -> None:
        """Which match is shown, from 1, and how many there are; None when nothing is sought."""
        if found is None:
            self._count.clear()
            return
        which, count = (quantities.number(value) for value in found)
        words = self.tr("{which} of {n}").format(which=which, n=count) if found[1] else self.tr("not found")
        self._count.setText(words)
        theme.set_role(self._count, "small" if found[1] else "small-warn")

    def event(self, event: QEvent) -> bool:
        # Esc closes the search before it stops an answer
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.sought.emit(self.words(), not event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        else:
            super().keyPressEvent(event)
