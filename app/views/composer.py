"""Where a question is written: the attached documents as chips, the field, and one button that asks or stops."""

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.data.document import Item
from app.views import theme
from app.views.chips import Chips
from app.views.every_part import EveryPart
from app.views.icons import IconButton
from app.views.question_field import QuestionField

DRAFT_DELAY_MS = 300
"""A draft is offered for saving when typing rests this long."""


class Composer(QFrame):
    """`asked` carries the question and empties the field; whoever cannot ask it gives it back with `set_text`.

    `asked_every_part` carries it with what each part of the text is to be asked, empty: what the question gives.
    """

    asked = Signal(str)
    asked_every_part = Signal(str, str)
    asked_likeliest = Signal(str)
    """The offer to go over every part was declined."""
    every_part_changed = Signal(bool)
    """The switch was turned."""
    typed = Signal(str)
    """The text has changed, a moment ago."""
    stopped = Signal()
    draft_changed = Signal(str)
    attachment_removed = Signal(str)
    add_files = Signal()
    files_pasted = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "composer")
        self._busy = False
        self._reason: str | None = None
        self._chips = Chips(self)
        self._chips.removed.connect(self.attachment_removed)
        self._field = QuestionField(self)
        self._field.setPlaceholderText(self.tr("Ask about everything above…"))
        self._field.setAccessibleName(self.tr("Question"))
        self._field.submitted.connect(self.ask)
        self._field.files_pasted.connect(self.files_pasted)
        self._field.textChanged.connect(self._typed)
        self._field.installEventFilter(self)
        self._note = QLabel(self)
        self._note.setWordWrap(True)
        theme.set_role(self._note, "small-warn")
        self._note.hide()
        self.every_part = EveryPart(self)
        self.every_part.accepted.connect(self._ask_every_part)
        self.every_part.declined.connect(self._ask_likeliest)
        self.every_part.dismissed.connect(self._dismiss_every_part)
        self._switch = IconButton("list-checks", self.tr("Go over every part of the text"), parent=self)
        self._switch.setCheckable(True)
        self._switch.toggled.connect(self.set_every_part)
        add = IconButton("paperclip", self.tr("Add documents"), parent=self)
        add.clicked.connect(self.add_files)
        self._button = QPushButton(self)
        theme.set_role(self._button, "primary")
        self._button.setCursor(Qt.CursorShape.PointingHandCursor)
        self._button.clicked.connect(self._pressed)
        self._draft = QTimer(self, singleShot=True, interval=DRAFT_DELAY_MS)
        self._draft.timeout.connect(self._rest)

        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._field, 1, Qt.AlignmentFlag.AlignVCenter)
        line.addWidget(self._switch, 0, Qt.AlignmentFlag.AlignBottom)
        line.addWidget(add, 0, Qt.AlignmentFlag.AlignBottom)
        line.addWidget(self._button, 0, Qt.AlignmentFlag.AlignBottom)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(13, 11, 12, 10)
        layout.setSpacing(8)
        layout.addWidget(self._chips)
        layout.addWidget(self._note)
        layout.addWidget(self.every_part)
        layout.addLayout(line)
        self.setFocusProxy(self._field)
        self._show_state()

    def text(self) -> str:
        return self._field.toPlainText()

    def set_text(self, text: str) -> None:
        """Put a kept draft into the field. Emits no `draft_changed`."""
        self._field.blockSignals(True)
        self._field.setPlainText(text)
        self._field.blockSignals(False)
        self._field.fit()
        self._field.moveCursor(self._field.textCursor().MoveOperation.End)
        self._draft.stop()
        self._withdraw_offer()
        self._show_state()

    def offer_every_part(self, question: str, part_question: str, parts: int, seconds: float | None) -> None:
        """The question asks for all of a text of about `parts` parts: it stays in the field, and the person chooses."""
        self.set_text(question)
        self._draft.start()
        self.every_part.offer(part_question, parts, seconds)

    def set_every_part(self, on: bool) -> None:
        """Whether the next question goes over every part of the text, be it as it may."""
        if self._switch.isChecked() != on:
            self._switch.setChecked(on)  # comes back here
            return
        if on:
            self.every_part.force("")
            self.typed.emit(self.text())
        else:
            self.every_part.close_up()
        self.every_part_changed.emit(on)

    def goes_over_every_part(self) -> bool:
        return self._switch.isChecked()

    def propose_part_question(self, question: str) -> None:
        """What each part is asked unless the person writes something else."""
        if self.goes_over_every_part() and not self.every_part.offering():
            self.every_part.force(question)

    def set_attachments(self, attachments: list[tuple[Item, float | None]]) -> None:
        """Items with the fraction that is read of each, None when nothing is being read of it."""
        self._chips.set_attachments(attachments)

    def focus_attachments(self) -> None:
        """Where documents can be taken away from the question."""
        self._chips.focus_first()

    def set_busy(self, busy: bool) -> None:
        """While an answer is on its way the button stops it."""
        self._busy = busy
        self._show_state()

    def set_enabled_reason(self, reason: str | None) -> None:
        """A sentence that says why nothing can be asked now; None when it can. Writing is always possible."""
        self._reason = reason
        self._note.setText(reason or "")
        self._note.setVisible(bool(reason))
        self._show_state()

    def set_enter_sends(self, sends: bool) -> None:
        """Whether Return asks; Control and Return always does."""
        self._field.enter_sends = sends
        self._show_state()

    def can_ask(self) -> bool:
        return not self._busy and self._reason is None and bool(self.text().strip()) and not self._field.composing

    def ask(self) -> None:
        """Emit `asked` with the question, unless there is none, or it cannot be asked now."""
        if not self.can_ask():
            return
        if self.every_part.offering() or self.goes_over_every_part():
            self._ask_every_part()
            return
        question = self.text().strip()
        self.set_text("")
        self.asked.emit(question)

    def _ask_every_part(self) -> None:
        if not self.can_ask():
            self._field.setFocus()
            return
        question, part_question = self.text().strip(), self.every_part.part_question()
        self.set_every_part(False)
        self.every_part.close_up()
        self.set_text("")
        self.asked_every_part.emit(question, part_question)

    def _ask_likeliest(self) -> None:
        if self.can_ask():
            question = self.text().strip()
            self.every_part.close_up()
            self.set_text("")
            self.asked_likeliest.emit(question)

    def _dismiss_every_part(self) -> None:
        self.set_every_part(False)
        self.every_part.close_up()
        self._field.setFocus()

    def _withdraw_offer(self) -> None:
        """It was made for other words."""
        if self.every_part.offering():
            self.every_part.close_up()
            if self.goes_over_every_part():
                self.every_part.force("")

    def flush_draft(self) -> None:
        """Offer the draft for saving at once, as before closing or changing over to another conversation."""
        if self._draft.isActive():
            self._draft.stop()
            self.draft_changed.emit(self.text())

    def eventFilter(self, watched, event) -> bool:
        if watched is self._field and event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.style().unpolish(self)
            self.style().polish(self)
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event) -> None:
        self._field.setFocus(Qt.FocusReason.MouseFocusReason)

    def _rest(self) -> None:
        self.draft_changed.emit(self.text())
        self.typed.emit(self.text())

    def _typed(self) -> None:
        self._withdraw_offer()
        self._draft.start()
        self._show_state()

    def _pressed(self) -> None:
        if self._busy:
            self.stopped.emit()
        elif self.can_ask():
            self.ask()
        else:
            self._field.setFocus()

    def _show_state(self) -> None:
        self._button.setText(self.tr("Stop") if self._busy else self.tr("Ask"))
        self._button.setAccessibleName(self.tr("Stop the answer") if self._busy else self.tr("Ask the question"))
        key = self.tr("Return") if self._field.enter_sends else self.tr("Ctrl+Return")
        self._button.setToolTip(self._reason or (self.tr("Esc") if self._busy else key))
        self._button.setEnabled(self._busy or self._reason is None)
        self.every_part.go_button.setEnabled(not self._busy and self._reason is None)
        self.every_part.likeliest_button.setEnabled(not self._busy and self._reason is None)
