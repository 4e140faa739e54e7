"""The text of one item, as it would be read."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.data.document import Item, Span
from app.views import theme
from app.views.document_view import DocumentView


class PreflightPreview(QWidget):
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = QLabel(self)
        theme.set_role(self.title, "title")
        self.document = DocumentView(self)
        self.document.set_as_printed(False)
        back = QPushButton(self.tr("Back"), self)
        back.clicked.connect(self.closed)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(back)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.title)
        layout.addWidget(self.document, 1)
        layout.addLayout(foot)

    def show_item(self, item: Item, text: str, spans: tuple[Span, ...]) -> None:
        self.title.setText(self.tr("The text of {name}, as it would be read").format(name=item.name))
        self.document.show_item(item, text, spans)
