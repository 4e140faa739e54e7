"""The strip at the bottom: memory, window, first word, rates, and which model answers. Always there, never jumping."""

from PySide6.QtCore import QElapsedTimer, QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from app.models import quantities
from app.models.elsewhere_words import where
from app.views import theme
from app.views.elided import Elided
from app.views.gauge import Gauge
from app.views.history_popup import HistoryPopup
from app.views.sparkline import History
from engine.protocol import DeviceInfo, Gauges, Loaded, MemoryParts

COUNT_EVERY = 100
"""Milliseconds between two steps of the first word's count."""

SPACING = 26

NAME_CHARACTERS = 16
"""Room that the model's name has before a gauge has any."""

STATE_SIGNS = {"ready": "●", "loading": "◐", "starting": "◐", "restarting": "◐", "stopped": "○", "down": "×"}


class Instruments(QFrame):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "instruments")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._device: DeviceInfo | None = None
        self._loaded: Loaded | None = None
        self._state = "stopped"
        self._waited = QElapsedTimer()
        self._waited_before = 0.0
        self.memory = Gauge(self.tr("Memory"), self.tr("GPU memory") + " 888.8 / 888 GB", bar=True)
        self.window_gauge = Gauge(self.tr("Window"), self.tr("Window") + " 1,048,576 / 1,048,576", bar=True)
        self.first_word = Gauge(self.tr("First word"), "88 min 88 s")
        self.reading = Gauge(self.tr("Reading"), "88,888 tok/s")
        self.writing = Gauge(self.tr("Writing"), "8,888 tok/s")
        self.kept = Gauge(self.tr("Kept · forgotten"), "8,888,888 · 8,888,888")
        self.kept.hide()
        self._policy = False
        self.histories = {name: History() for name in ("memory", "window", "first_word", "reading", "writing")}
        self.model = Elided()
        self.model_detail = Elided()
        theme.set_role(self.model, "heading")
        theme.set_role(self.model_detail, "small")
        for label in (self.model, self.model_detail):
            label.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.popup = HistoryPopup(self.histories, self)

        right = QVBoxLayout()
        right.setSpacing(3)
        right.addWidget(self.model)
        right.addWidget(self.model_detail)
        right.addStretch(1)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(18, 12, 18, 10)
        layout.setSpacing(SPACING)
        layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        for gauge in (*self._gauges(), self.kept):
            layout.addWidget(gauge)
        layout.addLayout(right, 1)

        self._count = QTimer(self)
        self._count.setInterval(COUNT_EVERY)
        self._count.timeout.connect(self._count_up)
        self._show_model()
        self._retell()

    # what is shown

    def set_gauges(self, gauges: Gauges) -> None:
        self._show_memory(gauges.memory)
        self._show_window(gauges.window_used, gauges.window)
        self._show_kept(gauges.rows, gauges.forgotten)
        for gauge, history, value in (
            (self.reading, self.histories["reading"], gauges.reading),
            (self.writing, self.histories["writing"], gauges.writing),
        ):
            gauge.set_idle(value is None)
            if value is None:
                continue
            history.add(value)
            gauge.show_value(quantities.rate(value), words=quantities.rate(value))
        self._retell()

    def set_device(self, device: DeviceInfo) -> None:
        self._device = device
        if device.kind == "remote":
            self._show_no_memory(device.name)
            return
        label = self.tr("GPU memory") if device.kind == "cuda" else self.tr("Memory")
        self.memory.label.setText(label)
        if not self.memory.toolTip():
            used = device.memory - device.free
            self._show_memory(MemoryParts(device.memory, 0, 0, 0, used, device.free))
        self._show_model()
        self._retell()

    def set_loaded(self, loaded: Loaded | None) -> None:
        self._loaded = loaded
        if loaded is not None:
            self.set_device(loaded.device)
            if loaded.host is None:
                self._show_memory(loaded.memory)
            self._show_window(0, loaded.window)
        self._show_model()
        self._retell()

    def set_first_word(self, seconds: float | None, waiting: bool = False) -> None:
        """While `waiting` the gauge counts on from `seconds` (or from now) by itself; else it is the last answer's."""
        if waiting:
            self._waited_before = seconds or 0.0
            self._waited.start()
            self._count.start()
            self._count_up()
            return
        self._count.stop()
        self.first_word.set_idle(False)
        if seconds is None:
            self.first_word.show_value("–")
        else:
            self.histories["first_word"].add(seconds)
            text = quantities.seconds(seconds)
            self.first_word.show_value(text, words=self.tr("{time} after the last question").format(time=text))
        self._retell()

    def set_policy(self, on: bool) -> None:
        """Whether some of what is read is forgotten: then there is a gauge for it."""
        self._policy = on
        self._show_kept(None, 0)
        self._fit()
        self._retell()

    def set_engine_state(self, state: str) -> None:
        """A state of `engine.client.Engine`: stopped, starting, ready, loading, restarting, down."""
        self._state = state
        self._show_model()
        self._retell()

    def set_remote(self, host: str | None) -> None:
        """The host's name while answers come from another computer, so that it is never a surprise."""
        theme.set_role(self, "instruments-remote" if host else "instruments")
        self._host = host
        for gauge in (self.reading, self.writing):
            gauge.show_value("–")
        self._show_model()
        self._retell()

    def set_answered(self, tokens: int, window: int, rate: float | None) -> None:
        """What a server said at an answer's end: tokens of the prompt and the answer, and how fast it wrote."""
        self._show_window(tokens, window)
        if rate is not None:
            self.histories["writing"].add(rate)
            self.writing.show_value(quantities.rate(rate), words=quantities.rate(rate))
        self.writing.set_idle(True)
        self._retell()

    _host: str | None = None

    def _count_up(self) -> None:
        text = quantities.seconds(self._waited_before + self._waited.elapsed() / 1000)
        self.first_word.set_idle(True)
        self.first_word.show_value(text, words=self.tr("waiting for the first word"))

    def _show_memory(self, memory: MemoryParts) -> None:
        used = memory.total - memory.free
        parts = [("weights", memory.weights), ("kv", memory.kv), ("state", memory.state), ("other", memory.other)]
        self.memory.bar.set_parts([(name, float(amount)) for name, amount in parts], float(memory.total))
        words = "\n".join(
            self.tr("{part}: {size}").format(part=self.part_name(name), size=quantities.size(amount))
            for name, amount in [*parts, ("free", memory.free)]
        )
        whole = self.tr("/ {total} GB").format(total=quantities.gigabytes(memory.total))
        self.memory.show_value(quantities.gigabytes(used), whole, words)
        self.histories["memory"].add(used / 2**30)
        self.popup.set_memory(memory)

    def _show_no_memory(self, host: str) -> None:
        self.memory.label.setText(self.tr("Memory"))
        self.memory.bar.set_parts([], 1.0)
        self.memory.show_value("–", words=self.tr("What the model takes at {host} is not told").format(host=host))

    def _show_window(self, used: int, window: int) -> None:
        if not window:  # of a server that does not say
            self.window_gauge.bar.set_parts([], 1.0)
            told = self.tr("{used} tokens used; the window is not told").format(used=quantities.number(used))
            self.window_gauge.show_value(quantities.number(used), words=told)
            return
        self.window_gauge.bar.set_parts([("window", float(used))], float(window))
        words = self.tr("{used} of {window} tokens used").format(
            used=quantities.number(used), window=quantities.number(window)
        )
        self.window_gauge.show_value(quantities.number(used), f"/ {quantities.number(window)}", words)
        self.histories["window"].add(float(used))

    def _show_kept(self, rows: int | None, forgotten: int) -> None:
        """`rows`: what every head holds of the text in use; None: of it nothing is forgotten."""
        if rows is None:
            self.kept.show_value("–")
            return
        numbers = {"rows": quantities.number(rows), "forgotten": quantities.number(forgotten)}
        words = self.tr("{rows} tokens kept in every head, {forgotten} forgotten").format_map(numbers)
        self.kept.show_value("{rows} · {forgotten}".format_map(numbers), words=words)

    def part_name(self, part: str) -> str:
        return {
            "weights": self.tr("Weights"),
            "kv": self.tr("Keys and values"),
            "state": self.tr("States"),
            "other": self.tr("Other programs and the system"),
            "free": self.tr("Free"),
        }[part]

    def state_words(self) -> str:
        return {
            "ready": self.tr("ready"),
            "loading": self.tr("loading the model"),
            "starting": self.tr("starting the engine"),
            "restarting": self.tr("starting the engine again"),
            "stopped": self.tr("engine not started"),
            "down": self.tr("the engine stays stopped"),
        }.get(self._state, self._state)

    def _show_model(self) -> None:
        state = f"{STATE_SIGNS.get(self._state, '○')} {self.state_words()}"
        if self._loaded is None:
            self.model.show_text(self.tr("No model loaded"))
            self.model_detail.show_text(state)
        else:
            self.model.show_text(self._loaded.name)
            detail = f"{quantities.precision(self._loaded.precision)} · {self._layers(self._loaded.layers)}"
            # the state is said where it is not the usual one
            self.model_detail.show_text(detail if self._state == "ready" else f"{detail} · {state}")
        if self._host:
            # nothing is asked of it before a question, so whether it runs is not known
            self.model_detail.show_text(where(self._host))
        warns = self._state in ("down", "restarting")
        theme.set_role(self.model_detail, "small-remote" if self._host else "small-warn" if warns else "small")
        device = self._device.name if self._device else ""
        self.setToolTip("\n".join(filter(None, (device, "" if self._host else self.state_words()))))

    def _layers(self, layers: dict[str, int]) -> str:
        kinds = {
            "full": self.tr("{n} full-attention"),
            "sparse": self.tr("{n} sparse"),
            "lightning": self.tr("{n} lightning"),
            "moba": self.tr("{n} MoBA"),
            "nsa": self.tr("{n} NSA"),
        }
        counted = [kinds.get(kind, "{n} " + kind).format(n=n) for kind, n in sorted(layers.items()) if n]
        return self.tr("{kinds} layers").format(kinds=" + ".join(counted))

    def _retell(self) -> None:
        """The whole strip as a sentence, for who does not see it."""
        told = [
            f"{gauge.label.text()} {gauge.value.text()} {gauge.whole.text()}".strip()
            for gauge in self._gauges()
            if gauge.value.text() != "–"
        ]
        told += [self.model.whole(), self.model_detail.whole()]
        self.setAccessibleName(self.tr("Instruments"))
        self.setAccessibleDescription(". ".join(filter(None, told)))

    # where it lies

    def minimumSizeHint(self) -> QSize:
        """Memory and window fit always, so that the strip does not keep the window wide."""
        margins = self.layout().contentsMargins()
        width = self.memory.width() + self.window_gauge.width() + SPACING + margins.left() + margins.right()
        return QSize(width, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """What has no room is left out, the last gauges first; the model's name gives way before they do."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        margins = self.layout().contentsMargins()
        room = self.width() - margins.left() - margins.right() - NAME_CHARACTERS * self.fontMetrics().averageCharWidth()
        for gauge in self._gauges():
            room -= gauge.width() + SPACING
            gauge.setVisible(gauge in (self.memory, self.window_gauge) or room >= 0)
        self.kept.setVisible(self._policy and room >= 0)

    def _gauges(self) -> tuple[Gauge, ...]:
        always = (self.memory, self.window_gauge, self.first_word, self.reading, self.writing)
        return (*always, self.kept) if self._policy else always

    # what is asked

    def show_history(self) -> None:
        self.popup.show_above(self)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.show_history()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.show_history()
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            for gauge in (*self._gauges(), self.kept):
                gauge.fit()
