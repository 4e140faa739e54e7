"""Servers on other computers: those that are known, and one of them to be typed in and tried."""

from collections.abc import Sequence

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.data.provider import Provider
from app.models import quantities
from app.views import theme
from app.views.server_form import ServerForm


class ShownProxy(Struct, frozen=True):
    """A variable that names a proxy, the proxy, and whether it answers."""

    variable: str
    address: str
    answers: bool


class ServersDialog(QDialog):
    removed = Signal(str)
    """Forget this server (its name) and its key."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models on other computers"))
        note = QLabel(
            self.tr(
                "Servers that speak OpenAI's protocol: SGLang, vLLM, llama.cpp, or Longread on another computer. "
                "Nothing is connected until you test one or ask one, and you are asked before a conversation is first "
                "sent."
            )
        )
        note.setWordWrap(True)
        theme.set_role(note, "small")
        self._list = QWidget()
        self._rows = QVBoxLayout(self._list)
        self._rows.setContentsMargins(0, 0, 8, 0)
        self._rows.addStretch(1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(self._list)
        self.proxies = QLabel()
        self.proxies.setWordWrap(True)
        theme.set_role(self.proxies, "small")
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        theme.set_role(self.problem, "bad")
        self.add_button = QPushButton(self.tr("Add a server…"))
        self.close_button = QPushButton(self.tr("Close"))
        theme.set_role(self.add_button, "primary")
        self.add_button.clicked.connect(lambda: self.edit(Provider("", "")))
        self.close_button.clicked.connect(self.close)
        buttons = QHBoxLayout()
        buttons.addWidget(self.add_button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        known = QWidget()
        layout = QVBoxLayout(known)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        for widget in (self.problem, scroll, self.proxies):
            layout.addWidget(widget, 1 if widget is scroll else 0)
        layout.addLayout(buttons)
        self.form = ServerForm()
        self.form.left.connect(self.show_list)
        self.pages = QStackedWidget()
        self.pages.addWidget(known)
        self.pages.addWidget(self.form)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(22, 18, 22, 18)
        whole.setSpacing(12)
        whole.addWidget(note)
        whole.addWidget(self.pages, 1)
        for button in self.findChildren(QPushButton):
            button.setAutoDefault(False)
        wide = self.fontMetrics().averageCharWidth()
        self.resize(wide * 88, wide * 62)
        self.show_problem("")

    def set_providers(self, providers: Sequence[Provider]) -> None:
        while self._rows.count() > 1:
            row = self._rows.takeAt(0).widget()
            row.hide()
            row.deleteLater()
        for place, provider in enumerate(providers):
            row = ServerRow(provider)
            row.edited.connect(lambda provider=provider: self.edit(provider))
            row.removed.connect(lambda name=provider.name: self.removed.emit(name))
            self._rows.insertWidget(place, row)
        if not providers:
            self._rows.insertWidget(0, QLabel(self.tr("No servers yet.")))

    def set_proxies(self, proxies: Sequence[ShownProxy]) -> None:
        """The variables for proxies, and that they do not matter for this computer's own addresses."""
        told = [
            self.tr("{variable} names {address}; something answers there.").format(
                variable=one.variable, address=one.address
            )
            if one.answers
            else self.tr("⚠ {variable} names {address}, where nothing answers.").format(
                variable=one.variable, address=one.address
            )
            for one in proxies
        ]
        if told:
            told.append(
                self.tr(
                    "Addresses of this computer are reached past any proxy; other servers through it, unless NO_PROXY "
                    "names them."
                )
            )
        self.proxies.setText(" ".join(told))
        self.proxies.setVisible(bool(told))

    def edit(self, provider: Provider) -> None:
        self.form.set_provider(provider)
        self.pages.setCurrentWidget(self.form)
        (self.form.address if provider.name else self.form.name).setFocus()

    def show_list(self) -> None:
        self.pages.setCurrentIndex(0)

    def show_problem(self, sentence: str) -> None:
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))

    def rows(self) -> list["ServerRow"]:
        return [
            row
            for place in range(self._rows.count())
            if isinstance(row := self._rows.itemAt(place).widget(), ServerRow)
        ]


class ServerRow(QFrame):
    edited = Signal()
    removed = Signal()

    def __init__(self, provider: Provider, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        theme.set_role(self, "row")
        title, facts = QLabel(provider.name), QLabel(self._facts(provider))
        theme.set_role(title, "heading")
        theme.set_role(facts, "small")
        facts.setWordWrap(True)
        facts.setTextFormat(Qt.TextFormat.PlainText)
        told = QVBoxLayout()
        told.setSpacing(2)
        told.addWidget(title)
        told.addWidget(facts)
        self.edit_button = QPushButton(self.tr("Edit and test…"))
        self.remove_button = QPushButton(self.tr("Remove"))
        self.edit_button.clicked.connect(self.edited)
        self.remove_button.clicked.connect(self.removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(4, 10, 4, 10)
        layout.setSpacing(8)
        layout.addLayout(told, 1)
        for button in (self.edit_button, self.remove_button):
            button.setAutoDefault(False)
            button.setAccessibleName(f"{button.text()}: {provider.name}")
            layout.addWidget(button)

    def _facts(self, provider: Provider) -> str:
        count = len(provider.models)
        models = self.tr("1 model") if count == 1 else self.tr("{n} models").format(n=quantities.number(count))
        if provider.api_key_env:
            key = self.tr("key in {variable}").format(variable=provider.api_key_env)
        else:
            key = self.tr("key kept here") if provider.api_key else self.tr("no key")
        return " · ".join((provider.base_url, models if count else self.tr("models not listed yet"), key))
