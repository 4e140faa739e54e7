"""A page of its own over the window: a title, text and a way back. Esc closes it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.views import theme


class Page(QDialog):
    """Subclasses put their widgets into `body`."""

    def __init__(self, characters: int, parent: QWidget | None = None):
        super().__init__(parent)
        content = QWidget()
        self.body = QVBoxLayout(content)
        self.body.setContentsMargins(0, 0, 8, 0)
        self.body.setSpacing(8)
        self._scroll = scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(content)
        self.close_button = QPushButton(self.tr("Close"))
        self.close_button.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 18)
        layout.setSpacing(12)
        layout.addWidget(scroll, 1)
        layout.addLayout(buttons)
        wide = self.fontMetrics().averageCharWidth() * characters
        self.resize(wide, wide * 7 // 8)

    def set_title(self, title: str) -> None:
        self.setWindowTitle(title)
        self._scroll.setAccessibleName(title)

    def label(self, text: str = "", role: str = "", wrap: bool = True) -> QLabel:
        """Text that can be selected with the mouse and read by a screen reader."""
        label = QLabel(text)
        label.setWordWrap(wrap)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        if role:
            theme.set_role(label, role)
        return label
