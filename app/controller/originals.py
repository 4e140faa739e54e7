"""Files that changed since they were read: seen, read anew as a new version, and shown with what changed."""

import contextlib
import functools
from collections.abc import Collection

from PySide6.QtCore import QMetaObject, QObject, Qt
from PySide6.QtGui import QGuiApplication

from app.controller.desk import Desk
from app.controller.shelf import ShelfController
from app.data.document import Refused
from app.data.quote import QuotePlace
from app.services.originals import Renewed
from app.services.problem import Problem
from app.views.changes_page import ChangesPage


class OriginalController(QObject):
    def __init__(self, desk: Desk, shelf: ShelfController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks, self._undo = desk.notices, desk.tasks, desk.undo
        self._attachments, self._shelf = desk.attachments, shelf
        self._renewing: set[str] = set()
        self._checking = False
        self._watching: QMetaObject.Connection | None = None
        self._last: Renewed | None = None
        self.page: ChangesPage | None = None
        library = desk.window.sidebar.library
        library.item_clicked.connect(lambda item: self.check([item]))
        library.items_attached.connect(self.check)
        library.version_wanted.connect(self.renew)
        library.changes_wanted.connect(self.show_changes)

    def watch(self) -> None:
        """Look now, and whenever the person comes back to this program."""
        self._watching = QGuiApplication.instance().applicationStateChanged.connect(self._came_back)
        self.check()

    def close(self) -> None:
        if self._watching is not None:
            self.disconnect(self._watching)

    def _came_back(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.check()

    def check(self, items: Collection[str] | None = None) -> None:
        """Look how the originals of these items stand, or of all."""
        if items is not None or not self._checking:
            self._tasks.start(self._check(items))

    async def _check(self, ids: Collection[str] | None) -> None:
        self._checking = self._checking or ids is None
        try:
            items = None if ids is None else [one for one in self._services.library.items() if one.id in ids]
            self._window.sidebar.set_originals(await self._services.originals.check(items))
        finally:
            self._checking = self._checking and ids is not None

    def renew(self, item: str) -> None:
        """Read its original anew."""
        if item not in self._renewing:
            self._renewing.add(item)
            self._tasks.start(self._renew(item))

    async def _renew(self, id: str) -> None:
        name = self._services.library.get(id).name
        self._notices.reading_anew(name)
        try:
            renewed = await self._services.originals.renew(id)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        finally:
            self._renewing.discard(id)
        if isinstance(renewed, Refused):
            self._notices.not_read_anew(renewed)
        elif renewed.new.id == id:
            self._notices.read_the_same(name)
        else:
            self._take_over(renewed)
        self.check([id] if isinstance(renewed, Refused) else [id, renewed.new.id])
        self._state.documents_changed.emit()

    def _take_over(self, renewed: Renewed) -> None:
        """In questions to come the new version stands in the old one's place; what was asked keeps the old one."""
        self._last = renewed
        conversation = self._state.conversation
        self._exchange_pending(conversation, renewed.old.id, renewed.new.id)
        asked = any(item.id == renewed.old.id for item in self._attachments.of(conversation))
        self._undo.add(functools.partial(self._back, renewed, conversation))
        self._notices.read_anew(renewed.new.name, renewed.changes, attach=asked)

    def _exchange_pending(self, conversation: str, old: str, new: str) -> None:
        pending = self._services.conversations.get(conversation).pending
        if old in pending:
            taken = dict.fromkeys(new if one == old else one for one in pending)
            self._services.conversations.set_pending(conversation, tuple(taken))

    def _back(self, renewed: Renewed, conversation: str) -> None:
        old, new = renewed.old.id, renewed.new.id
        self._services.collections.exchange(new, old, among=renewed.matters)
        self._exchange_pending(conversation, new, old)
        with contextlib.suppress(KeyError):  # deleted for good since
            self._services.library.remove(new)
        self._state.documents_changed.emit()
        self.check([old])

    def attach_new(self) -> None:
        """To the question to come, beside the old version that was asked about."""
        if self._last is not None:
            self._shelf.attach([self._last.new.id])

    def show_last_changes(self) -> None:
        if self._last is not None:
            self.show_changes(self._last.new.id)

    def show_changes(self, item: str) -> None:
        """What this version changed of the one before it."""
        self._tasks.start(self._show_changes(item))

    async def _show_changes(self, id: str) -> None:
        try:
            new = self._services.library.get(id)
            if new.succeeds is None:
                self._notices.no_version_before(new.name)
                return
            old = self._services.library.get(new.succeeds)
        except KeyError:
            self._notices.item_gone()
            return
        changes = await self._services.originals.changes(old.id, new.id)
        self.page = ChangesPage(old, new, changes, self._window)
        self.page.place_clicked.connect(self._show)
        self.page.show()

    def _show(self, at: QuotePlace) -> None:
        self._shelf.show_item(at.item, at.start, at.end)
