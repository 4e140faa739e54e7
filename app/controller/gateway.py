"""The local API as the window has it: served on a thread of its own, answered by the window's engine and library."""

import asyncio
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from app.controller.desk import Desk
from app.controller.engine import EngineController
from app.controller.settings import SettingsController
from app.data.gateway import Served
from app.data.settings import Settings, gateway
from app.gateway import reach
from app.gateway.behind import Behind
from app.services.problem import Problem
from app.views.gateway_page import GatewayPage
from app.views.open_dialog import OpenDialog
from engine.protocol import Loaded

if TYPE_CHECKING:
    from app.gateway.server import Gateway

LOOKED_AT_EVERY_MS = 500


class GatewayController(QObject):
    served_changed = Signal()
    requests_changed = Signal()
    keys_failed = Signal(object)
    """A `Problem`. This and `requests_changed` are emitted on the gateway's thread and heard on the window's."""

    def __init__(self, desk: Desk, engine: EngineController, settings: SettingsController, page: GatewayPage) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks = desk.notices, desk.tasks
        self._engine, self._settings, self.page = engine, settings, page
        services = desk.services
        self.behind = Behind(
            *(services.engine, services.assistant, services.library, services.collections, services.models),
            load=self._load,
            elsewhere=services.providers,
            library_changed=desk.state.documents_changed.emit,
        )
        self.served = Served()
        self.dialog: OpenDialog | None = None
        self._gateway: Gateway | None = None
        self._turn = asyncio.Lock()
        """One start or stop after the other."""
        self._looking = QTimer(self, interval=LOOKED_AT_EVERY_MS)
        self._looking.timeout.connect(self._look)
        self.requests_changed.connect(self._look)
        self.keys_failed.connect(self._tell)
        desk.window.actions_by_name["gateway"].triggered.connect(page.show)
        page.state.switched.connect(self.switch)
        page.where.changed.connect(self._serve_so)
        page.where.open_asked.connect(self._ask_to_open)
        desk.state.settings_changed.connect(self._show)
        self._show()

    @property
    def certificate(self) -> str:
        """The file that programs must trust, where it was made here."""
        return self._gateway.certificate if self._gateway is not None else ""

    @property
    def address(self) -> str:
        """For programs on this computer; empty while it is not served."""
        return self._gateway.address if self._gateway is not None else ""

    def begin(self) -> None:
        """With the window, when it was on when the window was closed."""
        if self._state.settings.api_on:
            self._tasks.start(self.start())

    def switch(self, on: bool) -> None:
        self._keep(on=on)
        self._tasks.start(self.start() if on else self.stop())

    async def start(self) -> None:
        """Serve as the settings say, anew if it is served already. What goes wrong is said."""
        # what a server stands on takes a tenth of a second, which no start-up without one should pay
        from app.gateway.server import built

        async with self._turn:
            await self._end()
            self._set(Served("starting", address=self._address()))
            settings = gateway(self._state.settings)
            made = built(
                *(self.behind, self._services.keys, settings),
                on_change=self.requests_changed.emit,
                on_problem=self.keys_failed.emit,
            )
            try:
                await made.start()
            except Problem as problem:
                self._fail(problem.code, problem.values)
                return
            except OSError:  # what TLS says of files that are none of its own
                if not settings.tls_certificate:
                    self._fail("api_ended", {})
                    raise
                self._fail("api_certificate", {"subject": settings.tls_certificate})
                return
            self._gateway = made
            self._looking.start()
            self._look()

    async def stop(self) -> None:
        """Answers under way are cancelled."""
        async with self._turn:
            await self._end()
            self._set(Served("off", self._address()))

    async def _end(self) -> None:
        self._looking.stop()
        if self._gateway is not None:
            ended, self._gateway = self._gateway, None
            await ended.stop()

    def _look(self) -> None:
        """How it is, now."""
        if self._gateway is None:
            return
        if not self._gateway.running:
            self._looking.stop()
            self._gateway = None
            self._fail("api_ended", {})
            return
        one = self._gateway
        far = not reach.is_loopback(one.settings.host)
        self._set(Served("on", one.address, far, one.under_way, others=one.others))

    def _tell(self, problem: Problem) -> None:
        self._notices.problem(problem.code, problem.values)

    def _fail(self, code: str, values: dict[str, str]) -> None:
        self._set(Served("failed", self._address(), code=code, values=values))
        self._notices.problem(code, values)

    def _set(self, served: Served) -> None:
        if served != self.served:
            self.served = served
            self._show()
            self.served_changed.emit()

    def _show(self) -> None:
        if self.served.state in ("off", "failed"):
            self.served = Served(self.served.state, self._address(), code=self.served.code, values=self.served.values)
        self.page.show_served(self._state.settings, self.served)
        on = self.served.state == "on"
        self._window.privacy_pill.set_serving(on, self.served.open)

    def _address(self) -> str:
        """Where it would be."""
        settings = gateway(self._state.settings)
        return reach.base(settings, settings.near, settings.port)

    def _serve_so(self, settings: Settings) -> None:
        self._settings.keep(settings)
        if settings.api_on:
            self._tasks.start(self.start())

    def _keep(self, *, on: bool) -> None:
        self._settings.keep(replace(self._state.settings, api_on=on))

    def _ask_to_open(self) -> None:
        try:
            in_force = sum(key.revoked is None for key in self._services.keys.all())
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self.dialog = OpenDialog(in_force, self.page)
        self.dialog.agreed.connect(self.page.where.open)
        self.dialog.open()

    async def _load(self, settings: Settings) -> Loaded:
        """For a program's question, while nothing is loaded."""
        loaded = await self._services.assistant.load(settings)
        self._state.set_settings(replace(self._state.settings, model=settings.model))
        await self._engine.show_loaded(loaded)
        return loaded
