"""The settings as a card over the window: choices, what they will need, and what applying them costs."""

from PySide6.QtCore import QEvent, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from app.data.model import ModelEntry
from app.data.settings import Settings
from app.views import theme
from app.views.card import SHADOW, Floating
from app.views.cost import Cost
from app.views.forecast import Forecast
from app.views.icons import IconButton
from app.views.settings_fold import PADDING, Fold
from app.views.settings_kept import KeptSection
from app.views.settings_long import LongTexts
from app.views.settings_model import ModelSection
from app.views.settings_more import MoreSettings
from app.views.settings_readings import SavedReadings
from app.views.settings_stretch import StretchSection
from engine.protocol import Calibration, Forgotten, Listed, Loaded, Planned

WIDTH = 56
"""Average characters that the card is wide."""

BAR = 10
"""Pixels that the scroll bar is wide."""

EDGE = 14
"""Pixels between the card and the edge of what it lies over."""


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
    gateway_asked = Signal()
    """The page of the local API."""
    forget_asked = Signal()
    """Forget all readings, which the person has confirmed; answer with `set_forgotten` and `set_readings`."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self._settings = Settings()
        self._draft = Settings()
        self.before: Settings | None = None
        self._loaded: Loaded | None = None
        self._plan: Planned | None = None
        self._area = QRect()
        self._tokens = 0
        self._rate: float | None = None
        self.hide()

        self.close_button = IconButton("x", self.tr("Close the settings"))
        self.model = ModelSection()
        self.kept = KeptSection()
        self.long = LongTexts()
        self.stretch = StretchSection()
        self.readings = SavedReadings()
        self.more = MoreSettings()
        self.folds = {
            "kept": Fold(self.tr("What is kept"), self.kept),
            "long": Fold(self.tr("Texts longer than the window"), self.long),
            "stretch": Fold(self.tr("Stretch the window instead"), self.stretch),
            "readings": Fold(self.tr("Readings kept on this computer"), self.readings),
            "more": Fold(self.tr("More"), self.more),
        }
        self.forecast = Forecast()
        self.cost = Cost()
        self.undo_button = QPushButton(self.tr("Undo"))
        self.apply_button = QPushButton(self.tr("Apply"))
        theme.set_role(self.apply_button, "primary")
        self._lay_out()

        self.close_button.clicked.connect(self.hide)
        for section in (self.model, self.kept, self.long, self.stretch, self.readings, self.more):
            section.changed.connect(self._take)
        for fold in self.folds.values():
            fold.toggled.connect(self._place)
            fold.toggled.connect(lambda on, fold=fold: self._bring_into_sight(fold) if on else None)
        self.model.models_asked.connect(self.models_asked)
        self.readings.forget_asked.connect(self.forget_asked)
        self.more.gateway_asked.connect(self.gateway_asked)
        self.undo_button.clicked.connect(self._undo)
        self.apply_button.clicked.connect(self._apply)
        self._show()

    def _lay_out(self) -> None:
        title = QLabel(self.tr("Model settings"))
        theme.set_role(title, "heading")
        head = QHBoxLayout()
        head.addWidget(title, 1)
        head.addWidget(self.close_button)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addStretch(1)
        buttons.addWidget(self.undo_button)
        buttons.addWidget(self.apply_button)
        self._body = QWidget()
        body = QVBoxLayout(self._body)
        body.setContentsMargins(0, 0, BAR, 4)
        body.setSpacing(2)
        body.addWidget(self._padded(self.model))
        body.addSpacing(10)
        for fold in self.folds.values():
            body.addWidget(fold)
        body.addStretch(1)
        for watched in (self._body, self.card, self.parentWidget()):
            watched.installEventFilter(self)
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._scroll.setWidget(self._body)
        # the bar takes the room that is kept for it, so that nothing becomes narrower when there is more to see
        self._scroll.verticalScrollBar().rangeChanged.connect(
            lambda _, most: body.setContentsMargins(0, 0, 0 if most else BAR, 4)
        )
        line = QFrame()
        theme.set_role(line, "line")
        below = QVBoxLayout()
        below.setContentsMargins(PADDING, 0, PADDING + BAR, 0)
        below.setSpacing(8)
        below.addWidget(line)
        below.addWidget(self.forecast)
        below.addWidget(self.cost)
        below.addLayout(buttons)
        head.setContentsMargins(PADDING, 0, PADDING, 0)
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(10, 12, 2, 14)
        layout.setSpacing(8)
        layout.addLayout(head)
        layout.addWidget(self._scroll, 1)
        layout.addLayout(below)

    def _padded(self, widget: QWidget) -> QWidget:
        """Its edges where those of the folded groups' fields are."""
        made = QWidget()
        layout = QVBoxLayout(made)
        layout.setContentsMargins(PADDING, 0, PADDING, 0)
        layout.addWidget(widget)
        return made

    # what is shown

    def set_settings(self, settings: Settings) -> None:
        """The settings in use. What was changed in the panel and not applied is dropped."""
        self._settings = self._draft = settings
        self._show()

    def set_models(self, models: list[ModelEntry]) -> None:
        self.model.set_models(models)
        self._show()

    def set_loaded(self, loaded: Loaded | None) -> None:
        self._loaded = loaded
        self._show()

    def set_plan(self, plan: Planned | None) -> None:
        """What the settings in the panel would need; None where that is not known."""
        self._plan = plan
        self._show()

    def set_conversation(self, tokens: int, reading_rate: float | None) -> None:
        """Tokens of the open conversation and how fast this machine reads, for the forecast of the first word."""
        self._tokens, self._rate = tokens, reading_rate
        self._show()

    def set_readings(self, listed: Listed | None) -> None:
        """What is kept on disk by the settings in use; None where that is not known."""
        self.readings.show_listed(listed)
        self._show()

    def set_forgotten(self, forgotten: Forgotten) -> None:
        self.readings.show_forgotten(forgotten)

    def draft(self) -> Settings:
        return self._draft

    def open_at(self, area: QRect) -> None:
        """Show the panel at the top right of `area` (in its parent's coordinates), as tall as it needs to be
        and its parent lets it; then it scrolls."""
        self._area = QRect(area)
        self.show()
        self.raise_()
        self._place()
        first = self.model.presets
        first.button(first.current() or first.names()[0]).setFocus(Qt.FocusReason.PopupFocusReason)

    def _place(self) -> None:
        if self.isHidden() or self._area.isNull():
            return
        room = self._area.width(), self.parentWidget().height() - self._area.top() - 2 * EDGE
        width = min(self.fontMetrics().averageCharWidth() * WIDTH, room[0] - 2 * EDGE)
        margins = self.card.layout().contentsMargins()
        # what the body has at its right is its own, or the scroll bar's
        bar = BAR - self._body.layout().contentsMargins().right()
        inside = width - margins.left() - margins.right() - 2 - bar
        # the style sheet's border of a pixel is no part of the layout
        around = self.card.layout().heightForWidth(width - 2) - self._scroll.sizeHint().height() + 2
        height = min(self._body.layout().heightForWidth(inside) + around, room[1])
        self.setGeometry(
            self._area.right() - width - SHADOW - EDGE,
            self._area.top() + EDGE - SHADOW,
            width + 2 * SHADOW,
            height + 2 * SHADOW,
        )

    def _bring_into_sight(self, fold: Fold) -> None:
        """As much as there is room for of what was unfolded, its heading in any case."""
        self._body.layout().activate()
        self._body.resize(self._body.width(), self._body.layout().heightForWidth(self._body.width()))
        bar, top = self._scroll.verticalScrollBar(), fold.y()
        bottom = top + fold.height() - self._scroll.viewport().height()
        bar.setValue(min(top, max(bar.value(), bottom)))

    def eventFilter(self, watched, event) -> bool:
        """Words that became longer make the card taller; it keeps its place from the window's right edge."""
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize:
            self._area.setRight(self._area.right() + event.size().width() - event.oldSize().width())
            self._place()
        elif event.type() == QEvent.Type.LayoutRequest:
            self._place()
        return super().eventFilter(watched, event)

    def _known(self) -> Calibration | None:
        """What the engine chooses for the model in the panel, while that is the one that is loaded."""
        same = self._draft.model == self._settings.model
        return self._loaded.calibration if self._loaded and same else None

    def _show(self) -> None:
        """Everything from the draft; no signal comes of it."""
        draft, plan, known = self._draft, self._plan, self._known()
        loaded = self._loaded
        self.model.show_settings(draft, loaded, plan)
        native = self.model.native_window()
        whole_only = loaded is not None and known is not None and loaded.whole_only
        same = loaded if draft.model == self._settings.model else None
        self.kept.show_settings(draft, same, plan)
        self.long.show_settings(draft, known, whole_only)
        self.stretch.show_settings(draft, native, plan)
        self.readings.show_settings(draft, self._settings)
        self.more.show_settings(draft, same, known)
        self.folds["kept"].show_state(self.kept.state(same, plan), (draft.policy, draft.selection) != ("none", "none"))
        self.folds["long"].show_state(self.long.state(known))
        self.folds["stretch"].show_state(self.stretch.state(plan), draft.extension != "none")
        self.folds["readings"].show_state(self.readings.state())
        self.folds["more"].show_state(self.more.state(), draft.calibrate)
        far = self.model.host()
        for name, section in (("kept", self.kept), ("long", self.long), ("stretch", self.stretch)):
            section.setEnabled(not far)
            if far:
                self.folds[name].show_state(self.tr("decided by {host}").format(host=far))
        cold = self._tokens / self._rate if self._tokens and self._rate else None
        window = draft.window or (plan.window if plan else native)
        self.forecast.show_plan(plan, far)
        self.forecast.show_first_word(cold)
        self.forecast.show_reading(draft, self._tokens, window, loaded if known else None, known)
        self._show_cost()
        self._place()

    def _show_cost(self) -> None:
        changed = self._draft != self._settings
        fits = self._plan is None or self._plan.fits
        self.cost.show_change(self._settings, self._draft, self._plan, self._loaded)
        self.apply_button.setEnabled(changed and fits)
        self.apply_button.setToolTip(self.cost.text())
        self.undo_button.setEnabled(changed or self.before is not None)
        self.undo_button.setToolTip(
            self.tr("Back to the settings in use") if changed else self.tr("Back to the settings before the last Apply")
        )

    # what is asked

    def _take(self, draft: Settings) -> None:
        if draft == self._draft:
            self._show()
            return
        if draft.model != self._draft.model:
            self._plan = None
        self._draft = draft
        self._show()
        self.changed.emit(draft)

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
