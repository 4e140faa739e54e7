"""Every library that the program is made of, with the words of its licence."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QPlainTextEdit, QSplitter, QWidget

from app.data.licence import Licence
from app.views.page import Page


class LicencesPage(Page):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(110, parent)
        self.set_title(self.tr("Licences"))
        self.told = self.label("", "small")
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Libraries"))
        self.text = QPlainTextEdit()
        self.text.setReadOnly(True)
        self.text.setAccessibleName(self.tr("The licence's words"))
        self._licences: tuple[Licence, ...] = ()
        both = QSplitter(Qt.Orientation.Horizontal)
        both.addWidget(self.list)
        both.addWidget(self.text)
        both.setStretchFactor(0, 2)
        both.setStretchFactor(1, 3)
        self.body.addWidget(self.told)
        self.body.addWidget(both, 1)
        self.list.currentRowChanged.connect(self._show)

    def set_licences(self, licences: tuple[Licence, ...]) -> None:
        self._licences = licences
        self.list.clear()
        for one in licences:
            self.list.addItem(QListWidgetItem(f"{one.name} {one.version} · {one.licence}"))
        if licences:
            said = self.tr("{n} libraries, each under a licence of its own.").format(n=len(licences))
        else:
            said = self.tr("The list of licences is missing from this installation.")
        self.told.setText(said)
        self.list.setCurrentRow(0)

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._licences):
            one = self._licences[row]
            none = self.tr("The library brings no text of its own; its licence is {licence}.")
            self.text.setPlainText("\n\n".join(one.texts) or none.format(licence=one.licence))
