"""Under a page: to the one before, to a page by its number, to the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QWidget

from app.views import theme
from app.views.icons import IconButton


class DocumentFoot(QWidget):
    stepped = Signal(int)
    entered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = IconButton("chevron-left", self.tr("Previous page"), parent=self)
        self.back.clicked.connect(lambda: self.stepped.emit(-1))
        self.on = IconButton("chevron-right", self.tr("Next page"), parent=self)
        self.on.clicked.connect(lambda: self.stepped.emit(1))
        self.entry = QLineEdit(self)
        self.entry.setAccessibleName(self.tr("Go to page"))
        self.entry.setFixedWidth(self.fontMetrics().averageCharWidth() * 12)
        self.entry.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.entry.returnPressed.connect(self._enter)
        self._of = QLabel(self)
        theme.set_role(self._of, "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(6)
        layout.addWidget(self.back)
        layout.addWidget(self.entry)
        layout.addWidget(self._of)
        layout.addStretch(1)
        layout.addWidget(self.on)

    def show_place(self, label: str, of: str, before: bool, after: bool) -> None:
        self.entry.setText(label)
        self._of.setText(self.tr("of {n}").format(n=of))
        self.back.setEnabled(before)
        self.on.setEnabled(after)

    def _enter(self) -> None:
        self.entered.emit(self.entry.text())
        self.entry.selectAll()
