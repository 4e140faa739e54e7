"""What programs are told, with the address as it is served; and the check that calls it as they would."""

from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog

from app.controller.desk import Desk
from app.controller.gateway import GatewayController
from app.gateway.checks import checks
from app.gateway.names import CHOSEN
from app.services.client_settings import KEY_VARIABLE, written
from app.services.files import write_whole
from app.services.problem import Problem
from app.services.snippets import snippets
from app.views.gateway_page import GatewayPage
from engine.remote.proxies import used as proxied

ANTHROPIC = ("claude_code", "settings_json")
"""Programs that speak Anthropic's protocol."""


class SnippetController(QObject):
    def __init__(self, desk: Desk, gateway: GatewayController, page: GatewayPage) -> None:
        super().__init__(desk.window)
        self._tasks, self._notices = desk.tasks, desk.notices
        self._gateway, self._page = gateway, page
        page.opened.connect(self.show)
        page.snippets.changed.connect(self._write)
        page.snippets.saved.connect(self._ask_where)
        page.checks.asked.connect(self._check)
        gateway.served_changed.connect(self._write)

    def models(self) -> list[str]:
        """Names that programs can ask, the usual one first."""
        names = [model.name for model in self._gateway.behind.models()]
        return sorted(names, key=lambda name: name != CHOSEN)

    def show(self) -> None:
        self._page.snippets.set_models(self.models())
        self._write()

    def take(self, secret: str) -> None:
        """Of a key that was made just now: it is written into the settings until the page is closed."""
        self._page.snippets.key.setText(secret)

    def _write(self) -> None:
        part, gateway = self._page.snippets, self._gateway
        part.set_snippets(
            snippets(
                gateway.served.address,
                part.key.text(),
                part.model.currentText() or CHOSEN,
                certificate=gateway.certificate,
                past_proxy=proxied(gateway.served.address) is not None,
            )
        )

    def _ask_where(self) -> None:
        asking = QFileDialog(self._page, self.tr("Save a client's settings"))
        asking.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        asking.setDefaultSuffix("json")
        asking.selectFile("settings.json")
        asking.fileSelected.connect(lambda file: self._save(Path(file)))
        asking.finished.connect(asking.deleteLater)
        asking.open()

    def _save(self, path: Path) -> None:
        """For the person alone, since it may hold a key; without one it names a variable."""
        part = self._page.snippets
        model = part.model.currentText() or CHOSEN
        content = written(self._gateway.served.address, self.models(), model, part.key.text())
        try:
            write_whole(path, content.encode())
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        part.show_saved(path.name, "" if part.key.text() else KEY_VARIABLE)

    def _check(self) -> None:
        self._page.checks.begin()
        self._tasks.start(self._find())

    async def _find(self) -> None:
        part, gateway = self._page.snippets, self._gateway
        try:
            model = part.model.currentText() or CHOSEN
            found = checks(
                gateway.address,
                part.key.text(),
                model,
                anthropic=part.tool.currentData() in ANTHROPIC,
                certificate=gateway.certificate,
            )
            async for one in found:
                self._page.checks.add(one)
        finally:
            self._page.checks.finish()
