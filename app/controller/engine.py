"""The engine's life as the window shows it: loading, gauges, silence, death and return."""

import time

from PySide6.QtCore import QObject, QTimer

from app.controller.desk import Desk
from app.data.settings import Settings
from app.services.answer import failure
from app.services.problem import Problem
from engine.client import EngineBusy, EngineDown, EngineState, RequestFailed
from engine.protocol import Gauges, Loaded, Progress

SILENCE_SHOWN_EVERY_MS = 500


class EngineController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks = desk.notices, desk.tasks
        self._died = self._loading = False
        self._silence = QTimer(self, interval=SILENCE_SHOWN_EVERY_MS)
        self._silence.timeout.connect(self._show_silence)
        self._silence.start()

    async def load(self, settings: Settings) -> bool:
        """Load the settings' model and show what it is. What goes wrong is said; then nothing is loaded."""
        self._state.set_loaded(None)
        self._window.instruments.set_loaded(None)
        self._loading = True
        try:
            loaded = await self._services.assistant.load(settings, self._show_loading)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
        except EngineBusy:
            self._notices.problem("engine_busy", {})
        except EngineDown as error:
            self._notices.engine_stays_down(str(error.log))
        except RequestFailed as error:
            self._notices.failed(failure(error.failed))
        else:
            await self.show_loaded(loaded)
            return True
        finally:
            self._loading = False
            self._window.reading_bar.finish()
        return False

    async def show_loaded(self, loaded: Loaded) -> None:
        self._window.instruments.set_remote(loaded.host)
        self._window.sidebar.set_estimated(loaded.host is not None)
        self._window.instruments.set_device(loaded.device)
        self._window.instruments.set_loaded(loaded)
        self._state.set_loaded(loaded)
        self._state.reading_rate = self._services.conversations.reading_rate(loaded.fingerprint, loaded.precision)
        await self._count_library()

    async def _count_library(self) -> None:
        """Another model counts other tokens; the cards tell those of the model that is loaded."""
        uncounted = [item for item in self._services.library.items() if item.tokens is None]
        for item in uncounted:
            try:
                await self._services.assistant.count([item])
            except RequestFailed as error:
                if error.failed.code != "bad_document":
                    return  # the engine says why at the next question
        if uncounted:
            self._state.documents_changed.emit()

    def restart(self) -> None:
        self._tasks.start(self.load(self._state.settings))

    def show_gauges(self, gauges: Gauges) -> None:
        self._window.instruments.set_gauges(gauges)
        self._state.reading_rate = gauges.reading or self._state.reading_rate

    def show_state(self, state: EngineState) -> None:
        self._window.instruments.set_engine_state(state)
        if state == "restarting":
            self._died = True
            self._state.read = frozenset()
            self._state.documents_changed.emit()
            self._notices.engine_restarting()
        elif state == "ready":
            if self._died:
                self._died = False
                self._notices.engine_came_back()
            loaded = self._services.engine.loaded
            if loaded is not None and self._state.loaded is None and not self._loading:
                self._tasks.start(self.show_loaded(loaded))  # a question had it loaded, the window's or a program's
        elif state == "down" and self._services.assistant.host is None:
            self._died = True
            self._state.set_loaded(None)
            self._window.instruments.set_loaded(None)
            self._notices.engine_stays_down(str(self._services.engine.log))

    def _show_loading(self, progress: Progress) -> None:
        fraction = progress.done / progress.total if progress.total else None
        self._window.reading_bar.show_progress("load", fraction, progress.rate, progress.left)

    def _show_silence(self) -> None:
        bar = self._window.reading_bar
        if bar.isVisible() and self._services.engine.state in ("ready", "loading"):
            bar.set_silent(time.monotonic() - self._services.engine.last_spoke)
