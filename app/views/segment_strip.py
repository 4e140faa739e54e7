"""All segments of a text as a strip of cells: the stronger its colour, the better the question fits it.

Kept ones have a tick. Where every part of the text was asked, no segment is chosen and all are alike.
"""

from collections.abc import Sequence

from PySide6.QtWidgets import QWidget

from app.data.ledger import Ledger, LedgerSegment
from app.models import quantities, segment_words
from app.views.place_strip import PlaceStrip


def shades(segments: Sequence[LedgerSegment]) -> list[float | None]:
    """Of each segment from 0 (fits worst) to 1 (fits best), by its score among all; None: it was not asked."""
    scores = [one.score for one in segments if one.score is not None]
    least, most = min(scores, default=0.0), max(scores, default=0.0)
    span = most - least
    return [None if one.score is None else 1.0 if span == 0 else (most - one.score) / span for one in segments]


class SegmentStrip(PlaceStrip):
    def __init__(self, ledger: Ledger, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.explain(self.tr("Segments of the text"), self._explained(ledger))
        named = segment_words.names(ledger)
        covered = ledger.mode == "coverage"
        shaded = [0.4] * len(ledger.segments) if covered else shades(ledger.segments)
        for one, shade in zip(ledger.segments, shaded, strict=True):
            words = segment_words.segment(one, named, scored=not covered)
            self.add(words, shade, one.kept and not covered, one.places)
        self.begin_at(next((place for place, one in enumerate(ledger.segments) if one.kept), 0))

    def _explained(self, ledger: Ledger) -> str:
        if ledger.mode == "coverage":
            return self.tr("Every part of every segment was asked")
        said = [self.tr("The stronger the colour, the better the question fits the segment")]
        said.append(self.tr("✓ the answer was written over it"))
        unasked = sum(one.score is None for one in ledger.segments)
        if unasked:
            said.append(self.tr("outlined: not asked ({n})").format(n=quantities.number(unasked)))
        return " · ".join(said)
