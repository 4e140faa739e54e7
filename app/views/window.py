"""The window: panes in their places, menus, shortcuts and drops. It shows what it is given and says what was asked."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QRect, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMainWindow, QVBoxLayout, QWidget

from app.views import menus, theme
from app.views.banner import Banner
from app.views.composer import Composer
from app.views.conversation import COLUMN, ConversationView
from app.views.icons import IconButton
from app.views.instruments import Instruments
from app.views.library_tree import FOLDED, LibraryTree
from app.views.overlay import MARGIN, DropOverlay
from app.views.panes import Panes
from app.views.privacy_pill import PrivacyPill
from app.views.question_field import files_of
from app.views.reading_bar import ReadingBar
from app.views.sidebar import Sidebar
from app.views.source import SourcePane

PILL_SHORT_BELOW = 900
"""Width in which menus and the whole sentence of the pill have room side by side."""


class Kept(msgspec.Struct, frozen=True):
    """How the window lay when it was closed."""

    geometry: str
    widths: list[int]
    wanted: list[bool]
    folded: tuple[str, ...] = FOLDED
    """Groups of the library."""


class MainWindow(QMainWindow):
    dropped = Signal(list)
    """Paths of files and folders that were dropped or pasted, in order."""
    theme_chosen = Signal(str)
    closing = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setWindowTitle(self.tr("Longread"))
        self.setAcceptDrops(True)
        self.sidebar = Sidebar(self)
        self.conversation = ConversationView(self)
        self.composer = Composer(self)
        self.reading_bar = ReadingBar(self)
        self.banner = Banner(self)
        self.source = SourcePane(self)
        self.instruments = Instruments(self)
        self.privacy_pill = PrivacyPill(self)
        self.panes = Panes(self.sidebar, self._middle(), self.source, self)
        self.actions_by_name: dict[str, QAction] = menus.build(self, self.menuBar())
        self._dress_menu_bar()
        centre = QWidget(self)
        layout = QVBoxLayout(centre)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.panes, 1)
        layout.addWidget(self.instruments)
        self.setCentralWidget(centre)
        self._overlay = DropOverlay(self.panes)
        self._wire()
        self.resize(1440, 900)
        self._show_panes()

    def state(self) -> bytes:
        """Place, size and panes, for `restore`."""
        geometry = self.saveGeometry().toBase64().toStdString()
        return msgspec.json.encode(
            Kept(geometry, self.panes.widths(), self.panes.wanted(), self.sidebar.library.folded())
        )

    def restore(self, state: bytes) -> None:
        """Lie as `state` says. Raises msgspec.DecodeError or ValidationError when it is damaged."""
        kept = msgspec.json.decode(state, type=Kept)
        self.restoreGeometry(QByteArray.fromBase64(kept.geometry.encode()))
        self.panes.restore(kept.widths, kept.wanted)
        self.sidebar.library.set_folded(kept.folded)

    def set_busy(self, busy: bool) -> None:
        """While an answer is on its way it can be stopped, and no other be begun."""
        self.composer.set_busy(busy)
        self.actions_by_name["stop"].setEnabled(busy)
        self.actions_by_name["regenerate"].setEnabled(not busy)

    def set_theme(self, choice: str) -> None:
        """Tick the menu's entry; the owner of the application applies it."""
        self.actions_by_name[f"theme_{choice}"].setChecked(True)

    def copy(self, text: str) -> None:
        """Put it on the clipboard."""
        QGuiApplication.clipboard().setText(text)

    def show_source(self, shown: bool = True) -> None:
        self.panes.set_shown(2, shown)

    def conversation_area(self) -> QRect:
        """Where the conversation lies in `centralWidget()`, for cards that float over it."""
        area = self.conversation.rect()
        area.moveTopLeft(self.conversation.mapTo(self.centralWidget(), area.topLeft()))
        return area

    def _middle(self) -> QWidget:
        middle = QFrame(self)
        theme.set_role(middle, "sheet")
        foot = QWidget(middle)
        column = QVBoxLayout(foot)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        column.addWidget(self.reading_bar)
        column.addWidget(self.composer)
        foot.setMaximumWidth(COLUMN)
        centred = QHBoxLayout()
        centred.setContentsMargins(40, 0, 40, 16)
        centred.addStretch(1)
        centred.addWidget(foot, 1000)
        centred.addStretch(1)
        layout = QVBoxLayout(middle)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.banner)
        layout.addWidget(self.conversation, 1)
        layout.addLayout(centred)
        return middle

    def _dress_menu_bar(self) -> None:
        bar = self.menuBar()
        bar.setNativeMenuBar(False)
        brand = QLabel(self.tr("Longread"), bar)
        theme.set_role(brand, "brand")
        bar.setCornerWidget(brand, Qt.Corner.TopLeftCorner)
        corner = _Corner(bar)
        self._show_left = IconButton("panel-left", self.tr("Library and conversations"), parent=corner)
        self._show_right = IconButton("panel-right", self.tr("Source"), parent=corner)
        settings = IconButton("sliders-horizontal", self.tr("Model settings"), parent=corner)
        settings.clicked.connect(self.actions_by_name["settings"].trigger)
        self._show_left.clicked.connect(lambda: self._toggle(0))
        self._show_right.clicked.connect(lambda: self._toggle(2))
        self.privacy_pill.clicked.connect(self.actions_by_name["privacy"].trigger)
        layout = QHBoxLayout(corner)
        layout.setContentsMargins(0, 0, 14, 0)
        layout.setSpacing(8)
        for widget in (self._show_left, self._show_right, settings, self.privacy_pill):
            layout.addWidget(widget)
        bar.setCornerWidget(corner, Qt.Corner.TopRightCorner)

    def _wire(self) -> None:
        do = self.actions_by_name
        do["quit"].triggered.connect(self.close)
        do["ask"].triggered.connect(self.composer.ask)
        do["every_part"].toggled.connect(self.composer.set_every_part)
        self.composer.every_part_changed.connect(do["every_part"].setChecked)
        do["forget_reading"].triggered.connect(self.sidebar.forget_chosen)
        self._wire_library(self.sidebar.library)
        do["stop"].triggered.connect(self.composer.stopped)
        do["find_here"].triggered.connect(self._find_here)
        do["find_in_source"].triggered.connect(self._find_in_source)
        do["find_anything"].triggered.connect(self._find_anything)
        do["focus_composer"].triggered.connect(lambda: self.composer.setFocus(Qt.FocusReason.ShortcutFocusReason))
        do["next_pane"].triggered.connect(lambda: self._pane(1))
        do["previous_pane"].triggered.connect(lambda: self._pane(-1))
        do["toggle_sidebar"].triggered.connect(lambda: self._toggle(0))
        do["toggle_source"].triggered.connect(lambda: self._toggle(2))
        do["copy_answer"].triggered.connect(self.conversation.copy_last_answer)
        for name in ("system", "light", "dark"):
            do[f"theme_{name}"].triggered.connect(lambda _=False, name=name: self.theme_chosen.emit(name))
        self.source.hidden_by_person.connect(lambda: self.panes.set_shown(2, False))
        self.composer.add_files.connect(do["add_files"].trigger)
        self.composer.files_pasted.connect(self.dropped)
        self.panes.changed.connect(self._show_panes)

    def _wire_library(self, library: LibraryTree) -> None:
        do = self.actions_by_name
        do["new_matter"].triggered.connect(lambda: library.matter_made.emit([]))
        do["put_into_matter"].triggered.connect(library.show_matters_menu)
        for name, wish in (
            ("attach_chosen", library.items_attached),
            ("export_chosen", library.items_exported),
            ("delete_chosen", library.items_forgotten),
        ):
            do[name].triggered.connect(lambda _=False, wish=wish: library.ask(wish))
        for name, wish in (("read_new_version", library.version_wanted), ("show_changes", library.changes_wanted)):
            do[name].triggered.connect(lambda _=False, wish=wish: library.ask_of_one(wish))

    def _show_panes(self) -> None:
        for place, name, button in ((0, "toggle_sidebar", self._show_left), (2, "toggle_source", self._show_right)):
            self.actions_by_name[name].setChecked(self.panes.is_shown(place))
            button.setVisible(self.panes.is_drawer(place) or not self.panes.is_shown(place))

    def _toggle(self, place: int) -> None:
        self.panes.set_shown(place, not self.panes.is_shown(place))

    def _find_here(self) -> None:
        if self.source.isAncestorOf(self.focusWidget() or self):
            self.source.find_here()
        else:
            self.conversation.find_here()

    def _find_in_source(self) -> None:
        self.panes.set_shown(2, True)
        self.source.find_here()

    def _find_anything(self) -> None:
        self.panes.set_shown(0, True)
        self.sidebar.focus_search()

    def _pane(self, step: int) -> None:
        """Give the focus to the next pane that is in sight, in reading order."""
        panes = [self.sidebar, self.conversation, self.composer, self.source, self.instruments]
        focus = self.focusWidget()
        here = next((i for i, pane in enumerate(panes) if focus and (pane is focus or pane.isAncestorOf(focus))), -1)
        for turn in range(1, len(panes) + 1):
            pane = panes[(here + step * turn) % len(panes)]
            first = first_in(pane)
            if pane.isVisible() and first is not None:
                first.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return

    def dragEnterEvent(self, event) -> None:
        paths = files_of(event.mimeData())
        if not paths:
            event.ignore()
            return
        event.acceptProposedAction()
        self._lay_overlay(paths)

    def dragMoveEvent(self, event) -> None:
        event.acceptProposedAction()

    def dragLeaveEvent(self, event) -> None:
        self._overlay.hide()

    def dropEvent(self, event) -> None:
        self._overlay.hide()
        paths = files_of(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.dropped.emit(paths)

    def _lay_overlay(self, paths: Sequence[Path]) -> None:
        """Over all but the left pane, as wide as what a drop would be read into."""
        area = self.panes.rect()
        if not self.panes.is_drawer(0) and self.panes.is_shown(0):
            area.setLeft(self.sidebar.width() + 10)
        self._overlay.setGeometry(area.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN))
        self._overlay.show_paths(paths)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._overlay.hide()
        self.privacy_pill.set_narrow(event.size().width() < PILL_SHORT_BELOW)

    def closeEvent(self, event) -> None:
        self.composer.flush_draft()
        self.closing.emit()
        super().closeEvent(event)


class _Corner(QWidget):
    """What stands at the right of the menus: the bar is told when it wants another width."""

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            size = self.parentWidget().size()
            QCoreApplication.sendEvent(self.parentWidget(), QResizeEvent(size, size))
        return handled


def first_in(pane: QWidget) -> QWidget | None:
    """What Tab reaches first inside the pane, or the pane itself."""
    if pane.focusProxy() is not None:
        return pane.focusProxy()
    widget = pane.nextInFocusChain()
    while widget is not None and widget is not pane:
        reachable = widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisibleTo(pane) and widget.isEnabled()
        if reachable and pane.isAncestorOf(widget):
            return widget
        widget = widget.nextInFocusChain()
    return pane if pane.focusPolicy() & Qt.FocusPolicy.TabFocus else None
