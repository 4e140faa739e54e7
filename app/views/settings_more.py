"""The settings that are seldom changed, under "More" in the settings panel."""

import msgspec
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QLabel, QLineEdit, QWidget

from app.data.settings import Settings
from app.views import theme
from app.views.fields import Amount, Choice

NOT_SET = 0
"""A spin box at its lowest value says its special words and means None."""


class MoreSettings(QWidget):
    changed = Signal(object)
    """The Settings with one of the fields below changed."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._settings = Settings()
        self.max_tokens = self._spin(65536, 64, self.tr("until the window is full"))
        self.threads = self._spin(256, 1, self.tr("chosen by the engine"))
        self.piece = self._spin(65536, 64, self.tr("chosen by the engine"))
        self.theme = self._combo(
            {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        )
        self.language = self._combo({"system": self.tr("As the system"), "en": "English", "zh_CN": "简体中文"})
        self.enter_sends = QCheckBox(self.tr("Return asks, Shift+Return breaks the line"))
        self.hub = QLineEdit()
        self.hub.setPlaceholderText(self.tr("the public hub, or HF_ENDPOINT"))
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(6)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        for words, field, tip in (
            (self.tr("Longest answer"), self.max_tokens, self.tr("Tokens after which an answer ends")),
            (self.tr("Threads"), self.threads, self.tr("Processor threads that the engine uses")),
            (self.tr("Piece"), self.piece, self.tr("Tokens read in one go; more is faster and needs more memory")),
            (self.tr("Appearance"), self.theme, ""),
            (self.tr("Language"), self.language, self.tr("Used from the next start on")),
            (self.tr("Models from"), self.hub, self.tr("Address that models are downloaded from")),
        ):
            label = QLabel(words)
            theme.set_role(label, "quiet")
            label.setBuddy(field)
            field.setAccessibleName(words)
            field.setToolTip(tip)
            form.addRow(label, field)
        form.addRow(self.enter_sends)
        self.max_tokens.valueChanged.connect(lambda v: self._change(max_tokens=v or None))
        self.threads.valueChanged.connect(lambda v: self._change(threads=v or None))
        self.piece.valueChanged.connect(lambda v: self._change(piece=v or None))
        self.theme.activated.connect(lambda _: self._change(theme=self.theme.currentData()))
        self.language.activated.connect(lambda _: self._change(language=self.language.currentData()))
        self.enter_sends.toggled.connect(lambda on: self._change(enter_sends=on))
        self.hub.textEdited.connect(lambda text: self._change(hub=text.strip()))

    def show_settings(self, settings: Settings) -> None:
        self._settings = settings
        for field, value in (
            (self.max_tokens, settings.max_tokens),
            (self.threads, settings.threads),
            (self.piece, settings.piece),
        ):
            field.blockSignals(True)
            field.setValue(value or NOT_SET)
            field.blockSignals(False)
        for combo, name in ((self.theme, settings.theme), (self.language, settings.language)):
            combo.setCurrentIndex(combo.findData(name))
        self.enter_sends.blockSignals(True)
        self.enter_sends.setChecked(settings.enter_sends)
        self.enter_sends.blockSignals(False)
        if self.hub.text().strip() != settings.hub:
            self.hub.setText(settings.hub)

    def _change(self, **fields: object) -> None:
        self._settings = msgspec.structs.replace(self._settings, **fields)
        self.changed.emit(self._settings)

    def _spin(self, most: int, step: int, unset: str) -> Amount:
        spin = Amount()
        spin.setRange(NOT_SET, most)
        spin.setSingleStep(step)
        spin.setGroupSeparatorShown(True)
        spin.setSpecialValueText(unset)
        spin.setKeyboardTracking(False)
        return spin

    def _combo(self, choices: dict[str, str]) -> Choice:
        combo = Choice()
        for name, words in choices.items():
            combo.addItem(words, name)
        return combo
