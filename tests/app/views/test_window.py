"""The window: drops, drawers, shortcuts, and everything reachable and named for those who do not see it."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeySequence
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QWidget

from app.views.window import first_in
from tests.app.views import gallery


def drag(paths):
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def entering(window, mime):
    """The event borrows the data: whoever sends it keeps it."""
    middle, none = window.rect().center(), Qt.KeyboardModifier.NoModifier
    event = QDragEnterEvent(middle, Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, none)
    event.ignore()
    return event


def enter(window, mime):
    event = entering(window, mime)
    QApplication.sendEvent(window, event)
    return event.isAccepted()


def test_the_whole_window_takes_files_and_says_what_a_drop_does(window, qtbot, tmp_path):
    paths = [tmp_path / "a.pdf", tmp_path / "b.txt", tmp_path]
    mime = drag(paths)
    assert enter(window, mime)
    assert window._overlay.isVisible()
    assert window._overlay.text() == "2 files and 1 folder · you will see what is read before anything starts"
    drop = QDropEvent(
        QPointF(9, 9), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    with qtbot.waitSignal(window.dropped) as dropped:
        QApplication.sendEvent(window, drop)
    assert dropped.args == [[Path(path) for path in paths]]
    assert not window._overlay.isVisible()


def test_what_is_no_file_is_not_taken(window):
    words = QMimeData()
    words.setText("words")
    remote = QMimeData()
    remote.setUrls([QUrl("https://example.org/a.pdf")])
    assert not enter(window, words)
    assert not enter(window, remote)
    assert not window._overlay.isVisible()


def test_leaving_takes_the_overlay_away(window, tmp_path):
    mime = drag([tmp_path])
    enter(window, mime)
    QApplication.sendEvent(window, QDragLeaveEvent())
    assert not window._overlay.isVisible()


def test_files_over_a_text_field_are_taken_by_the_window(window, tmp_path):
    mime = drag([tmp_path])
    event = entering(window, mime)
    QApplication.sendEvent(window.composer.focusProxy().viewport(), event)
    assert event.isAccepted()
    assert window._overlay.isVisible()


@pytest.mark.parametrize(
    ("width", "left", "right"), [(1440, False, False), (1100, False, False), (1099, False, True), (819, True, True)]
)
def test_panes_become_drawers_in_narrow_windows(window, qtbot, width, left, right):
    window.resize(width, 800)
    qtbot.waitUntil(lambda: window.width() == width)
    assert (window.panes.is_drawer(0), window.panes.is_drawer(2)) == (left, right)
    assert window.source.isVisible() != right
    assert window.sidebar.isVisible() != left


def test_a_drawer_opens_over_the_conversation_and_esc_closes_it(window, qtbot):
    window.resize(1000, 800)
    qtbot.waitUntil(lambda: window.panes.is_drawer(2))
    window.composer.setFocus()
    window.actions_by_name["toggle_source"].trigger()
    assert window.source.isVisible()
    assert window.actions_by_name["toggle_source"].isChecked()
    qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Escape)
    assert not window.source.isVisible()
    assert not window.actions_by_name["toggle_source"].isChecked()


def test_panes_keep_their_places(window, qtbot):
    window.panes.restore([300, 700, 380], [True, True, True])
    window.sidebar.library.set_folded(["all"])
    kept = window.state()
    window.sidebar.library.set_folded([])
    window.resize(1000, 800)
    qtbot.waitUntil(lambda: window.panes.is_drawer(2))
    window.resize(1440, 900)
    qtbot.waitUntil(lambda: not window.panes.is_drawer(2))
    assert (window.sidebar.width(), window.source.width()) == (300, 380)
    window.panes.set_shown(2, False)
    window.restore(kept)
    assert window.sidebar.library.folded() == ("all",)
    assert window.panes.wanted() == [True, True, True]
    assert window.panes.widths() == [300, 700, 380]


def test_shortcuts_are_where_people_look_for_them(window):
    wanted = {
        "new_conversation": "Ctrl+N",
        "add_files": "Ctrl+O",
        "add_folder": "Ctrl+Shift+O",
        "find_anything": "Ctrl+K",
        "find_here": "Ctrl+F",
        "ask": "Ctrl+Return",
        "stop": "Esc",
        "focus_composer": "Ctrl+L",
        "next_pane": "F6",
        "shortcuts": "F1",
    }
    for name, keys in wanted.items():
        assert QKeySequence(keys) in window.actions_by_name[name].shortcuts(), name


def test_no_two_actions_share_a_shortcut(window):
    seen: dict[str, str] = {}
    for name, action in window.actions_by_name.items():
        for sequence in action.shortcuts():
            assert sequence.toString() not in seen, (name, seen.get(sequence.toString()))
            seen[sequence.toString()] = name


def test_f6_goes_round_the_panes(window):
    window.composer.setFocus()
    places = []
    for _ in range(6):
        window.actions_by_name["next_pane"].trigger()
        places.append(window.focusWidget())
    panes = [window.source, window.instruments, window.sidebar]
    assert [any(pane is w or pane.isAncestorOf(w) for w in places) for pane in panes] == [True, True, True]


def test_esc_stops_only_an_answer(window, qtbot):
    with qtbot.assertNotEmitted(window.composer.stopped):
        window.actions_by_name["stop"].trigger()
    window.set_busy(True)
    with qtbot.waitSignal(window.composer.stopped):
        qtbot.keyClick(window.composer.focusProxy(), Qt.Key.Key_Escape)


@pytest.mark.parametrize(
    "scene", ["answered", "code", "reading", "failed", "editing", "segments", "covering", "covered", "offer", "forced"]
)
def test_everything_that_takes_the_focus_has_a_name(window, scene):
    gallery.SCENES[scene](window)
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() & Qt.FocusPolicy.TabFocus and widget.isVisible() and not said(widget)
    ]
    assert nameless == []


def said(widget):
    """What a screen reader says of the widget."""
    text = widget.text() if isinstance(widget, QAbstractButton) else ""
    if isinstance(widget, QLineEdit):
        text = widget.placeholderText()
    return widget.accessibleName() or text


def test_every_button_can_be_reached_with_tab(window):
    gallery.failed(window)
    reached, widget = set(), first_in(window)
    for _ in range(400):
        reached.add(widget)
        widget = widget.nextInFocusChain()
    buttons = [each for each in window.findChildren(QAbstractButton) if each.isVisible()]
    assert all(each in reached and each.focusPolicy() & Qt.FocusPolicy.TabFocus for each in buttons if not own(each))


def own(button):
    """Qt's own buttons inside its widgets, such as the one that clears a field."""
    return button.metaObject().className().startswith("Q") and button.objectName().startswith(("qt_", "_q_"))


def test_the_pill_says_what_leaves(window):
    pill = window.privacy_pill
    assert pill.text() == "Nothing leaves this computer · 0 connections"
    pill.set_connections(1)
    assert pill.text() == "Your documents stay on this computer · 1 connection"
    pill.set_connections(3, "gpu.example.org")
    assert pill.text() == "Documents and questions go to gpu.example.org · 3 connections"
    assert pill.property("role") == "pill-remote"
    pill.set_narrow(True)
    assert pill.text() == "3 connections"
    assert "gpu.example.org" in pill.accessibleName()


def test_themes_are_chosen_in_the_menu(window, qtbot):
    window.set_theme("dark")
    assert window.actions_by_name["theme_dark"].isChecked()
    with qtbot.waitSignal(window.theme_chosen) as chosen:
        window.actions_by_name["theme_light"].trigger()
    assert chosen.args == ["light"]
    assert isinstance(window.actions_by_name["theme"], QAction)
