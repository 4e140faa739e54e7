"""Codes' sentences in the person's language."""

from PySide6.QtCore import QCoreApplication

from app import words


def spoken(table: dict[str, str], code: str, values: dict[str, str] | None = None) -> str:
    """The table's sentence for the code, translated and filled in. A code of a newer engine is shown as it is."""
    if code not in table:
        return code.replace("_", " ")
    translated = QCoreApplication.translate("words", table[code])
    return words.sentence({code: translated}, code, values or {})
