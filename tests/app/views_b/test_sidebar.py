"""The sidebar: what it shows, what it asks for, by mouse and by keyboard."""

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from app.models.library import StateRole
from app.models.readings import OnDisk
from app.views.sidebar import Sidebar
from tests.app.views_b import samples


@pytest.fixture
def sidebar(qtbot):
    made = Sidebar()
    qtbot.addWidget(made)
    made.resize(262, 800)
    made.set_items(samples.ITEMS)
    made.set_conversations(samples.CONVERSATIONS, "c2")
    made.show()
    qtbot.waitExposed(made)
    return made


def card(sidebar, row):
    """The row of an item that is shown below the root, or in the first group."""
    library = sidebar.library
    root = library.rootIndex()
    return library.model().index(row, 0, root if root.isValid() else library.model().index(0, 0))


def state(sidebar, row):
    return card(sidebar, row).data(StateRole)


def entry(menu, words):
    return next(action for action in menu.actions() if action.text() == words)


def test_each_item_says_how_far_it_is_read(sidebar):
    sidebar.set_item_state(samples.AGREEMENT.id, 1.0)
    sidebar.set_item_state(samples.SERVICE.id, 0.63, "reading 63 % · 4,812 tok/s")
    assert [state(sidebar, row) for row in range(3)] == ["● in memory", "○ not read", "◐ reading 63 % · 4,812 tok/s"]
    assert sidebar.item_ids() == [item.id for item in samples.ITEMS]


