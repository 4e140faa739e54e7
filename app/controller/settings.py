"""The settings panel: what would be needed is worked out as the sliders move, and applying is for real and kept."""

import asyncio
import contextlib

from msgspec.structs import replace
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.controller.desk import Desk
from app.controller.engine import EngineController
from app.data import policies
from app.data.settings import Settings
from app.services.answer import failure
from app.services.problem import Problem
from app.views import theme
from app.views.presets import reloaded_by
from app.views.settings_panel import SettingsPanel
from engine.client import EngineBusy, EngineDown, RequestFailed


class SettingsController(QObject):
    def __init__(self, desk: Desk, engine: EngineController, panel: SettingsPanel) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks = desk.notices, desk.tasks
        self._attachments = desk.attachments
        state, window = desk.state, desk.window
        self._engine, self._panel = engine, panel
        self._planning: asyncio.Task[None] | None = None
        panel.changed.connect(self._plan)
        panel.applied.connect(self.apply)
        panel.undone.connect(self._undo)
        panel.forget_asked.connect(lambda: self._tasks.start(self._forget()))
        window.actions_by_name["settings"].triggered.connect(self.open)
        window.theme_chosen.connect(lambda choice: self.apply(replace(state.settings, theme=choice)))
        state.loaded_changed.connect(lambda: panel.set_loaded(state.loaded))
        state.readings_changed.connect(lambda: panel.set_readings(state.readings))
        self.show_settings()

    def open(self) -> None:
        if self._panel.isVisible():
            self._panel.hide()
            return
        self.show_models()
        self._panel.set_settings(self._state.settings)
        tokens = sum(item.tokens or 0 for item in self._attachments.of(self._state.conversation))
        self._panel.set_conversation(tokens, self._state.reading_rate)
        self._panel.open_at(self._window.conversation_area())
        self._plan(self._state.settings)
        self._tasks.start(self._show_readings())

    def show(self, fold: str) -> None:
        """Open the panel where these settings are."""
        if not self._panel.isVisible():
            self.open()
        self._panel.folds[fold].set_open(True)

    def show_models(self) -> None:
        chosen = self._state.settings.model
        entries = [entry for entry in self._services.models.entries(chosen=chosen) if entry.path is not None]
        with contextlib.suppress(Problem):  # the dialog of models says what is wrong with the list of servers
            entries += self._services.providers.entries(chosen=chosen)
        self._panel.set_models(entries)

    def show_settings(self) -> None:
        """What of the settings shows at once in the window."""
        settings = self._state.settings
        theme.apply(_application(), settings.theme)
        self._window.set_theme(settings.theme)
        self._window.instruments.set_policy(policies.on(settings))
        self._window.composer.set_enter_sends(settings.enter_sends)
        self._panel.set_settings(settings)

    def apply(self, settings: Settings) -> None:
        """Keep the settings and use them; the model is loaded again only when it must be."""
        before = self._state.settings
        self.keep(settings)
        self._services.downloads.hub = settings.hub
        if reloaded_by(before, settings) or self._state.loaded is None:
            self._tasks.start(self._reload(settings, before))
        else:
            self._services.assistant.settings = settings
            if before.readings_folder != settings.readings_folder or before.readings_quota != settings.readings_quota:
                self._tasks.start(self._show_readings())

    def keep(self, settings: Settings) -> None:
        """Keep settings in which nothing is another that the engine or the downloads go by."""
        self._state.set_settings(settings)
        try:
            self._services.settings.save(settings)
        except Problem as problem:  # they hold until the program ends
            self._notices.problem(problem.code, problem.values)
        self.show_settings()

    async def _reload(self, settings: Settings, before: Settings) -> None:
        if await self._engine.load(settings) or before == settings:
            await self._show_readings()
            return
        # what was there before still works; the sentence about what did not stays in sight
        self._state.set_settings(before)
        self._services.settings.save(before)
        self.show_settings()
        await self._engine.load(before)

    def _undo(self) -> None:
        if self._panel.before is not None:
            self.apply(self._panel.before)

    def _plan(self, settings: Settings) -> None:
        """Only the newest question is worth an answer."""
        if self._planning is not None:
            self._planning.cancel()
        self._planning = self._tasks.start(self._show_plan(settings))

    async def _show_plan(self, settings: Settings) -> None:
        if self._services.providers.is_remote(settings.model):
            self._panel.set_plan(None)  # it needs nothing of this computer
            return
        try:
            self._panel.set_plan(await self._services.assistant.plan(settings))
        except RequestFailed as error:
            self._panel.set_plan(None)
            self._notices.failed(failure(error.failed))
        except Problem as problem:
            self._panel.set_plan(None)
            self._notices.problem(problem.code, problem.values)

    async def _show_readings(self) -> None:
        """What is on disk, while somebody looks at it. Where the engine cannot say, the panel says that."""
        if not self._panel.isVisible():
            return
        if self._services.assistant.host is not None:
            self._panel.set_readings(self._state.readings)  # no engine is started for this alone
            return
        try:
            self._state.set_readings(await self._services.assistant.readings())
        except (RequestFailed, EngineBusy, EngineDown):
            self._panel.set_readings(None)

    async def _forget(self) -> None:
        try:
            self._panel.set_forgotten(await self._services.assistant.forget_readings(None))
        except RequestFailed as error:
            self._notices.failed(failure(error.failed))
        except EngineBusy:
            self._notices.problem("engine_busy", {})
        except EngineDown as error:
            self._notices.engine_stays_down(str(error.log))
        else:
            self._state.read = frozenset()
            self._state.documents_changed.emit()
        await self._show_readings()


def _application() -> QApplication:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    return application
