"""The left pane: conversations opened, named, found and removed; library items looked at, attached and removed."""

import contextlib
import functools
from collections.abc import Sequence

from PySide6.QtCore import QObject

from app.controller.answers import AnswerController
from app.controller.desk import Desk
from app.services.conversations import Detached
from app.services.problem import Problem


class ShelfController(QObject):
    def __init__(self, desk: Desk, answers: AnswerController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._undo, self._attachments = desk.notices, desk.undo, desk.attachments
        state, window = desk.state, desk.window
        self._answers = answers
        sidebar = window.sidebar
        sidebar.conversation_selected.connect(self.open)
        sidebar.new_conversation.connect(self.new)
        window.actions_by_name["new_conversation"].triggered.connect(self.new)
        sidebar.conversation_renamed.connect(self._rename)
        sidebar.conversation_removed.connect(self._remove)
        sidebar.item_clicked.connect(self.show_item)
        window.conversation.place.connect(self.show_item)
        sidebar.library.items_attached.connect(self.attach)
        sidebar.library.items_removed.connect(self._remove_items)
        sidebar.library.items_restored.connect(self._restore_items)
        window.composer.draft_changed.connect(self._keep_draft)
        window.composer.attachment_removed.connect(self._detach)
        window.actions_by_name["remove_attached"].triggered.connect(self._detach_pending)
        state.documents_changed.connect(self.show_items)
        state.conversations_changed.connect(self._show_conversations)

    def open_last(self) -> None:
        """The conversation that was used last, or a new one."""
        kept = self._services.conversations.list()
        if kept:
            self.open(kept[0].id)
        else:
            self.new()

    def open(self, conversation: str) -> None:
        if conversation == self._state.conversation:
            return
        self._window.composer.flush_draft()
        kept = self._services.conversations.get(conversation)
        self._window.composer.set_text(kept.draft)
        self._window.conversation.show_messages(self._services.conversations.messages(conversation))
        # after the messages, so that what they wait for can be shown on them
        self._state.open(conversation)
        self._state.documents_changed.emit()
        self._show_conversations()
        self._window.composer.setFocus()

    def new(self) -> None:
        """An empty conversation; one that is still empty is used again."""
        self._window.composer.flush_draft()
        for kept in self._services.conversations.list():
            if not kept.title and not kept.draft and not self._attachments.of(kept.id):
                self.open(kept.id)
                return
        self.open(self._services.conversations.new().id)

    def show_item(self, item_id: str, start: int = 0, end: int | None = None) -> None:
        """Its text, in the right pane; with `end`, the page of the characters from `start` up to it, marked."""
        library = self._services.library
        try:
            item = library.get(item_id)
        except KeyError:  # deleted for good; an old ledger still names it
            self._notices.item_gone()
            return
        try:
            self._window.source.show_item(item, library.text(item_id), library.spans(item_id), start, end)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._window.show_source()

    def show_items(self) -> None:
        library = self._services.library
        self._window.sidebar.set_items(library.items(), self._services.collections.all(), library.removed())

    def _show_conversations(self) -> None:
        self._window.sidebar.set_conversations(self._services.conversations.list(), self._state.conversation)

    def _rename(self, conversation: str, title: str) -> None:
        before = self._services.conversations.get(conversation).title
        self._services.conversations.rename(conversation, title)
        self._undo.add(functools.partial(self._name_back, conversation, before))
        self._show_conversations()

    def _name_back(self, conversation: str, title: str) -> None:
        self._services.conversations.rename(conversation, title)
        self._show_conversations()

    def _remove(self, conversation: str) -> None:
        title = self._services.conversations.get(conversation).title
        self._services.conversations.remove(conversation)
        self._undo.add(functools.partial(self._restore, conversation))
        self._notices.removed_conversation(title)
        if conversation == self._state.conversation:
            self._answers.stop()
            self.open_last()
        self._show_conversations()

    def _restore(self, conversation: str) -> None:
        self._services.conversations.restore(conversation)
        self.open(conversation)
        self._show_conversations()

    def _keep_draft(self, text: str) -> None:
        try:
            self._services.conversations.save_draft(self._state.conversation, text)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)

    def attach(self, item_ids: Sequence[str]) -> None:
        """To the question to come, and read them."""
        if item_ids:
            self._attachments.attach(self._state.conversation, item_ids)
            self._state.documents_changed.emit()
            self._answers.read(self._state.conversation)

    def _remove_items(self, item_ids: Sequence[str]) -> None:
        library = self._services.library
        names = [library.get(item_id).name for item_id in item_ids]
        for item_id in item_ids:
            library.remove(item_id)
        self._undo.add(functools.partial(self._restore_items, item_ids))
        self._notices.removed_items(names)
        self._state.documents_changed.emit()

    def _restore_items(self, item_ids: Sequence[str]) -> None:
        for item_id in item_ids:
            with contextlib.suppress(KeyError):  # deleted for good since
                self._services.library.restore(item_id)
        self._state.documents_changed.emit()

    def _detach(self, item_id: str) -> None:
        conversation = self._state.conversation
        detached = self._services.conversations.detach(conversation, item_id)
        self._undo.add(functools.partial(self._attach_back, detached))
        self._notices.detached_item(self._services.library.get(item_id).name)
        self._answers.read_anew(conversation)
        self._state.documents_changed.emit()

    def _detach_pending(self) -> None:
        for item_id in self._services.conversations.get(self._state.conversation).pending:
            self._detach(item_id)

    def _attach_back(self, detached: Detached) -> None:
        self._services.conversations.attach_again(detached)
        self._state.documents_changed.emit()
