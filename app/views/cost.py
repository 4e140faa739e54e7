"""What applying changed settings costs, in a sentence."""

from PySide6.QtWidgets import QLabel, QWidget

from app.data.settings import Settings
from app.models import quantities
from app.views import presets, theme
from engine.protocol import Loaded


class Cost(QLabel):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWordWrap(True)
        theme.set_role(self, "small")

    def show_change(self, before: Settings, after: Settings, fits: bool, loaded: Loaded | None) -> None:
        """`before` is in use, `after` would be; `loaded` tells how long loading took."""
        reloads = presets.reloaded_by(before, after)
        if not fits:
            text = self.tr("This does not fit. Choose a smaller window, a smaller precision or a smaller model.")
        elif reloads:
            text = self.tr(
                "Apply loads the model anew ({what}). Documents are read again at the next question."
            ).format(what=", ".join(self._names(reloads)))
            if loaded is not None and "model" not in reloads:
                took = quantities.seconds(loaded.seconds)
                text += " " + self.tr("Loading took {time} last time.").format(time=took)
        elif before != after:
            text = self.tr("Apply costs nothing: used from the next answer on, and what was read stays read.")
        else:
            text = self.tr("These settings are in use.")
        self.setText(text)
        theme.set_role(self, "small" if fits else "small-warn")

    def _names(self, fields: tuple[str, ...]) -> list[str]:
        names = {
            "model": self.tr("model"),
            "precision": self.tr("precision"),
            "window": self.tr("context window"),
            "device": self.tr("device"),
            "threads": self.tr("threads"),
            "piece": self.tr("piece"),
        }
        return [names[field] for field in fields]
