"""Shows Markdown that is still being written: what is final stays, only the tail is drawn again."""

import math
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QElapsedTimer, QEvent, QPoint, QSize, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QGuiApplication, QTextDocument
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QWidget

from app.markdown import Stream
from app.views import theme
from app.views.blocks import BlockWriter, Mark
from app.views.icons import IconButton
from app.views.marks import SIGNS, TextMark, marked

FRAME_MS = 33
"""At most 30 repaints a second, and a third of the time when drawing takes longer."""


class Reader(QTextBrowser):
    """Text without scroll bars of its own, as high as its document; read line by line with the keyboard."""

    caret_moved = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "message")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.document().setDocumentMargin(0)
        # queued: the layout speaks in the middle of its work, and a new height would make it begin again
        queued = Qt.ConnectionType.QueuedConnection
        self.document().documentLayout().documentSizeChanged.connect(self.fit, queued)
        self.cursorPositionChanged.connect(self.caret_moved)

    def loadResource(self, kind: int, name: QUrl) -> object:
        """Nothing is ever fetched, from the disk or from elsewhere."""
        return None

    def fit(self) -> None:
        height = math.ceil(self.document().size().height()) + 2
        if height != self.height():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), math.ceil(self.document().size().height()) + 2)

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.height())

    def wheelEvent(self, event) -> None:
        event.ignore()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The page around it scrolls; its own text never moves."""


class MarkdownView(Reader):
    """`append` while it is written, `set_text` for all of it, `set_marks` when it is whole."""

    drawn = Signal()
    hovered = Signal(str, QPoint)
    """The pointer rests on what leads to this address, at a point of the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._source = ""
        self._waiting = ""
        self._marks: tuple[TextMark, ...] = ()
        self._buttons: list[IconButton] = []
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.draw)
        self._begin()

    def source(self) -> str:
        """The Markdown that is shown or about to be."""
        return self._source

    def set_text(self, text: str) -> None:
        """Show this text. One that goes on with the text before keeps what is drawn."""
        if text != self._source:
            self.set_marks(())
        if text.startswith(self._source):
            self._waiting += text[len(self._source) :]
        else:
            self._begin()
            self._waiting = text
        self._source = text
        self.draw()

    def set_marks(self, marks: Sequence[TextMark]) -> None:
        """Mark these characters of the text that is shown, in place of others."""
        chosen = () if SIGNS.search(self._source) else tuple(marks)
        if chosen != self._marks:
            self._marks = chosen
            self._draw_again()

    def append(self, text: str) -> None:
        self.set_marks(())
        self._source += text
        self._waiting += text
        if not self._timer.isActive():
            self._timer.start(self._pause)

    def draw(self) -> None:
        """Draw what is waiting now."""
        self._timer.stop()
        if not self._waiting:
            return
        clock = QElapsedTimer()
        clock.start()
        text, self._waiting = self._waiting, ""
        closed = self._stream.feed(text)
        with self._writer.editing():
            self._writer.take_back(self._mark)
            if closed:
                self._writer.write(closed)
                self._mark = self._writer.mark()
            self._writer.write(self._stream.tail())
        self.fit()
        self._place_buttons()
        self._pause = max(FRAME_MS, 2 * clock.elapsed())
        self.drawn.emit()

    def code_at(self, position: int) -> str | None:
        """The code of the block that holds the character at `position`."""
        for frame, code, _ in self._writer.codes:
            if frame.firstPosition() <= position <= frame.lastPosition():
                return code
        return None

    def _draw_again(self) -> None:
        """All of it, with the caret where it was."""
        place = self.textCursor().position()
        self._begin()
        self._waiting = marked(self._source, self._marks)
        self.draw()
        caret = self.textCursor()
        caret.setPosition(min(place, self.document().characterCount() - 1))
        self.setTextCursor(caret)

    def _begin(self) -> None:
        self.document().clear()
        self._stream = Stream()
        self._writer = BlockWriter(self.document(), self._marks)
        self._mark: Mark = self._writer.mark()
        self._pause = FRAME_MS
        self._stamp = theme.stamp()
        self.document().setMetaInformation(QTextDocument.MetaInformation.DocumentTitle, "")

    def _place_buttons(self) -> None:
        """One button to copy at every block of code, in its upper right corner."""
        codes = self._writer.codes
        while len(self._buttons) > len(codes):
            self._buttons.pop().deleteLater()
        while len(self._buttons) < len(codes):
            button = IconButton("copy", self.tr("Copy this code"), parent=self.viewport())
            button.clicked.connect(partial(self._copy, len(self._buttons)))
            button.show()
            self._buttons.append(button)
        layout = self.document().documentLayout()
        for button, (frame, _, language) in zip(self._buttons, codes, strict=True):
            area = layout.frameBoundingRect(frame)
            button.setToolTip(" · ".join(filter(None, (language, self.tr("Copy this code")))))
            button.move(round(area.right() - button.sizeHint().width() - 4), round(area.top() + 6))

    def _copy(self, place: int, _checked: bool = False) -> None:
        QGuiApplication.clipboard().setText(self._writer.codes[place][1])

    def viewportEvent(self, event) -> bool:
        if event.type() == QEvent.Type.ToolTip and (address := self.anchorAt(event.pos())):
            self.hovered.emit(address, event.globalPos())
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event) -> None:
        menu = self.createStandardContextMenu()
        code = self.code_at(self.cursorForPosition(event.pos()).position())
        if code is not None:
            menu.addSeparator()
            menu.addAction(self.tr("Copy this code"), lambda: QGuiApplication.clipboard().setText(code))
        menu.exec(event.globalPos())
        menu.deleteLater()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._place_buttons()

    def changeEvent(self, event) -> None:
        super().changeEvent(event)
        if getattr(self, "_stamp", None) not in (None, theme.stamp()):
            self._draw_again()
