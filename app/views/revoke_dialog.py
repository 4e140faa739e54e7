"""Asks before a key is revoked: the program that uses it stops getting answers."""

from PySide6.QtWidgets import QWidget

from app.views.final_dialog import FinalDialog


class RevokeDialog(FinalDialog):
    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Revoke the key?"))
        self.ask(
            self.tr("Revoke the key “{name}”?").format(name=name),
            self.tr(
                "The program that uses it gets no answers from now on. The key stays in the list with what it did, and "
                "cannot be put in force again; make a new one instead."
            ),
            keep=self.tr("Keep it"),
            go=self.tr("Revoke it"),
        )
