"""The lines under an answer: what it was written from and with, and what each part of a text gave."""

from collections.abc import Iterable, Mapping, Sequence

from app import words
from app.commands import sentences
from app.data.conversation import FoundPart
from app.data.document import Unit
from app.data.forgotten import worst_of
from app.data.ledger import Ledger, LedgerPlace, LedgerPruned

UNREMARKABLE = ("complete", "stop", "read")
"""Endings that need no sentence."""
NAMED = 12
"""Segments and places that a line names at most."""
UNCERTAIN = 20
"""Uncertain findings that are told, the likeliest; all of them are in the JSON."""

UNITS: dict[Unit, tuple[str, str]] = {
    "page": ("page", "pages"),
    "section": ("section", "sections"),
    "slide": ("slide", "slides"),
    "sheet": ("sheet", "sheets"),
    "message": ("message", "messages"),
    "cell": ("cell", "cells"),
    "file": ("file", "files"),
}


def lines(what: Ledger, *, parts: int | None = None, join_chosen: bool = False, quotes: str = "") -> str:
    """`parts`: how many the text has, when every part was asked. `join_chosen`: not the engine's own choice. `quotes`:
    how many of the answer's stand in the text, in words."""
    told = [_documents(what) + _seen(what, parts)] if what.documents else []
    missing = sum(document.left_out for document in what.documents)
    if missing:
        told.append(f"{missing:,} parts left out")
    if what.pruned is not None:
        told.append(_kept(what.pruned, {document.id: document.name for document in what.documents}))
    if quotes:
        told.append(quotes)
    if what.mode == "parallel" and what.asked < len(what.segments):
        told.append(f"asked {what.asked:,} of {len(what.segments):,} segments")
    if what.join is not None and join_chosen:
        told.append(f"joined: {what.join}")
    if what.reused:
        told.append(f"{what.reused:,} reused" + (f", {what.reopened:,} of them from disk" if what.reopened else ""))
    if what.first_token is not None:
        told.append(f"first word after {sentences.seconds(what.first_token)}")
    if what.writing_rate is not None:
        told.append(sentences.rate(what.writing_rate))
    made = (what.model, "at", what.host) if what.host else (what.model, what.precision, what.writing)
    told.append(" ".join(part for part in made if part))
    if not what.layers.keys() <= {"full", "sliding"}:  # a hybrid model's: all kinds are seen to have run
        told.append("layers " + ", ".join(f"{count} {kind}" for kind, count in what.layers.items()))
    if what.window:
        told.append(f"window {what.window:,}")
    said = [" · ".join(told)]
    if what.finish not in UNREMARKABLE:
        said.append(words.sentence(words.FINISHES, what.finish, {}))
    return "\n".join([*said, *(sentences.note(code, what.note_values.get(code)) for code in what.notes)])


def _documents(what: Ledger) -> str:
    """ "Read in full: BOOK.txt · 131,072 tokens in 64 segments"."""
    names = ", ".join(document.name for document in what.documents)
    total = sum(document.tokens for document in what.documents)
    if what.unread:
        return f"Read {max(0, total - what.unread):,} of {sentences.tokens(total)}: {names}"
    return f"Read in full: {names} · {sentences.tokens(total)}" + (
        f" in {_counted(len(what.segments), 'segment')}" if what.segments else ""
    )


def _seen(what: Ledger, parts: int | None) -> str:
    """What of that the answer could see."""
    if what.mode == "coverage":
        if parts is not None and what.asked < parts:
            return f"; went over {what.asked:,} of {_counted(parts, 'part')}"
        return f"; went over all {_counted(what.asked, 'part')}"
    kept = [segment for segment in what.segments if segment.kept]
    if not kept:
        return ""
    names = {document.id: document.name for document in what.documents}
    where = places([place for segment in kept for place in segment.places], names)
    numbers = _listed([f"{segment.number:,}" for segment in kept])
    plural = "s" if len(kept) > 1 else ""
    return f"; this answer was written over segment{plural} {numbers}" + (f" ({where})" if where else "")


def _kept(what: LedgerPruned, names: Mapping[str, str]) -> str:
    """ "forgot 512 of 732 tokens (triattention), most of pages 3-5, 9"."""
    total = what.rows + what.forgotten
    if not what.forgotten:
        return f"forgot nothing of {sentences.tokens(total)} ({what.policy})"
    where = places(sorted((part.place for part in worst_of(what)), key=lambda place: place.start), names)
    return f"forgot {what.forgotten:,} of {sentences.tokens(total)} ({what.policy})" + (
        f", most of {where}" if where else ""
    )


def places(where: Sequence[LedgerPlace], names: Mapping[str, str]) -> str:
    """ "pages 12-14, 40"; with several documents "a.pdf pages 12-14, 40; b.txt"."""
    by_item: dict[str, list[LedgerPlace]] = {}
    for place in where:
        by_item.setdefault(place.item, []).append(place)
    told = []
    for item, of_item in by_item.items():
        by_file: dict[tuple[str, Unit], list[LedgerPlace]] = {}
        for place in of_item:
            by_file.setdefault((place.file, place.unit), []).append(place)
        said = [said for of_file in by_file.values() if (said := _of_file(of_file, names))]
        told.append(" ".join([names.get(item, "")] * (len(names) > 1) + [", ".join(said)] * bool(said)))
    return "; ".join(one for one in told if one)


def _of_file(places: Sequence[LedgerPlace], names: Mapping[str, str]) -> str:
    """Of one document, or of one file in a folder, an archive or a mail: "in/b.pdf pages 2, 4"."""
    labels = list(dict.fromkeys(label for place in places if (label := _label(place, names))))
    if not labels:
        return places[0].file
    several = len(labels) > 1 or any(place.first_label != place.last_label for place in places)
    return f"{places[0].file} {UNITS[places[0].unit][several]} {_listed(labels)}".lstrip()


def findings(found: Iterable[FoundPart], names: Mapping[str, str]) -> list[str]:
    """The likeliest uncertain ones, a line each."""
    uncertain = sorted((part for part in found if not part.certain), key=lambda part: (not part.stands, part.surprise))
    told = [finding(part, names) for part in uncertain[:UNCERTAIN]]
    if len(uncertain) > UNCERTAIN:
        told.append(f"and {len(uncertain) - UNCERTAIN:,} less likely ones, which --json tells")
    return told


def finding(part: FoundPart, names: Mapping[str, str]) -> str:
    """ "page 12: 7312"; the parts are counted where a document has no pages."""
    place = LedgerPlace(part.item, part.start, part.end, part.first_label, part.last_label, part.unit, part.file)
    where = places([place], names)
    if not _label(place, names):
        where = f"{where} part {part.part + 1:,} of {part.parts:,}".lstrip()
    return f"{where}: {' '.join(part.text.split())}"


def _label(place: LedgerPlace, names: Mapping[str, str]) -> str:
    """Empty where it says nothing: a plain text is one section with the document's own name."""
    if place.first_label == place.last_label == names.get(place.item):
        return ""
    if place.first_label == place.last_label:
        return place.first_label
    return f"{place.first_label}{'-' if place.unit == 'page' else ' to '}{place.last_label}"


def _listed(told: Sequence[str]) -> str:
    more = [f"and {len(told) - NAMED:,} more"] if len(told) > NAMED else []
    return ", ".join([*told[:NAMED], *more])


def _counted(count: int, unit: str) -> str:
    return f"{count:,} {unit}" if count == 1 else f"{count:,} {unit}s"
