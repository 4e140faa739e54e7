"""How the rows of the sidebar's lists are drawn: library cards, conversations, and found places."""

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.models.conversations import SnippetRole
from app.models.library import DetailRole, FractionRole, Index, StateRole
from app.views import theme

GAP = 8
"""Between cards."""
PAD = 9


def is_set(option: QStyleOptionViewItem, flag: QStyle.StateFlag) -> bool:
    return bool(option.state & flag)


def line(
    painter: QPainter, font: QFont, color: QColor, area: QRect, text: str, elide=Qt.TextElideMode.ElideRight
) -> int:
    """One elided line at the top of `area`; answers its height."""
    metrics = QFontMetrics(font)
    painter.setFont(font)
    painter.setPen(color)
    place = QRect(area.left(), area.top(), area.width(), metrics.height())
    painter.drawText(place, Qt.AlignmentFlag.AlignVCenter, metrics.elidedText(text, elide, area.width()))
    return metrics.height() + 2


class LibraryCard(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        height = QFontMetrics(option.font).height() + 2 * (QFontMetrics(theme.font("caption")).height() + 2)
        return QSize(120, height + 2 * PAD + GAP)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
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
        rows = (
            (option.font, theme.color("ink"), index.data(), Qt.TextElideMode.ElideMiddle),
            (detail, theme.color("quiet"), index.data(DetailRole), Qt.TextElideMode.ElideRight),
            (
                detail,
                theme.color("accent_text" if reading else "quiet"),
                index.data(StateRole),
                Qt.TextElideMode.ElideRight,
            ),
        )
        for font, color, text, elide in rows:
            area.setTop(area.top() + line(painter, font, color, area, text, elide))
        painter.restore()


class ConversationRow(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, QFontMetrics(option.font).height() + 2 * PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        ground(painter, option)
        area = option.rect.adjusted(PAD, 0, -PAD, 0)
        area.setTop(option.rect.top() + PAD)
        line(painter, option.font, theme.color("ink"), area, index.data())
        painter.restore()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QLineEdit:
        editor = QLineEdit(parent)
        editor.setMaxLength(200)
        editor.setAccessibleName(self.tr("New name of the conversation"))
        return editor


class FoundRow(QStyledItemDelegate):
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        height = QFontMetrics(option.font).height() + 2 * QFontMetrics(theme.font("caption")).height()
        return QSize(120, height + 2 * PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        ground(painter, option)
        area = option.rect.adjusted(PAD, PAD - 2, -PAD, -PAD)
        area.setTop(area.top() + line(painter, option.font, theme.color("ink"), area, index.data()))
        font = theme.font("caption")
        painter.setFont(font)
        painter.setPen(theme.color("quiet"))
        place = QRect(area.left(), area.top(), area.width(), 2 * QFontMetrics(font).height())
        painter.drawText(place, Qt.TextFlag.TextWordWrap, index.data(SnippetRole))
        painter.restore()


def ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """The rounded ground of a plain row: chosen, under the pointer, or with the keyboard's focus."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    chosen = is_set(option, QStyle.StateFlag.State_Selected)
    focused = is_set(option, QStyle.StateFlag.State_HasFocus)
    if chosen or focused or is_set(option, QStyle.StateFlag.State_MouseOver):
        painter.setPen(QPen(theme.color("accent"), 1.5) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selected" if chosen else "hover"))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 7, 7)
