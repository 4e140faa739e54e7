"""What the banner says of things that happened: each a sentence, with the buttons that go with it."""

from collections.abc import Collection, Sequence

from app import words
from app.data.conversation import Failure
from app.models import quantities
from app.models.spoken import spoken
from app.views.banner import Kind
from app.views.failure import sentence
from app.views.library_notices import LibraryNotices
from engine.protocol import Note

NOTES: dict[str, Kind] = {
    "not_saved_disk": "warn",
    "not_saved": "warn",
    "not_saved_full": "warn",
    "reading_damaged": "warn",
    "read_parallel": "info",
    "kv_int8": "info",
    "remote_reads_later": "info",
}
"""Codes of `Note` that the banner says, the gravest first; the others stand in the ledger alone."""
SETTINGS = ("not_saved_disk", "not_saved", "not_saved_full", "read_parallel", "kv_int8")
"""Those that the settings have something to say to."""


class Notices(LibraryNotices):
    """Buttons are answered by `Banner.action`: undo, restart_engine, open_logs, models, settings, and those of the
    library."""

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
        if failure.code in ("out_of_memory", "too_long", "too_long_model"):
            buttons = [("settings", self.tr("Settings…"))]
        self._banner.show_message("bad", sentence(failure), buttons)

    def written(self, file: str, twin: str) -> None:
        said = self.tr("Exported as {file}. By {twin} beside it, anyone can check it against the documents.")
        self._banner.show_message("info", said.format(file=file, twin=twin))

    def certified(self, file: str, twin: str) -> None:
        said = self.tr("The certificate is saved as {file}. By {twin} beside it, `longread verify --check` replays it.")
        self._banner.show_message("info", said.format(file=file, twin=twin))

    def removed_conversation(self, title: str) -> None:
        self._undoable(self.tr("The conversation “{title}” was removed.").format(title=title))

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

    def notes(self, notes: Sequence[Note], told: Collection[str] = ()) -> tuple[str, ...]:
        """Say the gravest of what the engine noted of a reading or an answer, unless it is among the codes `told`. The
        code that was said, or none."""
        for code in NOTES:
            for note in notes:
                if note.code != code or code in told:
                    continue
                buttons = [("settings", self.tr("How texts are read…"))] if code in SETTINGS else []
                self._banner.show_message(NOTES[code], spoken(words.NOTES, code, note.values), buttons)
                return (code,)
        return ()

    def item_gone(self) -> None:
        self._banner.show_message("info", self.tr("That document was deleted for good, so its pages cannot be shown."))

    def forgot_reading(self, name: str, freed: int) -> None:
        said = self.tr("What was read of {name} is forgotten.").format(name=name)
        if freed:
            size = quantities.size(freed)
            said = self.tr("What was read of {name} is forgotten; {size} are free again.").format(name=name, size=size)
        self._banner.show_message("good", said)
