"""What applying changed settings costs, in a sentence."""

from PySide6.QtWidgets import QWidget

from app.data import policies
from app.data.settings import Settings
from app.models import quantities
from app.models.spoken import advised
from app.views import presets
from app.views.settings_rows import Note
from engine.protocol import Loaded, Planned

NOTED = (
    "reading_mode",
    "segment",
    "overlap",
    "join",
    "keep",
    "asked",
    "kept_rows",
    "calibrate",
    "kv",
    "part",
    "selection",
)
"""Settings of reading and asking that are looked at with each question."""

FORGETTING = (
    *("policy", "policy_keep", "policy_rows", "policy_mode", "policy_prompt"),
    *("policy_score_window", "policy_adaptive_weight"),
)
"""Settings of what is kept: a chain of rows is of one choice of them."""


class Cost(Note):
    def __init__(self, parent: QWidget | None = None):
        super().__init__("small", parent)

    def show_change(self, before: Settings, after: Settings, plan: Planned | None, loaded: Loaded | None) -> None:
        """`before` is in use, `after` would be; `plan`: of that, None: not known. `loaded`: how long loading took."""
        fits = plan is None or plan.fits
        text = self._sentence(before, after, plan, loaded)
        # the room of a sentence about reloading is kept, so that the buttons stay where they are
        self.show_text(text, (self._reload(("model", "precision"), None, True), text))
        self.set_role("small" if fits else "small-warn")

    def _sentence(self, before: Settings, after: Settings, plan: Planned | None, loaded: Loaded | None) -> str:
        reloads = presets.reloaded_by(before, after)
        if plan is not None and not plan.fits:
            smaller = self.tr("No window and no precision of this model would: choose a smaller model.")
            return self.tr("This does not fit.") + " " + (advised(plan.advice) or smaller)
        if reloads:
            return self._reload(reloads, loaded, after.save_readings)
        if before == after:
            return self.tr("These settings are in use.")
        if before.save_readings and not after.save_readings:
            return self.tr("Apply costs nothing. From then on nothing that is read is written to the disk.")
        rereads = presets.reread_by(before, after)
        if rereads and after.reading_mode == "whole":
            return self.tr("Apply costs nothing. From then on texts longer than the window are refused.")
        if rereads:
            return self.tr(
                "Apply costs nothing: used from the next question on, when longer texts are read again ({what})."
            ).format(what=", ".join(self._names(rereads)))
        if any(getattr(before, name) != getattr(after, name) for name in FORGETTING):
            return self._keeping(after)
        if before.selection == "blocks" != after.selection:
            return self.tr("Apply costs nothing: what was read in blocks is read again at the next question.")
        if any(getattr(before, name) != getattr(after, name) for name in NOTED):
            return self.tr("Apply costs nothing: used from the next question on, and what was read stays read.")
        return self.tr("Apply costs nothing: used from the next answer on, and what was read stays read.")

    def _keeping(self, after: Settings) -> str:
        if not policies.on(after):
            return self.tr(
                "Apply costs nothing: from the next question on everything is kept, and what was forgotten is read "
                "again."
            )
        return self.tr(
            "Apply costs nothing: used from the next question on, when texts are read anew and a part of them is "
            "forgotten."
        )

    def _reload(self, names: tuple[str, ...], loaded: Loaded | None, saves: bool) -> str:
        what = ", ".join(self._names(names))
        if saves and presets.SAME_READING.issuperset(names):
            text = self.tr(
                "Apply loads the model anew ({what}). What was saved is opened again, the rest is read at the next "
                "question."
            ).format(what=what)
        else:
            text = self.tr(
                "Apply loads the model anew ({what}). Documents are read again at the next question."
            ).format(what=what)
        if loaded is not None and "model" not in names:
            took = quantities.seconds(loaded.seconds)
            text += " " + self.tr("Loading took {time} last time.").format(time=took)
        return text

    def _names(self, fields: tuple[str, ...]) -> list[str]:
        names = {
            "model": self.tr("model"),
            "precision": self.tr("precision"),
            "window": self.tr("context window"),
            "device": self.tr("device"),
            "threads": self.tr("threads"),
            "piece": self.tr("piece"),
            "memory_share": self.tr("memory"),
            "sparse_kernel": self.tr("sparse layers"),
            "linear_kernel": self.tr("lightning layers"),
            "extension": self.tr("stretching"),
            "kv": self.tr("K/V precision"),
            "reading_mode": self.tr("how they are read"),
            "segment": self.tr("segment length"),
            "overlap": self.tr("overlap"),
        }
        return [names[field] for field in fields]
