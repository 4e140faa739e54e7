"""What a choice of settings will need: bytes in words and as a bar, and how the texts at hand would be read."""

import math

from msgspec.structs import replace
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.data import policies
from app.data.settings import Settings
from app.models import quantities
from app.views import theme
from app.views.parts_bar import PartsBar
from app.views.settings_rows import Note
from engine.protocol import Calibration, Loaded, Planned


class Forecast(QWidget):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.needs = QLabel()
        self.first_word = QLabel()
        self.bar = PartsBar()
        self.states = QLabel()
        self.reading = Note("small")
        theme.set_role(self.needs, "small")
        theme.set_role(self.first_word, "small")
        theme.set_role(self.states, "small")
        self.needs.setWordWrap(True)
        line = QHBoxLayout()
        line.addWidget(self.needs, 1)
        line.addWidget(self.first_word)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self.bar)
        layout.addWidget(self.states)
        layout.addWidget(self.reading)

    def show_plan(self, plan: Planned | None, host: str = "") -> None:
        """None: not known yet. `host`: of the server that runs it instead of this computer."""
        self._show_states(plan)
        if plan is None:
            unknown = self.tr("What this will need is not known yet.")
            self.needs.setText(self.tr("It needs nothing of this computer's memory.") if host else unknown)
            theme.set_role(self.needs, "small")
            self.bar.set_parts([], 1.0)
            return
        values = {"needed": quantities.gigabytes(plan.needed), "available": quantities.gigabytes(plan.available)}
        if plan.fits:
            text = self.tr("Will need {needed} GB of {available} GB free").format(**values)
        else:
            text = self.tr("× Would need {needed} GB; {available} GB are free").format(**values)
        self.needs.setText(text)
        theme.set_role(self.needs, "small" if plan.fits else "small-warn")
        parts = [
            ("weights", plan.weights),
            ("kv", plan.kv),
            ("state", plan.state),
            ("work", plan.activations + plan.overhead),
        ]
        self.bar.set_parts([(name, float(amount)) for name, amount in parts], float(plan.available))
        names = {
            "weights": self.tr("Weights"),
            "kv": self.tr("Keys and values of a full window"),
            "state": self.tr("States"),
            "work": self.tr("Working memory and the engine itself"),
        }
        told = "\n".join(f"{names[name]}: {quantities.size(amount)}" for name, amount in parts if amount)
        self.bar.setToolTip(told)
        self.needs.setToolTip(told)
        self.bar.setAccessibleName(self.tr("Memory that will be needed"))
        self.bar.setAccessibleDescription(told)

    def _show_states(self, plan: Planned | None) -> None:
        """Of models that keep states beside rows: how little those take."""
        shown = plan is not None and plan.state > 0
        if plan is not None and shown:
            sizes = [quantities.size(amount) for amount in (plan.weights, plan.kv, plan.state)]
            named = self.tr("Weights {weights} · K/V {kv} · states {states}")
            self.states.setText(named.format(weights=sizes[0], kv=sizes[1], states=sizes[2]))
        self.states.setVisible(shown)

    def show_first_word(self, seconds: float | None) -> None:
        """How long a question would wait if everything had to be read again; None: not known."""
        text = self.tr("first word ≈ {time} cold").format(time=quantities.seconds(seconds)) if seconds else ""
        self.first_word.setText(text)
        self.first_word.setToolTip(self.tr("When all attached documents must be read again") if text else "")

    def show_reading(
        self, settings: Settings, tokens: int, window: int, loaded: Loaded | None, known: Calibration | None
    ) -> None:
        """How the open conversation's documents, of `tokens` together, would be read in a window of `window`.

        `known`: what automatic comes to for the chosen model, None while it is not loaded.
        """
        if policies.on(settings) or (loaded is not None and loaded.whole_only):
            settings = replace(settings, reading_mode="whole")
        segment = settings.segment or (known.segment if known else None)
        refused = settings.reading_mode == "whole" and tokens > window and not policies.endless(settings)
        if policies.endless(settings) and (not tokens or tokens > window):
            text = self.tr("Texts of any length are read whole; what is not newest is forgotten.")
        elif not tokens:
            text = self._in_general(settings, window, segment)
        elif settings.reading_mode != "parallel" and tokens <= window:
            text = self.tr("{tokens} fit the window and are read whole.")
        elif refused:
            text = self.tr("× {tokens} are more than the window holds: refused.")
        elif segment is None:
            text = self.tr("{tokens} are read in segments.")
        else:
            text = self._in_segments(settings, tokens, segment, loaded, known)
        # the room of two lines is kept, so that what is below stays where it is
        self.reading.show_text(text.format(tokens=quantities.tokens(tokens)), ("1\n2",))
        self.reading.set_role("small-warn" if refused else "small")

    def _in_general(self, settings: Settings, window: int, segment: int | None) -> str:
        """What holds for any text, while none is attached."""
        size = quantities.tokens(window)
        if settings.reading_mode == "whole":
            return self.tr("Texts of more than {window} are refused.").format(window=size)
        if settings.reading_mode == "parallel":
            return self.tr("Every text is read in segments.")
        if segment is None:
            return self.tr("Texts of more than {window} are read in segments.").format(window=size)
        return self.tr("Texts of more than {window} are read in segments of {n}.").format(
            window=size, n=quantities.number(segment)
        )

    def _in_segments(
        self, settings: Settings, tokens: int, segment: int, loaded: Loaded | None, known: Calibration | None
    ) -> str:
        """Two lines, with the tokens still to be filled in: the reading, and what an answer then sees."""
        overlap = settings.overlap if settings.overlap is not None else known.overlap if known else 0
        overlap = min(overlap, segment // 4)  # the engine repeats no more of a segment
        step = segment - overlap
        count = math.ceil(max(tokens - overlap, 1) / step)
        text = self.tr("{tokens} in about {n} segments").replace("{n}", quantities.number(count))
        row = 0
        if loaded is not None:
            row = loaded.kv_token_int8 if settings.kv == "int8" and loaded.kv_token_int8 else loaded.kv_token
        if row:
            held = (tokens + (count - 1) * overlap) * row
            text += ", " + self.tr("{size} of K/V").format(size=quantities.size(held))
        keep = settings.keep or (known.keep if known else None)
        if keep:
            seen = max(round(min(keep * segment, tokens) * settings.kept_rows), 1)
            text += "\n" + self.tr("An answer sees {n} of them at most.").format(n=quantities.number(seen))
        return text
