"""The field that a question is written in. Return asks, except where an input method is still composing."""

from pathlib import Path

from PySide6.QtCore import QMimeData, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

MOST_LINES = 8


def files_of(mime: QMimeData) -> list[Path]:
    """The files and folders of this computer that were dropped or pasted."""
    return [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile() and url.toLocalFile()]


class QuestionField(QPlainTextEdit):
    """Grows with its text up to `MOST_LINES`. Files are never taken as text: dropped ones go to the window."""

    submitted = Signal()
    files_pasted = Signal(list)
    """Paths that were pasted."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.enter_sends = True
        self._composing = False
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.document().setDocumentMargin(0)
        self.textChanged.connect(self.fit)
        queued = Qt.ConnectionType.QueuedConnection  # the layout speaks in the middle of its work
        self.document().documentLayout().documentSizeChanged.connect(self.fit, queued)
        self.fit()

    @property
    def composing(self) -> bool:
        """Whether an input method holds letters or candidates that are not yet part of the text."""
        return self._composing

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        was = self._composing
        super().inputMethodEvent(event)
        if event.preeditString():
            self._composing = True
        elif was:
            # some systems deliver the Return that confirmed the candidate right after it: that one is not a question
            QTimer.singleShot(0, self, self._composed)

    def _composed(self) -> None:
        self._composing = False

    def focusOutEvent(self, event) -> None:
        super().focusOutEvent(event)
        self._composing = False

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            super().keyPressEvent(event)
            return
        if self._composing:
            event.accept()
            return
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control, shift = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
        if held == control or (self.enter_sends and held == Qt.KeyboardModifier.NoModifier):
            event.accept()
            self.submitted.emit()
        elif held in (shift, Qt.KeyboardModifier.NoModifier):
            self.insertPlainText("\n")
            self.ensureCursorVisible()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return bool(files_of(source)) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = files_of(source)
        if files:
            self.files_pasted.emit(files)
        else:
            super().insertFromMimeData(source)

    def dragEnterEvent(self, event) -> None:
        if event.mimeData().hasUrls():
            event.ignore()
        else:
            super().dragEnterEvent(event)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fit()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 40, self._height(1))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 12, self._height(1))

    def _height(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing() + 4

    def fit(self) -> None:
        """Be as high as the text, within limits."""
        # a plain text document measures its height in lines
        lines = max(1, round(self.document().size().height()))
        self.setFixedHeight(self._height(min(lines, MOST_LINES)))
        more = lines > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
