"""The settings that are always in sight: preset, model, precision, context window, and how much of it is kept."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSlider, QWidget

from app import words
from app.data import policies
from app.data.model import ModelEntry
from app.data.settings import Settings
from app.models import quantities
from app.models.spoken import spoken
from app.views import presets
from app.views.fields import Choice
from app.views.segments import Segments
from app.views.settings_rows import Headline, Note, Section
from app.views.settings_stretch import is_of_stretching
from app.views.window_slider import WindowSlider
from engine.protocol import DeviceInfo, Loaded, Planned

USUAL = 8192
"""Tokens, of a model of which nothing is known."""
STRETCHED = 8
"""Times the native window that an extension reaches."""


class ModelSection(Section):
    models_asked = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._models: list[ModelEntry] = []
        self._loaded: Loaded | None = None
        self._plan: Planned | None = None
        self.presets = Segments(self.tr("Preset"))
        self.model = Choice()
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setMinimumContentsLength(12)
        self.model.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.far_note = Note("small-remote")
        self.far_note.hide()
        self.precision = Segments(self.tr("Precision"))
        self.precision_line = Headline(self.tr("Precision"))
        self.writing_note = Note()
        self.window_line = Headline(self.tr("Context window"))
        self.window_slider = WindowSlider()
        self.kept_line = Headline()
        self.kept = QSlider(Qt.Orientation.Horizontal)
        self.kept.setRange(1, 100)
        self.kept.setSingleStep(1)
        self.kept.setPageStep(10)
        self.kept.setAccessibleName(self.tr("Keep of what was read"))
        self.kept_note = Note()
        self.add(self.presets)
        self.add(self.model, self.far_note)
        self.add(self.precision_line, self.precision, self.writing_note)
        self.add(self.window_line, self.window_slider)
        self.add(self.kept_line, self.kept, self.kept_note)

        self.presets.chosen.connect(self._choose_preset)
        self.model.activated.connect(self._choose_model)
        self.precision.chosen.connect(lambda name: self._change(precision=name))
        self.window_slider.window_chosen.connect(lambda tokens: self._change(window=tokens or None))
        self.kept.valueChanged.connect(lambda percent: self._change(kept_rows=percent / 100))

    def set_models(self, models: list[ModelEntry]) -> None:
        self._models = list(models)
        self._list_models()

    def show_settings(self, settings: Settings, loaded: Loaded | None, plan: Planned | None) -> None:
        """`plan`: what the settings would need, None where that is not known yet."""
        self._settings, self._loaded, self._plan = settings, loaded, plan
        precisions, native = self._precisions(), self.native_window()
        if self.model.findData(settings.model) < 0:
            self._list_models()
        self.model.setCurrentIndex(self.model.findData(settings.model))
        self.presets.set_choices(self._preset_choices(precisions, native))
        self.presets.set_current(presets.matching(settings, precisions, native))
        self._show_precision(precisions)
        self._show_window(native)
        self._show_kept()
        self._show_far()

    def host(self) -> str:
        """The server of the chosen model; empty: this computer."""
        return next((entry.host for entry in self._models if entry.name == self._settings.model), "")

    def _show_far(self) -> None:
        """What a server decides cannot be chosen here, and that is said."""
        host = self.host()
        said = self.tr(
            "This model runs at {host}. Precision, context window, and what of a text is kept and looked at are "
            "decided there and cannot be chosen from here."
        ).format(host=host)
        self.far_note.show_text(said if host else "")
        self.far_note.setVisible(bool(host))
        for widget in (self.presets, self.precision, self.window_slider, self.kept):
            if host and widget is self.presets:
                self.presets.set_current(None)
            widget.setEnabled(not host and (widget is not self.kept or not policies.on(self._settings)))
            widget.setToolTip(said if host else widget.toolTip() if widget is self.kept else "")

    def native_window(self) -> int:
        """Tokens that the chosen model was made for, as far as that is known."""
        if self._plan is not None:
            return self._plan.native_window
        chosen = next((entry for entry in self._models if entry.name == self._settings.model), None)
        known = chosen.window if chosen else self._loaded.native_window if self._loaded else 0
        return known or USUAL

    def _device(self) -> DeviceInfo | None:
        if self._plan is not None:
            return self._plan.device
        return self._loaded.device if self._loaded else None

    def _precisions(self) -> tuple[str, ...]:
        device = self._device()
        return device.precisions if device else ()

    def _list_models(self) -> None:
        self.model.clear()
        for entry in self._models:
            if entry.path is None and not entry.host and entry.name != self._settings.model:
                continue
            title = entry.title
            if entry.fits is False:
                title = self.tr("{title} · does not fit here").format(title=title)
            self.model.addItem(title, entry.name)
        self.model.addItem(self.tr("More models…"), "")
        self.model.setCurrentIndex(self.model.findData(self._settings.model))

    def _preset_choices(self, precisions: tuple[str, ...], native: int) -> list[tuple[str, str, str]]:
        names = {"exact": self.tr("Exact"), "balanced": self.tr("Balanced"), "small": self.tr("Small")}
        choices = []
        for preset, label in names.items():
            made = presets.of(preset, self._settings, precisions, native)
            precision = (
                self.tr("the precision that runs best here")
                if made.precision == "auto"
                else quantities.precision(made.precision)
            )
            window = quantities.tokens(made.window) if made.window else self.tr("the largest window that fits")
            choices.append((preset, label, f"{precision} · {window}"))
        return choices

    def _show_precision(self, precisions: tuple[str, ...]) -> None:
        plan, settings = self._plan, self._settings
        tips = {
            "fp32": self.tr("32-bit weights: the most exact, and the most memory"),
            "bf16": self.tr("16-bit weights, as most models are released"),
            "int8": self.tr("8-bit weights, one scale a row: half the memory of BF16"),
            "int4": self.tr("4-bit weights, a scale for each few: a third of the memory of BF16, and less exact"),
        }
        choices = presets.offered(precisions) or presets.EXACTNESS
        self.precision.set_choices([(name, quantities.precision(name), tips[name]) for name in choices])
        resolved = settings.precision
        if resolved == "auto":
            resolved = plan.precision if plan else self._loaded.precision if self._loaded else "auto"
        self.precision.set_current(resolved)
        weights = self.tr("weights {size}").format(size=quantities.size(plan.weights)) if plan else ""
        chosen = self.tr("best here") if settings.precision == "auto" and not self.host() else ""
        self.precision_line.say(" · ".join(filter(None, (chosen, weights))))
        told = [self._measured(resolved)]
        notes = plan.notes if plan else self._loaded.notes if self._loaded else ()
        told += [spoken(words.NOTES, note.code, note.values) for note in notes if not is_of_stretching(note)]
        self.writing_note.show_text(" ".join(filter(None, told)))
        self.writing_note.setVisible(bool(self.writing_note.text()))

    def _measured(self, precision: str) -> str:
        """What was timed for writing, for the precision that is loaded; of others nothing is known and nothing said."""
        loaded = self._loaded
        if loaded is None or loaded.precision != precision or not loaded.candidates:
            return ""
        timed = sorted(loaded.candidates.items(), key=lambda pair: pair[1])
        listed = ", ".join(f"{name} {quantities.decimal(ms, 2)} ms" for name, ms in timed)
        return self.tr("Writes with {name}. Measured here, a layer: {listed}.").format(
            name=loaded.writing, listed=listed
        )

    def _show_window(self, native: int) -> None:
        settings, plan = self._settings, self._plan
        largest = plan.largest if plan else native
        stretched = STRETCHED if settings.extension != "none" else 1
        # Some models are known to read further than they were trained for
        self.window_slider.set_limits(native if stretched > 1 else max(native, largest), largest, stretched)
        window = settings.window
        if window is None:
            window = min(plan.window if plan else native, largest or native)
        self.window_slider.set_window(window)
        text = quantities.tokens(window)
        if settings.window is None:
            text = self.tr("{tokens} · the largest").format(tokens=text)
        elif window > native:
            times = quantities.decimal(window / native)
            text = self.tr("{tokens} · {n} × native").format(tokens=text, n=times)
        self.window_line.say(text)

    def _show_kept(self) -> None:
        percent = min(max(round(self._settings.kept_rows * 100), 1), 100)
        blocked = self.kept.blockSignals(True)
        self.kept.setValue(percent)
        self.kept.blockSignals(blocked)
        named = self.tr("Keep {n} % of what was read").format(n=percent)
        everything = self.tr("Nothing of a segment is left out of an answer.")
        part = self.tr("From each segment, what the question looks at most.")
        whole = self.tr("A policy is chosen under “What is kept”: no text is read in segments.")
        by_policy = policies.on(self._settings)
        said = whole if by_policy else everything if percent == 100 else part
        self.kept_line.words.setText(named)
        of_each = self.tr("of each segment")
        self.kept_line.say(of_each if percent < 100 or by_policy else self.tr("everything"))
        self.kept_note.show_text(said, (everything, part, whole))
        self.kept.setEnabled(not by_policy)
        self.kept.setAccessibleDescription(f"{named}. {said}")
        kept_whole = self.tr("A text that fits the window and is read whole is always kept whole.")
        self.kept.setToolTip(said if by_policy else kept_whole)

    def _choose_preset(self, preset: presets.Preset) -> None:
        made = presets.of(preset, self._settings, self._precisions(), self.native_window())
        self._settings = made
        self.changed.emit(made)

    def _choose_model(self, place: int) -> None:
        name = self.model.itemData(place)
        if name:
            self._change(model=name)
        else:
            self.model.setCurrentIndex(self.model.findData(self._settings.model))
            self.models_asked.emit()
