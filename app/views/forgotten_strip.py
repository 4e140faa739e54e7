"""What a policy forgot of a text as a strip of cells: the stronger a part's colour, the more of it is gone."""

from PySide6.QtWidgets import QWidget

from app.data.forgotten import worst_first
from app.data.ledger import Ledger
from app.models import forgetting_words, segment_words
from app.views.place_strip import PlaceStrip


class ForgottenStrip(PlaceStrip):
    """Those that lost most come first."""

    def __init__(self, ledger: Ledger, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        legend = self.tr(
            "The stronger the colour, the more of the place was forgotten; those that lost most come first"
        )
        self.explain(self.tr("What was forgotten"), legend)
        named = segment_words.names(ledger)
        for part in worst_first(ledger.pruned) if ledger.pruned is not None else ():
            self.add(forgetting_words.part(part, named), part.share, False, (part.place,))
        self.begin_at(0)
