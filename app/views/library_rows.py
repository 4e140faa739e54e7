"""How the library's rows are drawn: cards of items, and the matters that they are in."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.models import quantities
from app.models.library import CountRole, DetailRole, FractionRole, Index, KindRole, OriginalRole, StateRole
from app.models.original_words import original_words
from app.views import theme
from app.views.icons import pixmap
from app.views.sidebar_rows import PAD, ground, is_set, line

GAP = 8
"""Between cards."""
LONGEST_NAME = 200
"""Letters, as in `app.services.collections`."""


def card_height(font: QFont) -> int:
    caption = QFontMetrics(theme.font("caption")).height()
    return QFontMetrics(font).height() + 2 * (caption + 2) + 2 * PAD + GAP


def group_height(font: QFont) -> int:
    return QFontMetrics(font).height() + 2 * PAD


class LibraryRow(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        height = card_height if index.data(KindRole) is None else group_height
        return QSize(120, height(option.font))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        (self._paint_card if index.data(KindRole) is None else self._paint_group)(painter, option, index)
        painter.restore()

    def _paint_group(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """A sign that it can be folded, its name, and how many it holds."""
        ground(painter, option)
        area = option.rect.adjusted(4, PAD, -PAD, -PAD)
        metrics = QFontMetrics(option.font)
        sign = "chevron-down" if is_set(option, QStyle.StateFlag.State_Open) else "chevron-right"
        side = metrics.height()
        painter.drawPixmap(area.left(), area.top(), pixmap(sign, "quiet", side))
        area.setLeft(area.left() + side + 4)
        count = quantities.number(index.data(CountRole))
        caption = theme.font("caption")
        wide = QFontMetrics(caption).horizontalAdvance(count)
        painter.setFont(caption)
        painter.setPen(theme.color("quiet"))
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, count)
        bold = QFont(option.font)
        bold.setWeight(QFont.Weight.DemiBold)
        line(painter, bold, theme.color("ink"), area.adjusted(0, 0, -wide - 8, 0), index.data())

    def _paint_card(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        chosen = is_set(option, QStyle.StateFlag.State_Selected)
        focused = is_set(option, QStyle.StateFlag.State_HasFocus)
        hovered = is_set(option, QStyle.StateFlag.State_MouseOver)
        card = QRectF(option.rect).adjusted(1, 1, -1, -1.0 - GAP)
        edge = theme.color("accent") if chosen or focused else theme.color("line")
        if hovered and not chosen:
            edge = theme.color("edge")
        shape = QPainterPath()
        shape.addRoundedRect(card, 7, 7)
        painter.setPen(QPen(edge, 2.0 if focused else 1.2))
        painter.setBrush(theme.color("paper"))
        painter.drawPath(shape)
        if chosen:
            painter.save()
            painter.setClipPath(shape)
            painter.fillRect(QRectF(card.left(), card.top(), 4, card.height()), theme.color("accent"))
            painter.restore()
        area = card.toRect().adjusted(PAD + 1, PAD - 1, -PAD, -PAD)
        detail = theme.font("caption")
        fraction = index.data(FractionRole)
        reading = fraction is not None and fraction < 1
        original = index.data(OriginalRole)
        note = " ".join(original_words(original))
        rows = (
            (option.font, theme.color("ink"), index.data(), Qt.TextElideMode.ElideMiddle),
            (
                detail,
                theme.color("warn" if note and original != "older" else "quiet"),
                f"{note} · {index.data(DetailRole)}" if note else index.data(DetailRole),
                Qt.TextElideMode.ElideRight,
            ),
            (
                detail,
                theme.color("accent_text" if reading else "quiet"),
                index.data(StateRole),
                Qt.TextElideMode.ElideRight,
            ),
        )
        for font, color, text, elide in rows:
            area.setTop(area.top() + line(painter, font, color, area, text, elide))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QLineEdit:
        editor = QLineEdit(parent)
        editor.setMaxLength(LONGEST_NAME)
        editor.setAccessibleName(self.tr("New name of the matter"))
        return editor
