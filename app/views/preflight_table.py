"""The table of the pre-flight card: check boxes, wrapped words in their tone, and a link to what is left out."""

from html import escape

from PySide6.QtCore import QEvent, QModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen, QTextDocument, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from app.models.library import Index
from app.models.preflight import CHECK, NAME, TOKENS, UNITS, WHAT, ListRole, PreflightModel, ToneRole
from app.views import theme

PAD = 10
SIDE = 8
"""As in the header above."""
BOX = 15
SHARES = {NAME: 0.26, UNITS: 0.18, TOKENS: 0.12}
"""Of the table's width; what will be read takes the rest."""


class PreflightCell(QStyledItemDelegate):
    def sizeHint(self, option, index: Index) -> QSize:
        if index.column() == CHECK:
            return QSize(BOX + 2 * PAD, BOX + 2 * PAD)
        return QSize(60, int(self._document(option, index).size().height()) + 2 * PAD)

    def paint(self, painter: QPainter, option, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.color("hover"))
        painter.setPen(QPen(theme.color("line"), 1))
        painter.drawLine(QPointF(area.left(), area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5))
        if index.column() == CHECK:
            self._box(painter, area, index)
        else:
            document = self._document(option, index)
            painter.translate(area.left() + SIDE, area.top() + (area.height() - document.size().height()) / 2)
            document.drawContents(painter)
        painter.restore()

    def _document(self, option, index: Index) -> QTextDocument:
        document = QTextDocument()
        document.setDocumentMargin(0)
        document.setDefaultFont(option.font)
        wrap = QTextOption()
        wrap.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(wrap)
        document.setTextWidth(max(option.rect.width() - 2 * SIDE, 40))
        html = f'<span style="color:{theme.css(index.data(ToneRole))}">{escape(index.data() or "")}</span>'
        if index.data(ListRole):
            link = theme.css("ink")
            html += f'<span style="color:{theme.css("quiet")}"> ·&nbsp;</span>'
            html += f'<a href="list" style="color:{link};text-decoration:underline">{escape(self.tr("list"))}</a>'
        document.setHtml(html)
        return document

    def _box(self, painter: QPainter, area: QRectF, index: Index) -> None:
        box = QRectF(0, 0, BOX, BOX)
        box.moveCenter(area.center())
        checked = index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
        enabled = bool(index.flags() & Qt.ItemFlag.ItemIsUserCheckable)
        painter.setPen(QPen(theme.color("button" if checked else "quiet" if enabled else "edge"), 1.3))
        painter.setBrush(theme.color("button") if checked else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, 4, 4)
        if checked:
            painter.setPen(QPen(theme.color("button_ink"), 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            points = [(0.24, 0.52), (0.43, 0.71), (0.77, 0.31)]
            corners = [box.topLeft() + QPointF(box.width() * x, box.height() * y) for x, y in points]
            painter.drawPolyline(corners)

    def link_at(self, option, index: Index, point) -> bool:
        """Whether the link is under `point` (in the view's coordinates)."""
        if not index.data(ListRole):
            return False
        document = self._document(option, index)
        top = option.rect.top() + (option.rect.height() - document.size().height()) / 2
        place = QRectF(option.rect).topLeft()
        place.setX(point.x() - place.x() - SIDE)
        place.setY(point.y() - top)
        return bool(document.documentLayout().anchorAt(place))


class PreflightTable(QTableView):
    """Arrows move, Space includes or leaves out, Right shows what is left out, P the text, Return accepts."""

    list_asked = Signal(int)
    """The row whose left-out parts are to be shown."""
    preview_asked = Signal(int)
    """The row whose text is to be shown."""
    accepted = Signal()

    def __init__(self, model: PreflightModel, parent: QWidget | None = None):
        super().__init__(parent)
        theme.set_role(self, "plain")
        self.setAccessibleName(self.tr("Items to read"))
        self.setAccessibleDescription(
            self.tr(
                "Space includes an item or leaves it out. The right arrow lists what is left out, P shows the text."
            )
        )
        self.setModel(model)
        self._cell = PreflightCell(self)
        self.setItemDelegate(self._cell)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        header.setSectionsClickable(False)
        self._fitted = -1
        """The width that rows were given their heights for."""
        self._changed: set[int] = set()
        model.rowsInserted.connect(lambda _, first, last: self._changes(first, last))
        model.dataChanged.connect(lambda first, last: self._changes(first.row(), last.row()))
        model.modelReset.connect(self._start_anew)
        self.clicked.connect(self._clicked)

    def fit(self, most: int) -> None:
        """Give columns their shares of the width, and rows that changed their heights; be no taller than `most`."""
        self._spread()
        for row in self._changed:
            self.resizeRowToContents(row)
        self._changed.clear()
        rows = self.verticalHeader().length() + self.horizontalHeader().sizeHint().height() + 2
        self.setFixedHeight(max(min(rows, most), 80))

    def resizeEvent(self, event) -> None:
        """A scroll bar that appears takes its width from the columns."""
        super().resizeEvent(event)
        self._spread()

    def _spread(self) -> None:
        width = self.viewport().width()
        if width == self._fitted:
            return
        self._fitted = width
        self.setColumnWidth(CHECK, BOX + 2 * PAD)
        rest = width - self.columnWidth(CHECK)
        for column, share in SHARES.items():
            self.setColumnWidth(column, int(width * share))
            rest -= int(width * share)
        self.setColumnWidth(WHAT, rest)
        self.resizeRowsToContents()
        self._changed.clear()

    def _changes(self, first: int, last: int) -> None:
        self._changed.update(range(first, last + 1))

    def _start_anew(self) -> None:
        self._fitted = -1

    def mouseDoubleClickEvent(self, event) -> None:
        index = self.indexAt(event.position().toPoint())
        if index.isValid() and index.column() != CHECK:
            self.preview_asked.emit(index.row())

    def include(self, place: int) -> None:
        self.model().toggle(place)

    def _clicked(self, index: QModelIndex) -> None:
        if index.column() == CHECK:
            self.include(index.row())

    def _link(self, point) -> QModelIndex | None:
        index = self.indexAt(point)
        if not index.isValid():
            return None
        option = QStyleOptionViewItem()
        self.initViewItemOption(option)
        option.rect = self.visualRect(index)
        return index if self._cell.link_at(option, index, point) else None

    def mouseReleaseEvent(self, event) -> None:
        link = self._link(event.position().toPoint())
        super().mouseReleaseEvent(event)
        if link is not None:
            self.list_asked.emit(link.row())

    def mouseMoveEvent(self, event) -> None:
        over = self._link(event.position().toPoint()) is not None
        self.viewport().setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        super().mouseMoveEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.accepted.emit()
        elif event.key() == Qt.Key.Key_Space and index.isValid():
            self.include(index.row())
        elif event.key() == Qt.Key.Key_P and index.isValid():
            self.preview_asked.emit(index.row())
        elif event.key() == Qt.Key.Key_Right and index.isValid():
            if index.siblingAtColumn(WHAT).data(ListRole):
                self.list_asked.emit(index.row())
        elif event.key() == Qt.Key.Key_Escape:
            event.ignore()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.selectRow(0)
