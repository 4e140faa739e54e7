"""Asks before the local API is opened to the network, and says what that means."""

from PySide6.QtWidgets import QWidget

from app.views.final_dialog import FinalDialog


class OpenDialog(FinalDialog):
    def __init__(self, keys: int, parent: QWidget | None = None) -> None:
        """`keys`: how many are in force."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Open to your network?"))
        self.ask(
            self.tr("Let other computers reach the local API?"),
            self._words(keys),
            keep=self.tr("Keep it to this computer"),
            go=self.tr("Open it to the network"),
        )

    def _words(self, keys: int) -> str:
        told = [
            self.tr(
                "Now only programs on this computer can connect. Open, every device in your network can: colleagues, "
                "guests in the same Wi-Fi, and the internet where a router passes it on."
            ),
            self.tr(
                "Whoever has a key gets answers written from your documents, and can read in them what the key allows. "
                "Without a key nobody gets an answer."
            ),
            self.tr(
                "Connections will be encrypted with a certificate that Longread makes here; you can choose another "
                "one, or none, afterwards."
            ),
        ]
        if not keys:
            told.append(self.tr("There is no key yet."))
        return "\n\n".join(told)
