"""Cards that lie over the window: with a shadow, and over a dimmed window that waits until they close."""

from PySide6.QtCore import QEvent, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter
from PySide6.QtWidgets import QFrame, QStyle, QVBoxLayout, QWidget

from app.views import theme

SHADOW = 28
"""Pixels around a card that its shadow needs."""
RADIUS = 11


class Floating(QWidget):
    """A card with a soft shadow, laid over whatever is behind. Put widgets into `card`."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.card = QFrame(self)
        theme.set_role(self.card, "card")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SHADOW, SHADOW, SHADOW, SHADOW)
        layout.addWidget(self.card)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        dark = theme.scheme() == "dark"
        card = QRectF(self.card.geometry()).translated(0, 5)
        shade = theme.color("shadow")
        reach = SHADOW - 6
        # thin layers, stronger towards the card, add up to the fall-off that a blur would give
        for step in range(reach, 0, -1):
            shade.setAlphaF((0.04 if dark else 0.014) * (1 - step / (reach + 1)))
            painter.setBrush(shade)
            painter.drawRoundedRect(card.adjusted(-step, -step, step, step), RADIUS + step, RADIUS + step)
        painter.end()


class Overlay(QWidget):
    """Covers its parent, dims it and holds one card in the middle. Keyboard focus stays inside until it closes.

    Esc calls `escape()`. Focus goes back to where it was when the overlay closes.
    """

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.floating = Floating(self)
        self.card = self.floating.card
        self._before: QWidget | None = None
        self._dim = QVariantAnimation(self)
        self._dim.setStartValue(0.0)
        self._dim.setEndValue(1.0)
        self._dim.valueChanged.connect(lambda _: self.update())
        self.hide()
        parent.installEventFilter(self)

    def open(self) -> None:
        if self.isVisible():
            return
        self._before = self.window().focusWidget()
        # a system that asks for less motion answers 0
        duration = self.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration)
        self._dim.setDuration(min(120, duration))
        self.cover()
        self.show()
        self.raise_()
        self.first_focus().setFocus(Qt.FocusReason.PopupFocusReason)
        self._dim.start()

    def dismiss(self) -> None:
        if self.isHidden():
            return
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None

    def escape(self) -> None:
        self.dismiss()

    def first_focus(self) -> QWidget:
        return next(iter(self._chain()), self)

    def card_size(self, room: QRectF) -> QRectF:
        """Where the card lies: its own height, in the upper middle. Subclasses choose the width."""
        hint = self.card.sizeHint()
        width, height = min(hint.width(), int(room.width())), min(hint.height(), int(room.height()))
        return QRectF((room.width() - width) / 2, max(0.0, (room.height() - height) * 0.32), width, height)

    def cover(self) -> None:
        """Lay the overlay over its parent and the card in its place."""
        self.setGeometry(self.parentWidget().rect())
        room = QRectF(self.rect()).adjusted(0, 0, -2.0 * SHADOW, -2.0 * SHADOW)
        place = self.card_size(room)
        self.floating.setGeometry(place.adjusted(0, 0, 2.0 * SHADOW, 2.0 * SHADOW).toRect())

    def eventFilter(self, watched, event) -> bool:
        if watched is self.parentWidget() and event.type() == QEvent.Type.Resize and self.isVisible():
            self.cover()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        chain = self._chain()
        if not chain:
            return True
        current = self.window().focusWidget()
        place = chain.index(current) if current in chain else -1 if forward else 0
        chosen = chain[(place + (1 if forward else -1)) % len(chain)]
        chosen.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def _chain(self) -> list[QWidget]:
        """What Tab reaches inside, in order."""
        chain, widget = [], self.nextInFocusChain()
        while widget is not None and widget is not self:
            if (
                self.isAncestorOf(widget)
                and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
                and widget.isEnabled()
                and widget.isVisibleTo(self)
                and widget.focusProxy() is None
            ):
                chain.append(widget)
            widget = widget.nextInFocusChain()
        return chain

    def event(self, event: QEvent) -> bool:
        # the window's shortcuts wait: the card is about what was dropped, and they are about what lies behind
        if event.type() == QEvent.Type.ShortcutOverride and not event.matches(QKeySequence.StandardKey.Quit):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.escape()
        else:
            event.accept()  # nothing behind hears a key while the card is open

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        dark = theme.scheme() == "dark"
        shade = theme.color("shadow")
        shade.setAlphaF((0.42 if dark else 0.26) * float(self._dim.currentValue() or 0.0))
        painter.fillRect(self.rect(), shade)
        painter.end()

    def mousePressEvent(self, event) -> None:
        event.accept()
