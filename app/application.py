"""Builds every object once, wires them, and closes them in order."""

import asyncio
import logging
import sys
from pathlib import Path

import msgspec
import qasync
from PySide6.QtCore import QLibraryInfo, QLocale, QSettings, QTranslator
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication, QMessageBox

import resources
from app import crash, paths, words
from app.collector import Collector
from app.controller import Controller
from app.controller.services import Services
from app.controller.state import State
from app.data.settings import Settings
from app.instance import Instance, hand_over
from app.models.spoken import spoken
from app.services.assistant import Assistant
from app.services.collections import Collections
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.downloads import Downloads
from app.services.keys import Keys
from app.services.library import Library
from app.services.models import Models
from app.services.originals import Originals
from app.services.privacy import Connections
from app.services.problem import Problem
from app.services.providers import Providers
from app.services.settings import SettingsStore
from app.services.text_index import TextIndex
from app.services.text_search import TextSearch
from app.views import theme
from app.views.window import MainWindow
from engine.client import Engine

log = logging.getLogger(__name__)


class Application:
    """Everything of one window. `close` ends the engine and gives up the files; the window is closed by then."""

    def __init__(self, store: SettingsStore, settings: Settings) -> None:
        self.window = MainWindow()
        self.state = State(settings)
        self._controller: Controller | None = None
        database = Database(paths.database())
        index = TextIndex(paths.index())
        library = Library(database, paths.texts(), index)
        collections = Collections(database)
        conversations = Conversations(database)
        models = Models(paths.models())
        connections = Connections()
        providers = Providers(paths.providers(), connections)
        engine = Engine(data=paths.data(), on_gauges=self._on_gauges, on_state=self._on_state)
        self.services = Services(
            database=database,
            library=library,
            conversations=conversations,
            settings=store,
            models=models,
            downloads=Downloads(models, connections, settings.hub),
            connections=connections,
            engine=engine,
            assistant=Assistant(engine, library, conversations, models, settings, providers),
            collections=collections,
            originals=Originals(library, collections),
            index=index,
            search=TextSearch(library, index),
            providers=providers,
            keys=Keys(Database(paths.database())),
        )

    @property
    def controller(self) -> Controller:
        if self._controller is None:
            self._controller = Controller(self.services, self.state, self.window)
        return self._controller

    async def close(self) -> None:
        await self.controller.close()
        await self.services.engine.stop()
        self.services.index.close()
        self.services.keys.close()
        self.services.database.close()

    def _on_gauges(self, gauges) -> None:
        self.controller.engine.show_gauges(gauges)

    def _on_state(self, state) -> None:
        self.controller.engine.show_state(state)


def run(opened_with: list[Path]) -> int:
    """Show the window and stay until it is closed; the program's exit code."""
    paths.make()
    crash.install(paths.logs())
    qt = QApplication.instance() or QApplication(sys.argv[:1])
    qt.setQuitOnLastWindowClosed(False)  # after the window the engine is ended and files are closed, on the same loop
    qt.setApplicationName("longread")
    qt.setApplicationDisplayName("Longread")
    qt.setDesktopFileName("longread")
    qt.setWindowIcon(QIcon(str(resources.path("icons/longread.svg"))))
    # Qt would end the loop with the window, before the engine is stopped and the files are given up
    qt.setQuitOnLastWindowClosed(False)
    if hand_over(paths.data(), opened_with):
        return 0
    store = SettingsStore(paths.settings())
    settings, problem = store.load()
    translate(qt, settings.language)
    theme.apply(qt, settings.theme)
    try:
        application = Application(store, settings)
    except Problem as refused:
        QMessageBox.critical(None, "Longread", spoken(words.PROBLEMS, refused.code, refused.values))
        return 1
    collector = Collector(qt)
    loop = qasync.QEventLoop(qt)
    asyncio.set_event_loop(loop)
    with loop:
        loop.run_until_complete(_live(application, problem, opened_with))
    collector.close()
    return 0


async def _live(application: Application, problem, opened_with: list[Path]) -> None:
    closed = asyncio.Event()
    window = application.window
    kept = QSettings(str(paths.data() / "window.ini"), QSettings.Format.IniFormat)
    _restore(window, kept)
    window.closing.connect(lambda: kept.setValue("window", window.state().decode()))
    window.closing.connect(closed.set)
    instance = Instance(paths.data(), window)
    window.show()
    controller = application.controller

    def come_forward(more: list[Path]) -> None:
        window.setWindowState(window.windowState() & ~window.windowState().WindowMinimized)
        window.raise_()
        window.activateWindow()
        if more:
            controller.intake.add(more)

    instance.raised.connect(come_forward)
    # one turn of the loop, so that the window is painted before anything else begins
    asyncio.get_running_loop().call_soon(controller.begin, problem, opened_with)
    await closed.wait()
    instance.close()
    await application.close()


def _restore(window: MainWindow, kept: QSettings) -> None:
    state = kept.value("window")
    if isinstance(state, str):
        try:
            window.restore(state.encode())
        except msgspec.MsgspecError:
            log.warning("the window's kept place could not be read; it opens in its usual one")


def translate(qt: QApplication, language: str) -> None:
    """The window's words, and Qt's own, in the language of the settings or the system. Without one: English."""
    locale = QLocale() if language == "system" else QLocale(language)
    QLocale.setDefault(locale)
    own, toolkit = QTranslator(qt), QTranslator(qt)
    if own.load(locale, "longread", "_", str(resources.path("translations"))):
        qt.installTranslator(own)
    if toolkit.load(locale, "qtbase", "_", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        qt.installTranslator(toolkit)
