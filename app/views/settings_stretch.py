"""Stretching a model's positions beyond what it was made for, instead of reading in segments; and what that does."""

from PySide6.QtWidgets import QWidget

from app import words
from app.data.settings import Settings
from app.models import quantities
from app.models.spoken import spoken
from app.views.segments import Segments
from app.views.settings_rows import Note, Section
from engine.protocol import Note as EngineNote
from engine.protocol import Planned

GENTLE = 2
"""Times the native window up to which quality holds best: the choice to begin with."""


def is_of_stretching(note: EngineNote) -> bool:
    """The stretching's own section says it, in its own words."""
    return note.code == "extended" or note.code.startswith("not_extended")


class StretchSection(Section):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._native = 8192
        self.extension = Segments(self.tr("Stretch the window"))
        self.extension.set_choices(
            [
                ("none", self.tr("None"), self.tr("The window is at most the one that the model was made for")),
                ("yarn", "YaRN", self.tr("Slow positions are stretched, fast ones left: holds best far out")),
                ("ntk", "NTK", self.tr("The rotation's base grows: a little worse far out, gentler near")),
            ]
        )
        self.about = Note()
        self.about.show_text(
            self.tr(
                "The whole text is read in one piece, by positions the model was not made for. Better than segments "
                "for questions that need all of it, as counting or summarising; slower, and with more memory."
            )
        )
        self.warning = Note("small-warn")
        self.add(self.about)
        self.add(self.extension, self.warning)
        self.extension.chosen.connect(self._choose)

    def show_settings(self, settings: Settings, native: int, plan: Planned | None) -> None:
        """`native`: tokens that the chosen model was made for."""
        self._settings, self._native = settings, native
        self.extension.set_current(settings.extension)
        warning = self.tr(
            "Quality falls, most of all beyond {tokens}, twice the native window. Short texts are answered worse too."
        ).format(tokens=quantities.tokens(GENTLE * native))
        calm = self.tr("The window stays the model's own, {tokens}.").format(tokens=quantities.tokens(native))
        obstacle = self._obstacle(plan)
        said = calm if settings.extension == "none" else obstacle or warning
        self.warning.show_text(said, (warning, calm))
        self.warning.set_role("caption" if settings.extension == "none" else "small-warn")
        self.extension.setAccessibleDescription(said)

    def state(self, plan: Planned | None) -> str:
        """The section in a few words."""
        settings = self._settings
        if settings.extension == "none":
            return self.tr("Not stretched")
        name = {"yarn": "YaRN", "ntk": "NTK"}[settings.extension]
        if self._obstacle(plan):
            return self.tr("{name} · this model cannot be stretched").format(name=name)
        window = settings.window or (plan.window if plan else self._native)
        if window <= self._native:
            return self.tr("{name} · the window is not beyond the native one").format(name=name)
        return self.tr("{name} to {tokens} · quality falls").format(name=name, tokens=quantities.tokens(window))

    def _obstacle(self, plan: Planned | None) -> str:
        notes = [note for note in plan.notes if note.code.startswith("not_extended")] if plan else []
        return " ".join(spoken(words.NOTES, note.code, note.values) for note in notes)

    def _choose(self, method: str) -> None:
        """A window goes with the choice: one that the stretching is for, and without it one that the model has."""
        window = self._settings.window
        if method == "none":
            window = window if window is not None and window <= self._native else None
        elif window is None or window <= self._native:
            window = GENTLE * self._native
        self._change(extension=method, window=window)
