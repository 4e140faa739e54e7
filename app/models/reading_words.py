"""How far a document is read, in words."""

from PySide6.QtCore import QCoreApplication

from app.models import quantities


def reading(fraction: float, rate: float | None, left: float | None) -> str:
    """ "reading 63 % · 4,812 tok/s · 26 s left"; what is not known is left out. `left` in seconds."""
    parts = [_tr("reading {percent}").format(percent=quantities.percent(fraction))]
    if rate:
        parts.append(quantities.rate(rate))
    if left is not None:
        parts.append(_tr("{time} left").format(time=quantities.seconds(max(1, round(left)))))
    return " · ".join(parts)


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("reading_words", sentence)
