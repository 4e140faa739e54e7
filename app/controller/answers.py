"""Questions and their answers, and the reading before them: each is followed to its end, whatever is on the screen."""

import functools
from collections.abc import AsyncIterable, Sequence

from PySide6.QtCore import QObject, Signal

from app.controller.desk import Desk
from app.controller.progress import ReadingProgress, counted
from app.data.conversation import Message
from app.data.document import Item
from app.models.waiting_words import waiting
from app.services.answer import Answer, Reading
from app.services.conversations import Removed
from app.services.coverage import singular
from app.services.problem import Problem
from engine.protocol import Delta, Done, Event, Found, Note, Progress

ONCE = ("read_parallel", "kv_int8")
"""Notes that are said once in a conversation; the others each time."""


class AnswerController(QObject):
    ended = Signal()
    """An answer or a reading: what is in memory and on disk may have changed."""
    answered = Signal(object)
    """The `Answer` has ended; its quotes are still to come."""

    def __init__(self, desk: Desk, progress: ReadingProgress) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks, self._undo = desk.notices, desk.tasks, desk.undo
        self._attachments = desk.attachments
        state, window = desk.state, desk.window
        self._progress = progress
        self._consent = desk.consent
        self._answers: dict[str, Answer] = {}
        """By conversation: those under way."""
        self._readings: dict[str, Reading] = {}
        self._covering: set[str] = set()
        """Ids of the answers under way that go over every part of the text."""
        self._waits: dict[str, tuple[str, int, int]] = {}
        """By message: what it waits for, as `waiting` is told."""
        self._told: set[tuple[str, str]] = set()
        """Conversations and the notes that were said in them."""
        window.composer.stopped.connect(self.stop)
        window.conversation.regenerate.connect(self.regenerate)
        window.conversation.edited.connect(self.edit)
        window.actions_by_name["regenerate"].triggered.connect(self.regenerate_last)
        window.reading_bar.cancelled.connect(self.stop)
        window.reading_bar.answer_now.connect(self.answer_now)
        state.conversation_changed.connect(self._show_busy)
        state.conversation_changed.connect(self._show_waits)
        state.loaded_changed.connect(self._wait_anew)

    def busy(self, conversation: str) -> bool:
        return conversation in self._answers

    def ask(self, question: str, part_question: str | None = None) -> None:
        """`part_question`: what each part of the text is asked, where the question goes over every part of it. Words
        that are not to be sent to a server stay in the field."""
        self._consent.before(
            lambda: self._ask(question, part_question), lambda: self._window.composer.set_text(question)
        )

    def _ask(self, question: str, part_question: str | None) -> None:
        conversation = self._state.conversation
        pending = self._services.conversations.get(conversation).pending
        everything = part_question is not None
        try:
            answer = self._services.assistant.ask(
                *(conversation, question, pending), coverage=everything, part_question=part_question
            )
        except Problem as problem:  # it could not be kept, so it was not asked: the words stay in the field
            self._window.composer.set_text(question)
            self._notices.problem(problem.code, problem.values)
            return
        self._follow(answer, everything=everything)

    def regenerate_last(self) -> None:
        messages = self._services.conversations.messages(self._state.conversation)
        if messages:
            self.regenerate(messages[-1].id)

    def regenerate(self, message_id: str) -> None:
        """An answer that went over every part does so again."""
        self._consent.before(lambda: self._regenerate(message_id))

    def _regenerate(self, message_id: str) -> None:
        conversation = self._state.conversation
        if self.busy(conversation):
            return
        messages = self._services.conversations.messages(conversation)
        place = [message.id for message in messages].index(message_id)
        everything = _of_every_part(messages[place])
        question = next((message.text for message in reversed(messages[:place]) if message.role == "user"), "")
        answer = self._services.assistant.regenerate(
            conversation, message_id, coverage=everything, part_question=singular(question) if everything else None
        )
        self._replace(answer, everything=everything)

    def edit(self, message_id: str, text: str) -> None:
        """What was put to every part is so in its new words as well."""
        self._consent.before(lambda: self._edit(message_id, text))

    def _edit(self, message_id: str, text: str) -> None:
        conversation = self._state.conversation
        if self.busy(conversation):
            return
        messages = self._services.conversations.messages(conversation)
        place = [message.id for message in messages].index(message_id)
        everything = any(map(_of_every_part, messages[place + 1 : place + 2]))
        answer = self._services.assistant.edit(
            *(conversation, message_id, text),
            coverage=everything,
            part_question=singular(text) if everything else None,
        )
        self._replace(answer, everything=everything)

    def read(self, conversation: str) -> None:
        """Read what is attached, so that the question is answered soon. A reading under way is taken up again."""
        if (before := self._readings.get(conversation)) is not None:
            before.cancel()
        reading = self._services.assistant.read(conversation)
        self._readings[conversation] = reading
        self._tasks.start(self._follow_reading(conversation, reading))

    def read_anew(self, conversation: str) -> None:
        """Its documents have changed: a reading under way goes on with those that are left."""
        if (reading := self._readings.get(conversation)) is None:
            return
        if self._attachments.of(conversation):
            self.read(conversation)
        else:
            reading.cancel()

    def stop(self) -> None:
        """The answer, or else the reading, of the open conversation."""
        conversation = self._state.conversation
        if (answer := self._answers.get(conversation)) is not None:
            answer.cancel()
        elif (reading := self._readings.get(conversation)) is not None:
            reading.cancel()

    def answer_now(self) -> None:
        """Answer the waiting question from what has been read of the documents; its ledger says what was not."""
        if (answer := self._answers.get(self._state.conversation)) is not None:
            self._tasks.start(self._answer_now(answer))

    async def _answer_now(self, answer: Answer) -> None:
        answer.cancel()
        await answer.wait()
        if answer.message.text == "" and answer.message.state == "stopped":
            conversation = answer.question.conversation
            self._follow(self._services.assistant.regenerate(conversation, answer.message.id, only_read=True))

    def _replace(self, answer: Answer, *, everything: bool = False) -> None:
        """The person may have the old messages back: that undoes it, and undoing that brings the new ones again."""
        removed = answer.removed
        if removed is not None and removed.messages:
            self._undo.add(functools.partial(self._put_back, removed))
            self._notices.replaced(len(removed.messages))
        self._follow(answer, everything=everything)

    def _put_back(self, removed: Removed) -> None:
        if (answer := self._answers.get(removed.conversation)) is not None:
            answer.cancel()
        self._services.conversations.restore_messages(removed)
        if removed.conversation == self._state.conversation:
            self._show_messages()

    def _follow(self, answer: Answer, *, everything: bool = False) -> None:
        conversation = answer.question.conversation
        if everything:
            self._covering.add(answer.message.id)
        self._answers[conversation] = answer
        self._waits[answer.message.id] = (self._first_wait(conversation), 0, 0)
        if conversation == self._state.conversation:
            self._show_messages()
        self._state.documents_changed.emit()
        self._state.conversations_changed.emit()
        self._show_busy()
        self._tasks.start(self._follow_answer(conversation, answer))

    async def _follow_answer(self, conversation: str, answer: Answer) -> None:
        items = self._attachments.of(conversation)
        read = False
        try:
            async for event in answer:
                read = read or isinstance(event, Delta | Found)
                self._show_event(conversation, items, event, answer)
        finally:
            if self._answers.get(conversation) is answer:
                del self._answers[conversation]
                self._end(conversation, items, answer, read)

    def _show_event(self, conversation: str, items: Sequence[Item], event: Event, answer: Answer) -> None:
        on_screen = conversation == self._state.conversation
        parts = answer.message.id in self._covering
        if isinstance(event, Progress):
            self._progress.show(conversation, items, event, parts=parts)
            self._window.reading_bar.set_can_answer(on_screen and bool(items) and event.stage == "read")
            stage = "parts" if parts and event.stage == "ask" else event.stage
            self._wait_for(answer.message.id, stage, *counted(event, parts))
            if stage == "parts" and event.rate:
                self._state.part_rate = event.rate
        elif isinstance(event, Found) and on_screen:
            self._window.conversation.show_found(answer.message.id, answer.message.found)
        elif isinstance(event, Delta):
            if answer.message.text == event.text:  # the first words
                self._progress.finish(items, read=not self._far())
                if on_screen:
                    self._window.instruments.set_first_word(answer.waited)
            if on_screen:
                self._window.conversation.append(answer.message.id, event.text)
        elif isinstance(event, Done):
            self._tell(conversation, event.notes)

    def _first_wait(self, conversation: str) -> str:
        """The stage of `waiting` that an answer begins with."""
        if self._state.loaded is None:
            return "model"
        if self._state.loaded.host is not None:
            return "remote"
        if conversation in self._readings:
            return "reading"
        return "" if next(iter(self._answers)) == conversation else "other"

    def _wait_anew(self) -> None:
        """Something has ended that answers may have waited for."""
        for conversation, answer in self._answers.items():
            if self._waits[answer.message.id][0] in ("model", "reading", "other"):
                self._wait_for(answer.message.id, self._first_wait(conversation))

    def _wait_for(self, message_id: str, stage: str, done: int = 0, total: int = 0) -> None:
        self._waits[message_id] = (stage, done, total)
        self._window.conversation.set_status(message_id, waiting(stage, done, total))

    def _show_waits(self) -> None:
        for message_id, wait in self._waits.items():
            self._window.conversation.set_status(message_id, waiting(*wait))

    def _tell(self, conversation: str, notes: Sequence[Note]) -> None:
        """What the engine noted, where the person sees it."""
        if conversation != self._state.conversation:
            return
        told = [code for where, code in self._told if where == conversation]
        said = self._notices.notes(notes, told)
        self._told.update((conversation, code) for code in said if code in ONCE)

    def _end(self, conversation: str, items: Sequence[Item], answer: Answer, read: bool) -> None:
        message = answer.message
        # The memory that it was read into may be gone by now
        gone = message.failure is not None and message.failure.code == "engine_died"
        unread = message.ledger is not None and message.ledger.unread
        self._progress.finish(items, read=read and not gone and not unread and not self._far())
        self._covering.discard(answer.message.id)
        self._waits.pop(answer.message.id, None)
        self._wait_anew()
        if answer.problem is not None:
            self._notices.problem(answer.problem.code, answer.problem.values)
        if conversation == self._state.conversation:
            self._window.conversation.update_message(answer.message)
            self._window.instruments.set_first_word(answer.waited if answer.message.text else None)
            ledger = answer.message.ledger
            if ledger is not None and ledger.host is not None:
                used = ledger.prompt + ledger.written
                self._window.instruments.set_answered(used, ledger.window, ledger.writing_rate)
            self._show_busy()
        self.ended.emit()
        self.answered.emit(answer)

    async def _follow_reading(self, conversation: str, reading: Reading) -> None:
        items = self._attachments.of(conversation)
        ending = await self._watch(conversation, items, reading)
        if self._readings.get(conversation) is not reading:
            return  # another took its place
        del self._readings[conversation]
        self._wait_anew()
        self._progress.finish(items, read=isinstance(ending, Done) and ending.finish == "read" and not self._far())
        if isinstance(ending, Done):
            self._tell(conversation, ending.notes)
        if reading.failure is not None:
            self._notices.failed(reading.failure)
        elif isinstance(ending, Done) and ending.finish == "cancelled" and not self.busy(conversation):
            self._notices.stopped_reading()
        self.ended.emit()

    async def _watch(self, conversation: str, items: Sequence[Item], events: AsyncIterable[Event]) -> Event | None:
        last: Event | None = None
        async for event in events:
            last = event
            if isinstance(event, Progress):
                self._progress.show(conversation, items, event)
                waits = self.busy(conversation) and conversation == self._state.conversation
                self._window.reading_bar.set_can_answer(waits and event.stage == "read")
        return last

    def _far(self) -> bool:
        """What a server holds of a text is not known, so it never counts as read."""
        return self._state.loaded is not None and self._state.loaded.host is not None

    def _show_messages(self) -> None:
        self._window.conversation.show_messages(self._services.conversations.messages(self._state.conversation))
        self._show_waits()

    def _show_busy(self) -> None:
        answer = self._answers.get(self._state.conversation)
        self._window.set_busy(answer is not None)
        waiting = answer is not None and answer.message.state == "waiting"
        if answer is not None:
            self._window.instruments.set_first_word(answer.waited, waiting)


def _of_every_part(answer: Message) -> bool:
    return bool(answer.found) or (answer.ledger is not None and answer.ledger.mode == "coverage")
