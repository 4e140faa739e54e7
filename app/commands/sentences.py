"""Sentences and numbers of the command line, in English."""

from collections.abc import Iterable

from app import document_words, words
from app.data.changes import Changes
from app.data.conversation import Failure
from app.data.document import Item, LeftOut, Refused, Unit, Warning
from app.data.model import Download
from app.data.quote import QuotePlace
from app.services.problem import Problem
from engine.protocol import Advice, Failed, Progress

STAGES = {
    "load": "Loading the model",
    "tokenise": "Counting tokens",
    "read": "Reading",
    "ask": "Asking",
    "write": "Writing",
}
UNITS: dict[Unit, str] = {
    "page": "pages",
    "section": "sections",
    "slide": "slides",
    "sheet": "sheets",
    "message": "messages",
    "cell": "cells",
    "file": "files",
}


def problem(what: Problem) -> str:
    return _told(what.code, what.values)


def failure(what: Failure | Failed) -> str:
    """Tokens are counted, bytes are sizes."""
    shown = words.size if what.code == "out_of_memory" else _number
    values = {name: shown(value) for name in ("needed", "available") if (value := getattr(what, name)) is not None}
    if what.subject:
        values["subject"] = what.subject
    if what.message:
        values["message"] = what.message
    values["said"] = what.said
    return " ".join([_told(what.code, values).rstrip(), *advice(what.advice)])


def advice(given: Iterable[Advice]) -> list[str]:
    """What would fit, a sentence each."""
    return [
        words.sentence(words.ADVICE, one.change, {"window": _number(one.window)})
        for one in given
        if one.change in words.ADVICE
    ]


def _told(code: str, values: dict[str, str]) -> str:
    return words.sentence(words.FAILURES | words.PROBLEMS, code, values)


def refused(what: Refused) -> str:
    values = {"detail": what.detail, "subject": what.name}
    return f"{what.name}: {words.sentence(document_words.REFUSALS, what.code, values)}"


def warning(what: Warning) -> str:
    return words.sentence(document_words.WARNINGS, what.code, what.values)


def left_out(what: LeftOut) -> str:
    return f"{what.what}: {words.sentence(document_words.REASONS, what.reason, {})}"


def note(code: str, values: dict[str, str] | None = None) -> str:
    """Counts are grouped, bytes are sizes. A code of a newer engine is shown as it is."""
    if code not in words.NOTES:
        return code.replace("_", " ")
    shown = words.size if code in words.IN_BYTES else _number
    told = {name: shown(int(value)) if value.isdecimal() else value for name, value in (values or {}).items()}
    return words.sentence(words.NOTES, code, told)


def extent(item: Item) -> str:
    """What was made of a document: "9 pages (i to 8), 41,312 characters, 6,312 tokens"."""
    unit = UNITS[item.unit] if item.units != 1 else item.unit
    labels = f" ({item.first_label} to {item.last_label})" if item.unit == "page" and item.units > 1 else ""
    told = [f"{_number(item.units)} {unit}{labels}", f"{_number(item.characters)} characters"]
    if item.tokens is not None:
        told.append(tokens(item.tokens))
    return ", ".join(told)


def documents(count: int) -> str:
    return "1 document" if count == 1 else f"{_number(count)} documents"


def place(at: QuotePlace) -> str:
    """Where something stands: "page 40, 9 Limits > 9.2 Cap", "src/a.py", "Annex.pdf page 3"."""
    label = at.label or _number(at.index + 1)
    where = label if at.unit == "file" else f"{at.unit} {label}"
    where = f"{at.file} {where}" if at.file else where
    path = [title for title in at.path if title != at.label]
    return f"{where}, {' > '.join(path)}" if path else where


def changes(what: Changes) -> str:
    """ "12 passages changed, 2 added, 1 removed; 3,041 are the same"."""
    told: list[str] = []
    for kind in ("changed", "added", "removed"):
        if count := what.count(kind):
            told.append(f"{_number(count)} {kind}" if told else f"{_passages(count)} {kind}")
    return f"{', '.join(told) or 'no passage changed'}; {_number(what.same)} are the same"


def _passages(count: int) -> str:
    return "1 passage" if count == 1 else f"{_number(count)} passages"


def progress(what: Progress, *, asks: str = "segments") -> str:
    """How far, how fast, how long yet. Never 100 % of what is not done. `asks`: what the question is put to."""
    share = min(99, 100 * what.done // what.total) if what.total else 0
    shown, unit = (words.size, "") if what.stage == "load" else (_number, asks if what.stage == "ask" else "tokens")
    told = [f"{share} %", f"{shown(what.done)} of {shown(what.total)} {unit}".rstrip()]
    if what.reused:
        told.append(f"{_number(what.reused)} reused")
    if what.rate is not None and unit == "tokens":
        told.append(f"{rate(what.rate)}")
    if what.left is not None:
        told.append(f"{seconds(what.left)} left")
    return " · ".join(told)


def download(what: Download) -> str:
    """How much of it is there, how fast it comes, how long yet."""
    told = [f"{words.size(what.done)} of {words.size(what.total)}"]
    if what.rate is not None:
        told.append(f"{words.size(int(what.rate))}/s")
    if what.left is not None:
        told.append(f"{seconds(what.left)} left")
    return " · ".join(told)


def tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{_number(count)} tokens"


def decimal(value: float) -> str:
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"


def rate(per_second: float) -> str:
    return f"{per_second:,.{1 if per_second < 10 else 0}f} tok/s"


def roughly(count: float) -> str:
    """Seconds that are only expected."""
    minutes = max(round(count / 60), 1)
    return f"{minutes} min" if minutes < 90 else f"{decimal(minutes / 60)} h"


def seconds(count: float) -> str:
    if count < 10:
        return f"{count:.1f} s"
    minutes, rest = divmod(round(count), 60)
    if not minutes:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _number(value: int) -> str:
    return f"{value:,}"
