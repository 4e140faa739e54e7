"""Sentences and numbers of the command line, in English."""

from app import words
from app.data.conversation import Failure
from app.data.document import Item, LeftOut, Refused, Warning
from app.data.ledger import Ledger
from app.services.problem import Problem
from engine.protocol import Failed, Note, Progress

STAGES = {"load": "Loading the model", "tokenise": "Counting tokens", "read": "Reading", "write": "Writing"}
UNITS = {"page": "pages", "section": "sections", "file": "files"}
UNREMARKABLE = ("complete", "stop", "read")
"""Endings that need no sentence."""


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
    return _told(what.code, values)


def _told(code: str, values: dict[str, str]) -> str:
    return words.sentence(words.FAILURES | words.PROBLEMS, code, values)


def refused(what: Refused) -> str:
    return f"{what.name}: {words.sentence(words.REFUSALS, what.code, {'detail': what.detail, 'subject': what.name})}"


def warning(what: Warning) -> str:
    return words.sentence(words.WARNINGS, what.code, what.values)


def left_out(what: LeftOut) -> str:
    return f"{what.what}: {words.sentence(words.REASONS, what.reason, {})}"


def note(what: Note | str) -> str:
    code, values = (what, {}) if isinstance(what, str) else (what.code, what.values)
    return words.sentence(words.NOTES, code, values) if code in words.NOTES else code.replace("_", " ")


def extent(item: Item) -> str:
    """What was made of a document: "9 pages (i to 8), 41,312 characters, 6,312 tokens"."""
    unit = UNITS[item.unit] if item.units != 1 else item.unit
    labels = f" ({item.first_label} to {item.last_label})" if item.unit == "page" and item.units > 1 else ""
    told = [f"{_number(item.units)} {unit}{labels}", f"{_number(item.characters)} characters"]
    if item.tokens is not None:
        told.append(tokens(item.tokens))
    return ", ".join(told)


def progress(what: Progress) -> str:
    """How far, how fast, how long yet. Never 100 % of what is not done."""
    share = min(99, 100 * what.done // what.total) if what.total else 0
    in_bytes = what.stage == "load"
    shown = words.size if in_bytes else _number
    told = [f"{share} %", f"{shown(what.done)} of {shown(what.total)}" + ("" if in_bytes else " tokens")]
    if what.reused:
        told.append(f"{_number(what.reused)} reused")
    if what.rate is not None and not in_bytes:
        told.append(f"{rate(what.rate)}")
    if what.left is not None:
        told.append(f"{seconds(what.left)} left")
    return " · ".join(told)


def ledger(what: Ledger) -> str:
    """The lines under an answer: what it was written from and with."""
    names = ", ".join(document.name for document in what.documents)
    total = sum(document.tokens for document in what.documents)
    told = []
    if what.unread:
        told.append(f"Read {_number(max(0, total - what.unread))} of {tokens(total)}: {names}")
    elif names:
        told.append(f"Read in full: {names} · {tokens(total)}")
    missing = sum(document.left_out for document in what.documents)
    if missing:
        told.append(f"{_number(missing)} parts left out")
    if what.reused:
        told.append(f"{_number(what.reused)} reused")
    if what.first_token is not None:
        told.append(f"first word after {seconds(what.first_token)}")
    if what.writing_rate is not None:
        told.append(rate(what.writing_rate))
    told.append(" ".join(part for part in (what.model, what.precision, what.writing) if part))
    told.append(f"window {_number(what.window)}")
    lines = [" · ".join(told)]
    if what.finish not in UNREMARKABLE:
        lines.append(words.sentence(words.FINISHES, what.finish, {}))
    return "\n".join([*lines, *(note(one) for one in what.notes)])


def tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{_number(count)} tokens"


def decimal(value: float) -> str:
    return f"{value:,.{2 if value < 10 else 1 if value < 100 else 0}f}"


def rate(per_second: float) -> str:
    return f"{per_second:,.{1 if per_second < 10 else 0}f} tok/s"


def seconds(count: float) -> str:
    if count < 10:
        return f"{count:.1f} s"
    minutes, rest = divmod(round(count), 60)
    if not minutes:
        return f"{rest} s"
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def _number(value: int) -> str:
    return f"{value:,}"
