"""Pages and file dialogs that open from the menus."""

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from app import paths
from app.controller.services import Services
from app.controller.tasks import Tasks
from app.data.gateway import Served
from app.documents.run import isolation
from app.services import licences
from app.views.licences_page import LicencesPage
from app.views.privacy_page import PrivacyPage
from app.views.shortcuts import AboutPage, ShortcutsPage
from app.views.window import MainWindow


class PageController(QObject):
    connection_made = Signal()
    """Emitted from whatever thread made it; heard on the window's."""

    def __init__(self, services: Services, window: MainWindow, tasks: Tasks, version: str) -> None:
        super().__init__(window)
        self._services, self._window, self._tasks = services, window, tasks
        self._privacy = PrivacyPage(window)
        self._shortcuts = ShortcutsPage(window.actions_by_name, window)
        self._about = AboutPage(version, window)
        self.licences_page = LicencesPage(window)
        self._privacy.open_folder.connect(_show_folder)
        do = window.actions_by_name
        do["privacy"].triggered.connect(self._show_privacy)
        do["shortcuts"].triggered.connect(self._shortcuts.show)
        do["about"].triggered.connect(self._about.show)
        self._about.licences.connect(lambda: tasks.start(self.show_licences()))
        do["add_files"].triggered.connect(self._ask_files)
        do["add_folder"].triggered.connect(self._ask_folder)
        window.conversation.open_link.connect(lambda address: QDesktopServices.openUrl(QUrl(address)))
        self.connection_made.connect(self.show_connections)
        services.connections.on_change = self.connection_made.emit

    def _show_privacy(self) -> None:
        self.show_connections()
        self._privacy.set_kept(
            (
                ("texts", paths.texts()),
                ("index", paths.index()),
                ("conversations", paths.database()),
                ("models", paths.models()),
                ("settings", paths.settings()),
                ("servers", paths.providers()),
                ("logs", paths.logs()),
            )
        )
        self._privacy.show()
        self._tasks.start(self._show_isolation())

    def show_served(self, served: Served) -> None:
        """How the local API stands."""
        self._privacy.set_served(served)

    async def _show_isolation(self) -> None:
        """Found by trying, each time anew: what holds on this computer, not what was meant to."""
        probe = await isolation()
        self._privacy.set_isolation(None if probe is None or probe.reached is not None else probe.network)

    def show_connections(self) -> None:
        """Those that were made, and to whom the next question goes."""
        made, host = self._services.connections.all(), self._services.assistant.host
        self._privacy.set_connections(made, host)
        self._window.privacy_pill.set_connections(len(made), host)

    async def show_licences(self) -> None:
        self.licences_page.set_licences(await asyncio.to_thread(licences.all_of_them))
        self.licences_page.show()

    def _ask_files(self) -> None:
        asking = QFileDialog(self._window, self.tr("Add documents"))
        asking.setFileMode(QFileDialog.FileMode.ExistingFiles)
        self._open(asking)

    def _ask_folder(self) -> None:
        asking = QFileDialog(self._window, self.tr("Add a folder"))
        asking.setFileMode(QFileDialog.FileMode.Directory)
        self._open(asking)

    def _open(self, asking: QFileDialog) -> None:
        asking.filesSelected.connect(lambda files: self._window.dropped.emit([Path(file) for file in files]))
        asking.finished.connect(asking.deleteLater)
        asking.open()


def _show_folder(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
