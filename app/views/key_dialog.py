"""Makes a key: first what it is for and may do, then its secret, once."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from app.data.key import Key, NewKey
from app.views import announce, theme
from app.views.copy_button import CopyButton
from app.views.limit import Limit
from app.views.settings_rows import Count, Note, Row

DAILY_LEAST, DAILY_STEP = 1_000, 10_000
DAILY_MOST = 2_000_000_000


class KeyDialog(QDialog):
    wanted = Signal(object)
    """A `NewKey`; answer with `show_secret` or `show_problem`."""

    def __init__(
        self, models: Sequence[str], documents: Sequence[tuple[str, str]], parent: QWidget | None = None
    ) -> None:
        """`models`: names that clients may use. `documents`: (id, name) of the library's."""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("New key"))
        self.name = QLineEdit()
        self.name.setAccessibleName(self.tr("What the key is for"))
        self.name.setPlaceholderText(self.tr("such as the name of the program that will use it"))
        self.name.textChanged.connect(self._show)
        self.models = Limit(self.tr("Models"), self.tr("All models"), self.tr("Only these"))
        self.models.set_choices([(name, name) for name in models])
        self.documents = Limit(self.tr("Documents"), self.tr("All documents"), self.tr("Only these"))
        self.documents.set_choices(documents)
        self.remote = QCheckBox(self.tr("It may also ask engines on other computers"))
        self.remote_note = Note("small")
        self.remote_note.show_text(
            self.tr("What the program sends to them, and documents it names, leave this computer.")
        )
        self.remote.setAccessibleDescription(self.remote_note.text())
        tokens = (self.tr("token"), self.tr("tokens"))
        self.daily = Count(self.tr("no limit"), DAILY_LEAST, DAILY_MOST, DAILY_STEP, tokens)
        self.daily_row = Row(self.tr("Limit a day"), self.daily)
        self.daily_row.say(self.tr("Tokens of prompts and answers from midnight to midnight; then it is refused."))
        self.problem = QLabel()
        self.problem.setWordWrap(True)
        theme.set_role(self.problem, "bad")
        self.problem.hide()
        self.make_button = QPushButton(self.tr("Make the key"))
        theme.set_role(self.make_button, "primary")
        self.make_button.setDefault(True)
        self.make_button.clicked.connect(self._ask)
        self.cancel_button = QPushButton(self.tr("Cancel"))
        self.cancel_button.setAutoDefault(False)
        self.cancel_button.clicked.connect(self.reject)
        for limit in (self.models, self.documents):
            limit.changed.connect(self._show)
        self._lay_out()
        self._show()
        self.name.setFocus()

    def _lay_out(self) -> None:
        self._form = QWidget()
        form = QVBoxLayout(self._form)
        form.setContentsMargins(0, 0, 0, 0)
        form.setSpacing(12)
        form.addWidget(self.name)
        form.addWidget(self.models)
        form.addWidget(self.documents)
        remote = QVBoxLayout()
        remote.setSpacing(2)
        remote.addWidget(self.remote)
        remote.addWidget(self.remote_note)
        form.addLayout(remote)
        form.addWidget(self.daily_row)
        form.addStretch(1)
        form.addWidget(self.problem)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.make_button)
        form.addLayout(buttons)
        self._made = QWidget()
        self._made.hide()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 18, 22, 16)
        layout.addWidget(self._form)
        layout.addWidget(self._made)
        self.setMinimumWidth(self.fontMetrics().averageCharWidth() * 74)

    def show_problem(self, sentence: str) -> None:
        """Why there is no such key; what was entered stays."""
        self.problem.setText(sentence)
        self.problem.setVisible(bool(sentence))
        announce.politely(self, sentence)

    def show_secret(self, key: Key, secret: str) -> None:
        """In the place of the form, until the dialog is closed; it cannot be shown again."""
        title = QLabel(self.tr("The key “{name}” is made").format(name=key.name))
        theme.set_role(title, "title")
        told = QLabel(
            self.tr(
                "This is its secret. Copy it now: it is shown this once, and only a hash of it is kept. If it is lost, "
                "revoke the key and make another."
            )
        )
        for label in (title, told):
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setWordWrap(True)
        self.secret = QLineEdit(secret, readOnly=True)
        self.secret.setFont(theme.font("code"))
        self.secret.setAccessibleName(self.tr("The secret of the key"))
        self.secret.setMinimumWidth(self.secret.fontMetrics().horizontalAdvance(secret) + 40)
        self.secret.setCursorPosition(0)
        self.copy_button = CopyButton(lambda: secret, self.tr("the secret"))
        self.close_button = QPushButton(self.tr("Close"))
        self.close_button.setAutoDefault(False)
        self.close_button.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.secret, 1)
        row.addWidget(self.copy_button)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        made = QVBoxLayout(self._made)
        made.setContentsMargins(0, 0, 0, 0)
        made.setSpacing(12)
        made.addWidget(title)
        made.addWidget(told)
        made.addLayout(row)
        made.addLayout(buttons)
        self._form.hide()
        self._made.show()
        self.setWindowTitle(self.tr("New key"))
        self.copy_button.setFocus()
        self.adjustSize()
        announce.politely(self, told.text())

    def event(self, event: QEvent) -> bool:
        """A list that is unfolded makes the dialog taller, as far as it needs."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.resize(self.width(), max(self.height(), self.layout().totalHeightForWidth(self.width())))
        return handled

    def _ask(self) -> None:
        self.show_problem("")
        self.wanted.emit(
            NewKey(
                self.name.text(),
                self.models.chosen(),
                self.documents.chosen(),
                self.remote.isChecked(),
                self.daily.amount(),
            )
        )

    def _show(self) -> None:
        complete = self.models.complete() and self.documents.complete()
        self.make_button.setEnabled(bool(self.name.text().strip()) and complete)
        self.make_button.setToolTip("" if complete else self.tr("Tick what it may use, or allow everything"))
