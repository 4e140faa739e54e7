"""What the settings are laid out with: a name, a field and a quiet line that says what it does."""

from collections.abc import Iterable

import msgspec
from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.data.settings import Settings
from app.views import theme
from app.views.fields import Amount

FIELD = 28
"""Average characters that a field beside its name is wide."""


class Note(QLabel):
    """A quiet line, as tall as the longest of what it may say, so that nothing below it moves."""

    def __init__(self, role: str = "caption", parent: QWidget | None = None):
        super().__init__(parent)
        self._others: tuple[str, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeading)
        theme.set_role(self, role)

    def show_text(self, text: str, others: Iterable[str] = ()) -> None:
        """`others`: what may stand here instead, after another choice."""
        self._others = tuple(others)
        self.setText(text)
        self.updateGeometry()

    def set_role(self, role: str) -> None:
        theme.set_role(self, role)

    def heightForWidth(self, width: int) -> int:
        # the style sheet's font is the label's own only once it was polished
        self.ensurePolished()
        room = QRect(0, 0, width, 10_000)
        flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        metrics = self.fontMetrics()
        texts = [text for text in (self.text(), *self._others) if text]
        return max((metrics.boundingRect(room, flags, text).height() for text in texts), default=0)

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * FIELD, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * FIELD // 2, self.fontMetrics().height())


class Count(Amount):
    """A number, or None: then it says the words that it was made with."""

    chosen = Signal(object)
    """By the person: the amount, or None."""

    def __init__(self, unset: str, least: int, most: int, step: int, units: tuple[str, str] = ("", "")):
        """`units`: what is counted, in the singular and the plural, as they follow the number."""
        super().__init__()
        self._least, self._first = least, least
        self._units = units
        self.setRange(min(least - 1, 0), most)
        self.setSingleStep(step)
        self.setGroupSeparatorShown(True)
        self.setSpecialValueText(unset)
        self.setKeyboardTracking(False)
        self.setAccelerated(True)
        self.valueChanged.connect(self._tell)

    def amount(self) -> int | None:
        return None if self.value() == self.minimum() else self.value()

    def set_amount(self, amount: int | None, automatic: int | None = None) -> None:
        """No signal comes of it. `automatic`: what None comes to, where the arrows begin."""
        self._first = min(max(automatic or self._least, self._least), self.maximum())
        blocked = self.blockSignals(True)
        self.setValue(self.minimum() if amount is None else max(amount, self._least))
        self._count()
        self.blockSignals(blocked)

    def stepBy(self, steps: int) -> None:
        amount = self.amount()
        if amount is None:
            self.setValue(self._first if steps > 0 else self.minimum())
            return
        target = amount + steps * self.singleStep()
        if target < self._least:
            # the lowest amount comes before none at all, also where steps pass over it
            target = self._least if amount > self._least else self.minimum()
        self.setValue(target)

    def _tell(self) -> None:
        if self.minimum() < self.value() < self._least:
            self.setValue(self._least)  # too little was typed; this tells of itself
            return
        self._count()
        self.chosen.emit(self.amount())

    def _count(self) -> None:
        one, many = self._units
        if many:
            self.setSuffix(f" {one if self.amount() == 1 else many}")

    def fixup(self, text: str) -> str:
        """What was left half typed: nothing means None, and too little the least."""
        digits = "".join(letter for letter in text if letter.isdigit())
        if not digits:
            return str(self.minimum())
        return str(min(max(int(digits), self._least), self.maximum()))


class Row(QWidget):
    """A name and its field side by side; what `say` is given stands beneath, and describes the field to a reader."""

    def __init__(self, words: str, field: QWidget, role: str = "caption", parent: QWidget | None = None):
        super().__init__(parent)
        self.field = field
        self.label = QLabel(words)
        self.label.setBuddy(field)
        self.note = Note(role)
        self.note.hide()
        field.setAccessibleName(words)
        field.setFixedWidth(self.fontMetrics().averageCharWidth() * FIELD)
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setVerticalSpacing(3)
        layout.addWidget(self.label, 0, 0)
        layout.addWidget(field, 0, 1, Qt.AlignmentFlag.AlignRight)
        layout.addWidget(self.note, 1, 0, 1, 2)
        layout.setColumnStretch(0, 1)

    def say(self, text: str, others: Iterable[str] = ()) -> None:
        self.note.show_text(text, others)
        self.note.setVisible(True)
        self.field.setAccessibleDescription(text)


class Section(QWidget):
    """Some of the settings, one below the other."""

    changed = Signal(object)
    """The Settings with some of those in here changed by the person."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._settings = Settings()
        self._rows = QVBoxLayout(self)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(12)
        self._rows.addStretch(1)

    def add(self, *widgets: QWidget) -> None:
        """Widgets that belong together, close to each other."""
        group = QVBoxLayout()
        group.setSpacing(4)
        for widget in widgets:
            group.addWidget(widget)
        self._rows.insertLayout(self._rows.count() - 1, group)

    def _change(self, **fields: object) -> None:
        self._settings = msgspec.structs.replace(self._settings, **fields)
        self.changed.emit(self._settings)


class Headline(QWidget):
    """A name at the left and, at the right, what it stands at: the line over a slider or a row of choices."""

    def __init__(self, words: str = "", parent: QWidget | None = None):
        super().__init__(parent)
        self.words, self.standing = QLabel(words), QLabel()
        theme.set_role(self.standing, "small")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.words)
        layout.addStretch(1)
        layout.addWidget(self.standing)

    def say(self, text: str) -> None:
        self.standing.setText(text)

    def text(self) -> str:
        return self.standing.text()


def set_checked(box: QCheckBox, on: bool) -> None:
    """Without a signal."""
    blocked = box.blockSignals(True)
    box.setChecked(on)
    box.blockSignals(blocked)
