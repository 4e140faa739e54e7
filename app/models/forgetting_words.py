"""What a policy forgot of an answer's texts, in words: in a line the parts that lost most, in the details all."""

from PySide6.QtCore import QCoreApplication

from app.data.forgotten import worst_first, worst_of
from app.data.ledger import Ledger, LedgerForgotten, LedgerPruned
from app.data.policies import NAMES
from app.models import places, quantities, segment_words

NAMED = 8
"""Places that a line names at most."""
UNBROKEN = "\u00a0"
"""A space between words that stay on one line, as a page's and its number."""


def policy(name: str) -> str:
    """As its authors call it; one of a newer version by its code."""
    return NAMES.get(name) or name


def forgotten(pruned: LedgerPruned) -> str:
    """ "512 of 732 tokens (TriAttention)"; empty where nothing is gone."""
    if not pruned.forgotten:
        return ""
    total = quantities.tokens(pruned.rows + pruned.forgotten)
    return _tr("{n} of {tokens} ({policy})").format(
        n=quantities.number(pruned.forgotten), tokens=total, policy=policy(pruned.policy)
    )


def most(ledger: Ledger) -> str:
    """ "Most was forgotten of p. 9, pp. 3–5": places of which more is gone than of all that was read, those that lost
    most first."""
    pruned = ledger.pruned
    if pruned is None:
        return ""
    worst = worst_of(pruned)
    if not worst:
        return ""
    named = segment_words.names(ledger)
    said = ", ".join(_place(part, named) for part in worst[:NAMED])
    if len(worst) > NAMED:
        said = _tr("{places} and {n} more").format(places=said, n=quantities.number(len(worst) - NAMED))
    return _tr("Most was forgotten of {places}").format(places=said)


def every(ledger: Ledger) -> str:
    """ "p. 9: 98 %, pp. 3–5: 91 %": all places of which something is gone, those that lost most first."""
    if ledger.pruned is None:
        return ""
    named = segment_words.names(ledger)
    return ", ".join(f"{_place(part, named)}:{UNBROKEN}{_share(part)}" for part in worst_first(ledger.pruned))


def part(one: LedgerForgotten, named: dict[str, str]) -> str:
    """ "Page 9, 512 tokens, 98 % forgotten"."""
    where = places.whole(one.place)
    said = [f"{named[one.place.item]} {where}" if one.place.item in named else where]
    said.append(quantities.tokens(one.tokens))
    said.append(_tr("{share} forgotten").format(share=_share(one)))
    return ", ".join(said)


def _place(part: LedgerForgotten, named: dict[str, str]) -> str:
    where = places.short(part.place)
    if not part.place.file and part.place.unit == "page":
        where = where.replace(" ", UNBROKEN)
    return f"{named[part.place.item]} {where}" if part.place.item in named else where


def _share(part: LedgerForgotten) -> str:
    """100 % is said only of what is gone altogether, and 0 % of nothing."""
    return quantities.percent(max(part.share, 0.01)).replace(" ", UNBROKEN)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("forgetting_words", sentence)
