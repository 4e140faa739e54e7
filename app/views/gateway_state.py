"""Whether the local API is served, in words and with a sign, and the button that switches it."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QWidget

from app import words
from app.data.gateway import Served
from app.models import key_words
from app.models.spoken import spoken
from app.views import announce, theme
from app.views.icons import pixmap

SIGNS = {
    "off": ("info", "quiet"),
    "starting": ("refresh-cw", "quiet"),
    "on": ("check", "good"),
    "open": ("triangle-alert", "warn"),
    "failed": ("circle-alert", "bad"),
}


class GatewayState(QFrame):
    switched = Signal(bool)
    """By the person: whether it shall be served."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "card")
        self._served = Served()
        self._stamp: object = None
        self._sign = QLabel()
        self.headline, self.told, self.under_way = QLabel(), QLabel(), QLabel()
        theme.set_role(self.headline, "title")
        theme.set_role(self.under_way, "small")
        for label in (self.headline, self.told, self.under_way):
            label.setWordWrap(True)
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton()
        self.button.setAutoDefault(False)
        self.button.clicked.connect(lambda: self.switched.emit(self._served.state in ("off", "failed")))
        layout = QGridLayout(self)
        layout.setContentsMargins(16, 14, 16, 14)
        layout.setHorizontalSpacing(12)
        layout.setVerticalSpacing(4)
        layout.setColumnStretch(1, 1)
        layout.addWidget(self._sign, 0, 0)
        layout.addWidget(self.headline, 0, 1)
        layout.addWidget(self.button, 0, 2, 3, 1, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(self.told, 1, 1)
        layout.addWidget(self.under_way, 2, 1)
        self._show()

    def set_served(self, served: Served) -> None:
        if served == self._served:
            return
        changed = (served.state, served.open) != (self._served.state, self._served.open)
        self._served = served
        self._show()
        if changed:
            announce.politely(self, f"{self.headline.text()}. {self.told.text()}")

    def _show(self) -> None:
        served = self._served
        self.headline.setText(self._headline())
        self.told.setText(self._told())
        opened = served.state == "on" and served.open
        theme.set_role(self.headline, "title-warn" if opened else "title")
        self.under_way.setText(key_words.under_way(served.under_way))
        self.under_way.setVisible(served.state == "on")
        off = served.state in ("off", "failed")
        self.button.setText(self.tr("Switch on") if off else self.tr("Switch off"))
        self.button.setAccessibleName(
            self.tr("Switch the local API on") if off else self.tr("Switch the local API off")
        )
        theme.set_role(self.button, "primary" if off else "")
        self._draw()

    def _headline(self) -> str:
        if self._served.state == "on" and self._served.open:
            return self.tr("On, and open to your network")
        return {
            "off": self.tr("Off"),
            "starting": self.tr("Starting…"),
            "on": self.tr("On, for this computer alone"),
            "failed": self.tr("Not running"),
        }[self._served.state]

    def _told(self) -> str:
        served = self._served
        if served.state == "failed":
            return spoken(words.PROBLEMS, served.code, served.values)
        if served.state == "off":
            return self.tr("Nothing listens, and no program can ask.")
        if served.state == "starting":
            return ""
        if not served.open:
            return self.tr("Programs on this computer can ask, each with a key of yours.")
        if served.address.startswith("https:"):
            return self.tr(
                "Every device that reaches this computer can try a key here. Connections are encrypted; who has a key "
                "gets answers from your documents."
            )
        return self.tr(
            "Every device that reaches this computer can try a key here, and connections are not encrypted: keys, "
            "questions and answers can be read on their way."
        )

    def _draw(self) -> None:
        self._stamp = theme.stamp()
        opened = self._served.state == "on" and self._served.open
        name, token = SIGNS["open" if opened else self._served.state]
        self._sign.setPixmap(pixmap(name, token, round(self.fontMetrics().height() * 1.2)))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._stamp is not None and self._stamp != theme.stamp():
            self._draw()