def test_what_is_on_disk_is_said_with_its_size_and_time(sidebar):
    none = frozenset()
    saved = {
        samples.AGREEMENT.id: OnDisk(5 * 2**30, True, 1.4, none),
        samples.LETTER.id: OnDisk(148 * 2**20, False, None, none),
        samples.SERVICE.id: OnDisk(2**30, True, None, none),
    }
    sidebar.set_saved(saved)
    assert [state(sidebar, row) for row in range(3)] == [
        "● read, opens in 1.4 s · 5 GB",
        "○ not read by this model · 148 MB",
        "● read · 1 GB on disk",
    ]
    sidebar.set_item_state(samples.AGREEMENT.id, 1.0)
    assert state(sidebar, 0) == "● in memory · 5 GB on disk"
    told = card(sidebar, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told.endswith("in memory · 5 GB on disk")


def test_a_reading_is_forgotten_by_menu_and_by_key_where_there_is_one(sidebar, qtbot):
    asked = []
    sidebar.reading_forgotten.connect(asked.append)
    sidebar.select_item(samples.LETTER.id)
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(sidebar.library, Qt.Key.Key_Delete, shift)
    assert not entry(sidebar.library.menu(), "Forget this reading…").isEnabled()
    assert not asked
    sidebar.set_saved({samples.LETTER.id: OnDisk(2**20, True, 0.2, frozenset())})
    removed = []
    sidebar.library.items_removed.connect(removed.append)
    qtbot.keyClick(sidebar.library, Qt.Key.Key_Delete, shift)
    entry(sidebar.library.menu(), "Forget this reading…").trigger()
    assert asked == [samples.LETTER.id] * 2
    assert not removed


def test_a_card_is_read_out_whole(sidebar):
    told = card(sidebar, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told == "Share Purchase Agreement.pdf, 412 pages · 218,340 tokens, not read"


def test_states_and_selection_outlive_a_new_list(sidebar):
    sidebar.select_item(samples.SERVICE.id)
    sidebar.set_item_state(samples.SERVICE.id, 1.0)
    sidebar.set_items([samples.SERVICE, samples.LETTER])
    assert state(sidebar, 0) == "● in memory"
    assert sidebar.library.currentIndex().row() == 0


def test_click_shows_and_return_shows(sidebar, qtbot):
    asked = []
    sidebar.item_clicked.connect(asked.append)
    centre = sidebar.library.visualRect(card(sidebar, 1)).center()
    qtbot.mouseClick(sidebar.library.viewport(), Qt.MouseButton.LeftButton, pos=centre)
    qtbot.keyClick(sidebar.library, Qt.Key.Key_Return)
    assert asked == [samples.LETTER.id, samples.LETTER.id]


def test_delete_asks_and_backspace_does_nothing(sidebar, qtbot):
    items, conversations = [], []
    sidebar.library.items_removed.connect(items.append)
    sidebar.conversation_removed.connect(conversations.append)
    sidebar.select_item(samples.LETTER.id)
    for view in (sidebar.library, sidebar.conversations):
        view.setFocus()
        qtbot.keyClick(view, Qt.Key.Key_Backspace)
    assert not items
    assert not conversations
    qtbot.keyClick(sidebar.library, Qt.Key.Key_Delete)
    qtbot.keyClick(sidebar.conversations, Qt.Key.Key_Delete)
    assert items == [[samples.LETTER.id]]
    assert conversations == ["c2"]
    assert len(sidebar.item_ids()) == 3, "only the owner removes"


def test_f2_renames_in_place(sidebar, qtbot):
    sidebar.conversations.setFocus()
    qtbot.keyClick(sidebar.conversations, Qt.Key.Key_F2)
    editor = sidebar.conversations.findChild(QLineEdit)
    assert editor.text() == "Compare the two indemnities"
    editor.setText("  The two   indemnities ")
    with qtbot.waitSignal(sidebar.conversation_renamed) as renamed:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["c2", "The two indemnities"]


def test_an_empty_name_changes_nothing(sidebar):
    renamed = []
    sidebar.conversation_renamed.connect(lambda *pair: renamed.append(pair))
    model = sidebar.conversations.model()
    assert not model.setData(model.index(0, 0), "   ")
    assert not renamed


def test_search_filters_the_library_at_once_and_asks_for_the_rest(sidebar, qtbot):
    with qtbot.waitSignal(sidebar.searched) as asked:
        qtbot.keyClicks(sidebar.search, "letter")
    assert asked.args == ["letter"]
    assert sidebar.library.count() == 1
    assert not sidebar.conversations.isVisible()
    sidebar.set_found(samples.FOUND)
    assert sidebar.found.isVisible()
    chosen = []
    sidebar.conversation_selected.connect(chosen.append)
    sidebar.found.setCurrentIndex(sidebar.found.model().index(1, 0))
    qtbot.keyClick(sidebar.found, Qt.Key.Key_Return)
    assert chosen == ["c3"]
    with qtbot.waitSignal(sidebar.searched) as asked:
        qtbot.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert asked.args == [""]
    assert sidebar.conversations.isVisible()
    assert sidebar.library.count() == 3


def test_nothing_found_is_said(sidebar, qtbot):
    sidebar.search.setText("zebra")
    sidebar.set_found([])
    assert "Nothing found." in [
        label.text() for label in sidebar.findChildren(type(sidebar._nothing)) if label.isVisible()
    ]


def test_down_goes_from_the_search_to_the_first_list(sidebar, qtbot):
    sidebar.focus_search()
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.library.currentIndex().row() == 0


def test_menus_name_what_they_do(sidebar, qtbot):
    attached = []
    sidebar.library.items_attached.connect(attached.append)
    sidebar.select_item(samples.LETTER.id)
    entry(sidebar.library.menu(), "Attach to the question").trigger()
    assert attached == [[samples.LETTER.id]]
    assert [action.text() for action in sidebar.conversation_menu("c1").actions()] == [
        "Rename",
        "Delete the conversation",
    ]


def test_the_current_conversation_is_chosen_and_follows(sidebar):
    assert sidebar.conversations.currentIndex().row() == 1
    renamed = msgspec.structs.replace(samples.CONVERSATIONS[1], title="Indemnities")
    sidebar.set_conversations([renamed, samples.CONVERSATIONS[0]], "c2")
    assert sidebar.conversations.currentIndex().row() == 0
    assert sidebar.conversations.currentIndex().data() == "Indemnities"
