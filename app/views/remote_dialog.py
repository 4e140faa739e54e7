"""Asks before the first words of a conversation go to a server, and says what goes and to whom."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.models import quantities
from app.views.final_dialog import FinalDialog
from app.views.library_notices import named


class RemoteDialog(FinalDialog):
    """`rejected` when nothing is to be sent."""

    def __init__(
        self, host: str, names: Sequence[str], *, local: bool, encrypted: bool, parent: QWidget | None = None
    ) -> None:
        """`names`: of the documents that go along. `local`: another program of this computer. `encrypted`: nobody on
        the way can read it."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Send this conversation?"))
        title = self.tr("Give this conversation to {host}?") if local else self.tr("Send this conversation to {host}?")
        self.ask(
            title.format(host=host),
            self._words(host, names, local, encrypted),
            keep=self.tr("Do not send"),
            go=self.tr("Give it") if local else self.tr("Send it"),
        )

    def _words(self, host: str, names: Sequence[str], local: bool, encrypted: bool) -> str:
        if local:
            told = [self.tr("The model is run by another program of this computer, {host}.").format(host=host)]
        else:
            told = [self.tr("It leaves this computer: the model runs at {host}.").format(host=host)]
        if names:
            one, many = (
                self.tr("{names} goes there whole, with your question."),
                self.tr("{names} ({n} documents) go there whole, with your question."),
            )
            said = one if len(names) == 1 else many
            told.append(said.format(names=named(names), n=quantities.number(len(names))))
        else:
            told.append(self.tr("Your question and what was said before go there."))
        if not local and not encrypted:
            told.append(self.tr("⚠ The address is http, not https: what is sent can be read on the way."))
        told.append(self.tr("What the server does with it is up to who runs it."))
        told.append(self.tr("You are asked once in each conversation."))
        return " ".join(told)
