"""What a program is told so that it asks the local API, ready to be copied."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app import gateway_words
from app.data.snippet import Snippet
from app.models.spoken import spoken
from app.views import announce, theme
from app.views.copy_button import CopyButton
from app.views.fields import Choice
from app.views.settings_rows import Note


class Snippets(QWidget):
    changed = Signal()
    """Another key or model is to be written; answer with `set_snippets`."""
    saved = Signal()
    """A settings.json with these is to be written to a file."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._snippets: dict[str, Snippet] = {}
        self.tool = Choice()
        self.tool.setAccessibleName(self.tr("Program"))
        self.tool.activated.connect(lambda _: self._show())
        self.model = Choice()
        self.model.setAccessibleName(self.tr("Model"))
        self.model.setMinimumContentsLength(16)
        self.model.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.model.activated.connect(lambda _: self.changed.emit())
        self.key = QLineEdit()
        self.key.setEchoMode(QLineEdit.EchoMode.PasswordEchoOnEdit)
        self.key.setPlaceholderText(self.tr("paste its secret"))
        self.key.setAccessibleName(self.tr("Key"))
        self.key.textChanged.connect(lambda _: self.changed.emit())
        self.note = Note("small")
        self.text = QPlainTextEdit(readOnly=True)
        self.text.setFont(theme.font("code"))
        self.text.setTabChangesFocus(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        theme.set_role(self.text, "field")
        self.copy_button = CopyButton(self.text.toPlainText, self.tr("the settings"))
        self.save_button = QPushButton(self.tr("Save a settings.json…"))
        self.save_button.setAutoDefault(False)
        self.save_button.setToolTip(self.tr("Address, key, models and time-out, for programs that read such a file"))
        self.save_button.clicked.connect(self.saved)
        fields = QGridLayout()
        fields.setHorizontalSpacing(12)
        fields.setVerticalSpacing(4)
        for column, (words, field) in enumerate(
            ((self.tr("Program"), self.tool), (self.tr("Model"), self.model), (self.tr("Key"), self.key))
        ):
            label = QLabel(words)
            label.setBuddy(field)
            fields.addWidget(label, 0, column)
            fields.addWidget(field, 1, column)
            fields.setColumnStretch(column, 1)
        self.saved_note = QLabel()
        self.saved_note.setWordWrap(True)
        self.saved_note.setTextFormat(Qt.TextFormat.PlainText)
        theme.set_role(self.saved_note, "small")
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.copy_button)
        buttons.addWidget(self.save_button)
        buttons.addWidget(self.saved_note, 1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(fields)
        layout.addWidget(self.note)
        layout.addWidget(self.text)
        layout.addLayout(buttons)

    def set_models(self, names: Sequence[str]) -> None:
        """Those that programs can ask, the usual one first."""
        now = self.model.currentText()
        if [self.model.itemText(row) for row in range(self.model.count())] == list(names):
            return
        self.model.clear()
        self.model.addItems(list(names))
        self.model.setCurrentIndex(max(self.model.findText(now), 0))

    def set_snippets(self, snippets: Sequence[Snippet]) -> None:
        if list(self._snippets) != [one.tool for one in snippets]:
            self.tool.clear()
            for one in snippets:
                self.tool.addItem(one.title, one.tool)
        self._snippets = {one.tool: one for one in snippets}
        self._show()

    def show_saved(self, file: str, variable: str) -> None:
        """`variable`: what the file names in the place of a key; empty: it holds the key."""
        said = self.tr("{file} is saved, readable for you alone: it holds the key.")
        if variable:
            said = self.tr("{file} is saved; the key is taken from the variable {variable}.")
        self.saved_note.setText(said.format(file=file, variable=variable))
        announce.politely(self, self.saved_note.text())

    def _show(self) -> None:
        chosen = self._snippets.get(self.tool.currentData())
        if chosen is None:
            return
        notes = {tool: spoken(gateway_words.TOOLS, tool) for tool in self._snippets}
        self.note.show_text(notes[chosen.tool], notes.values())
        self.text.setAccessibleName(self.tr("Settings for {program}").format(program=chosen.title))
        if self.text.toPlainText() != chosen.text:
            self.text.setPlainText(chosen.text.rstrip("\n"))
        # as tall as the longest of them, so that nothing below it moves
        lines = max(one.text.count("\n") for one in self._snippets.values())
        self.text.setFixedHeight(self.text.fontMetrics().lineSpacing() * (lines + 1) + 24)
