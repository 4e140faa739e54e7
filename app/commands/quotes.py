"""What an answer quotes and where it stands, as lines and for programs."""

import re
from collections.abc import Mapping, Sequence

from app.commands.ledger import UNITS
from app.data.conversation import Message
from app.data.quote import Quote, QuotePlace

SHOWN = 100
"""Letters of a quote in its line, at most."""
FACTS = 20
"""Facts that are told, in their order; all of them are in the JSON."""
NAMED = 4
"""Places that a line names at most."""


def counts(quotes: Sequence[Quote]) -> str:
    """ "quotes: 3 ✓ 1 ≈ 0 ✗, 2 in several places"; empty where the answer quotes nothing."""
    told = [quote.verdict for quote in quotes if quote.kind == "quote"]
    if not told:
        return ""
    several = told.count("ambiguous")
    numbers = f"{told.count('exact'):,} ✓ {told.count('close'):,} ≈ {told.count('missing'):,} ✗"
    return f"quotes: {numbers}" + (f", {several:,} in several places" if several else "")


def lines(message: Message, names: Mapping[str, str]) -> list[str]:
    """One for each quote and each fact, and another for the document's words where they differ."""
    told: list[str] = []
    known: set[tuple[str, str]] = set()
    facts = 0
    for quote in message.quotes:
        said = _bare(message.text[quote.start : quote.end])
        if (quote.kind, said) in known:
            continue
        known.add((quote.kind, said))
        facts += quote.kind == "fact"
        if quote.kind == "fact" and facts > FACTS:
            continue
        told.append(" ".join(filter(None, (quote.sign, _where(quote, names), _cut(said)))))
        if quote.found:
            told.append(f"  the document says: {_cut(quote.found)}")
    if facts > FACTS:
        told.append(f"and {facts - FACTS:,} more facts, which --json tells")
    return told


def described(message: Message, names: Mapping[str, str]) -> list[dict[str, object]]:
    """For programs. `start` and `end` count the answer's characters, those of a place the document's."""
    return [
        {
            "text": message.text[quote.start : quote.end],
            "start": quote.start,
            "end": quote.end,
            "kind": quote.kind,
            "verdict": quote.verdict,
            "found": quote.found,
            "count": quote.count,
            "places": [described_place(place, names) for place in quote.places],
        }
        for quote in message.quotes
    ]


def described_place(place: QuotePlace, names: Mapping[str, str]) -> dict[str, object]:
    """For programs. `row`: of a sheet, from 1."""
    return {
        "name": names.get(place.item, ""),
        "sha256": place.item,
        "file": place.file,
        "unit": place.unit,
        "label": place.label,
        "index": place.index,
        "path": place.path,
        "start": place.start,
        "end": place.end,
        **({"row": place.row} if place.row else {}),
    }


def _where(quote: Quote, names: Mapping[str, str]) -> str:
    """ "lease.pdf page 12, 3. Term:"."""
    told = [_one(place, names) for place in quote.places[:NAMED]]
    if quote.count > NAMED:
        told.append(f"and {quote.count - NAMED:,} more")
    return "; ".join(told) + ":" if told else ""


def _one(place: QuotePlace, names: Mapping[str, str]) -> str:
    name = names.get(place.item, "")
    label = f"{UNITS[place.unit][0]} {place.label}" if place.label and place.label != name else ""
    if place.row:
        label += f", row {place.row}"
    heading = [title for title in place.path[-1:] if title != place.label]
    return ", ".join([" ".join(filter(None, (name, place.file, label))), *heading])


def _bare(said: str) -> str:
    """On one line, without the marks of a block quote."""
    return " ".join(re.sub(r"\n\s*>+\s?", "\n", said).split())


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1].rstrip()}…"
