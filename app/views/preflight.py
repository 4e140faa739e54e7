"""The card that is shown before anything is read: what was dropped, what of it will be read, and what that needs."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.data.document import Item, Span
from app.data.preflight import PreflightRow, PreflightTotal
from app.models import quantities
from app.models.preflight import LeftOutModel, PreflightModel
from app.views import theme
from app.views.card import Overlay
from app.views.preflight_preview import PreflightPreview
from app.views.preflight_table import PreflightTable
from app.views.preflight_tools import PreflightTools

WIDTH = 108
"""Average characters that the card is wide, at most."""


class Preflight(Overlay):
    """`begin()` empties and opens it; then `set_row` and `set_total` as things become known."""

    toggled = Signal(str, bool)
    """An item was included or left out, by its key; answer with `set_total`."""
    accepted = Signal()
    cancelled = Signal()
    preview_asked = Signal(str)
    """The text of the item with this key; answer with `show_preview`."""
    password_given = Signal(str, str)
    """The password of an item that could not be opened without."""
    changes_chosen = Signal(str, str)
    """How the tracked changes of an item are read."""
    settings_asked = Signal()
    """What was dropped does not fit, and the person wants other settings."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.card.setAccessibleName(self.tr("Before reading"))
        self._total: PreflightTotal | None = None
        self.model = PreflightModel(self)
        self.left_out = LeftOutModel(self)
        self.pages = QStackedWidget()
        self.pages.addWidget(self._items_page())
        self.pages.addWidget(self._list_page())
        self.preview = PreflightPreview()
        self.preview.closed.connect(self.back)
        self.pages.addWidget(self.preview)
        layout = QVBoxLayout(self.card)
        layout.setContentsMargins(25, 22, 25, 22)
        layout.addWidget(self.pages)
        self.model.toggled.connect(self._toggled)
        self.table.accepted.connect(self._accept)
        self.table.list_asked.connect(self.show_left_out)
        self.read_button.clicked.connect(self._accept)
        self.cancel_button.clicked.connect(self.escape)
        self.settings_button.clicked.connect(self.settings_asked)
        self.back_button.clicked.connect(self.back)
        self.table.preview_asked.connect(lambda place: self.preview_asked.emit(self.model.row(place).key))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._show_tools())
        self.tools.preview_asked.connect(self.preview_asked)
        self.tools.password_given.connect(self.password_given)
        self.tools.changes_chosen.connect(self.changes_chosen)

    def _items_page(self) -> QWidget:
        self.title = QLabel()
        self.subtitle = QLabel(self.tr("nothing has been read yet"))
        self.table = PreflightTable(self.model)
        self.progress = QProgressBar()
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Opening what was dropped"))
        self.tools = PreflightTools()
        self.together = QLabel()
        self.reason = QLabel()
        self.cancel_button = QPushButton(self.tr("Cancel"))
        self.settings_button = QPushButton(self.tr("Settings…"))
        self.read_button = QPushButton(self.tr("Read in full"))
        theme.set_role(self.title, "title")
        theme.set_role(self.subtitle, "quiet")
        theme.set_role(self.together, "quiet")
        theme.set_role(self.reason, "quiet")
        theme.set_role(self.read_button, "primary")
        self.together.setWordWrap(True)
        self.reason.setWordWrap(True)
        head = QHBoxLayout()
        head.setSpacing(11)
        head.addWidget(self.title)
        head.addWidget(self.subtitle)
        head.addStretch(1)
        buttons = QHBoxLayout()
        buttons.setSpacing(10)
        buttons.addWidget(self.settings_button)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.read_button)
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addLayout(head)
        layout.addWidget(self.progress)
        layout.addWidget(self.table)
        layout.addWidget(self.tools)
        layout.addWidget(self.together)
        layout.addWidget(self.reason)
        layout.addLayout(buttons)
        layout.addStretch(1)
        return page

    def _list_page(self) -> QWidget:
        self.list_title = QLabel()
        theme.set_role(self.list_title, "title")
        self.list = QTableView()
        self.list.setModel(self.left_out)
        self.list.setAccessibleName(self.tr("What is left out"))
        theme.set_role(self.list, "plain")
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setShowGrid(False)
        self.list.setTabKeyNavigation(False)
        self.list.setSelectionBehavior(QTableView.SelectionBehavior.SelectRows)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setWordWrap(False)
        self.list.verticalHeader().hide()
        self.list.horizontalHeader().setStretchLastSection(True)
        self.list.horizontalHeader().setHighlightSections(False)
        self.back_button = QPushButton(self.tr("Back"))
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(self.list_title)
        layout.addWidget(self.list, 1)
        layout.addWidget(self.back_button, 0, Qt.AlignmentFlag.AlignRight)
        return page

    # what is shown

    def begin(self) -> None:
        self.model.clear()
        self._total = None
        self.pages.setCurrentIndex(0)
        self._tell()
        self.open()

    def set_row(self, row: PreflightRow) -> None:
        before = next((one.tokens for one in self.model.rows() if one.key == row.key), None)
        if row.included and row.tokens not in (None, before):
            self._total = None  # it was of other tokens: reading waits for the new one
        self.model.set_row(row)
        if not self.table.currentIndex().isValid():
            self.table.selectRow(0)  # so that what can be done with an item is in sight
        self._tell()

    def set_total(self, total: PreflightTotal) -> None:
        self._total = total
        self._tell()

    def rows(self) -> list[PreflightRow]:
        return self.model.rows()

    def why_not(self) -> str:
        """Why reading cannot start yet, in words; empty when it can."""
        rows = self.model.rows()
        waiting = sum(row.state in ("extracting", "counting") for row in rows if row.included)
        if not rows or not any(self.model.reads(row) for row in rows):
            return self.tr("Nothing is chosen to be read.") if rows else self.tr("Looking at what was dropped…")
        if waiting:
            one, many = self.tr("1 item is still being opened."), self.tr("{n} items are still being opened.")
            return one if waiting == 1 else many.format(n=quantities.number(waiting))
        total = self._total
        if total is None:
            return self.tr("Working out what this needs…")
        if self._too_long(total):
            return self.tr(
                "This is {needed} tokens and the window holds {available}. Nothing is cut, and texts are read whole "
                "here: leave an item out, or choose a larger window, or if the model can, segments, in the settings."
            ).format(needed=quantities.number(total.tokens), available=quantities.number(total.window))
        if not total.fits:
            return self.tr("This needs more memory than is free. Choose a smaller window or precision in the settings.")
        return ""

    def _tell(self) -> None:
        chosen = sum(self.model.reads(row) for row in self.model.rows())
        one, many = self.tr("Read 1 item in full?"), self.tr("Read {n} items in full?")
        self.title.setText(one if chosen == 1 else many.format(n=quantities.number(chosen)))
        self.together.setText(self._together())
        why = self.why_not()
        too_much = self._total is not None and (self._too_long(self._total) or not self._total.fits)
        self.reason.setText(why)
        self.reason.setVisible(bool(why))
        theme.set_role(self.reason, "warn" if too_much else "quiet")
        self.settings_button.setVisible(too_much)
        self.read_button.setEnabled(not why)
        self.read_button.setToolTip(why)
        self.read_button.setAccessibleDescription(why)
        self._show_tools()
        self._show_progress()
        if self.isVisible():
            self.cover()

    @staticmethod
    def _too_long(total: PreflightTotal) -> bool:
        return total.segments is None and not total.endless and 0 < total.window < total.tokens

    def _together(self) -> str:
        total = self._total
        if total is None:
            return ""
        parts = [
            self.tr("Together {tokens}").format(tokens=quantities.tokens(total.tokens)),
            self.tr("window {n}").format(n=quantities.number(total.window)) if total.window else "",
        ]
        if total.segments is not None:
            parts.append(self.tr("read in about {n} segments").format(n=quantities.number(total.segments)))
        if total.needed is not None and total.memory is not None:
            parts.append(
                self.tr("needs {needed} of {memory} GB").format(
                    needed=quantities.gigabytes(total.needed), memory=quantities.gigabytes(total.memory)
                )
            )
        if total.disk:
            size = quantities.size(total.disk)
            if total.quota is not None and total.disk > total.quota:
                said = self.tr("too large to be kept on disk: {size} of {quota}")
                parts.append(said.format(size=size, quota=quantities.size(total.quota)))
            else:
                parts.append(self.tr("keeps {size} on disk").format(size=size))
        if total.first_word is not None:
            first = self.tr("first word after about {time}, then seconds")
            parts.append(first.format(time=quantities.seconds(total.first_word)))
        return " · ".join(filter(None, parts))

    def show_left_out(self, place: int) -> None:
        item = self.model.row(place).item
        if item is None or not item.left_out:
            return
        self.left_out.set_parts(item.left_out)
        self.list_title.setText(
            self.tr("Left out of {name}: {n}").format(name=item.name, n=quantities.number(len(item.left_out)))
        )
        self.pages.setCurrentIndex(1)
        self.list.setColumnWidth(0, int(self.list.width() * 0.66))
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_preview(self, item: Item, text: str, spans: tuple[Span, ...]) -> None:
        self.preview.show_item(item, text, spans)
        self.pages.setCurrentWidget(self.preview)
        self.cover()
        self.preview.document.focus_page()

    def back(self) -> None:
        """To the items, from what is left out of one or from its text."""
        self.pages.setCurrentIndex(0)
        self.cover()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_tools(self) -> None:
        place = self.table.currentIndex().row()
        self.tools.show_row(self.model.row(place) if 0 <= place < self.model.rowCount() else None)

    def _show_progress(self) -> None:
        """One bar for all: what is opened counts whole, what is being opened as far as it says."""
        rows = self.model.rows()
        opening = [row for row in rows if row.state == "extracting"]
        done = len(rows) - len(opening) + sum(row.done / row.total for row in opening if row.total)
        self.progress.setRange(0, 1000)
        self.progress.setValue(int(1000 * done / max(1, len(rows))))
        self.progress.setVisible(len(rows) > 1 and bool(opening))

    def first_focus(self) -> QWidget:
        return self.table

    def card_size(self, room: QRectF) -> QRectF:
        """Wide enough for five columns, as tall as its rows until the window ends."""
        width = min(self.fontMetrics().averageCharWidth() * WIDTH, room.width() - 24)
        margins = self.card.layout().contentsMargins()
        inside = int(width) - margins.left() - margins.right() - 2
        self.table.setFixedWidth(inside)
        most = int(room.height()) - 24
        self.table.fit(most - self._around(inside))
        height = min(self._around(inside) + self.table.height(), most)
        if self.pages.currentWidget() is self.preview:
            height = most
        return QRectF((room.width() - width) / 2, max(12.0, (room.height() - height) * 0.16), width, height)

    def _around(self, width: int) -> int:
        """Pixels that everything but the table takes at this width."""
        margins = self.card.layout().contentsMargins()
        spacing = 12
        taken = margins.top() + margins.bottom() + self.title.sizeHint().height() + self.read_button.sizeHint().height()
        for label in (self.together, self.reason):
            if not label.isHidden():
                taken += label.heightForWidth(width) + spacing
        for widget in (self.progress, self.tools):
            if not widget.isHidden():
                taken += widget.sizeHint().height() + spacing
        return taken + 2 * spacing + 4

    # what is asked

    def _toggled(self, key: str, included: bool) -> None:
        self._tell()
        self.toggled.emit(key, included)

    def _accept(self) -> None:
        if not self.why_not():
            self.dismiss()
            self.accepted.emit()

    def escape(self) -> None:
        if self.pages.currentIndex():
            self.back()
            return
        self.dismiss()
        self.cancelled.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.pages.currentIndex() == 1 and event.key() == Qt.Key.Key_Left:
            self.back()
        elif self.pages.currentIndex() == 0 and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._accept()
        else:
            super().keyPressEvent(event)
