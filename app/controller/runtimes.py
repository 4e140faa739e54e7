"""Runtimes: which there are, installing one from a pack, choosing one; the engine starts anew with it."""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

from PySide6.QtCore import QObject

from app import words
from app.controller.desk import Desk
from app.controller.engine import EngineController
from app.data.runtime import Installed
from app.models.spoken import spoken
from app.services.downloads.packs import Packs
from app.services.pack_download import PackDownload
from app.services.problem import Problem
from app.services.runtimes import Runtimes
from app.views.pack_dialog import PackDialog
from app.views.runtimes_dialog import RuntimesDialog


class RuntimeController(QObject):
    def __init__(self, desk: Desk, engine: EngineController, runtimes: Runtimes) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._tasks = desk.services, desk.state, desk.tasks
        self._engine, self._runtimes = engine, runtimes
        self._download = PackDownload(runtimes, Packs(runtimes.folder, desk.services.connections))
        self.installing: asyncio.Task[None] | None = None
        self.removing: asyncio.Task[None] | None = None
        self.dialog = RuntimesDialog(desk.window)
        desk.window.actions_by_name["runtimes"].triggered.connect(self.open)
        self.dialog.install.connect(self.install)
        self.dialog.look.connect(self.look)
        self.dialog.discard.connect(self._discard)
        self.dialog.stopped.connect(self._stop)
        self.dialog.chosen.connect(self.use)
        self.dialog.removed.connect(self._remove)

    def open(self) -> None:
        if self.installing is None:
            self.dialog.show_end("")
        self._show_entries()
        self.dialog.show()
        self.dialog.raise_()

    def install(self, source: str) -> None:
        if self.installing is None:
            self.dialog.show_problem("")
            self.installing = self._tasks.start(
                self._install(self._runtimes.install(Path(source), self.dialog.show_progress))
            )

    def look(self) -> None:
        """The person asks what there is to download; nothing but a pack's manifest is."""
        if self.installing is None:
            self.dialog.show_problem("")
            self._download.packs.address = self._state.settings.packs
            self.dialog.show_looking(self._download.packs.host)
            self.installing = self._tasks.start(self._look())

    async def _look(self) -> None:
        wrong = ""
        try:
            offer = await self._download.look()
        except Problem as problem:
            wrong = spoken(words.PROBLEMS, problem.code, problem.values)
        else:
            asking = PackDialog(offer, self.dialog)
            asking.agreed.connect(self.download)
            asking.open()
        finally:
            self.dialog.show_end("", wrong)
            self.installing = None

    def download(self) -> None:
        """The person has agreed to what was offered."""
        if self.installing is None:
            self.installing = self._tasks.start(
                self._install(self._download.install(self.dialog.show_download, self.dialog.show_progress))
            )

    def _discard(self) -> None:
        self.removing = self._tasks.start(self._discarded())

    async def _discarded(self) -> None:
        try:
            await self._download.discard()
        except Problem as problem:
            self.dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
        self._show_entries()

    async def _install(self, installing: Awaitable[Installed]) -> None:
        told = wrong = ""
        try:
            installed = await installing
        except Problem as problem:
            wrong = spoken(words.PROBLEMS, problem.code, problem.values)
        except asyncio.CancelledError:
            told = self.tr("Stopped; nothing was changed.")
            raise
        else:
            said = self.tr("Installed, and the engine starts anew with it. It computes on {devices}.")
            told = said.format(devices=", ".join(installed.devices[:1]))
            if installed.entry.kind == "cuda" and not installed.card:
                told += "\n" + spoken(words.NOTES, "runtime_no_card", {"runtime": installed.entry.tag})
            self._tasks.start(self._renew())
        finally:
            self.dialog.show_end(told, wrong)
            self.installing = None
            self._show_entries()

    def use(self, tag: str) -> None:
        before = self._used()
        try:
            self._runtimes.use(tag)
        except Problem as problem:
            self._changed(before, problem)
        else:
            self._changed(before)

    def _remove(self, tag: str) -> None:
        self.removing = self._tasks.start(self._removed(tag))

    async def _removed(self, tag: str) -> None:
        before = self._used()
        try:
            await self._runtimes.remove(tag)
        except Problem as problem:
            self._changed(before, problem)
        else:
            self._changed(before)

    def _used(self) -> list[str]:
        return [entry.tag for entry in self._runtimes.all() if entry.used]

    def _changed(self, before: list[str], problem: Problem | None = None) -> None:
        self.dialog.show_problem("" if problem is None else spoken(words.PROBLEMS, problem.code, problem.values))
        if before != self._used():
            self._tasks.start(self._renew())
        self._show_entries()

    async def _renew(self) -> None:
        """torch cannot be exchanged in a process that holds it: another takes over. What was read is kept on disk."""
        await self._services.engine.stop()
        await self._engine.load(self._state.settings)

    def _stop(self) -> None:
        if self.installing is not None:
            self.installing.cancel()

    def _show_entries(self) -> None:
        self.dialog.set_entries(self._runtimes.all())
        self._download.packs.address = self._state.settings.packs
        self.dialog.set_source(self._download.packs.host, self._download.packs.kept())
