"""Places in the library's texts that a search found, as a list: those of one document follow each other."""

from typing import NamedTuple

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, Qt

from app.data.document import Unit
from app.data.found import FoundText, FoundTexts, TextPlace
from app.data.quote import QuotePlace
from app.models import places, quantities
from app.models.library import Index

PlaceRole = Qt.ItemDataRole.UserRole + 1
"""A `QuotePlace`."""
WhereRole = Qt.ItemDataRole.UserRole + 2
"""Page and heading: the second line."""
ExcerptRole = Qt.ItemDataRole.UserRole + 3
"""The words around the place."""
MarksRole = Qt.ItemDataRole.UserRole + 4
"""Which characters of that are the words that were looked for."""


class _Placed(NamedTuple):
    start: int
    end: int
    first_label: str
    last_label: str
    unit: Unit
    file: str


class FoundTextsModel(QAbstractListModel):
    def __init__(self, parent=None):
        super().__init__(parent)
        self._rows: list[tuple[FoundText, TextPlace]] = []

    def set_found(self, found: FoundTexts) -> None:
        self.beginResetModel()
        self._rows = [(text, place) for text in found.texts for place in text.places]
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid():
            return None
        text, place = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text.name
        if role == PlaceRole:
            return place.at
        if role == WhereRole:
            return self._where(text, place.at)
        if role == ExcerptRole:
            return place.snippet
        if role == MarksRole:
            return place.marks
        if role == Qt.ItemDataRole.ToolTipRole:
            return f"{text.name}\n{self._where(text, place.at)}\n{place.snippet}"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((text.name, self._where(text, place.at), place.snippet))
        return None

    def _where(self, text: FoundText, at: QuotePlace) -> str:
        """ "p. 40 · 9. Limits"; of words that stand apart that they do."""
        said = [where(at)]
        said += [title for title in at.path[-1:] if title != at.label]
        if text.apart:
            said.append(self.tr("the other words stand elsewhere in it"))
        return " · ".join(said)


def where(at: QuotePlace) -> str:
    """ "p. 40", "Annex.pdf, p. 3"."""
    return places.short(_Placed(at.start, at.end, at.label, at.label, at.unit, at.file))


def summary(found: FoundTexts) -> str:
    """ "41 places in 3 documents", with a sign where there may be more."""
    count = sum(text.count for text in found.texts)
    more = "+" if found.more or any(text.more for text in found.texts) else ""
    said = _tr("1 place in {documents}") if count == 1 else _tr("{n} places in {documents}")
    return said.format(n=quantities.number(count) + more, documents=quantities.documents(len(found.texts)))


def _tr(sentence: str) -> str:
    return QCoreApplication.translate("found_texts", sentence)
