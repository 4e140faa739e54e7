"""In the composer: a question goes over every part of the text, offered or forced, and what each part is asked."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.models import quantities
from app.views import announce, theme
from app.views.flow import FlowLayout


class EveryPart(QFrame):
    """Hidden, or one of two: `offer` asks whether to go over every part; `force` only shows what each is asked."""

    accepted = Signal()
    declined = Signal()
    """Answer from the likeliest segments."""
    dismissed = Signal()
    """Neither: back to the question."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "bubble")
        self._title = QLabel(self)
        self._title.setWordWrap(True)
        theme.set_role(self._title, "heading")
        self._about = QLabel(self)
        self._about.setWordWrap(True)
        theme.set_role(self._about, "caption")
        asks = QLabel(self.tr("Asked of each part"), self)
        theme.set_role(asks, "small")
        self._field = QLineEdit(self)
        self._field.setAccessibleName(self.tr("Question for each part"))
        self._field.setMaxLength(2000)
        self._field.returnPressed.connect(self.accepted)
        asks.setBuddy(self._field)
        self._buttons = QWidget(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._buttons.setSizePolicy(policy)
        self.go_button = QPushButton(self.tr("Go over every part"), self._buttons)
        theme.set_role(self.go_button, "primary")
        self.go_button.clicked.connect(self.accepted)
        self.likeliest_button = QPushButton(self.tr("Answer from the likeliest segments"), self._buttons)
        self.likeliest_button.clicked.connect(self.declined)
        flow = FlowLayout(self._buttons, gap=8, line_gap=6)
        flow.addWidget(self.go_button)
        flow.addWidget(self.likeliest_button)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(asks)
        row.addWidget(self._field, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 10, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self._title)
        layout.addWidget(self._about)
        layout.addLayout(row)
        layout.addWidget(self._buttons)
        self._offering = False
        self.hide()

    def offer(self, part_question: str, parts: int, seconds: float | None) -> None:
        """Ask whether to go over every part. `parts`: about how many; `seconds`: about how long, where known."""
        self._offering = True
        self._title.setText(self.tr("This asks for all of the text. Go over every part?"))
        said = self.tr("Each of about {n} parts is asked by itself").format(n=quantities.number(parts))
        if seconds is not None:
            said = self.tr("{said}, which takes about {time}").format(said=said, time=quantities.roughly(seconds))
        self._about.setText(
            self.tr("{said}. What they find is shown with its pages, and the answer is written from it.").format(
                said=said
            )
        )
        self._field.setText(part_question)
        self._field.setPlaceholderText(part_question)
        self._arrange()
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
        self._field.setCursorPosition(0)
        announce.politely(self, f"{self._title.text()} {self._about.text()}")

    def force(self, part_question: str) -> None:
        """The question will go over every part; what each is asked stands in the field in faint until it is written."""
        if self._offering or self.isHidden():
            self._field.clear()
        self._offering = False
        self._title.setText(self.tr("Goes over every part of the text"))
        self._field.setPlaceholderText(part_question or self.tr("made from the question"))
        self._arrange()

    def close_up(self) -> None:
        self._offering = False
        self._field.clear()
        self.hide()

    def offering(self) -> bool:
        return self._offering and not self.isHidden()

    def part_question(self) -> str:
        """What the person wants each part to be asked; empty: what was proposed."""
        return self._field.text().strip()

    def _arrange(self) -> None:
        self._about.setVisible(self._offering)
        self._buttons.setVisible(self._offering)
        self.show()

    def event(self, event) -> bool:
        overrides = event.type() == event.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape
        if overrides and self._offering:
            event.accept()  # or it would stop an answer
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismissed.emit()
        else:
            super().keyPressEvent(event)
