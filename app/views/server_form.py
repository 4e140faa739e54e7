"""One server as it is typed in: a name, an address, a key, and how long to wait."""

from msgspec.structs import replace
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.data.provider import TIMEOUT, Provider
from app.views import theme
from app.views.settings_rows import Count

LONGEST = 86_400


class ServerForm(QWidget):
    saved = Signal(object)
    """The `Provider` as it was typed."""
    tested = Signal(object)
    """Try this `Provider`; answer with `show_outcome`."""
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._before = Provider("", "")
        self.name, self.address, self.key, self.variable, self.models = (QLineEdit() for _ in range(5))
        self.key.setEchoMode(QLineEdit.EchoMode.Password)
        self.timeout = Count(self.tr("as usual"), 1, LONGEST, 60, (self.tr("second"), self.tr("seconds")))
        fields = QFormLayout()
        fields.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        for words, field, hint in (
            (self.tr("Name"), self.name, self.tr("a short name of your own")),
            (self.tr("Address"), self.address, self.tr("http://host:8000, with or without /v1")),
            (self.tr("Key"), self.key, self.tr("none, or the server's own")),
            (self.tr("or variable with it"), self.variable, self.tr("such as OPENAI_API_KEY")),
            (self.tr("Models"), self.models, self.tr("as the server lists them; or named here, with commas")),
        ):
            field.setPlaceholderText(hint)
            field.setAccessibleName(words)
            field.textChanged.connect(self._changed)
            fields.addRow(words, field)
        self.timeout.setAccessibleName(self.tr("Longest silence"))
        fields.addRow(self.tr("Longest silence"), self.timeout)
        self.note = QLabel(
            self.tr(
                "The key is kept in providers.json in the data folder, readable for you alone. A server may read a "
                "long text for minutes before its first word."
            )
        )
        self.outcome = QLabel()
        for label in (self.note, self.outcome):
            label.setWordWrap(True)
        theme.set_role(self.note, "small")
        self.test_button = QPushButton(self.tr("Test"))
        self.save_button = QPushButton(self.tr("Save"))
        self.leave_button = QPushButton(self.tr("Back"))
        theme.set_role(self.save_button, "primary")
        self.test_button.clicked.connect(lambda: self._test())
        self.save_button.clicked.connect(lambda: self.saved.emit(self.provider()))
        self.leave_button.clicked.connect(self.left)
        buttons = QHBoxLayout()
        buttons.addWidget(self.leave_button)
        buttons.addStretch(1)
        buttons.addWidget(self.test_button)
        buttons.addWidget(self.save_button)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addLayout(fields)
        layout.addWidget(self.note)
        layout.addWidget(self.outcome)
        layout.addStretch(1)
        layout.addLayout(buttons)

    def set_provider(self, provider: Provider) -> None:
        """An empty name begins a new one; the name of one that is kept stays as it is."""
        self._before = provider
        self.name.setText(provider.name)
        self.name.setReadOnly(bool(provider.name))
        self.address.setText(provider.base_url)
        self.key.setText(provider.api_key)
        self.variable.setText(provider.api_key_env)
        self.models.setText(", ".join(provider.models))
        usual = provider.timeout_seconds == TIMEOUT
        self.timeout.set_amount(None if usual else round(provider.timeout_seconds), round(TIMEOUT))
        self.show_outcome("", "small")

    def provider(self) -> Provider:
        names = (name.strip() for name in self.models.text().split(","))
        seconds = self.timeout.amount()
        return replace(
            self._before,
            name=self.name.text().strip(),
            base_url=self.address.text().strip(),
            api_key=self.key.text(),
            api_key_env=self.variable.text().strip(),
            models=tuple(dict.fromkeys(name for name in names if name)),
            timeout_seconds=TIMEOUT if seconds is None else float(seconds),
        )

    def show_outcome(self, said: str, role: str) -> None:
        """What a test came to, or why it cannot be saved."""
        theme.set_role(self.outcome, role)
        self.outcome.setText(said)
        self._changed()

    def _test(self) -> None:
        self.test_button.setEnabled(False)
        self.show_outcome(self.tr("Asking for its models and a tiny question…"), "small")
        self.test_button.setEnabled(False)
        self.tested.emit(self.provider())

    def _changed(self) -> None:
        whole = bool(self.name.text().strip() and self.address.text().strip())
        self.test_button.setEnabled(whole)
        self.save_button.setEnabled(whole)
