"""The local API: whether it is served and where, who may ask, what programs are told, and whether it works."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.data.gateway import Served
from app.data.settings import Settings
from app.views.checks import Checks
from app.views.gateway_state import GatewayState
from app.views.gateway_where import GatewayWhere
from app.views.keys_list import KeysList
from app.views.page import Page
from app.views.snippets import Snippets


class GatewayPage(Page):
    """What is asked for is said by its parts: `state`, `where`, `keys`, `snippets` and `checks`."""

    opened = Signal()
    """It is on the screen: show in it what is now."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(100, parent)
        self.set_title(self.tr("Local API"))
        self.state = GatewayState()
        self.where = GatewayWhere()
        self.keys = KeysList()
        self.snippets = Snippets()
        self.checks = Checks()
        self.close_button.setAutoDefault(False)
        self.body.addWidget(
            self.label(
                self.tr(
                    "Editors and other programs can ask what you ask here, over the documents that are already read: "
                    "in OpenAI's or Anthropic's protocol, at one address, each with a key of its own."
                )
            )
        )
        self.body.addWidget(self.state)
        for title, part in (
            (self.tr("ADDRESS"), self.where),
            (self.tr("KEYS"), self.keys),
            (self.tr("CONNECT A PROGRAM"), self.snippets),
            (self.tr("CHECK"), self.checks),
        ):
            self.body.addSpacing(12)
            self.body.addWidget(self.label(title, "section"))
            self.body.addWidget(part)
        self.body.addStretch(1)

    def show_served(self, settings: Settings, served: Served) -> None:
        """How it stands, and with which settings."""
        self.state.set_served(served)
        self.where.show_settings(settings, served)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if not event.spontaneous():
            self.opened.emit()

    def hideEvent(self, event) -> None:
        """A secret does not lie about in a page that is closed."""
        super().hideEvent(event)
        if not event.spontaneous():
            self.snippets.key.clear()
