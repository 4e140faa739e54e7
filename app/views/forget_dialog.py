"""Asks once before a reading is forgotten for good, and says what that means."""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.models import quantities
from app.views.final_dialog import FinalDialog


class ForgetDialog(FinalDialog):
    def __init__(
        self,
        name: str,
        on_disk: int,
        seconds: float | None = None,
        others: Sequence[str] = (),
        parent: QWidget | None = None,
    ) -> None:
        """`on_disk`: bytes that become free. `seconds`: to read it again, where known. `others`: names of documents
        that were read together with it, so that their readings go as well."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Forget this reading?"))
        self.ask(
            self.tr("Forget what was read of {name}?").format(name=name),
            self._words(on_disk, seconds, others),
            keep=self.tr("Keep it"),
            go=self.tr("Forget this reading"),
        )

    def _words(self, on_disk: int, seconds: float | None, others: Sequence[str]) -> str:
        if on_disk:
            size = quantities.size(on_disk)
            said = [self.tr("It leaves memory, and {size} on the disk are deleted for good.").format(size=size)]
        else:
            said = [self.tr("It leaves memory; nothing of it is on the disk.")]
        if others:
            both = self.tr("What was read together with it goes too: {names}.").format(names=", ".join(others))
            said.append(both)
        kept = self.tr("The document and your conversations stay.")
        if seconds is None:
            again = self.tr("The next question about it reads it again.")
        else:
            again = self.tr("The next question about it reads it again, which takes about {time}.")
            again = again.format(time=quantities.roughly(seconds))
        return " ".join([*said, kept, again, self.tr("This cannot be undone.")])
