"""The segments of a text that was read in parallel, in words: what an answer was written over, and each by itself."""

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from app.data.ledger import Ledger, LedgerPlace, LedgerSegment
from app.models import places, quantities

NAMED = 8
"""Segments that a line names at most."""


def names(ledger: Ledger) -> dict[str, str]:
    """Of the ledger's documents by item, where there are several: one needs no naming."""
    return {each.id: each.name for each in ledger.documents} if len(ledger.documents) > 1 else {}


def written_over(ledger: Ledger) -> str:
    """ "this answer was written over segments 4, 9, 17 (pp. 31–38, 80–87, 150–157)"; empty where none was chosen."""
    kept = [segment for segment in ledger.segments if segment.kept]
    if not kept or ledger.mode == "coverage":
        return ""
    numbers = ", ".join(quantities.number(segment.number) for segment in kept[:NAMED])
    if len(kept) > NAMED:
        numbers = _tr("{segments} and {n} more").format(segments=numbers, n=quantities.number(len(kept) - NAMED))
    where = _where(kept[:NAMED], names(ledger))
    one, many = (
        _tr("This answer was written over segment {numbers} ({where})"),
        _tr("This answer was written over segments {numbers} ({where})"),
    )
    return (one if len(kept) == 1 else many).format(numbers=numbers, where=where)


def segment(one: LedgerSegment, named: dict[str, str], scored: bool = True) -> str:
    """ "Segment 9, pages 40 to 47, 1,980 tokens, 1.81 nats, kept". `scored`: segments were chosen by their scores."""
    said = [_tr("Segment {n}").format(n=quantities.number(one.number))]
    said += [_place(place, named) for place in one.places]
    said.append(quantities.tokens(one.tokens))
    if not scored:
        return ", ".join(said)
    if one.score is None:
        said.append(_tr("not asked"))
    else:
        said.append(_tr("{n} nats").format(n=quantities.decimal(one.score, 2)))
    if one.kept and 0 < one.rows < one.tokens:
        said.append(_tr("kept, {rows} of its rows").format(rows=quantities.number(one.rows)))
    elif one.kept:
        said.append(_tr("kept"))
    return ", ".join(said)


def _place(place: LedgerPlace, named: dict[str, str]) -> str:
    name = named.get(place.item)
    return places.whole(place) if name is None else f"{name} {places.whole(place)}"


def _where(kept: Sequence[LedgerSegment], named: dict[str, str]) -> str:
    """The kept segments' places, document by document."""
    by_item: dict[str, list[LedgerPlace]] = {}
    for one in kept:
        for place in one.places:
            by_item.setdefault(place.item, []).append(place)
    said = []
    for item, held in by_item.items():
        where = places.together(held)
        said.append(f"{named[item]} {where}" if item in named else where)
    return "; ".join(said)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("segment_words", sentence)
