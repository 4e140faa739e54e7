"""How the rows of the sidebar's lists are drawn: conversations, and found places."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.models.conversations import SnippetRole
from app.models.found_texts import ExcerptRole, MarksRole, WhereRole
from app.models.library import Index
from app.views import theme

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


class FoundTextRow(QStyledItemDelegate):
    """A document's name, the place, and two lines of what stands around it, with the words in bold."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        caption = QFontMetrics(theme.font("caption")).height()
        return QSize(120, QFontMetrics(option.font).height() + 3 * caption + 6 + 2 * PAD)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        ground(painter, option)
        area = option.rect.adjusted(PAD, PAD - 2, -PAD, -PAD)
        name, font = Qt.TextElideMode.ElideMiddle, theme.font("caption")
        area.setTop(area.top() + line(painter, option.font, theme.color("ink"), area, index.data(), name))
        area.setTop(area.top() + line(painter, font, theme.color("accent_text"), area, index.data(WhereRole)))
        painter.setPen(theme.color("quiet"))
        excerpt(index.data(ExcerptRole), index.data(MarksRole), font, area.width()).draw(
            painter, QPointF(area.topLeft())
        )
        painter.restore()


def excerpt(text: str, marks: Sequence[tuple[int, int]], font: QFont, width: int) -> QTextLayout:
    """As many whole lines of the text as two, with the marked characters in bold. Qt counts in UTF-16."""
    layout = QTextLayout(text, font)
    bold = QTextCharFormat()
    bold.setFontWeight(QFont.Weight.Bold)
    bold.setForeground(theme.color("ink"))
    ranges = []
    for start, end in marks:
        one = QTextLayout.FormatRange()
        one.start, one.length, one.format = utf16(text[:start]), utf16(text[start:end]), bold
        ranges.append(one)
    layout.setFormats(ranges)
    layout.beginLayout()
    for number in range(2):
        made = layout.createLine()
        if not made.isValid():
            break
        made.setLineWidth(width)
        made.setPosition(QPointF(0, number * QFontMetrics(font).height()))
    layout.endLayout()
    return layout


def utf16(text: str) -> int:
    return len(text) + sum(ord(character) > 0xFFFF for character in text)


def ground(painter: QPainter, option: QStyleOptionViewItem) -> None:
    """The rounded ground of a plain row: chosen, under the pointer, or with the keyboard's focus."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    chosen = is_set(option, QStyle.StateFlag.State_Selected)
    focused = is_set(option, QStyle.StateFlag.State_HasFocus)
    if chosen or focused or is_set(option, QStyle.StateFlag.State_MouseOver):
        painter.setPen(QPen(theme.color("accent"), 1.5) if focused else Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("selected" if chosen else "hover"))
        painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), 7, 7)
