"""Every shortcut, by its action's own words; and what Longread is."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from app.views.page import Page


class ShortcutsPage(Page):
    """`actions` of the window; keys of single widgets are listed after them."""

    def __init__(self, actions: Mapping[str, QAction], parent: QWidget | None = None):
        super().__init__(62, parent)
        self.set_title(self.tr("Shortcuts"))
        self.rows: list[tuple[str, str]] = []
        self._grid(self.tr("EVERYWHERE"), [(self._words(action), self._keys(action)) for action in actions.values()])
        keys = {name: QKeySequence(name).toString(QKeySequence.SequenceFormat.NativeText) for name in _KEYS}
        self._grid(
            self.tr("IN LISTS"),
            [
                (self.tr("Rename a conversation or a matter"), keys["F2"]),
                (self.tr("Remove, or take out of a matter, with a way back"), keys["Del"]),
                (self.tr("Fold or unfold a matter"), self.tr(" or ").join((keys["Right"], keys["Left"]))),
                (self.tr("Forget the reading of a document"), keys["Shift+Del"]),
                (self.tr("Open"), keys["Return"]),
            ],
        )
        self._grid(
            self.tr("BEFORE READING"),
            [
                (self.tr("Read in full"), keys["Return"]),
                (self.tr("Include or leave out an item"), keys["Space"]),
                (self.tr("List what is left out of an item"), keys["Right"]),
                (self.tr("Cancel"), keys["Esc"]),
            ],
        )
        self.body.addStretch(1)

    def _grid(self, title: str, rows: Sequence[tuple[str, str]]) -> None:
        self.body.addWidget(self.label(title, "section"))
        grid = QGridLayout()
        grid.setColumnStretch(0, 1)
        grid.setVerticalSpacing(6)
        for words, keys in rows:
            if not keys:
                continue
            place = grid.rowCount()
            grid.addWidget(self.label(words), place, 0)
            grid.addWidget(self.label(keys, "quiet"), place, 1)
            self.rows.append((words, keys))
        self.body.addLayout(grid)
        self.body.addSpacing(8)

    def _words(self, action: QAction) -> str:
        return action.text().replace("&", "").rstrip("…")

    def _keys(self, action: QAction) -> str:
        native = QKeySequence.SequenceFormat.NativeText
        return self.tr(" or ").join(keys.toString(native) for keys in action.shortcuts())


_KEYS = ("F2", "Del", "Shift+Del", "Return", "Space", "Right", "Left", "Esc")


class AboutPage(Page):
    licences = Signal()

    def __init__(self, version: str, parent: QWidget | None = None):
        super().__init__(62, parent)
        self.set_title(self.tr("About Longread"))
        self.body.addWidget(self.label("Longread", "display"))
        self.body.addWidget(self.label(self.tr("Version {version}").format(version=version), "quiet"))
        for text in (
            self.tr("Private, long-context chat over whole books, contracts and code, on your own computer."),
            self.tr("Free software under the Apache License 2.0. Each model has a licence of its own, "
            "named in the list of models."),
            self.tr("Built on Qt and PySide6 (LGPL-3.0), PyTorch, tokenizers, PDFium, SQLite and other free software."),
        ):  # fmt: skip
            self.body.addWidget(self.label(text))
        self.licences_button = QPushButton(self.tr("Licences of all libraries…"))
        self.licences_button.clicked.connect(self.licences)
        self.body.addWidget(self.licences_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.body.addStretch(1)
