"""Which library items a conversation is about: those of its questions, then those of the question to come."""

import contextlib
from collections.abc import Iterable

from app.controller.services import Services
from app.data.document import Item


class Attachments:
    def __init__(self, services: Services) -> None:
        self._services = services

    def of(self, conversation: str) -> list[Item]:
        """In the order of the prompt, each once. Forgotten ones are not among them."""
        conversations = self._services.conversations
        asked = [id for message in conversations.messages(conversation) for id in message.documents]
        return self._items([*asked, *conversations.get(conversation).pending])

    def attach(self, conversation: str, item_ids: Iterable[str]) -> None:
        """To the question to come; what the conversation holds already is not attached again."""
        held = {item.id for item in self.of(conversation)}
        new = [id for id in dict.fromkeys(item_ids) if id not in held]
        pending = self._services.conversations.get(conversation).pending
        self._services.conversations.set_pending(conversation, (*pending, *new))

    def _items(self, ids: Iterable[str]) -> list[Item]:
        items = []
        for id in dict.fromkeys(ids):
            with contextlib.suppress(KeyError):
                items.append(self._services.library.get(id))
        return items
