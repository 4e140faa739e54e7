"""What is kept of the reading of each document: shown on the library's cards, and forgotten when the person says so."""

import asyncio
import logging
from collections.abc import Collection

from PySide6.QtCore import QObject

from app.controller.desk import Desk
from app.controller.estimate import estimate
from app.models.readings import OnDisk, on_disk
from app.services.answer import failure
from app.views.forget_dialog import ForgetDialog
from engine.client import EngineBusy, EngineDown, RequestFailed

log = logging.getLogger(__name__)


class ReadingsController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks = desk.notices, desk.tasks
        self._asking: asyncio.Task[None] | None = None
        self._again = False
        self.dialog: ForgetDialog | None = None
        state = desk.state
        state.loaded_changed.connect(self._loaded)
        state.readings_changed.connect(self.show)
        state.documents_changed.connect(self.show)
        desk.window.sidebar.reading_forgotten.connect(self.ask_to_forget)

    def refresh(self) -> None:
        """Ask the engine what is on the disk; for a model elsewhere none is started. Asked while an answer is on its
        way, it is asked once more after it."""
        if self._asking is not None and not self._asking.done():
            self._again = True
        elif self._state.loaded is not None and self._state.loaded.host is None:
            self._asking = self._tasks.start(self._refresh())

    async def _refresh(self) -> None:
        while True:
            self._again = False
            try:
                self._state.set_readings(await self._services.assistant.readings())
            except (EngineBusy, EngineDown, RequestFailed) as error:
                log.info("saved readings could not be listed: %s", type(error).__name__)  # the next answer asks again
            if not self._again:
                return

    def show(self) -> None:
        """On the cards, by what was listed last."""
        saved = {item_id: self._on_disk(item_id) for item_id in self._window.sidebar.item_ids()}
        self._window.sidebar.set_saved({item_id: one for item_id, one in saved.items() if one is not None})

    def ask_to_forget(self, item_id: str) -> None:
        saved, item = self._on_disk(item_id), self._services.library.get(item_id)
        rate = self._state.reading_rate
        self.dialog = ForgetDialog(
            item.name,
            0 if saved is None else saved.bytes,
            item.tokens / rate if rate and item.tokens else None,
            sorted(self._names(saved)),
            self._window,
        )
        self.dialog.agreed.connect(lambda: self._tasks.start(self._forget(item_id, item.name)))
        self.dialog.destroyed.connect(self._closed)
        self.dialog.open()

    async def _forget(self, item_id: str, name: str) -> None:
        try:
            forgotten = await self._services.assistant.forget_readings((item_id,))
        except RequestFailed as error:
            self._notices.failed(failure(error.failed))
            return
        except EngineBusy:
            self._notices.problem("engine_busy", {})
            return
        except EngineDown as error:
            self._notices.engine_stays_down(str(error.log))
            return
        self.leave_memory(item_id)
        self._notices.forgot_reading(name, forgotten.bytes)
        self._state.documents_changed.emit()
        self.refresh()

    def leave_memory(self, item_id: str) -> None:
        """Segments go by themselves; in a chain of documents that was read whole, the others go with the one."""
        read, loaded = self._state.read, self._state.loaded
        if item_id not in read or loaded is None:
            return
        tokens = [self._services.library.get(one).tokens or 0 for one in read]
        whole = estimate(tokens, loaded, self._state.settings).segments is None
        self._state.read = frozenset() if whole else read - {item_id}

    def bytes_on_disk(self, item_ids: Collection[str]) -> int:
        """Of all saved readings that hold any of these items, as they were listed last."""
        listed = self._state.readings
        saved = () if listed is None else listed.readings
        return sum(one.bytes for one in saved if not set(item_ids).isdisjoint(one.documents))

    def _on_disk(self, item_id: str) -> OnDisk | None:
        listed = self._state.readings
        return None if listed is None else on_disk(listed.readings, item_id, self._state.loaded)

    def _names(self, saved: OnDisk | None) -> list[str]:
        """Of the library's items that were read together with it."""
        items = self._services.library.items()
        return [item.name for item in items if saved is not None and item.id in saved.shared]

    def _loaded(self) -> None:
        self.show()
        self.refresh()

    def _closed(self) -> None:
        self.dialog = None
