"""The Verify tab: runs a verification with the model and the settings in use, and writes its certificate.

What verifies is loaded once it is asked for: the window does not wait for it when it opens.
"""

import asyncio
from importlib.metadata import version
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QFileDialog

from app import paths
from app.controller.desk import Desk
from app.controller.engine import EngineController
from app.data.certificate import Certificate
from app.data.conversation import Failure
from app.data.verified import ShownTest
from app.services import passing
from app.services.problem import Problem
from app.services.requests import reading_settings
from app.views.failure import sentence
from engine.client import EngineBusy, EngineDown, RequestFailed
from engine.verify_names import TestName, Tier
from engine.verify_results import Outcome, Pace, Report

PACED = 2048
"""Tokens of a text whose rate was seen in the person's own questions, about."""


class VerifyController(QObject):
    def __init__(self, desk: Desk, engine: EngineController) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks, self._attachments = desk.notices, desk.tasks, desk.attachments
        self._engine, self._consent = engine, desk.consent
        self._view = desk.window.source.verify
        self._running: asyncio.Task[None] | None = None
        self._made: Certificate | None = None
        self._test: TestName = "tokens"
        self._view.chosen.connect(self._weigh)
        self._view.started.connect(self.start)
        self._view.stopped.connect(self.stop)
        self._view.saved.connect(self._ask_where)

    def start(self, tier: Tier, own: bool) -> None:
        """A server is sent nothing before the person has agreed, to what is planted in their own text above all."""
        self._consent.before(lambda: self._start(tier, own))

    def _weigh(self, tier: Tier) -> None:
        """How long it will take, as the model was last seen to read and write here."""
        from engine.verify import expected_seconds, plan

        loaded, kept = self._state.loaded, self._services.conversations
        seconds = None
        if loaded is not None and self._running is None:
            reading = self._state.reading_rate
            writing = kept.writing_rate(loaded.fingerprint, loaded.precision)
            if reading and writing:
                how = reading_settings(self._state.settings)
                seconds = expected_seconds(plan(tier, loaded), loaded, how, Pace(PACED, reading, writing))
        self._view.set_forecast(seconds)

    def _start(self, tier: Tier, own: bool) -> None:
        if self._running is None:
            self._view.begin(())
            self._running = self._tasks.start(self._run(tier, own))
            self._running.add_done_callback(self._ended)

    def stop(self) -> None:
        if self._running is not None:
            self._running.cancel()

    async def idle(self) -> None:
        """Wait until nothing is verified any more."""
        if self._running is not None:
            await asyncio.gather(self._running, return_exceptions=True)

    async def write(self, path: Path) -> None:
        if self._made is None:
            return
        from app.services.verify import certificate

        try:
            written = await certificate.write(self._made, path, _translated)
            # by which it can be checked, as an export's twin
            twin = path.with_suffix(".json")
            if twin not in written:
                await certificate.write(self._made, twin)
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._notices.certified(path.name, twin.name)

    async def _run(self, tier: Tier, own: bool) -> None:
        view = self._view
        try:
            with passing.folder(paths.data()) as folder:
                report = await self._verify(tier, self._text() if own else "", folder)
        except RequestFailed as error:
            view.finish(None, problem=sentence(error.failed))
        except Problem as problem:
            view.finish(None, problem=sentence(Failure(problem.code, problem.values.get("subject"))))
        except (EngineBusy, EngineDown):
            view.finish(None, problem=self.tr("It could not be verified now. Try again when the engine runs."))
        else:
            self._made = await self._certified(report)
            view.finish(report.verdict, report.seed)

    async def _certified(self, report: Report) -> Certificate:
        """With what is known of the machine; where the engine cannot say it now, the results stand all the same."""
        from app.services.verify.machine import machine

        try:
            known, versions = await machine(self._services.assistant, report)
        except (RequestFailed, EngineBusy, EngineDown):
            known, versions = {}, {}
        return Certificate(replace(report, versions=versions), version("longread"), known)

    async def _verify(self, tier: Tier, own: str, folder: Path) -> Report:
        from app.services.verify import desk, forecast
        from engine.verify import plan, run

        services = self._services
        subject = await desk(
            *(services.assistant, services.engine, services.models, services.providers, self._state.settings, folder),
            own=own,
        )
        how = plan(tier, subject.loaded)
        self._view.begin(how.tests)
        if (seconds := await forecast(subject, how)) is not None:
            self._view.set_forecast(seconds)
        subject.on_step = self._step
        try:
            return await run(subject, how, self._begin, self._show)
        finally:
            if subject.reloaded:
                self._tasks.start(self._again())

    async def _again(self) -> None:
        """What was loaded in between is not what the window says is loaded."""
        await self._engine.load(self._state.settings)

    def _text(self) -> str:
        from app.services.verify import text_of

        items = self._attachments.of(self._state.conversation)
        return text_of([self._services.library.text(item.id) for item in items])

    def _begin(self, test: TestName) -> None:
        self._test = test
        self._view.set_progress(test, 0.0)

    def _step(self, done: int, total: int, within: float) -> None:
        self._view.set_progress(self._test, (done + within) / max(total, 1))

    def _show(self, outcome: Outcome) -> None:
        from app.services.verify.told import told

        said = told(outcome, _translated)
        self._view.set_outcome(
            ShownTest(outcome.test, outcome.verdict, said, outcome.cells, outcome.points, outcome.expected)
        )

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running = None
        if task.cancelled():
            self._view.finish(None)

    def _ask_where(self) -> None:
        asking = QFileDialog(self._window, self.tr("Save the certificate"))
        asking.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        asking.setNameFilters([self.tr("PDF (*.pdf)"), self.tr("Markdown (*.md)"), self.tr("JSON (*.json)")])
        asking.filterSelected.connect(lambda chosen: asking.setDefaultSuffix(chosen.rpartition("*.")[2].rstrip(")")))
        asking.setDefaultSuffix("pdf")
        asking.selectFile(self.tr("Certificate"))
        asking.fileSelected.connect(lambda file: self._tasks.start(self.write(Path(file))))
        asking.finished.connect(asking.deleteLater)
        asking.open()


def _translated(words: str) -> str:
    return QCoreApplication.translate("words", words)
