"""What a key is limited to: everything, or only what is ticked in a list."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.views.segments import Segments
from app.views.settings_rows import Headline

SHOWN = 6
"""Rows that are in sight of a longer list."""


class Limit(QWidget):
    changed = Signal()

    def __init__(self, words: str, everything: str, only: str, parent: QWidget | None = None) -> None:
        """`everything` and `only`: what the two choices say."""
        super().__init__(parent)
        self.choice = Segments(words)
        self.choice.set_choices([("all", everything, ""), ("only", only, "")])
        self.choice.set_current("all")
        self.choice.chosen.connect(lambda _: self._show())
        self.list = QListWidget()
        self.list.setAccessibleName(words)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.itemChanged.connect(lambda _: self.changed.emit())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(Headline(words))
        layout.addWidget(self.choice)
        layout.addWidget(self.list)
        self._show()

    def set_choices(self, choices: Sequence[tuple[str, str]]) -> None:
        """(id, name) each."""
        self.list.clear()
        for id, name in choices:
            item = QListWidgetItem(name)
            item.setData(Qt.ItemDataRole.UserRole, id)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(Qt.CheckState.Unchecked)
            item.setToolTip(name)
            self.list.addItem(item)
        self.choice.button("only").setEnabled(bool(choices))
        self._fit()

    def chosen(self) -> tuple[str, ...]:
        """Ids that are ticked; none where everything is allowed."""
        if self.choice.current() == "all":
            return ()
        items = [self.list.item(row) for row in range(self.list.count())]
        return tuple(
            item.data(Qt.ItemDataRole.UserRole) for item in items if item.checkState() == Qt.CheckState.Checked
        )

    def complete(self) -> bool:
        """Nothing that is ticked must not come to mean everything."""
        return self.choice.current() == "all" or bool(self.chosen())

    def _fit(self) -> None:
        self.list.ensurePolished()
        rows = min(self.list.count(), SHOWN)
        self.list.setFixedHeight(rows * self.list.sizeHintForRow(0) + 2 * self.list.frameWidth() + 2)

    def _show(self) -> None:
        self._fit()
        self.list.setVisible(self.choice.current() == "only")
        self.changed.emit()
