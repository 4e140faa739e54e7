"""Servers elsewhere: added, changed, removed and tried, when the person says so."""

import asyncio

from PySide6.QtCore import QObject

from app import words
from app.controller.desk import Desk
from app.controller.models import ModelController
from app.data.provider import Provider
from app.models.quantities import seconds
from app.models.spoken import spoken
from app.services.answer import failure
from app.services.problem import Problem
from app.services.providers import Outcome
from app.views.failure import sentence
from app.views.models_dialog import ModelsDialog
from app.views.servers_dialog import ServersDialog, ShownProxy
from engine.client import RequestFailed
from engine.protocol import Failed
from engine.remote import address, key_fault, proxy_variables


class ServerController(QObject):
    def __init__(self, desk: Desk, models: ModelController, dialog: ServersDialog, models_dialog: ModelsDialog) -> None:
        super().__init__(desk.window)
        self._providers, self._state = desk.services.providers, desk.state
        self._tasks, self._models, self._dialog = desk.tasks, models, dialog
        self._trying: asyncio.Task[None] | None = None
        models_dialog.servers_asked.connect(self.open)
        dialog.removed.connect(self._remove)
        dialog.form.saved.connect(self._save)
        dialog.form.tested.connect(self._test)
        dialog.form.left.connect(self._leave)

    def open(self) -> None:
        self._show()
        self._dialog.show_list()
        self._dialog.show()
        self._dialog.raise_()
        self._tasks.start(self._show_proxies())

    def _show(self) -> None:
        try:
            self._dialog.set_providers(self._providers.all())
        except Problem as problem:
            self._dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
        else:
            self._dialog.show_problem("")

    async def _show_proxies(self) -> None:
        found = await asyncio.to_thread(proxy_variables)
        self._dialog.set_proxies([ShownProxy(one.variable, one.address, one.answers) for one in found])

    def _save(self, provider: Provider) -> None:
        try:
            self._check(provider)
            self._providers.put(provider)
        except Problem as problem:
            self._dialog.form.show_outcome(spoken(words.PROBLEMS, problem.code, problem.values), "bad")
            return
        except RequestFailed as error:
            self._dialog.form.show_outcome(sentence(failure(error.failed)), "bad")
            return
        self._leave()
        self._show()
        self._dialog.show_list()
        self._models.show_entries()

    def _check(self, provider: Provider) -> None:
        """A key that can be none is not kept either. Raises `RequestFailed`."""
        if (fault := key_fault(provider.api_key)) is not None:
            raise RequestFailed(Failed("", fault, "the key cannot be sent", provider.base_url))

    def _remove(self, name: str) -> None:
        try:
            self._providers.remove(name)
        except Problem as problem:
            self._dialog.show_problem(spoken(words.PROBLEMS, problem.code, problem.values))
            return
        self._show()
        self._models.show_entries()

    def _test(self, provider: Provider) -> None:
        self._leave()
        self._trying = self._tasks.start(self._try(provider))

    def _leave(self) -> None:
        """What is being tried is of no interest any more."""
        if self._trying is not None:
            self._trying.cancel()
            self._trying = None

    async def _try(self, provider: Provider) -> None:
        form = self._dialog.form
        try:
            outcome = await self._providers.tried(provider)
        except Problem as problem:
            form.show_outcome(f"× {spoken(words.PROBLEMS, problem.code, problem.values)}", "bad")
        except RequestFailed as error:
            form.show_outcome(f"× {sentence(failure(error.failed))}", "bad")
        else:
            form.set_provider(outcome.provider)
            form.name.setReadOnly(self._is_kept(provider.name))
            form.show_outcome(self._told(outcome), "good")

    def _is_kept(self, name: str) -> bool:
        return any(one.name == name for one in self._providers.all())

    def _told(self, outcome: Outcome) -> str:
        said = self.tr("✓ {model} answered after {time}.").format(model=outcome.model, time=seconds(outcome.seconds))
        if not outcome.lists:
            said += " " + self.tr("The server does not list its models; those named here are kept.")
        where = address(outcome.provider.base_url)
        if not where.local and not where.encrypted:
            said += " " + self.tr("⚠ The address is http: what is sent can be read on the way.")
        return f"{said} {self.tr('Save it to choose its models.')}"
