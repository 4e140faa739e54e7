"""What a choice of settings will need: bytes in words and as a bar, and what it changes."""

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.models import quantities
from app.views import theme
from app.views.parts_bar import PartsBar
from engine.protocol import Planned


class Forecast(QWidget):
    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.needs = QLabel()
        self.first_word = QLabel()
        self.bar = PartsBar()
        theme.set_role(self.needs, "small")
        theme.set_role(self.first_word, "small")
        self.needs.setWordWrap(True)
        line = QHBoxLayout()
        line.addWidget(self.needs, 1)
        line.addWidget(self.first_word)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(self.bar)

    def show_plan(self, plan: Planned | None) -> None:
        """None: not known yet."""
        if plan is None:
            self.needs.setText(self.tr("What this will need is not known yet."))
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

    def show_first_word(self, seconds: float | None) -> None:
        """How long a question would wait if everything had to be read again; None: not known."""
        text = self.tr("first word ≈ {time} cold").format(time=quantities.seconds(seconds)) if seconds else ""
        self.first_word.setText(text)
        self.first_word.setToolTip(self.tr("When all attached documents must be read again") if text else "")
