"""Asks before a pack of gigabytes is downloaded, and says how large it is and where it comes from."""

from PySide6.QtWidgets import QWidget

from app.data.runtime import Offer
from app.models import quantities
from app.views.final_dialog import FinalDialog


class PackDialog(FinalDialog):
    def __init__(self, offer: Offer, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("A pack for the graphics card"))
        left = offer.size - offer.arrived
        asked = self.tr("Download {size} from {host}?") if left else self.tr("Install what was downloaded?")
        self.ask(
            asked.format(size=quantities.size(left), host=offer.host),
            self._words(offer),
            keep=self.tr("Do not download") if left else self.tr("Not now"),
            go=self.tr("Download") if left else self.tr("Install"),
        )

    def _words(self, offer: Offer) -> str:
        told = [self.tr("The pack {tag} is for NVIDIA cards.").format(tag=offer.tag)]
        if offer.arrived:
            told.append(self.tr("{size} of it are here already.").format(size=quantities.size(offer.arrived)))
        said = self.tr("Installed it takes {size} on this computer; what was downloaded is deleted then.")
        told.append(said.format(size=quantities.size(offer.unpacked)))
        if not offer.driver:
            told.append(
                self.tr("⚠ No driver of NVIDIA's was found on this computer. Without one the pack is of no use.")
            )
        told.append(self.tr("Nothing of yours is sent."))
        return " ".join(told)
