"""The settings that are seldom changed, under "More" in the settings panel."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QSlider, QWidget

from app.data.settings import Settings
from app.models import quantities
from app.views.fields import Choice
from app.views.segments import Segments
from app.views.settings_rows import Count, Headline, Note, Row, Section, set_checked
from engine.protocol import Calibration, Loaded

ALL = 100
"""Percent of the memory."""

SPARSE, LINEAR = ("sparse", "moba", "nsa"), ("lightning",)
"""Kinds of layers."""
ELSEWHERE = {"cpu": "triton", "cuda": "native"}
"""By the device: how layers cannot be computed there."""

HOTTEST = 20
"""Tenths: temperatures up to 2.0."""

PART_LEAST, PART_MOST, PART_STEP = 32, 65_536, 100


class MoreSettings(Section):
    gateway_asked = Signal()
    """The page of the local API."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.temperature_line = Headline(self.tr("Temperature"))
        self.temperature = QSlider(Qt.Orientation.Horizontal)
        self.temperature.setRange(0, HOTTEST)
        self.temperature.setAccessibleName(self.tr("Temperature"))
        self.kv = Segments(self.tr("K/V precision"))
        self.kv.set_choices(
            [
                ("auto", self.tr("Automatic"), self.tr("As the model, or INT8 where only that fits")),
                ("model", self.tr("As the model"), self.tr("As the model computes them")),
                ("int8", "INT8", self.tr("A little less exact, in about half the memory")),
            ]
        )
        self.kv_line = Headline(self.tr("K/V precision"))
        self.kv_note = Note()
        self.calibrate = QCheckBox(self.tr("Leave out abnormally attended rows (calibration)"))
        self.calibrate_note = Note("small-warn")
        tokens = (self.tr("token"), self.tr("tokens"))
        self.part = Count(self.tr("Automatic"), PART_LEAST, PART_MOST, PART_STEP, tokens)
        self._part_row = Row(self.tr("Part length"), self.part)
        self.max_tokens = Count(self.tr("until the window is full"), 1, 65_536, 64, tokens)
        self.threads = Count(self.tr("chosen by the engine"), 1, 256, 1)
        self.piece = Count(self.tr("chosen by the engine"), 1, 65_536, 64, tokens)
        self.memory_line = Headline(self.tr("Memory"))
        self.memory = QSlider(Qt.Orientation.Horizontal)
        self.memory.setRange(1, ALL)
        self.memory.setPageStep(10)
        self.memory.setAccessibleName(self.tr("Memory"))
        self.memory_note = Note()
        self.sparse, self.linear = self._combo(self._kernels()), self._combo(self._kernels())
        self._sparse_row = Row(self.tr("Sparse layers"), self.sparse)
        self._linear_row = Row(self.tr("Lightning layers"), self.linear)
        self.theme = self._combo(
            {"system": self.tr("As the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        )
        self.language = self._combo({"system": self.tr("As the system"), "en": "English", "zh_CN": "简体中文"})
        self.enter_sends = QCheckBox(self.tr("Return asks, Shift+Return breaks the line"))
        self.hub = QLineEdit()
        self.hub.setPlaceholderText(self.tr("the public hub, or HF_ENDPOINT"))
        self.packs = QLineEdit()
        self.packs.setPlaceholderText(self.tr("this version's release"))
        self.gateway = QPushButton(self.tr("Open…"))
        self.gateway.setAutoDefault(False)
        self.gateway.clicked.connect(self.gateway_asked)
        self.add(self.temperature_line, self.temperature)
        self.add(self.kv_line, self.kv, self.kv_note)
        self.add(self.calibrate, self.calibrate_note)
        self.add(self._part_row)
        self.add(self.memory_line, self.memory, self.memory_note)
        self.add(self._sparse_row)
        self.add(self._linear_row)
        self._add_fields()
        self._connect()

    def _add_fields(self) -> None:
        rows = []
        for words, field, tip in (
            (self.tr("Longest answer"), self.max_tokens, self.tr("Tokens after which an answer ends")),
            (self.tr("Threads"), self.threads, self.tr("Processor threads that the engine uses")),
            (self.tr("Piece"), self.piece, self.tr("Tokens read in one go; more is faster and needs more memory")),
            (self.tr("Appearance"), self.theme, ""),
            (self.tr("Language"), self.language, self.tr("Used from the next start on")),
            (self.tr("Models from"), self.hub, self.tr("Address that models are downloaded from")),
            (self.tr("Packs from"), self.packs, self.tr("Address that packs for graphics cards are downloaded from")),
            (self.tr("Local API"), self.gateway, self.tr("Lets editors and other programs ask, each with a key")),
        ):
            row = Row(words, field)
            field.setAccessibleDescription(tip)
            row.setToolTip(tip)
            rows.append(row)
        self.add(*rows)
        self.add(self.enter_sends)

    def _connect(self) -> None:
        self.temperature.valueChanged.connect(lambda tenths: self._change(temperature=tenths / 10))
        self.kv.chosen.connect(lambda name: self._change(kv=name))
        self.calibrate.toggled.connect(lambda on: self._change(calibrate=on))
        self.part.chosen.connect(lambda amount: self._change(part=amount))
        self.max_tokens.chosen.connect(lambda amount: self._change(max_tokens=amount))
        self.threads.chosen.connect(lambda amount: self._change(threads=amount))
        self.piece.chosen.connect(lambda amount: self._change(piece=amount))
        self.memory.valueChanged.connect(lambda percent: self._change(memory_share=percent / ALL))
        self.sparse.activated.connect(lambda _: self._change(sparse_kernel=self.sparse.currentData()))
        self.linear.activated.connect(lambda _: self._change(linear_kernel=self.linear.currentData()))
        self.theme.activated.connect(lambda _: self._change(theme=self.theme.currentData()))
        self.language.activated.connect(lambda _: self._change(language=self.language.currentData()))
        self.enter_sends.toggled.connect(lambda on: self._change(enter_sends=on))
        self.hub.textEdited.connect(lambda text: self._change(hub=text.strip()))
        self.packs.textEdited.connect(lambda text: self._change(packs=text.strip()))

    def show_settings(self, settings: Settings, loaded: Loaded | None, known: Calibration | None) -> None:
        """`known`: what automatic comes to for the chosen model, None while it is not loaded."""
        self._settings = settings
        blocked = self.temperature.blockSignals(True)
        self.temperature.setValue(round(settings.temperature * 10))
        self.temperature.blockSignals(blocked)
        warm = quantities.decimal(settings.temperature)
        self.temperature_line.say(warm if settings.temperature else self.tr("0 · always the likeliest word"))
        self.temperature.setAccessibleDescription(self.temperature_line.text())
        self._show_kv(settings, loaded)
        set_checked(self.calibrate, settings.calibrate)
        self.calibrate_note.show_text(
            self.tr(
                "In the wrong layers this destroys what was to be found. Switch it on only where you have measured "
                "that it helps."
            )
        )
        self.calibrate_note.set_role("small-warn" if settings.calibrate else "caption")
        self.calibrate.setAccessibleDescription(self.calibrate_note.text())
        self.part.set_amount(settings.part, known.part if known else None)
        said = self.tr(
            "Tokens asked about together when a question goes over every part. Small models need short ones."
        )
        if known:
            said += " " + self.tr("Automatic here: {n}.").format(n=quantities.number(known.part))
        self._part_row.say(said)
        self.max_tokens.set_amount(settings.max_tokens)
        self.threads.set_amount(settings.threads)
        self.piece.set_amount(settings.piece)
        self._show_memory(settings)
        self._show_kernel(self._sparse_row, self.sparse, settings.sparse_kernel, SPARSE, loaded)
        self._show_kernel(self._linear_row, self.linear, settings.linear_kernel, LINEAR, loaded)
        for combo, name in ((self.theme, settings.theme), (self.language, settings.language)):
            combo.setCurrentIndex(combo.findData(name))
        set_checked(self.enter_sends, settings.enter_sends)
        for field, address in ((self.hub, settings.hub), (self.packs, settings.packs)):
            if field.text().strip() != address:
                field.setText(address)

    def state(self) -> str:
        """The section in a few words."""
        settings = self._settings
        told = [self.tr("Temperature {n}").format(n=quantities.decimal(settings.temperature))]
        if settings.kv == "int8":
            told.append(self.tr("K/V as INT8"))
        if settings.calibrate:
            told.append(self.tr("calibration on"))
        told.append(self.tr("parts, threads, appearance"))
        return " · ".join(told)

    def _show_kv(self, settings: Settings, loaded: Loaded | None) -> None:
        self.kv.set_current(settings.kv)
        sizes = ""
        if loaded is not None and loaded.kv_token:
            exact, small = loaded.kv_token, loaded.kv_token_int8
            taken = small if settings.kv == "int8" and small else exact
            sizes = self.tr("{size} a token").format(size=quantities.size(taken))
        self.kv_line.say(sizes)
        notes = {
            "auto": self.tr(
                "How keys and values are held in memory: as the model computes, those of segments as INT8 where only "
                "that fits."
            ),
            "model": self.tr(
                "Keys and values are held as the model computes; segments that do not fit are opened again from disk."
            ),
            "int8": self.tr(
                "Keys and values are held as INT8: about half the memory, so that a larger window fits, and a little "
                "less exact."
            ),
        }
        self.kv_note.show_text(notes[settings.kv], notes.values())
        self.kv.setAccessibleDescription(notes[settings.kv])

    def _show_memory(self, settings: Settings) -> None:
        percent = max(round(settings.memory_share * ALL), 1)
        blocked = self.memory.blockSignals(True)
        self.memory.setValue(percent)
        self.memory.blockSignals(blocked)
        said = self.tr("{n} %").format(n=percent) if percent < ALL else self.tr("all that is free")
        self.memory_line.say(said)
        self.memory_note.show_text(
            self.tr(
                "At most this share of the device's memory is taken by the model and what it reads; the largest window "
                "follows from it."
            )
        )
        self.memory.setAccessibleDescription(f"{said}. {self.memory_note.text()}")

    def _show_kernel(
        self, row: Row, choice: Choice, kernel: str, kinds: tuple[str, ...], loaded: Loaded | None
    ) -> None:
        """What neither the model nor its device has cannot be chosen, and that is said where it was."""
        choice.setCurrentIndex(choice.findData(kernel))
        missing = loaded is not None and loaded.layers.keys().isdisjoint(kinds)
        impossible = ELSEWHERE.get(loaded.device.kind) if loaded is not None else None
        model = choice.model()
        assert isinstance(model, QStandardItemModel)
        for place in range(choice.count()):
            model.item(place).setEnabled(choice.itemData(place) != impossible)
        choice.setEnabled(not missing or kernel != "auto")
        about, none = self.tr("By what they are computed."), self.tr("This model has none.")
        refused = self.tr("⚠ This model cannot be loaded so: choose automatic.")
        wrong = kernel != "auto" and (missing or kernel == impossible)
        row.say(refused if wrong else none if missing else about, (about, none, refused))
        row.note.set_role("small-warn" if wrong else "caption")

    def _kernels(self) -> dict[str, str]:
        return {
            "auto": self.tr("Automatic"),
            "native": self.tr("Compiled, on processors"),
            "triton": self.tr("Triton, on NVIDIA cards"),
            "torch": self.tr("torch, anywhere"),
        }

    def _combo(self, choices: dict[str, str]) -> Choice:
        combo = Choice()
        for name, words in choices.items():
            combo.addItem(words, name)
        return combo
