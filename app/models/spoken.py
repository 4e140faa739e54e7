"""Codes' sentences in the person's language."""

from PySide6.QtCore import QCoreApplication

from app import words
from app.models import quantities

COUNTS = frozenset({"asked", "available", "count", "deletions", "insertions", "kept", "native", "needed"})
COUNTS |= {"segments", "tokens", "window"}
"""Values that are numbers where they are digits: grouped as the person's language groups them."""


def spoken(table: dict[str, str], code: str, values: dict[str, str] | None = None) -> str:
    """The table's sentence for the code, translated and filled in. A code of a newer engine is shown as it is."""
    if code not in table:
        return code.replace("_", " ")
    translated = QCoreApplication.translate("words", table[code])
    told = {name: _value(code, name, value) for name, value in (values or {}).items()}
    return words.sentence({code: translated}, code, told)


def _value(code: str, name: str, value: str) -> str:
    if not value.isdecimal():
        return value
    if code in words.IN_BYTES:
        return quantities.size(int(value))
    return quantities.number(int(value)) if name in COUNTS else value
