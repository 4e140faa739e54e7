"""What the banner says of things that happened: each a sentence, with the buttons that go with it."""

from PySide6.QtCore import QObject

from app import words
from app.data.conversation import Failure
from app.models import quantities
from app.models.spoken import spoken
from app.views.banner import Banner
from app.views.failure import sentence


class Notices(QObject):
    """Buttons are answered by `Banner.action`: undo, restart_engine, open_logs, models, settings."""

    def __init__(self, banner: Banner) -> None:
        super().__init__(banner)
        self._banner = banner

    def engine_came_back(self) -> None:
        self._banner.show_message(
            "warn",
            self.tr(
                "The engine stopped unexpectedly and was started again. Your words are kept; documents are read again "
                "when you ask."
            ),
        )

    def engine_restarting(self) -> None:
        self._banner.show_message("warn", self.tr("The engine stopped unexpectedly. It is being started again."))

    def engine_stays_down(self, log: str) -> None:
        self._banner.show_message(
            "bad",
            spoken(words.PROBLEMS, "engine_down", {"subject": log}),
            [("restart_engine", self.tr("Start it again")), ("open_logs", self.tr("Show what it said"))],
        )

    def problem(self, code: str, values: dict[str, str]) -> None:
        """A `Problem` of a service: what happened, what it means and what to do."""
        buttons = []
        if code.startswith("model_"):
            buttons = [("models", self.tr("Choose a model…"))]
        self._banner.show_message("bad", spoken(words.PROBLEMS, code, values), buttons)

    def failed(self, failure: Failure) -> None:
        """A request of the engine that ended badly outside of an answer."""
        buttons = [("models", self.tr("Choose a model…"))] if failure.code == "bad_model" else []
        if failure.code in ("out_of_memory", "too_long"):
            buttons = [("settings", self.tr("Settings…"))]
        self._banner.show_message("bad", sentence(failure), buttons)

    def removed_conversation(self, title: str) -> None:
        self._undoable(self.tr("The conversation “{title}” was removed.").format(title=title))

    def removed_item(self, name: str) -> None:
        self._undoable(self.tr("{name} was removed from the library.").format(name=name))

    def detached_item(self, name: str) -> None:
        self._undoable(self.tr("{name} is no longer part of this conversation.").format(name=name))

    def replaced(self, count: int) -> None:
        """An answer is written anew, and `count` later messages are gone with the old one."""
        one, many = self.tr("1 message was replaced."), self.tr("{n} messages were replaced.")
        self._undoable(one if count == 1 else many.format(n=quantities.number(count)))

    def stopped_reading(self) -> None:
        self._banner.show_message(
            "info", self.tr("Reading was stopped. What was read is kept; asking goes on from there.")
        )

    def _undoable(self, text: str) -> None:
        self._banner.show_message("info", text, [("undo", self.tr("Undo"))])
