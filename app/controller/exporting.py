"""A conversation, or one answer of it, as a file that the person names."""

from importlib.metadata import version
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject
from PySide6.QtWidgets import QFileDialog

from app.controller.desk import Desk
from app.services.problem import Problem

LONGEST = 60
"""Characters of the name that is proposed."""


class ExportController(QObject):
    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window)
        self._services, self._state, self._window = desk.services, desk.state, desk.window
        self._notices, self._tasks = desk.notices, desk.tasks
        desk.window.actions_by_name["export"].triggered.connect(lambda: self._ask(None))
        desk.window.conversation.exported.connect(self._ask)

    def _ask(self, answer: str | None) -> None:
        """`answer`: the id of the one that is exported with its question; None: all of the conversation."""
        conversation = self._state.conversation
        title = self._services.conversations.get(conversation).title
        asking = QFileDialog(self._window, self.tr("Export"))
        asking.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        asking.setNameFilters([self.tr("PDF (*.pdf)"), self.tr("Word (*.docx)"), self.tr("Markdown (*.md)")])
        asking.filterSelected.connect(lambda chosen: asking.setDefaultSuffix(chosen.rpartition("*.")[2].rstrip(")")))
        asking.setDefaultSuffix("pdf")
        asking.selectFile(_name(title) or self.tr("Conversation"))
        asking.fileSelected.connect(lambda file: self._tasks.start(self.write(conversation, answer, Path(file))))
        asking.finished.connect(asking.deleteLater)
        asking.open()

    async def write(self, conversation: str, answer: str | None, path: Path) -> None:
        from app.services.export import export, format_of  # loaded when it is asked for, not before the window opens
        from app.services.export.record import record

        services = self._services
        try:
            format_of(path)
            kept, messages = services.conversations.get(conversation), services.conversations.messages(conversation)
            what = record(kept, messages, services.library.get, services.library.text, version("longread"), answer)
            beside = await export(what, path, lambda words: QCoreApplication.translate("words", words))
        except Problem as problem:
            self._notices.problem(problem.code, problem.values)
            return
        self._notices.written(path.name, beside.name)


def _name(title: str) -> str:
    """As much of the title as a file's name may hold on any system."""
    kept = "".join(c if c.isalnum() or c in " -_.,()" else " " for c in title)
    return " ".join(kept.split())[:LONGEST].strip(" .")
