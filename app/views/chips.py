"""The documents that a question is about, as chips: name, how far each is read, and a button that takes it away."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.data.document import Item
from app.models import quantities
from app.views import theme
from app.views.flow import FlowLayout
from app.views.icons import IconButton

WIDEST_NAME = 30
"""Letters; longer names lose their middle, so that the ending stays."""


class Chip(QFrame):
    """One document. `fraction`: how much of it is read, None when nothing is being read of it."""

    removed = Signal(str)

    def __init__(self, item: Item, fraction: float | None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.item = item
        theme.set_role(self, "chip")
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        remove = IconButton("x", self.tr("Remove {name}").format(name=item.name), parent=self, scale=0.8)
        remove.clicked.connect(lambda: self.removed.emit(item.id))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 0, 2, 0)
        layout.setSpacing(2)
        layout.addWidget(self._label)
        layout.addWidget(remove)
        self.set_fraction(fraction)

    def set_fraction(self, fraction: float | None) -> None:
        width = self.fontMetrics().averageCharWidth() * WIDEST_NAME
        name = self.fontMetrics().elidedText(self.item.name, Qt.TextElideMode.ElideMiddle, width)
        reading = fraction is not None and fraction < 1
        self._label.setText(f"{name} {quantities.percent(fraction)}" if reading else name)
        theme.set_role(self._label, "small-accent" if reading else "small-ink")
        words = [self.item.name]
        if self.item.tokens is not None:
            words.append(quantities.tokens(self.item.tokens))
        if reading:
            words.append(self.tr("{percent} read").format(percent=quantities.percent(fraction)))
        self.setToolTip(" · ".join(words))
        self.setAccessibleName(", ".join(words))


class Chips(QWidget):
    removed = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._flow = FlowLayout(self)
        self._chips: dict[str, Chip] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setAccessibleName(self.tr("Attached documents"))
        self.hide()

    def focus_first(self) -> None:
        """To the first document's remove button."""
        for chip in self._chips.values():
            chip.findChild(IconButton).setFocus(Qt.FocusReason.OtherFocusReason)
            return

    def set_attachments(self, attachments: list[tuple[Item, float | None]]) -> None:
        """Chips are kept while the documents stay the same, so that progress never takes the focus away."""
        if [item.id for item, _ in attachments] != list(self._chips):
            self._flow.clear()
            self._chips = {}
            for item, fraction in attachments:
                chip = Chip(item, fraction, self)
                chip.removed.connect(self.removed)
                self._flow.addWidget(chip)
                self._chips[item.id] = chip
                chip.show()
        for item, fraction in attachments:
            self._chips[item.id].set_fraction(fraction)
        self.setVisible(bool(attachments))
        self.updateGeometry()
