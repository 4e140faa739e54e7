"""Models: which there are, fetching one when the person asks, adding one from disk, and using it."""

import asyncio
from pathlib import Path

import psutil
from msgspec.structs import replace
from PySide6.QtCore import QObject

from app import words
from app.controller.desk import Desk
from app.controller.settings import SettingsController
from app.data.model import Download, ModelEntry
from app.data.settings import DEFAULT_MODEL
from app.models.spoken import spoken
from app.services.problem import Problem
from app.views.first_run import FirstRun
from app.views.models_dialog import ModelsDialog
from engine.catalogue import SALA
from engine.protocol import DeviceInfo

LONGEST_MODEL = SALA.name

TYPICAL_RATE = 4 * 2**20
"""Bytes a second of an ordinary line, for "about 20 min to download" before anything was measured."""


class ModelController(QObject):
    def __init__(self, desk: Desk, settings: SettingsController, first_run: FirstRun, dialog: ModelsDialog) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._notices = desk.services, desk.state, desk.notices
        self._tasks = desk.tasks
        state, window = desk.state, desk.window
        self._settings = settings
        self._first_run, self._dialog = first_run, dialog
        self._fetching: dict[str, asyncio.Task[None]] = {}
        self._seen: DeviceInfo | None = None
        window.actions_by_name["models"].triggered.connect(self.open)
        dialog.fetch.connect(self.fetch)
        dialog.paused.connect(self._pause)
        dialog.cancelled.connect(self._give_up)
        dialog.add_path.connect(self._add)
        dialog.chosen.connect(self.use)
        first_run.fetch.connect(self.fetch)
        state.loaded_changed.connect(self.show_first_run)

    def open(self) -> None:
        self._dialog.show_problem("")
        self._show_entries()
        self._dialog.show()
        self._dialog.raise_()

    def show_first_run(self) -> None:
        """What the bundled model is, what this machine can do, and the largest model that fits its memory."""
        memory, device = self._memory(), self._device()
        entries = {entry.name: entry for entry in self._services.models.entries(memory)}
        self._first_run.set_bundled(entries[DEFAULT_MODEL])
        if device is not None:
            self._first_run.set_machine(device, entries[LONGEST_MODEL])
        card = device is not None and device.kind == "cuda"
        offer = self._services.models.largest_that_fits(memory, card=card)
        if offer is not None and (offer.path is not None or offer.name == DEFAULT_MODEL):
            offer = None
        self._first_run.set_offer(offer, None if offer is None else offer.size / TYPICAL_RATE, card=card)

    async def look(self) -> None:
        """At the machine, where no model is there yet that would be loaded and say it."""
        await self._services.engine.start()
        inspected = await self._services.assistant.inspect()
        self._seen = inspected.devices[0]
        self.show_first_run()

    def missing(self) -> bool:
        """Whether the settings' model is not on this computer."""
        try:
            self._services.models.resolve(self._state.settings.model)
        except Problem:
            return True
        return False

    def fetch(self, name: str) -> None:
        if name not in self._fetching:
            self._fetching[name] = self._tasks.start(self._fetch(name))

    async def _fetch(self, name: str) -> None:
        try:
            await self._services.downloads.fetch(name, self._show_download)
        except Problem as problem:
            self._show_download(Download(name, "failed", 0, 0, problem=problem.code))
            self._dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
            if not self._dialog.isVisible():
                self._notices.problem(problem.code, problem.values)
        else:
            self._show_entries()
            self._settings.show_models()
            self.show_first_run()
            if self._state.loaded is None and name == self._state.settings.model:
                self.use(name)
        finally:
            self._fetching.pop(name, None)

    def use(self, name: str) -> None:
        """From now on, for all conversations; a window that the old model had means nothing to the new one."""
        self._settings.apply(replace(self._state.settings, model=name, window=None))
        self._show_entries()

    def _pause(self, name: str) -> None:
        """What came is kept, and the next fetch goes on from there."""
        if (task := self._fetching.get(name)) is not None:
            task.cancel()

    def _give_up(self, name: str) -> None:
        self._pause(name)
        self._services.downloads.discard(name)
        self._dialog.forget_download(name)

    def _add(self, path: str) -> None:
        try:
            self._services.models.add(Path(path))
        except Problem as problem:
            self._dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
            return
        self._show_entries()
        self._settings.show_models()

    def _show_download(self, download: Download) -> None:
        self._dialog.set_download(download)
        self._first_run.set_download(download)

    def _show_entries(self) -> None:
        entries = self._services.models.entries(self._memory()) + self._elsewhere()
        self._dialog.set_entries(entries, self._state.settings.model)

    def _elsewhere(self) -> list[ModelEntry]:
        """Models of servers; a list of them that cannot be read is said, and hides no model of this computer."""
        try:
            return self._services.providers.entries(chosen=self._state.settings.model)
        except Problem as problem:
            self._dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
            return []

    def show_entries(self) -> None:
        """Servers have changed, or what they list."""
        self._show_entries()
        self._settings.show_models()

    def _device(self) -> DeviceInfo | None:
        """That would run a model; None until the engine has said what there is."""
        loaded = self._state.loaded
        return loaded.device if loaded is not None and loaded.host is None else self._seen

    def _memory(self) -> int:
        device = self._device()
        return psutil.virtual_memory().total if device is None else device.memory
