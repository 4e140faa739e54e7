"""What the person asked goes to the services, and what they answered to the views. One file a noun."""

import contextlib
import logging
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

import resources
from app import paths
from app.controller.answers import AnswerController
from app.controller.attachments import Attachments
from app.controller.consent import Consent
from app.controller.covering import CoverageController
from app.controller.desk import Desk
from app.controller.drawing import DrawingController
from app.controller.editing import EditController
from app.controller.engine import EngineController
from app.controller.evidence import EvidenceController
from app.controller.exporting import ExportController
from app.controller.gateway import GatewayController
from app.controller.intake import IntakeController
from app.controller.keeping import KeepingController
from app.controller.keys import KeyController
from app.controller.matters import MatterController
from app.controller.models import ModelController
from app.controller.originals import OriginalController
from app.controller.pages import PageController
from app.controller.progress import ReadingProgress
from app.controller.quotes import QuoteController
from app.controller.readings import ReadingsController
from app.controller.runtimes import RuntimeController
from app.controller.searching import SearchController
from app.controller.servers import ServerController
from app.controller.services import Services
from app.controller.settings import SettingsController
from app.controller.shelf import ShelfController
from app.controller.snippets import SnippetController
from app.controller.state import State
from app.controller.tasks import Tasks
from app.controller.undo import Undo
from app.controller.verify import VerifyController
from app.data.conversation import Failure
from app.data.settings import DEFAULT_MODEL
from app.services.problem import Problem
from app.services.runtimes import Runtimes
from app.services.settings import SettingsProblem
from app.views.gateway_page import GatewayPage
from app.views.models_dialog import ModelsDialog
from app.views.notices import Notices
from app.views.preflight import Preflight
from app.views.servers_dialog import ServersDialog
from app.views.settings_panel import SettingsPanel
from app.views.welcome import Welcome
from app.views.window import MainWindow
from engine.client import EngineBusy, EngineDown, RequestFailed

SAMPLE = "samples/lighthouses.md"

log = logging.getLogger(__name__)


