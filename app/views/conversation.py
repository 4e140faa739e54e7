"""The conversation: questions and answers in one column. Long ones are built from their end, as they are scrolled."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.data.conversation import FoundPart, Message
from app.data.quote import Excerpt
from app.views import theme
from app.views.answer import AnswerView
from app.views.find_bar import FindBar
from app.views.link_dialog import LinkDialog
from app.views.question import QuestionView

COLUMN = 760
"""Device-independent pixels of text, at most."""
BATCH = 24
"""Messages that are built at once when earlier ones come into sight."""

SIDES = 40
"""Device-independent pixels beside the column, at least."""

MessageView = QuestionView | AnswerView


class ConversationView(QWidget):
    """`open_link` is emitted only after the whole address was shown and the person agreed."""

    regenerate = Signal(str)
    edited = Signal(str, str)
    editing = Signal(str)
    """A question's editor has opened; answer with `show_edit_cost`."""
    copied = Signal(str)
    exported = Signal(str)
    evidence_wanted = Signal(str)
    action = Signal(str, str)
    open_link = Signal(str)
    place = Signal(str, int, int)
    """Show these characters of an item: a page that a finding, or a segment of the ledger, lies on."""
    quote_opened = Signal(str, int, int)
    """Of a message a quote, and which of its places, both from 0."""
    excerpts_wanted = Signal(str)
    """The passages of a message's quotes; answer with `show_excerpts`."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "sheet")
        self._messages: list[Message] = []
        self._views: dict[str, MessageView] = {}
        self._empty: QWidget | None = None
        self._at_end = True
        self._found: tuple[str, int] | None = None
        self._anchor: tuple[MessageView, int] | None = None  # keeps its distance to the top while others are built
        self.find_bar = FindBar(self)
        self.find_bar.sought.connect(self._seek)
        self._column = QWidget(self)
        self._column.setMaximumWidth(COLUMN)
        self._stack = QVBoxLayout(self._column)
        self._stack.setContentsMargins(0, 22, 0, 22)
        self._stack.setSpacing(18)
        self._stack.addStretch(1)
        page = _Page(self)
        self._centred = QHBoxLayout(page)
        self._centred.setContentsMargins(SIDES, 0, SIDES, 0)
        self._centred.addStretch(1)
        self._centred.addWidget(self._column, 1000)
        self._centred.addStretch(1)
        self._scroll = QScrollArea(self)
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(page)
        bar = self._scroll.verticalScrollBar()
        bar.rangeChanged.connect(self._grown)
        bar.valueChanged.connect(self._scrolled)
        finding = QHBoxLayout()
        finding.setContentsMargins(SIDES, 0, 16, 0)
        finding.addStretch(1)
        finding.addWidget(self.find_bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(finding)
        layout.addWidget(self._scroll, 1)
        self.setAccessibleName(self.tr("Conversation"))

    def show_messages(self, messages: list[Message]) -> None:
        """Show this conversation, at its end."""
        self._drop_views()
        self._messages = list(messages)
        self._at_end = True
        self._found = self._anchor = None
        for message in self._messages[-BATCH:]:
            self._build(message, self._stack.count() - 1)
        self._show_empty()

    def show_empty(self, widget: QWidget | None) -> None:
        """What is shown while there is no message; the view takes it over."""
        if self._empty is not None and self._empty is not widget:
            self._stack.removeWidget(self._empty)
            self._empty.deleteLater()
        self._empty = widget
        if widget is not None:
            self._stack.insertWidget(0, widget)
        self._show_empty()

    def add(self, message: Message) -> None:
        """A new message at the end, which is brought into sight."""
        self._messages.append(message)
        self._at_end = True
        self._build(message, self._stack.count() - 1)
        self._show_empty()

    def append(self, message_id: str, text: str) -> None:
        """More of an answer."""
        view = self._views.get(message_id)
        if isinstance(view, AnswerView):
            view.append(text)

    def show_found(self, message_id: str, found: tuple[FoundPart, ...]) -> None:
        """What an answer that goes over every part has found so far."""
        view = self._views.get(message_id)
        if isinstance(view, AnswerView):
            view.set_found(found)

    def update_message(self, message: Message) -> None:
        """Show a message that has changed."""
        for place, each in enumerate(self._messages):
            if each.id == message.id:
                self._messages[place] = message
        view = self._views.get(message.id)
        if view is not None:
            view.set_message(message)

    def set_status(self, message_id: str, text: str) -> None:
        """What an answer waits for; empty for its first word."""
        view = self._views.get(message_id)
        if isinstance(view, AnswerView):
            view.set_status(text)

    def show_edit_cost(self, message_id: str, text: str) -> None:
        """What asking the question that is being edited will cost."""
        view = self._views.get(message_id)
        if isinstance(view, QuestionView):
            view.show_cost(text)

    def show_excerpts(self, message_id: str, excerpts: Sequence[Sequence[Excerpt]]) -> None:
        """The passages of an answer's quotes."""
        view = self._views.get(message_id)
        if isinstance(view, AnswerView) and view.quotes is not None:
            view.quotes.set_excerpts(excerpts)

    def point_at_quote(self, message_id: str, number: int) -> None:
        """Bring a quote's chip into sight, outlined, where its answer was built."""
        view = self._views.get(message_id)
        chip = view.quotes.point_at(number) if isinstance(view, AnswerView) and view.quotes is not None else None
        if chip is not None:  # one that was just unfolded has its place after the layout has run
            QTimer.singleShot(0, chip, lambda: self._scroll.ensureWidgetVisible(chip))

    def messages(self) -> list[Message]:
        return list(self._messages)

    def view(self, message_id: str) -> MessageView | None:
        """The message's widget, where it was built."""
        return self._views.get(message_id)

    def at_end(self) -> bool:
        return self._at_end

    def copy_last_answer(self) -> None:
        for message in reversed(self._messages):
            view = self._views.get(message.id)
            if isinstance(view, AnswerView):
                view.copy()
                return

    def find_here(self) -> None:
        self.find_bar.open()

    def _build(self, message: Message, place: int) -> None:
        view: MessageView
        if message.role == "user":
            view = QuestionView(message, self._column)
            view.edited.connect(self.edited)
            view.editing.connect(self.editing)
        else:
            view = AnswerView(message, self._column)
            view.regenerate.connect(self.regenerate)
            view.copied.connect(self.copied)
            view.exported.connect(self.exported)
            view.evidence_wanted.connect(self.evidence_wanted)
            view.action.connect(self.action)
            view.link.connect(self._ask_about_link)
            view.place.connect(self.place)
            view.quote_opened.connect(self.quote_opened)
            view.excerpts_wanted.connect(self.excerpts_wanted)
        view.reader.caret_moved.connect(lambda view=view: self._follow_caret(view))
        self._views[message.id] = view
        self._stack.insertWidget(place, view)

    def _drop_views(self) -> None:
        for view in self._views.values():
            self._stack.removeWidget(view)
            view.hide()
            view.deleteLater()
        self._views = {}

    def _show_empty(self) -> None:
        if self._empty is not None:
            self._empty.setVisible(not self._messages)

    def _earlier(self) -> None:
        """Build `BATCH` of the messages before those that stand, and keep the place."""
        first = len(self._messages) - len(self._views)
        start = max(0, first - BATCH)
        if start == first:
            return
        top = self._views[self._messages[first].id]
        self._anchor = (top, top.y() - self._scroll.verticalScrollBar().value())
        offset = 1 if self._empty is not None else 0
        for place, message in enumerate(self._messages[start:first]):
            self._build(message, offset + place)

    def _grown(self, _least: int, most: int) -> None:
        # the scroll bar takes its room from the margin, so that the text keeps its place
        taken = self._scroll.verticalScrollBar().sizeHint().width() if most > 0 else 0
        self._centred.setContentsMargins(SIDES, 0, SIDES - taken, 0)
        if self._at_end:
            self._scroll.verticalScrollBar().setValue(most)
        elif self._anchor is not None:
            anchored, self._anchor = self._anchor, None
            self._scroll.verticalScrollBar().setValue(anchored[0].y() - anchored[1])
            self._anchor = anchored
        if most == 0 and len(self._views) < len(self._messages):
            QTimer.singleShot(0, self, self._earlier)

    def _scrolled(self, value: int) -> None:
        bar = self._scroll.verticalScrollBar()
        self._anchor = None
        self._at_end = value >= bar.maximum() - 4
        if value < self.height() // 2 and not self._at_end:
            self._earlier()

    def _follow_caret(self, view: MessageView) -> None:
        if view.reader.hasFocus():
            self._reveal_caret(view, 40)

    def _ask_about_link(self, address: str) -> None:
        dialog = LinkDialog(address, self.window())
        dialog.agreed.connect(self.open_link)
        dialog.open()

    def _seek(self, words: str, forward: bool) -> None:
        """Find in all messages, from the place found last on, and once around."""
        wanted = words.casefold()
        found = ((message.id, _occurrences(message.text.casefold(), wanted)) for message in self._messages if wanted)
        places = [(message_id, at) for message_id, all_at in found for at in all_at]
        if not places:
            self._found = None
            self.find_bar.set_found((0, 0) if wanted else None)
            return
        if self._found in places:
            chosen = (places.index(self._found) + (1 if forward else -1)) % len(places)
        else:
            chosen = len(places) - 1  # the newest first: older messages may not be built yet
        self._found = places[chosen]
        self.find_bar.set_found((chosen + 1, len(places)))
        self._show_found(words, sum(each[0] == self._found[0] for each in places[:chosen]), self._found)

    def _show_found(self, words: str, number: int, found: tuple[str, int]) -> None:
        """Select the occurrence `number` (from 0) of the words in the message found, and bring it into sight."""
        if found != self._found:
            return
        if found[0] not in self._views:  # built batch by batch, so that the window stays alive
            self._earlier()
            QTimer.singleShot(0, self, lambda: self._show_found(words, number, found))
            return
        view = self._views[found[0]]
        document = view.reader.document()
        cursor = document.find(words)
        for _ in range(number):
            following = document.find(words, cursor)
            cursor = cursor if following.isNull() else following
        if cursor.isNull():  # the words are in the Markdown but not in what it shows
            cursor = QTextCursor(document)
        view.reader.setTextCursor(cursor)
        # a message that was just built has its place after the layout has run
        QTimer.singleShot(0, view, lambda: self._reveal_caret(view, 80))

    def _reveal_caret(self, view: MessageView, room: int) -> None:
        caret: QRect = view.reader.cursorRect()
        place = view.reader.mapTo(self._scroll.widget(), caret.center())
        self._scroll.ensureVisible(place.x(), place.y(), 0, room)


class _Page(QWidget):
    """What is scrolled: as high as its text at its width; a minimum for narrower ones would leave a gap below it."""

    def minimumSizeHint(self) -> QSize:
        layout = self.layout()
        if layout.hasHeightForWidth():
            return QSize(0, layout.heightForWidth(self.width()))
        return QSize(0, layout.minimumSize().height())


def _occurrences(text: str, words: str) -> list[int]:
    places, start = [], text.find(words)
    while start >= 0:
        places.append(start)
        start = text.find(words, start + len(words))
    return places
