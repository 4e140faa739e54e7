"""Which parts of an answer's texts lost most to a policy."""

from collections.abc import Iterator

from msgspec.structs import replace

from app.data.ledger import LedgerForgotten, LedgerPruned


def worst_first(pruned: LedgerPruned) -> list[LedgerForgotten]:
    """Parts of the same pages as one; of those that lost as much the first."""
    return sorted(_joined(pruned), key=lambda part: -part.share)


def worst_of(pruned: LedgerPruned) -> list[LedgerForgotten]:
    """Those of which at least as much is gone as of all that was read; none where nothing is gone."""
    if not pruned.forgotten:
        return []
    mean = pruned.forgotten / (pruned.rows + pruned.forgotten)
    return [part for part in worst_first(pruned) if part.share >= mean]


def _joined(pruned: LedgerPruned) -> Iterator[LedgerForgotten]:
    held: LedgerForgotten | None = None
    for part in pruned.parts:
        if held is not None and _alike(held, part):
            tokens = held.tokens + part.tokens
            share = (held.tokens * held.share + part.tokens * part.share) / max(tokens, 1)
            held = LedgerForgotten(replace(held.place, end=part.place.end), tokens, share)
            continue
        if held is not None:
            yield held
        held = part
    if held is not None:
        yield held


def _alike(one: LedgerForgotten, other: LedgerForgotten) -> bool:
    """Whether both are told by the same words: of a section, which may be a whole book, characters tell them apart."""
    first, second = one.place, other.place
    labels = [(place.item, place.file, place.first_label, place.last_label) for place in (first, second)]
    return bool(first.first_label) and first.unit != "section" and labels[0] == labels[1]