class Controller(QObject):
    """Builds the parts that know each other, and the few ways that lead from one to another."""

    def __init__(self, services: Services, state: State, window: MainWindow) -> None:
        super().__init__(window)
        self.services, self.state, self.window = services, state, window
        self.preflight = Preflight(window.centralWidget())
        self.settings_panel = SettingsPanel(window.centralWidget())
        self.welcome = Welcome()
        window.conversation.show_empty(self.welcome)
        self.models_dialog = ModelsDialog(window)
        self.notices = Notices(window.banner)
        self.tasks = Tasks(self._went_wrong)
        self.undo = Undo(window.actions_by_name["undo"].setEnabled)
        window.actions_by_name["undo"].setEnabled(False)
        self._attachments = Attachments(services)
        consent = Consent(services, state, window, self._attachments)
        desk = Desk(services, state, window, self.notices, self.tasks, self.undo, self._attachments, consent)
        progress = ReadingProgress(state, window, lambda: self._attachments.of(state.conversation))
        self.engine = EngineController(desk)
        self.answers = AnswerController(desk, progress)
        self.covering = CoverageController(desk, self.answers)
        self.editing = EditController(desk)
        self.shelf = ShelfController(desk, self.answers)
        self.quotes = QuoteController(desk, self.answers, self.shelf)
        self.exporting = ExportController(desk)
        self.evidence = EvidenceController(desk, self.shelf, self.answers)
        self.verify = VerifyController(desk, self.engine)
        self.drawing = DrawingController(desk)
        self.matters = MatterController(desk)
        self.searching = SearchController(desk, self.shelf)
        self.originals = OriginalController(desk, self.shelf)
        # after the shelf, so that the cards are there when their states are shown
        state.documents_changed.connect(progress.show_states)
        self.readings = ReadingsController(desk)
        self.keeping = KeepingController(desk, self.readings)
        self.answers.ended.connect(self.readings.refresh)
        self.intake = IntakeController(desk, self.answers, self.preflight)
        self.intake.unlocked.connect(self.drawing.unlock)
        self.settings = SettingsController(desk, self.engine, self.settings_panel)
        self.models = ModelController(desk, self.settings, self.welcome.first_run, self.models_dialog)
        self.servers_dialog = ServersDialog(self.models_dialog)
        self.servers = ServerController(desk, self.models, self.servers_dialog, self.models_dialog)
        page = GatewayPage(window)
        self.gateway = GatewayController(desk, self.engine, self.settings, page)
        self.snippets = SnippetController(desk, self.gateway, page)
        self.keys = KeyController(desk, page, self.snippets.models)
        self.keys.made.connect(self.snippets.take)
        self.runtimes = RuntimeController(desk, self.engine, Runtimes(paths.data()))
        self.pages = PageController(services, window, self.tasks, version("longread"))
        self.gateway.served_changed.connect(lambda: self.pages.show_served(self.gateway.served))
        self._wire()

    def _wire(self) -> None:
        do = self.window.actions_by_name
        do["undo"].triggered.connect(self.undo.undo)
        self.window.banner.action.connect(self._act)
        self.window.conversation.action.connect(self._act)
        self.preflight.settings_asked.connect(self.settings.open)
        self.settings_panel.models_asked.connect(self.models.open)
        self.settings_panel.gateway_asked.connect(do["gateway"].trigger)
        self.welcome.first_run.started.connect(self._leave_first_run)
        self.welcome.first_run.sample.connect(self._open_sample)
        self.welcome.nothing_open.add_files.connect(do["add_files"].trigger)
        self.welcome.nothing_open.add_folder.connect(do["add_folder"].trigger)
        self.state.documents_changed.connect(self._invite)
        self.state.loaded_changed.connect(self.pages.show_connections)

    def begin(self, problem: SettingsProblem | None, opened_with: list[Path]) -> None:
        """The window is on the screen: fill it, start the engine, and open what was asked for."""
        self.services.conversations.settle()
        self.shelf.show_items()
        self.shelf.open_last()
        self.originals.watch()
        if problem is not None:
            self.notices.problem(f"settings_{problem.code}", {"subject": str(problem.kept)})
        if not self.state.settings.seen_first_run:
            self.models.show_first_run()
            self.welcome.show_first_run(True)
        self.tasks.start(self._start_engine())
        self.gateway.begin()
        if opened_with:
            self.intake.add(opened_with)

    async def _start_engine(self) -> None:
        if self.models.missing() and self.state.settings.model == DEFAULT_MODEL:
            # nothing can be answered without it; a click fetches it, since no connection is made unasked
            self.models.show_first_run()
            self.welcome.show_first_run(True)
            with contextlib.suppress(EngineBusy, EngineDown, RequestFailed):  # said elsewhere once a model is asked for
                await self.models.look()
        else:
            await self.engine.load(self.state.settings)

    async def close(self) -> None:
        self.searching.close()
        self.originals.close()
        await self.gateway.stop()
        await self.tasks.close()
        await self.drawing.close()
        await self.services.assistant.close()

    def _leave_first_run(self) -> None:
        self.welcome.show_first_run(False)
        self.settings.apply(replace(self.state.settings, seen_first_run=True))
        self.window.composer.setFocus()

    def _invite(self) -> None:
        self.welcome.nothing_open.show_attached(len(self._attachments.of(self.state.conversation)))

    def _open_sample(self) -> None:
        self._leave_first_run()
        self.intake.add([resources.path(SAMPLE)])

    def _act(self, name: str, *values: str) -> None:
        """A button beside a sentence was pressed."""
        match name:
            case "undo":
                self.undo.undo()
                self.window.banner.clear()
            case "restart_engine":
                self.window.banner.clear()
                self.engine.restart()
            case "open_logs":
                QDesktopServices.openUrl(QUrl.fromLocalFile(str(self.services.engine.log.parent)))
            case "models" | "other_model":
                self.models.open()
            case "servers":
                self.servers.open()
            case "settings" | "larger_window" | "smaller_window" | "smaller_precision":
                self.settings.open()
            case "remove_document":
                self.window.composer.focus_attachments()
            case "add_document":
                self.window.actions_by_name["add_files"].trigger()
            case "show_changes":
                self.originals.show_last_changes()
            case "attach_new_version":
                self.originals.attach_new()
                self.window.banner.clear()
            case "read_in_segments":
                self.settings.apply(replace(self.state.settings, reading_mode="auto", policy="none"))
                self.answers.regenerate(values[0])
            case "keep_everything":
                self.settings.apply(replace(self.state.settings, policy="none"))
                self.answers.regenerate(values[0])
            case "what_is_kept":
                self.settings.show("kept")
            case "ask_again":
                self.answers.regenerate(values[0])
            case _:
                raise ValueError(f"no such action: {name}")

    def _went_wrong(self, error: BaseException) -> None:
        self.window.reading_bar.finish()
        if isinstance(error, Problem):
            self.notices.problem(error.code, error.values)
        else:
            self.notices.failed(Failure("internal", message=type(error).__name__))
