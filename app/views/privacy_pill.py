"""What leaves this computer, always in sight. A click shows every connection that was made."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QPushButton, QWidget

from app.models import quantities
from app.views import theme
from app.views.icons import icon


class PrivacyPill(QPushButton):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host: str | None = None
        self._says = self._connections = ""
        self._narrow = self._serving = self._open = False
        self._count = 0
        self._stamp: tuple[str, float] | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_connections(0)

    def set_connections(self, count: int, host: str | None = None) -> None:
        """`count` of connections since the program began; `host`: the name of a remote engine, when one is used."""
        self._host, self._count = host, count
        number = quantities.number(count)
        connections = self.tr("1 connection") if count == 1 else self.tr("{n} connections").format(n=number)
        if host:
            says = self.tr("Documents and questions go to {host} · {connections}")
        elif count:
            says = self.tr("Your documents stay on this computer · {connections}")
        else:
            says = self.tr("Nothing leaves this computer · {connections}")
        if self._open and not host:
            says = self.tr("The local API is open to your network · {connections}")
        elif self._open:
            says += self.tr(" · local API open to your network")
        elif self._serving:
            says += self.tr(" · local API on")
        self._says, self._connections = says.format(host=host, connections=connections), connections
        self.setAccessibleName(self._says)
        self.setToolTip(f"{self._says}\n{self.tr('Shows every connection that Longread made')}")
        theme.set_role(self, "pill-warn" if self._open else "pill-remote" if host else "pill")
        self._draw()

    def set_serving(self, serving: bool, open: bool) -> None:
        """`serving`: the local API listens. `open`: for other computers, too."""
        if (serving, open) != (self._serving, self._open):
            self._serving, self._open = serving, serving and open
            self.set_connections(self._count, self._host)

    def set_narrow(self, narrow: bool) -> None:
        """In a narrow window only the sign and the count are shown; the whole sentence stays the accessible name."""
        self._narrow = narrow
        self._draw()

    def _draw(self) -> None:
        self._stamp = theme.stamp()
        self.setText(self._connections if self._narrow else self._says)
        side = round(self.fontMetrics().height() * 0.9)
        self.setIconSize(QSize(side, side))
        name, token = ("globe", "remote") if self._host else ("shield-check", "good_ink")
        if self._open:
            name, token = "triangle-alert", "warn"
        self.setIcon(icon(name, token, side))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if self._stamp is not None and self._stamp != theme.stamp():
            self._draw()
