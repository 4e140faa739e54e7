"""Asks once before documents are deleted for good, and says what goes and what stays."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.models import quantities
from app.views.final_dialog import FinalDialog
from app.views.library_notices import named


class DeleteDialog(FinalDialog):
    def __init__(
        self,
        names: Sequence[str],
        *,
        texts: int,
        on_disk: int,
        matters: Sequence[str],
        conversations: int,
        parent: QWidget | None = None,
    ) -> None:
        """`texts`: characters. `on_disk`: bytes of readings. `conversations`: in how many they were asked about."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Delete for good?"))
        self.ask(
            self.tr("Delete {names} for good?").format(names=named(names)),
            self._words(texts, on_disk, matters, conversations),
            keep=self.tr("Keep"),
            go=self.tr("Delete for good"),
        )

    def _words(self, texts: int, on_disk: int, matters: Sequence[str], conversations: int) -> str:
        told = [
            self.tr("The kept text ({n} characters) goes, and what the search knows of it.").format(
                n=quantities.number(texts)
            )
        ]
        if on_disk:
            size = quantities.size(on_disk)
            told.append(self.tr("What was read of it goes: {size} on the disk.").format(size=size))
        if matters:
            told.append(self.tr("It leaves these matters: {names}.").format(names=named(matters)))
        told.append(self.tr("The original files are not touched."))
        if conversations == 1:
            told.append(self.tr("1 conversation about it stays, with what it quotes, and goes on without it."))
        elif conversations:
            said = self.tr("{n} conversations about it stay, with what they quote, and go on without it.")
            told.append(said.format(n=quantities.number(conversations)))
        return " ".join([*told, self.tr("This cannot be undone.")])
