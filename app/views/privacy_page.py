"""What leaves this computer: every connection that was made, and where everything is kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app import words
from app.data.gateway import Served
from app.models import quantities
from app.models.elsewhere_words import is_here
from app.models.spoken import spoken
from app.views import theme
from app.views.page import Page


class Connected(Protocol):
    """A connection as the program's list of them holds it."""

    @property
    def host(self) -> str: ...
    @property
    def purpose(self) -> str: ...
    @property
    def when(self) -> float: ...
    @property
    def received(self) -> int: ...
    @property
    def sent(self) -> int: ...


class PrivacyPage(Page):
    open_folder = Signal(str)
    """Show this folder in the system's file browser."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(90, parent)
        self.set_title(self.tr("Privacy"))
        self.headline = self.label(role="title")
        self.connections = QGridLayout()
        self.connections.setHorizontalSpacing(20)
        self.connections.setVerticalSpacing(4)
        self.connections.setColumnStretch(2, 1)
        self.served = self.label()
        self.kept = QGridLayout()
        self.kept.setHorizontalSpacing(20)
        self.kept.setVerticalSpacing(4)
        self.kept.setColumnStretch(1, 1)
        self.sandbox = self.label(
            self.tr(
                "Each document is opened in a short-lived process of its own, with limits on memory and time. What is "
                "damaged or hostile in a file ends that process, not Longread."
            )
        )
        self.isolation = self.label()
        self.isolation.hide()
        self.body.addWidget(self.headline)
        self.body.addWidget(
            self.label(
                self.tr(
                    "Longread makes no connection unless you ask for a model: to fetch one, or to ask one on a server "
                    "that you added. To such a server alone, and after you agreed, go questions with their documents. "
                    "It sends no usage data and no crash reports. Links in answers open only after you have seen their "
                    "whole address, and pictures in answers are never fetched."
                )
            )
        )
        for title, part in (
            (self.tr("CONNECTIONS SINCE THE START"), self.connections),
            (self.tr("WHO CAN CONNECT TO LONGREAD"), self.served),
            (self.tr("WHAT IS KEPT, AND WHERE"), self.kept),
            (self.tr("HOW DOCUMENTS ARE OPENED"), self.sandbox),
        ):
            self.body.addSpacing(8)
            self.body.addWidget(self.label(title, "section"))
            if isinstance(part, QGridLayout):
                self.body.addLayout(part)
            else:
                self.body.addWidget(part)
        self.body.addWidget(self.isolation)
        self.body.addStretch(1)
        self.set_connections(())
        self.set_served(Served())

    def set_connections(self, made: Sequence[Connected], host: str | None = None) -> None:
        """Every connection since the start, oldest first. `host`: where questions go now; None: nowhere."""
        if host is not None:
            count = self.tr("1 connection") if len(made) == 1 else self.tr("{n} connections")
            count = count.format(n=quantities.number(len(made)))
            said = self.tr("Questions and their documents leave this computer: they go to {host}. {connections}.")
            if is_here(host):
                said = self.tr("Questions and their documents go to another program here, {host}. {connections}.")
            self.headline.setText(said.format(host=host, connections=count))
        elif not made:
            self.headline.setText(self.tr("Nothing leaves this computer. 0 connections."))
        else:
            one, many = self.tr("1 connection was made."), self.tr("{n} connections were made.")
            self.headline.setText(one if len(made) == 1 else many.format(n=quantities.number(len(made))))
        _empty(self.connections)
        if not made:
            self.connections.addWidget(self.label(self.tr("None."), "quiet"), 0, 0)
        for row, connection in enumerate(made):
            moment = QDateTime.fromSecsSinceEpoch(int(connection.when))
            cells = (
                quantities.locale().toString(moment, QLocale.FormatType.ShortFormat),
                connection.host,
                spoken(words.PURPOSES, connection.purpose),
                self._amounts(connection),
            )
            for column, text in enumerate(cells):
                self.connections.addWidget(
                    self.label(text, "" if column == 1 else "quiet", wrap=column == 2), row, column
                )

    def _amounts(self, connection: Connected) -> str:
        received = self.tr("{size} received").format(size=quantities.size(connection.received))
        if not connection.sent:
            return received
        return f"{self.tr('{size} sent').format(size=quantities.size(connection.sent))} · {received}"

    def set_served(self, served: Served) -> None:
        """How the local API stands."""
        if served.state != "on":
            said = self.tr("Nobody: the local API is off, and Longread listens nowhere.")
        elif served.open:
            said = self.tr("⚠ Every computer in your network, at {address}: whoever has a key gets answers.")
        else:
            said = self.tr("Programs on this computer, at {address}, each with a key that you made. No other computer.")
        self.served.setText(said.format(address=served.address))
        theme.set_role(self.served, "warn" if served.state == "on" and served.open else "")

    def set_isolation(self, code: str | None) -> None:
        """What keeps the document process from the network: a code of `app.words.ISOLATION`; None: nothing does."""
        self.isolation.setText(spoken(words.ISOLATION, code) if code else "")
        self.isolation.setVisible(code is not None)

    def set_kept(self, kept: Sequence[tuple[str, Path]]) -> None:
        """(what, where): "texts", "index", "conversations", "models", "settings", "servers" or "logs", and a file or
        folder."""
        names = {
            "texts": self.tr("Text of your documents"),
            "index": self.tr("Where words stand in them, for searching"),
            "conversations": self.tr("Conversations"),
            "models": self.tr("Models"),
            "settings": self.tr("Settings"),
            "servers": self.tr("Servers that you added, with their keys; for you alone (0600)"),
            "logs": self.tr("Logs, without texts and file names"),
        }
        _empty(self.kept)
        for row, (what, where) in enumerate(kept):
            self.kept.addWidget(self.label(names[what], "quiet", wrap=False), row, 0)
            self.kept.addWidget(self.label(str(where)), row, 1)
            folder = str(where if where.is_dir() else where.parent)
            button = QPushButton(self.tr("Show"))
            theme.set_role(button, "link")
            button.setAccessibleName(self.tr("Show the folder of: {what}").format(what=names[what]))
            button.clicked.connect(lambda _=False, folder=folder: self.open_folder.emit(folder))
            self.kept.addWidget(button, row, 2)


def _empty(grid: QGridLayout) -> None:
    while (held := grid.takeAt(0)) is not None:
        widget = held.widget()
        if isinstance(widget, QLabel | QPushButton):
            widget.hide()
            widget.deleteLater()
