"""What is shown before anything is read, as a table: a row an item, with what will be read of it in words."""

from collections import Counter
from typing import Literal

import msgspec
from PySide6.QtCore import QAbstractTableModel, QModelIndex, Qt, Signal

from app import document_words
from app.data.document import Item, LeftOut
from app.data.preflight import PreflightRow
from app.models import quantities
from app.models.library import Index
from app.models.spoken import spoken

CHECK, NAME, UNITS, TOKENS, WHAT = range(5)
ToneRole = Qt.ItemDataRole.UserRole + 20
ListRole = Qt.ItemDataRole.UserRole + 21
"""Whether the row has a list of parts that are left out."""

Tone = Literal["ink", "quiet", "warn", "bad"]


class PreflightModel(QAbstractTableModel):
    toggled = Signal(str, bool)

    def __init__(self, parent=None):
        super().__init__(parent)
        self._rows: list[PreflightRow] = []

    def clear(self) -> None:
        self.beginResetModel()
        self._rows = []
        self.endResetModel()

    def set_row(self, row: PreflightRow) -> None:
        """Add the row, or replace the one with its key."""
        place = next((n for n, other in enumerate(self._rows) if other.key == row.key), None)
        if place is None:
            self.beginInsertRows(QModelIndex(), len(self._rows), len(self._rows))
            self._rows.append(row)
            self.endInsertRows()
            return
        self._rows[place] = row
        self.dataChanged.emit(self.index(place, 0), self.index(place, WHAT))

    def rows(self) -> list[PreflightRow]:
        return list(self._rows)

    def row(self, place: int) -> PreflightRow:
        return self._rows[place]

    def toggle(self, place: int) -> None:
        """Refused rows stay out."""
        row = self._rows[place]
        if row.state == "refused":
            return
        self.set_row(msgspec.structs.replace(row, included=not row.included))
        self.toggled.emit(row.key, not row.included)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else WHAT + 1

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("", self.tr("Item"), self.tr("Pages / files"), self.tr("Tokens"), self.tr("What will be read"))[section]

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == CHECK and self._rows[index.row()].state != "refused":
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if not index.isValid() or index.row() >= len(self._rows):
            return None
        row, column = self._rows[index.row()], index.column()
        if role == Qt.ItemDataRole.CheckStateRole and column == CHECK:
            return Qt.CheckState.Checked if self.reads(row) else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.DisplayRole:
            return self._cell(row, column)
        if role == ToneRole:
            return self._tone(row) if column == WHAT else "ink" if self.reads(row) else "quiet"
        if role == ListRole:
            return column == WHAT and row.item is not None and bool(row.item.left_out)
        if role == Qt.ItemDataRole.ToolTipRole and column == NAME and row.item is not None:
            return row.item.source
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if column == CHECK:
                return self.tr("will be read") if self.reads(row) else self.tr("will not be read")
            return self._cell(row, column)
        return None

    @staticmethod
    def reads(row: PreflightRow) -> bool:
        return row.included and row.state != "refused"

    def _cell(self, row: PreflightRow, column: int) -> str:
        if column == NAME:
            return row.name
        if column == UNITS:
            return self._units(row.item) if row.item else "?" if row.state == "refused" else "…"
        if column == TOKENS:
            if row.tokens is not None:
                return quantities.number(row.tokens)
            return "?" if row.state == "refused" else "…"
        return self._what(row) if column == WHAT else ""

    def _units(self, item: Item) -> str:
        count = quantities.units(item.units, item.unit)
        plain = item.first_label == "1" and item.last_label == str(item.units)
        if item.unit != "page" or plain or not item.first_label or item.first_label == item.last_label:
            return count
        return f"{count} ({item.first_label}–{item.last_label})"

    def _what(self, row: PreflightRow) -> str:
        if row.state == "extracting":
            if row.total:
                return self.tr("opening: {done} of {total}").format(
                    done=quantities.number(row.done), total=quantities.number(row.total)
                )
            return self.tr("opening…")
        if row.state == "counting":
            return self.tr("counting tokens…")
        if row.refused is not None:
            return spoken(document_words.REFUSALS, row.refused.code, {"name": row.name, "detail": row.refused.detail})
        item = row.item
        if item is None:
            return ""
        said = [self._segments(row)] if row.segments is not None and self.reads(row) else []
        said += [spoken(document_words.WARNINGS, warning.code, warning.values) for warning in item.warnings]
        if item.left_out:
            said.append(self.left_out(item.left_out))
        return "; ".join(said) if said else self.tr("all of it")

    def _segments(self, row: PreflightRow) -> str:
        """ "all of it, longer than the window: read in about 64 segments · 2.9 GB on disk · about 4 min"."""
        one, many = self.tr("read in 1 segment"), self.tr("read in about {n} segments")
        said = one if row.segments == 1 else many.format(n=quantities.number(row.segments or 0))
        if row.longer:
            said = self.tr("longer than the window: {how}").format(how=said)
        parts = [self.tr("all of it, {how}").format(how=said)]
        if row.disk is not None:
            parts.append(self.tr("{size} on disk").format(size=quantities.size(row.disk)))
        if row.seconds is not None:
            parts.append(self.tr("about {time}").format(time=quantities.roughly(row.seconds)))
        return " · ".join(parts)

    def left_out(self, parts: tuple[LeftOut, ...]) -> str:
        counted = Counter(part.reason for part in parts).most_common()
        reasons = ", ".join(f"{spoken(document_words.REASONS, reason)} {quantities.number(n)}" for reason, n in counted)
        return self.tr("{n} left out: {reasons}").format(n=quantities.number(len(parts)), reasons=reasons)

    def _tone(self, row: PreflightRow) -> Tone:
        if row.refused is not None:
            return "bad"
        if row.item is None or row.state != "ready":
            return "quiet"
        return "warn" if row.item.left_out or row.item.warnings else "ink"


class LeftOutModel(QAbstractTableModel):
    """The parts of one item that are not in its text, and why."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self._parts: tuple[LeftOut, ...] = ()

    def set_parts(self, parts: tuple[LeftOut, ...]) -> None:
        self.beginResetModel()
        self._parts = parts
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else len(self._parts)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's signature
        return 0 if parent.isValid() else 2

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole):
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return (self.tr("Left out"), self.tr("Why"))[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            part = self._parts[index.row()]
            return part.what if index.column() == 0 else spoken(document_words.REASONS, part.reason)
        return None
