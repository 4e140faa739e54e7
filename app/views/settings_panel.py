"""The settings as a card over the window: choices, what they will need, and what applying them costs."""

import msgspec
from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSlider, QVBoxLayout, QWidget

from app import words
from app.data.model import ModelEntry
from app.data.settings import Settings
from app.models import quantities
from app.models.spoken import spoken
from app.views import presets, theme
from app.views.card import SHADOW, Floating
from app.views.cost import Cost
from app.views.fields import Choice
from app.views.forecast import Forecast
from app.views.icons import IconButton
from app.views.segments import Segments
from app.views.settings_more import MoreSettings
from app.views.window_slider import WindowSlider
from engine.protocol import DeviceInfo, Loaded, Planned

WIDTH = 47
"""Average characters that the card is wide."""

EDGE = 14
"""Pixels between the card and the edge of what it lies over."""

HOTTEST = 20
"""Tenths: temperatures up to 2.0."""


class SettingsPanel(Floating):
    """The owner gives it settings, models, what is loaded and, after each `changed`, a plan.

    What was changed and not applied stays in the panel while it is hidden.
    """

    changed = Signal(object)
    """Settings as they stand in the panel; answer with `set_plan`."""
    applied = Signal(object)
    """Settings to use from now on; answer with `set_settings`."""
    undone = Signal()
    """Go back to `before`, the settings from before the last Apply; answer with `set_settings`."""
    models_asked = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._settings = Settings()
        self._draft = Settings()
        self.before: Settings | None = None
        self._models: list[ModelEntry] = []
        self._loaded: Loaded | None = None
        self._plan: Planned | None = None
        self._area = QRect()
        self._tokens = 0
        self._rate: float | None = None
        self.hide()

        self.close_button = IconButton("x", self.tr("Close the settings"))
        self.presets = Segments(self.tr("Preset"))
        self.model = Choice()
        self.model.setAccessibleName(self.tr("Model"))
        self.precision = Segments(self.tr("Precision"))
        self.precision_note = self._label("small")
        self.writing_note = self._label("caption")
        self.writing_note.setWordWrap(True)
        self.window_note = self._label("small")
        self.window_slider = WindowSlider()
        self.temperature_note = self._label("small")
        self.temperature = QSlider(Qt.Orientation.Horizontal)
        self.temperature.setRange(0, HOTTEST)
        self.temperature.setAccessibleName(self.tr("Temperature"))
        self.more_button = QPushButton()
        self.more_button.setCheckable(True)
        theme.set_role(self.more_button, "link")
        self.more = MoreSettings()
        self.more.hide()
        self.forecast = Forecast()
        self.cost = Cost()
        self.undo_button = QPushButton(self.tr("Undo"))
        self.apply_button = QPushButton(self.tr("Apply"))
        theme.set_role(self.apply_button, "primary")
        self._lay_out()

        self.close_button.clicked.connect(self.hide)
        self.presets.chosen.connect(self._choose_preset)
        self.model.activated.connect(self._choose_model)
        self.precision.chosen.connect(lambda name: self._change(precision=name))
        self.window_slider.window_chosen.connect(lambda tokens: self._change(window=tokens or None))
        self.temperature.valueChanged.connect(lambda tenths: self._change(temperature=tenths / 10))
        self.more_button.toggled.connect(self._show_more)
        self.more.changed.connect(self._take)
        self.undo_button.clicked.connect(self._undo)
        self.apply_button.clicked.connect(self._apply)
        self._show_more(False)
        self._show()

    def _lay_out(self) -> None:
        title = self._label("heading", self.tr("Model settings"))
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.close_button)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.more_button)
        buttons.addStretch(1)
        buttons.addWidget(self.undo_button)
        buttons.addWidget(self.apply_button)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(6)
        body.addWidget(self.presets)
        body.addSpacing(4)
        body.addWidget(self.model)
        body.addSpacing(4)
        body.addLayout(self._row(self.tr("Precision"), self.precision_note))
        body.addWidget(self.precision)
        body.addWidget(self.writing_note)
        body.addSpacing(4)
        body.addLayout(self._row(self.tr("Context window"), self.window_note))
        body.addWidget(self.window_slider)
        body.addSpacing(2)
        body.addLayout(self._row(self.tr("Temperature"), self.temperature_note))
        body.addWidget(self.temperature)
        body.addWidget(self.more)
        for watched in (self._body, self.card, self.parentWidget()):
            watched.installEventFilter(self)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(16, 12, 16, 14)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)
        layout.addWidget(self.forecast)
        layout.addWidget(self.cost)
        layout.addLayout(buttons)

    def _label(self, role: str, text: str = "") -> QLabel:
        label = QLabel(text)
        theme.set_role(label, role)
        return label

    def _row(self, name: str, note: QLabel) -> QHBoxLayout:
        row = QHBoxLayout()
        row.addWidget(self._label("quiet", name), 1)
        row.addWidget(note)
        return row

    # what is shown

    def set_settings(self, settings: Settings) -> None:
        """The settings in use. What was changed in the panel and not applied is dropped."""
        self._settings = self._draft = settings
        self._show()

    def set_models(self, models: list[ModelEntry]) -> None:
        self._models = list(models)
        self._show_models()
        self._show()

    def set_loaded(self, loaded: Loaded | None) -> None:
        self._loaded = loaded
        self._show()

    def set_plan(self, plan: Planned | None) -> None:
        """What the settings in the panel would need; None where that is not known."""
        self._plan = plan
        self.forecast.show_plan(plan)
        self._show()

    def set_conversation(self, tokens: int, reading_rate: float | None) -> None:
        """Tokens of the open conversation and how fast this machine reads, for the forecast of the first word."""
        self._tokens, self._rate = tokens, reading_rate
        self._show()

    def draft(self) -> Settings:
        return self._draft

    def open_at(self, area: QRect) -> None:
        """Show the panel at the top right of `area` (in its parent's coordinates), as tall as it needs to be
        and its parent lets it; then it scrolls."""
        self._area = QRect(area)
        self.show()
        self.raise_()
        self._place()
        self.presets.button(self.presets.current() or self.presets.names()[0]).setFocus(Qt.FocusReason.PopupFocusReason)

    def _place(self) -> None:
        if self.isHidden() or self._area.isNull():
            return
        room = self._area.width(), self.parentWidget().height() - self._area.top() - 2 * EDGE
        width = min(self.fontMetrics().averageCharWidth() * WIDTH, room[0])
        margins = self.card.layout().contentsMargins()
        inside = width - margins.left() - margins.right() - 2
        # the style sheet's border of a pixel is no part of the layout
        around = self.card.layout().heightForWidth(width - 2) - self._scroll.sizeHint().height() + 2
        height = min(self._body.layout().heightForWidth(inside) + around, room[1])
        self.setGeometry(
            self._area.right() - width - SHADOW - EDGE,
            self._area.top() + EDGE - SHADOW,
            width + 2 * SHADOW,
            height + 2 * SHADOW,
        )

    def eventFilter(self, watched, event) -> bool:
        """Words that became longer make the card taller; it keeps its place from the window's right edge."""
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize:
            self._area.setRight(self._area.right() + event.size().width() - event.oldSize().width())
            self._place()
        elif event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().eventFilter(watched, event)

    def _device(self) -> DeviceInfo | None:
        if self._plan is not None:
            return self._plan.device
        return self._loaded.device if self._loaded else None

    def _native_window(self) -> int:
        if self._plan is not None:
            return self._plan.native_window
        chosen = next((entry for entry in self._models if entry.name == self._draft.model), None)
        return chosen.window if chosen else self._loaded.native_window if self._loaded else 8192

    def _show_models(self) -> None:
        self.model.clear()
        for entry in self._models:
            if entry.path is None and entry.name != self._draft.model:
                continue
            title = entry.title
            if entry.fits is False:
                title = self.tr("{title} · does not fit here").format(title=title)
            self.model.addItem(title, entry.name)
        self.model.addItem(self.tr("More models…"), "")

    def _show(self) -> None:
        """Everything from the draft; no signal comes of it."""
        draft, device, native = self._draft, self._device(), self._native_window()
        precisions = device.precisions if device else ()
        if self.model.findData(draft.model) < 0:
            self._show_models()
        self.model.setCurrentIndex(self.model.findData(draft.model))
        self.presets.set_choices(self._preset_choices(precisions, native))
        self.presets.set_current(presets.matching(draft, precisions, native))
        self._show_precision(precisions)
        self._show_window(native)
        self.temperature.blockSignals(True)
        self.temperature.setValue(round(draft.temperature * 10))
        self.temperature.blockSignals(False)
        warm = quantities.decimal(draft.temperature)
        self.temperature_note.setText(warm if draft.temperature else self.tr("0 · always the likeliest word"))
        self.temperature.setAccessibleDescription(self.temperature_note.text())
        self.more.show_settings(draft)
        cold = self._tokens / self._rate if self._tokens and self._rate else None
        self.forecast.show_first_word(cold)
        self._show_cost()
        self._place()

    def _preset_choices(self, precisions: tuple[str, ...], native: int) -> list[tuple[str, str, str]]:
        names = {"exact": self.tr("Exact"), "balanced": self.tr("Balanced"), "small": self.tr("Small")}
        choices = []
        for preset, label in names.items():
            made = presets.of(preset, self._draft, precisions, native)
            precision = (
                self.tr("the precision that runs best here")
                if made.precision == "auto"
                else quantities.precision(made.precision)
            )
            window = quantities.tokens(made.window) if made.window else self.tr("the largest window that fits")
            choices.append((preset, label, f"{precision} · {window}"))
        return choices

    def _show_precision(self, precisions: tuple[str, ...]) -> None:
        plan, draft = self._plan, self._draft
        tips = {
            "fp32": self.tr("32-bit weights: the most exact, and the most memory"),
            "bf16": self.tr("16-bit weights, as most models are released"),
            "int8": self.tr("8-bit weights, one scale a row: half the memory of BF16"),
        }
        choices = presets.offered(precisions) or presets.EXACTNESS
        self.precision.set_choices([(name, quantities.precision(name), tips[name]) for name in choices])
        resolved = draft.precision
        if resolved == "auto":
            resolved = plan.precision if plan else self._loaded.precision if self._loaded else "auto"
        self.precision.set_current(resolved)
        weights = self.tr("weights {size}").format(size=quantities.size(plan.weights)) if plan else ""
        chosen = self.tr("best here") if draft.precision == "auto" else ""
        self.precision_note.setText(" · ".join(filter(None, (chosen, weights))))
        told = [self._measured(resolved)]
        notes = plan.notes if plan else self._loaded.notes if self._loaded else ()
        told += [spoken(words.NOTES, note.code, note.values) for note in notes]
        self.writing_note.setText(" ".join(filter(None, told)))
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
        largest = self._plan.largest if self._plan else native
        self.window_slider.set_limits(native, largest)
        window = self._draft.window or (self._plan.window if self._plan else native)
        window = self._draft.window or min(window, largest or window)
        self.window_slider.set_window(window)
        text = quantities.tokens(window)
        if self._draft.window is None:
            text = self.tr("{tokens} · the largest").format(tokens=text)
        self.window_note.setText(text)

    def _show_cost(self) -> None:
        changed = self._draft != self._settings
        fits = self._plan is None or self._plan.fits
        self.cost.show_change(self._settings, self._draft, fits, self._loaded)
        self.apply_button.setEnabled(changed and fits)
        self.apply_button.setToolTip(self.cost.text())
        self.undo_button.setEnabled(changed or self.before is not None)
        self.undo_button.setToolTip(
            self.tr("Back to the settings in use") if changed else self.tr("Back to the settings before the last Apply")
        )

    # what is asked

    def _change(self, **fields: object) -> None:
        self._take(msgspec.structs.replace(self._draft, **fields))

    def _take(self, draft: Settings) -> None:
        if draft == self._draft:
            self._show()
            return
        if draft.model != self._draft.model:
            self._plan = None
            self.forecast.show_plan(None)
        self._draft = draft
        self._show()
        self.changed.emit(draft)

    def _choose_preset(self, preset: presets.Preset) -> None:
        device = self._device()
        self._take(presets.of(preset, self._draft, device.precisions if device else (), self._native_window()))

    def _choose_model(self, place: int) -> None:
        name = self.model.itemData(place)
        if name:
            self._change(model=name)
        else:
            self._show()
            self.models_asked.emit()

    def _show_more(self, on: bool) -> None:
        self.more.setVisible(on)
        self.more_button.setText(self.tr("Less") if on else self.tr("More…"))
        self._place()

    def _apply(self) -> None:
        self.before = self._settings
        self.applied.emit(self._draft)

    def _undo(self) -> None:
        if self._draft != self._settings:
            self._take(self._settings)
            return
        self.undone.emit()
        self.before = None
        self._show()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()  # Esc closes the panel; it stops no answer behind it
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        else:
            super().keyPressEvent(event)
