"""What asking a question in other words will cost: worked out by the engine while the person types."""

import asyncio
import logging

from PySide6.QtCore import QObject

from app.controller.desk import Desk
from app.models.edit_words import cost
from app.services.problem import Problem
from engine.client import RequestFailed
from engine.protocol import Expected

log = logging.getLogger(__name__)


class EditController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._tasks = desk.services, desk.state, desk.tasks
        self._conversation = desk.window.conversation
        self._asking: asyncio.Task[None] | None = None
        self._conversation.editing.connect(self._begin)

    def _begin(self, message_id: str) -> None:
        """Only what is edited now is worth an answer. Without a model nothing is known, and none is loaded for this."""
        if self._asking is not None:
            self._asking.cancel()
        if self._state.loaded is not None:
            self._asking = self._tasks.start(self._tell(self._state.conversation, message_id))

    async def _tell(self, conversation: str, message_id: str) -> None:
        try:
            expected = await self._services.assistant.expect_edit(conversation, message_id)
        except (RequestFailed, Problem) as error:
            log.info("what an edit costs is not known: %s", type(error).__name__)  # asking it will say what is wrong
            return
        self._conversation.show_edit_cost(message_id, cost(expected, self._rate(conversation, expected)))

    def _rate(self, conversation: str, expected: Expected) -> float | None:
        """Tokens a second that this model read last here, or the last time that this conversation was open."""
        loaded = self._state.loaded
        if self._state.reading_rate is not None or loaded is None or not expected.read:
            return self._state.reading_rate
        for message in reversed(self._services.conversations.messages(conversation)):
            made = message.ledger
            if made is not None and made.reading_rate and made.fingerprint == loaded.fingerprint:
                return made.reading_rate
        return None
