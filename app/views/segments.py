"""A row of choices of which one is on: presets and precisions. Arrow keys go from one to the next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QPushButton, QWidget

from app.views import theme


class Segments(QFrame):
    chosen = Signal(str)
    """By the person, with the choice's name."""

    def __init__(self, name: str, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "segments")
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QPushButton] = {}
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(1, 1, 1, 1)
        self._layout.setSpacing(0)

    def set_choices(self, choices: list[tuple[str, str, str]]) -> None:
        """(name, label, tooltip) each. The buttons are made anew only when the names change."""
        if [name for name, _, _ in choices] != list(self._buttons):
            for button in self._buttons.values():
                self._group.removeButton(button)
                self._layout.removeWidget(button)
                button.hide()
                button.deleteLater()
            self._buttons = {
                name: self._button(name, place, len(choices)) for place, (name, _, _) in enumerate(choices)
            }
        for name, label, tip in choices:
            self._buttons[name].setText(label)
            self._buttons[name].setToolTip(tip)
            self._buttons[name].setAccessibleName(f"{self.accessibleName()}: {label}")
            self._buttons[name].setAccessibleDescription(tip)

    def set_current(self, name: str | None) -> None:
        """None, or a name that is no choice: nothing is on."""
        self._group.setExclusive(False)
        for other, button in self._buttons.items():
            button.setChecked(other == name)
        self._group.setExclusive(True)

    def current(self) -> str | None:
        return next((name for name, button in self._buttons.items() if button.isChecked()), None)

    def button(self, name: str) -> QPushButton:
        return self._buttons[name]

    def names(self) -> list[str]:
        return list(self._buttons)

    def _button(self, name: str, place: int, count: int) -> QPushButton:
        button = QPushButton()
        button.setCheckable(True)
        button.setProperty("place", "first" if place == 0 else "last" if place == count - 1 else "middle")
        theme.set_role(button, "segment")
        button.clicked.connect(lambda: self.chosen.emit(name))
        self._group.addButton(button)
        self._layout.addWidget(button, 1)
        return button

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        names = self.names()
        focused = next((n for n, name in enumerate(names) if self._buttons[name].hasFocus()), None)
        if event.key() not in steps or focused is None:
            super().keyPressEvent(event)
            return
        target = min(max(focused + steps[event.key()], 0), len(names) - 1)
        if target != focused:
            self._buttons[names[target]].setFocus(Qt.FocusReason.TabFocusReason)
            self._buttons[names[target]].click()
