"""Three panes side by side. In a narrow window the right one becomes a drawer, in a narrower one the left one too."""

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from app.views import theme

RIGHT_DRAWER_BELOW = 1100
LEFT_DRAWER_BELOW = 820
WIDTHS = (262, 760, 418)
"""Of the panes at first, in device-independent pixels."""
NARROWEST = (200, 420, 260)


class Drawer(QWidget):
    """Covers the panes; its pane slides over one side. A click beside it, or Esc, closes it."""

    closed = Signal()

    def __init__(self, parent: QWidget, side: Qt.Edge) -> None:
        super().__init__(parent)
        self._side = side
        self._pane: QWidget | None = None
        self._before: QWidget | None = None
        self.hide()

    def hold(self, pane: QWidget | None) -> None:
        self._pane = pane
        if pane is not None:
            pane.setParent(self)
            pane.show()

    def open(self) -> None:
        self._before = self.window().focusWidget()
        self.fit()
        self.show()
        self.raise_()
        chain = self._pane.nextInFocusChain() if self._pane else None
        while chain is not None and chain is not self._pane:
            if self._pane.isAncestorOf(chain) and chain.focusPolicy() & Qt.FocusPolicy.TabFocus and chain.isVisible():
                chain.setFocus(Qt.FocusReason.OtherFocusReason)
                break
            chain = chain.nextInFocusChain()

    def close_drawer(self) -> None:
        if not self.isVisible():
            return
        self.hide()
        if self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.OtherFocusReason)
        self._before = None
        self.closed.emit()

    def fit(self) -> None:
        area = self.parentWidget().rect()
        self.setGeometry(area)
        if self._pane is not None:
            left = self._side == Qt.Edge.LeftEdge
            width = min(WIDTHS[0 if left else 2], area.width() - 48)
            self._pane.setGeometry(0 if left else area.width() - width, 0, width, area.height())

    def mousePressEvent(self, event) -> None:
        self.close_drawer()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_drawer()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event) -> None:
        shade = QColor(theme.color("shadow"))
        shade.setAlphaF(0.28)
        painter = QPainter(self)
        painter.fillRect(self.rect(), shade)
        painter.end()


class Panes(QWidget):
    """`changed`: a pane was shown or hidden, or became a drawer or a pane again."""

    changed = Signal()

    def __init__(self, left: QWidget, middle: QWidget, right: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._panes = (left, middle, right)
        self._widths = list(WIDTHS)
        self._wanted = [True, True, True]
        self._split = QSplitter(Qt.Orientation.Horizontal, self)
        self._split.setChildrenCollapsible(False)
        self._split.setHandleWidth(1)
        for place, pane in enumerate(self._panes):
            pane.setMinimumWidth(NARROWEST[place])
            self._split.addWidget(pane)
            self._split.setStretchFactor(place, 1 if place == 1 else 0)
        self._split.setSizes(self._widths)
        self._split.splitterMoved.connect(self._moved)
        self._drawers = {0: Drawer(self, Qt.Edge.LeftEdge), 2: Drawer(self, Qt.Edge.RightEdge)}
        self._drawn = {0: False, 2: False}
        for drawer in self._drawers.values():
            drawer.closed.connect(self.changed)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._split)

    def minimumSizeHint(self) -> QSize:
        """Of the middle pane: the others give way as drawers."""
        return QSize(NARROWEST[1], super().minimumSizeHint().height())

    def is_drawer(self, place: int) -> bool:
        """Whether the pane (0 left, 2 right) lies in a drawer now."""
        return self._drawn[place]

    def is_shown(self, place: int) -> bool:
        if self._drawn[place]:
            return self._drawers[place].isVisible()
        return self._wanted[place]

    def set_shown(self, place: int, shown: bool) -> None:
        """Show or hide the left (0) or right (2) pane, as a drawer where the window is narrow."""
        if self._drawn[place]:
            if shown:
                self._drawers[place].open()
            else:
                self._drawers[place].close_drawer()
        else:
            self._wanted[place] = shown
            self._panes[place].setVisible(shown)
            self._arrange()
        self.changed.emit()

    def widths(self) -> list[int]:
        """Of the three panes, as they were last side by side."""
        return list(self._widths)

    def wanted(self) -> list[bool]:
        """Which panes the person wants to see when there is room."""
        return list(self._wanted)

    def restore(self, widths: list[int], wanted: list[bool]) -> None:
        self._widths, self._wanted = list(widths), [wanted[0], True, wanted[2]]
        for place in (0, 2):
            if not self._drawn[place]:
                self._panes[place].setVisible(self._wanted[place])
        self._arrange()
        self.changed.emit()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        width = event.size().width()
        moved = self._put(2, width < RIGHT_DRAWER_BELOW) | self._put(0, width < LEFT_DRAWER_BELOW)
        for drawer in self._drawers.values():
            drawer.fit()
        if moved or self._split.width() != width:
            self._arrange()
        if moved:
            self.changed.emit()

    def _put(self, place: int, into_drawer: bool) -> bool:
        """Move the pane into its drawer or back; whether anything was done."""
        if self._drawn[place] == into_drawer:
            return False
        self._drawn[place] = into_drawer
        pane = self._panes[place]
        if into_drawer:
            self._drawers[place].hold(pane)
        else:
            self._drawers[place].close_drawer()
            self._drawers[place].hold(None)
            self._split.insertWidget(min(place, self._split.count()), pane)
            pane.setVisible(self._wanted[place])
            for index in range(self._split.count()):
                self._split.setStretchFactor(index, 1 if self._split.widget(index) is self._panes[1] else 0)
        return True

    def _arrange(self) -> None:
        """Side panes keep their widths; the middle takes what is left."""
        inside = [self._panes.index(self._split.widget(i)) for i in range(self._split.count())]
        shown = [place for place in inside if self._wanted[place]]
        room = self.width() - sum(self._widths[place] for place in shown if place != 1) - len(shown) + 1
        self._split.setSizes([max(room, NARROWEST[1]) if place == 1 else self._widths[place] for place in inside])

    def _moved(self) -> None:
        for index, size in enumerate(self._split.sizes()):
            if size:
                self._widths[self._panes.index(self._split.widget(index))] = size
