"""Codes' sentences in the person's language."""

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from app import words
from app.models import quantities
from engine.protocol import Advice

COUNTS = frozenset({"asked", "available", "count", "deletions", "insertions", "kept", "native", "needed"})
COUNTS |= {"segments", "text", "tokens", "window"}
"""Values that are numbers where they are digits: grouped as the person's language groups them."""


def spoken(table: dict[str, str], code: str, values: dict[str, str] | None = None) -> str:
    """The table's sentence for the code, translated and filled in. A code of a newer engine is shown as it is."""
    if code not in table:
        return code.replace("_", " ")
    translated = QCoreApplication.translate("words", table[code])
    told = {name: _value(code, name, value) for name, value in (values or {}).items()}
    return words.sentence({code: translated}, code, told)


def advised(advice: Iterable[Advice]) -> str:
    """What the planner says would fit, a sentence each."""
    return " ".join(spoken(words.ADVICE, one.change, {"window": str(one.window)}) for one in advice)


def _value(code: str, name: str, value: str) -> str:
    if not value.isdecimal():
        return value
    if code in words.IN_BYTES:
        return quantities.size(int(value))
    return quantities.number(int(value)) if name in COUNTS else value
