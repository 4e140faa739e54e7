"""A question in the conversation: a bubble on the right, which can be edited in its place."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.data.conversation import Message
from app.models import quantities
from app.views import theme
from app.views.icons import IconButton
from app.views.markdown_view import Reader
from app.views.question_field import QuestionField
from app.views.settings_rows import Note

LONGEST = 1_500
"""Characters of a question that are shown at first; a pasted book would be laid out for seconds."""
SHARE = 0.78
"""Of the column's width, at most."""


class QuestionView(QWidget):
    edited = Signal(str, str)
    editing = Signal(str)

    def __init__(self, message: Message, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._whole = False
        self._bubble = QFrame(self)
        theme.set_role(self._bubble, "bubble")
        self.reader = Reader(self._bubble)
        self.reader.setAccessibleName(self.tr("Your question"))
        self._more = QPushButton(self._bubble)
        theme.set_role(self._more, "link")
        self._more.clicked.connect(self._show_whole)
        self._documents = QLabel(self._bubble)
        theme.set_role(self._documents, "caption")
        inside = QVBoxLayout(self._bubble)
        inside.setContentsMargins(14, 9, 14, 5)  # the last line's own spacing is below it
        inside.setSpacing(4)
        inside.addWidget(self.reader)
        inside.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        inside.addWidget(self._documents)

        self._buttons = QWidget(self)
        edit = IconButton("pencil", self.tr("Edit this question"), parent=self._buttons, scale=0.9)
        edit.clicked.connect(self.edit)
        copy = IconButton("copy", self.tr("Copy this question"), parent=self._buttons, scale=0.9)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.message.text))
        row = QHBoxLayout(self._buttons)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        row.addWidget(edit)
        row.addWidget(copy)

        self._editor: _Editor | None = None
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(4)
        self._layout.addStretch(1)
        self._layout.addWidget(self._buttons, 0, Qt.AlignmentFlag.AlignBottom)
        self._layout.addWidget(self._bubble)
        self.set_message(message)

    def set_message(self, message: Message) -> None:
        self.message = message
        text = message.text if self._whole else message.text[:LONGEST]
        self.reader.setFont(theme.font("interface"))
        self.reader.setPlainText(text)
        cursor = QTextCursor(self.reader.document())
        cursor.select(QTextCursor.SelectionType.Document)
        spaced = QTextBlockFormat()
        spaced.setLineHeight(130, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor.mergeBlockFormat(spaced)
        cut = len(text) < len(message.text)
        count = quantities.number(len(message.text))
        self._more.setText(self.tr("Show all {n} characters").format(n=count))
        self._more.setVisible(cut)
        n = len(message.documents)
        said = self.tr("with 1 document") if n == 1 else self.tr("with {n} documents").format(n=quantities.number(n))
        self._documents.setText(said)
        self._documents.setVisible(n > 0)
        self._fit()

    def edit(self) -> None:
        """Open the editor in the bubble's place."""
        if self._editor is None:
            self._editor = _Editor(self.message.text, self)
            self._editor.accepted.connect(self._accept)
            self._editor.cancelled.connect(self._close)
            self._layout.insertWidget(0, self._editor, 1000)
        self._bubble.hide()
        self._buttons.hide()
        self._editor.field.setFocus()
        self.editing.emit(self.message.id)

    def show_cost(self, text: str) -> None:
        """What asking in other words costs, as long as the editor is open."""
        if self._editor is not None:
            self._editor.cost.show_text(text)

    def _accept(self, text: str) -> None:
        self._close()
        if text != self.message.text:
            self.edited.emit(self.message.id, text)

    def _close(self) -> None:
        if self._editor is not None:
            self._editor.deleteLater()
            self._layout.removeWidget(self._editor)
            self._editor = None
        self._bubble.show()
        self._buttons.show()
        self.reader.setFocus()

    def _show_whole(self) -> None:
        self._whole = True
        self.set_message(self.message)

    def _fit(self) -> None:
        """As wide as the question, and never wider than its share of the column."""
        most = max(120, round(self.width() * SHARE) - 28)
        document = self.reader.document().clone()
        document.setTextWidth(-1)
        wanted = min(most, int(document.idealWidth()) + 6)
        document.deleteLater()
        self.reader.setFixedWidth(max(wanted, 24))
        self.reader.fit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._fit()


class _Editor(QFrame):
    accepted = Signal(str)
    cancelled = Signal()

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        theme.set_role(self, "composer")
        self.field = QuestionField(self)
        self.field.setAccessibleName(self.tr("The question, to be edited"))
        self.field.setPlainText(text)
        self.field.submitted.connect(self._accept)
        note = QLabel(self.tr("The answers below it are written again. This can be undone."), self)
        note.setWordWrap(True)
        theme.set_role(note, "caption")
        self.cost = Note(parent=self)
        self.cost.show_text("", (note.text(),))  # its room is kept while it is worked out
        cancel = QPushButton(self.tr("Cancel"), self)
        cancel.clicked.connect(self.cancelled)
        accept = QPushButton(self.tr("Ask again"), self)
        theme.set_role(accept, "primary")
        accept.clicked.connect(self._accept)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(note, 1)
        row.addWidget(cancel)
        row.addWidget(accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self.field)
        layout.addWidget(self.cost)
        layout.addLayout(row)

    def event(self, event) -> bool:
        if event.type() == event.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)

    def _accept(self) -> None:
        text = self.field.toPlainText().strip()
        if text and not self.field.composing:
            self.accepted.emit(text)
