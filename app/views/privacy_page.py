"""What leaves this computer: every connection that was made, and where everything is kept."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import QDateTime, QLocale, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QPushButton, QWidget

from app import words
from app.data.gateway import Served
from app.models import quantities
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
                    "Longread makes no connection unless you ask for a model. It sends no usage data, no crash reports "
                    "and nothing of your documents, questions or answers. Links in answers open only after you have "
                    "seen their whole address, and pictures in answers are never fetched."
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

    def set_connections(self, made: Sequence[Connected]) -> None:
        """Every connection since the start, oldest first."""
        if not made:
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
                self.tr("{size} received").format(size=quantities.size(connection.received)),
            )
            for column, text in enumerate(cells):
                self.connections.addWidget(
                    self.label(text, "" if column == 1 else "quiet", wrap=column == 2), row, column
                )

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
        """(what, where): "texts", "index", "conversations", "models", "settings" or "logs", and a file or folder."""
        names = {
            "texts": self.tr("Text of your documents"),
            "index": self.tr("Where words stand in them, for searching"),
            "conversations": self.tr("Conversations"),
            "models": self.tr("Models"),
            "settings": self.tr("Settings"),
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
