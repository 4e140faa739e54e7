"""The keys of the local API in the window: made, revoked and deleted there, with their use as it goes on."""

from collections.abc import Callable

import msgspec
from PySide6.QtCore import QObject, Signal

from app import words
from app.controller.desk import Desk
from app.data.key import NewKey
from app.models.spoken import spoken
from app.services.problem import Problem
from app.views.gateway_page import GatewayPage
from app.views.key_dialog import KeyDialog
from app.views.revoke_dialog import RevokeDialog


class KeyController(QObject):
    keys_changed = Signal()
    """Emitted from whatever thread changed them; heard on the window's."""
    made = Signal(str)
    """The secret of a key that was made just now."""

    def __init__(self, desk: Desk, page: GatewayPage, models: Callable[[], list[str]]) -> None:
        """`models`: names that clients can ask."""
        super().__init__(desk.window)
        self._services, self._page, self._models = desk.services, page, models
        self._notices = desk.notices
        self.dialog: KeyDialog | RevokeDialog | None = None
        page.keys.new_asked.connect(self._ask)
        page.keys.revoked.connect(self._ask_to_revoke)
        page.keys.forgotten.connect(self._forget)
        page.opened.connect(self.show)
        self.keys_changed.connect(self._refresh)
        desk.services.keys.on_change = self.keys_changed.emit

    def show(self) -> None:
        try:
            keys = self._services.keys.all()
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._page.keys.set_keys(keys, {item.id: item.name for item in self._services.library.items()})

    def _refresh(self) -> None:
        if self._page.isVisible():
            self.show()

    def _ask(self) -> None:
        documents = [(item.id, item.name) for item in self._services.library.items()]
        self.dialog = KeyDialog(self._models(), documents, self._page)
        self.dialog.wanted.connect(self._make)
        self.dialog.open()

    def _make(self, wanted: NewKey) -> None:
        assert isinstance(self.dialog, KeyDialog)
        rest = msgspec.structs.asdict(wanted)
        try:
            key, secret = self._services.keys.add(rest.pop("name"), **rest)
        except Problem as problem:
            self.dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
        else:
            self.dialog.show_secret(key, secret)
            self.made.emit(secret)

    def _ask_to_revoke(self, name: str) -> None:
        self.dialog = RevokeDialog(name, self._page)
        self.dialog.agreed.connect(lambda: self._do(self._services.keys.revoke, name))
        self.dialog.open()

    def _forget(self, name: str) -> None:
        self._do(self._services.keys.forget, name)

    def _do(self, change: Callable[[str], None], name: str) -> None:
        try:
            change(name)
        except Problem as problem:
            if problem.code != "no_such_key":  # gone already, by the command line
                self._notices.problem(problem.code, problem.values)
            self.show()
