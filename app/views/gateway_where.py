"""Where the local API is served: its address, its port, who reaches it, and whether connections are encrypted."""

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.data.gateway import LOOPBACK, PORT, Served
from app.data.settings import Settings
from app.views import theme
from app.views.copy_button import CopyButton
from app.views.fields import Amount
from app.views.segments import Segments
from app.views.settings_rows import Headline, Note, Row

ANYWHERE = "0.0.0.0"
"""All addresses of this computer."""

LEAST, MOST = 1024, 65535
"""Ports below belong to the system."""


class GatewayWhere(QWidget):
    changed = Signal(object)
    """Settings as the person wants them; what is served is served anew with them."""
    open_asked = Signal()
    """The person wants others to reach it; they are asked whether they mean it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = Settings()
        self._wants_files = False
        """Own files were chosen and not named yet."""
        self.address = QLineEdit(readOnly=True)
        self.address.setFont(theme.font("code"))
        self.address.setAccessibleName(self.tr("Address of the local API"))
        self.copy_button = CopyButton(self.address.text, self.tr("the address"))
        self.forms = Note("small")
        self.others = Note("small")
        self.port = Amount()
        self.port.setRange(LEAST, MOST)
        self.port.setKeyboardTracking(False)
        self.port.editingFinished.connect(self._set_port)
        self.port_row = Row(self.tr("Port"), self.port)
        self.reach = Segments(self.tr("Who can reach it"))
        self.reach.set_choices(
            [
                ("here", self.tr("This computer alone"), self.tr("Only programs on this computer can connect")),
                ("network", self.tr("Your network"), self.tr("Other computers can connect, with a key")),
            ]
        )
        self.reach.chosen.connect(self._choose_reach)
        self.tls = Segments(self.tr("Encryption"))
        self.tls.set_choices(
            [
                ("own", self.tr("Made here"), self.tr("A certificate that Longread makes on this computer")),
                ("files", self.tr("My own"), self.tr("A certificate and its key, as PEM files")),
                ("none", self.tr("None"), self.tr("Keys, questions and answers can be read on their way")),
            ]
        )
        self.tls.chosen.connect(self._choose_tls)
        self.tls_note = Note("small")
        self.certificate = _File(self.tr("Certificate (PEM)"))
        self.key = _File(self.tr("Its private key (PEM)"))
        self.certificate.chosen.connect(lambda path: self._change(api_tls_certificate=path))
        self.key.chosen.connect(lambda path: self._change(api_tls_key=path))
        self.names = QLineEdit()
        self.names.setPlaceholderText(self.tr("such as ada.office.example"))
        self.names.editingFinished.connect(self._set_names)
        self.names_row = Row(self.tr("Names"), self.names)
        self.names_row.say(
            self.tr("Names by which other computers call this one, beside its addresses. Separate them by commas.")
        )
        self._network = QWidget()
        self._lay_out()
        self.show_settings(Settings(), Served())

    def _lay_out(self) -> None:
        first = QHBoxLayout()
        first.addWidget(self.address, 1)
        first.addWidget(self.copy_button)
        inside = QVBoxLayout(self._network)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(8)
        for widget in (Headline(self.tr("Encryption")), self.tls, self.tls_note, self.certificate, self.key):
            inside.addWidget(widget)
        inside.addWidget(self.names_row)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(first)
        layout.addWidget(self.forms)
        layout.addWidget(self.others)
        layout.addWidget(self.port_row)
        layout.addWidget(Headline(self.tr("Who can reach it")))
        layout.addWidget(self.reach)
        layout.addWidget(self._network)

    def show_settings(self, settings: Settings, served: Served) -> None:
        """`served.address`: where it is, or would be, for programs of this computer."""
        self._settings = settings
        address = served.address
        if self.address.text() != address:
            self.address.setText(address)
            self.address.setCursorPosition(0)
        forms = self.tr(
            "Programs want it in different forms; all of these are understood: {address}, and with /v1, /api or "
            "/api/v1 at its end."
        )
        self.forms.show_text(forms.format(address=address))
        others = self.tr("Other computers reach it at another address: {addresses}.")
        self.others.show_text(others.format(addresses=", ".join(served.others)))
        self.others.setVisible(bool(served.others))
        if not self.port.hasFocus():
            self.port.setValue(settings.api_port or PORT)
        network = settings.api_host != LOOPBACK
        self.reach.set_current("network" if network else "here")
        self._network.setVisible(network)
        chosen = self._chosen_tls(settings)
        self.tls.set_current(chosen)
        notes = {
            "own": self.tr(
                "Other computers must be told to trust the certificate; the settings for programs below name its file."
            ),
            "files": self.tr("For a name of your own, from an authority that those computers trust already."),
            "none": self.tr("⚠ Keys, questions and answers can be read by everybody on the way."),
        }
        self.tls_note.show_text(notes[chosen], notes.values())
        self.tls_note.set_role("small-warn" if chosen == "none" else "small")
        for file, path in ((self.certificate, settings.api_tls_certificate), (self.key, settings.api_tls_key)):
            file.setVisible(chosen == "files")
            file.show_path(path)
        if not self.names.hasFocus():
            self.names.setText(", ".join(settings.api_names))

    def open(self) -> None:
        """The person has said in so many words that others may reach it."""
        self._change(api_host=ANYWHERE, api_tls=True)

    def _chosen_tls(self, settings: Settings) -> str:
        if not settings.api_tls:
            return "none"
        if self._wants_files or settings.api_tls_certificate or settings.api_tls_key:
            return "files"
        return "own"

    def _choose_reach(self, name: str) -> None:
        if (name == "network") == (self._settings.api_host != LOOPBACK):
            return
        if name == "network":
            self.reach.set_current("here")  # until that is meant
            self.open_asked.emit()
        else:
            self._change(api_host=LOOPBACK, api_tls=False)

    def _choose_tls(self, name: str) -> None:
        self._wants_files = name == "files"
        if name == "files":
            self.tls.set_current(name)
            self.certificate.show()
            self.key.show()
            self._change(api_tls=True)
        else:
            self._change(api_tls=name == "own", api_tls_certificate="", api_tls_key="")

    def _set_port(self) -> None:
        self._change(api_port=self.port.value())

    def _set_names(self) -> None:
        said = (name.strip().lower() for name in self.names.text().split(","))
        self._change(api_names=tuple(dict.fromkeys(name for name in said if name)))

    def _change(self, **fields: object) -> None:
        wanted = replace(self._settings, **fields)
        if wanted != self._settings:
            self.changed.emit(wanted)


class _File(QWidget):
    """A file's path, and a button that asks for one."""

    chosen = Signal(str)

    def __init__(self, words: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.path = QLineEdit()
        self.path.editingFinished.connect(lambda: self.chosen.emit(self.path.text().strip()))
        button = QPushButton(self.tr("Choose…"))
        button.setAccessibleName(self.tr("Choose a file: {what}").format(what=words))
        button.setAutoDefault(False)
        button.clicked.connect(self._ask)
        row = QWidget()
        inside = QHBoxLayout(row)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.addWidget(self.path, 1)
        inside.addWidget(button)
        row.setFocusProxy(self.path)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(Row(words, row))
        self.path.setAccessibleName(words)

    def show_path(self, path: str) -> None:
        if not self.path.hasFocus():
            self.path.setText(path)

    def _ask(self) -> None:
        asking = QFileDialog(self, self._words)
        asking.setFileMode(QFileDialog.FileMode.ExistingFile)
        asking.fileSelected.connect(self.path.setText)
        asking.fileSelected.connect(self.chosen)
        asking.finished.connect(asking.deleteLater)
        asking.open()
