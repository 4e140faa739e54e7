"""Nothing of a conversation goes to a server before the person has agreed, once for each conversation and server."""

from collections.abc import Callable

from app.controller.attachments import Attachments
from app.controller.services import Services
from app.controller.state import State
from app.services.problem import Problem
from app.views.remote_dialog import RemoteDialog
from app.views.window import MainWindow
from engine.remote import address


class Consent:
    def __init__(self, services: Services, state: State, window: MainWindow, attachments: Attachments) -> None:
        self._services, self._state, self._window = services, state, window
        self._attachments = attachments
        self._agreed: set[tuple[str, str]] = set()
        """Conversations and hosts."""

    def before(self, go: Callable[[], None], stay: Callable[[], None] = lambda: None) -> None:
        """`go` at once where the open conversation's next question stays here or was agreed to, else when the person
        agrees; `stay` when not."""
        conversation = self._state.conversation
        try:
            found = self._services.providers.find(self._state.settings.model)
        except Problem:
            found = None  # asking says what is wrong with the list
        if found is None:
            go()
            return
        where = address(found[0].base_url)
        if self._has_agreed(conversation, where.host):
            go()
            return
        names = [item.name for item in self._attachments.of(conversation)]
        dialog = RemoteDialog(where.host, names, local=where.local, encrypted=where.encrypted, parent=self._window)

        def agree() -> None:
            self._agreed.add((conversation, where.host))
            if conversation == self._state.conversation:
                go()

        dialog.agreed.connect(agree)
        dialog.rejected.connect(stay)
        dialog.open()

    def _has_agreed(self, conversation: str, host: str) -> bool:
        """Now, or before the program was started anew: then an answer of that server is there."""
        messages = self._services.conversations.messages(conversation)
        answered = any(one.ledger is not None and one.ledger.host == host for one in messages)
        return answered or (conversation, host) in self._agreed
