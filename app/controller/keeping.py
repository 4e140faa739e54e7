"""Items exported into a folder, and deleted for good once the person agrees."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.controller.desk import Desk
from app.controller.readings import ReadingsController
from app.data.document import Item
from app.services.answer import failure
from app.services.item_export import What, export
from app.services.problem import Problem
from app.views.delete_dialog import DeleteDialog
from app.views.export_dialog import ExportDialog
from engine.client import EngineBusy, EngineDown, RequestFailed


class KeepingController(QObject):
    def __init__(self, desk: Desk, readings: ReadingsController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks, self._readings = desk.notices, desk.tasks, readings
        self.dialog: DeleteDialog | ExportDialog | None = None
        library = desk.window.sidebar.library
        library.items_exported.connect(self.ask_to_export)
        library.items_forgotten.connect(self.ask_to_delete)

    def ask_to_export(self, ids: Sequence[str]) -> None:
        items = self._known(ids)
        if not items:
            return
        self.dialog = ExportDialog(len(items), self._window)
        self.dialog.chosen.connect(lambda what: self._ask_folder(items, what))
        self.dialog.open()

    def _ask_folder(self, items: Sequence[Item], what: What) -> None:
        asking = QFileDialog(self._window, self.tr("Export into a folder"))
        asking.setFileMode(QFileDialog.FileMode.Directory)
        asking.fileSelected.connect(lambda folder: self.export(items, Path(folder), what))
        asking.finished.connect(asking.deleteLater)
        asking.open()

    def export(self, items: Sequence[Item], folder: Path, what: What) -> None:
        self._tasks.start(self._export(items, folder, what))

    async def _export(self, items: Sequence[Item], folder: Path, what: What) -> None:
        done = await export(self._services.library, items, folder, what)
        refused = [(one.refused, one.name) for one in done if one.refused is not None]
        self._notices.exported(len(done) - len(refused), str(folder), refused)

    def ask_to_delete(self, ids: Sequence[str]) -> None:
        items = self._known(ids)
        if not items:
            return
        held = {item.id for item in items}
        matters = [one.name for one in self._services.collections.all() if held & set(one.items)]
        self.dialog = DeleteDialog(
            [item.name for item in items],
            texts=sum(item.characters for item in items),
            on_disk=self._readings.bytes_on_disk(held),
            matters=matters,
            conversations=self._services.conversations.holding(held),
            parent=self._window,
        )
        self.dialog.agreed.connect(lambda: self._tasks.start(self._delete(items)))
        self.dialog.open()

    async def _delete(self, items: Sequence[Item]) -> None:
        ids = [item.id for item in items]
        for id in ids:
            self._readings.leave_memory(id)
        shown = self._window.source.item()
        if shown is not None and shown.id in ids:
            self._window.source.clear()
        names = [item.name for item in items]
        try:
            forgotten = await self._services.assistant.forget(*ids)
            self._notices.deleted(names, forgotten.bytes)
        except RequestFailed as error:
            self._notices.failed(failure(error.failed))
        except (EngineBusy, EngineDown):
            self._notices.deleted_but_readings(names)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
        finally:
            self._state.documents_changed.emit()
            self._readings.refresh()

    def _known(self, ids: Sequence[str]) -> list[Item]:
        held = {item.id: item for item in (*self._services.library.items(), *self._services.library.removed())}
        return [held[id] for id in ids if id in held]
