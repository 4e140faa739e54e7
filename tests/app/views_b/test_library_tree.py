"""Matters in the left pane: shown, folded, filled by dragging and by menu; places found in texts; what changed."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QApplication, QLineEdit

from app.data.matter import Matter
from app.views import changes_page
from app.views.changes_page import ChangesPage, marked
from app.views.export_dialog import ExportDialog
from app.views.library_rows import card_height, group_height
from app.views.sidebar import Sidebar
from app.views.sidebar_rows import excerpt
from tests.app.views_b import samples

A, L, S = samples.AGREEMENT, samples.LETTER, samples.SERVICE
OLD = samples.item("Old draft.pdf")
SMITH, EMPTY = Matter("m1", "Smith v. Jones", (A.id, L.id)), Matter("m2", "Empty", ())


@pytest.fixture
def sidebar(qtbot):
    made = Sidebar()
    qtbot.addWidget(made)
    made.resize(262, 900)
    made.set_items(samples.ITEMS, [EMPTY, SMITH], [OLD])
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def library(sidebar):
    return sidebar.library


def row(library, group: str, item: str | None = None):
    model = library.model()
    index = library._items.group_index(group) if item is None else library._items.item_index(item, group)
    return model.mapFromSource(index)


def heard(signal) -> list:
    told: list = []
    signal.connect(lambda *values: told.append(values if len(values) > 1 else values[0]))
    return told


def entries(menu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def press(library, key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(library, QKeyEvent(kind, key, modifier))


def test_groups_say_their_name_and_how_many_they_hold(library):
    groups = [library.model().index(place, 0) for place in range(library.model().rowCount())]
    assert [one.data(Qt.ItemDataRole.AccessibleTextRole) for one in groups] == [
        "Empty, 0 documents",
        "Smith v. Jones, 2 documents",
        "All documents, 3 documents",
        "Removed, 1 document",
    ]
    assert [library.isExpanded(one) for one in groups] == [True, True, True, False]
    assert library.rows_height() == 4 * group_height(library.font()) + 5 * card_height(library.font())
    painted = sum(library.visualRect(one).height() for one in groups)
    assert painted == 4 * group_height(library.font())


def test_without_matters_there_are_no_groups(sidebar, library):
    sidebar.set_items(samples.ITEMS)
    assert library.count() == 3
    assert library.rootIndex().isValid()
    assert library.rows_height() == 3 * card_height(library.font())
    sidebar.set_items([])
    assert not library.isVisible()
    assert not sidebar.new_matter.isVisible()


def test_a_search_leaves_the_groups_away_and_they_come_back(sidebar, library):
    library.setExpanded(row(library, "m1"), False)
    sidebar.search.setText("letter")
    assert [library.model().index(0, 0, library.rootIndex()).data(), library.count()] == [L.name, 1]
    sidebar.search.clear()
    assert library.count() == 4
    assert library.folded() == ("m1", "removed")
    assert not library.isExpanded(row(library, "m1"))


def test_keys_and_clicks_fold_and_unfold(library, qtbot):
    library.setCurrentIndex(row(library, "m1"))
    press(library, Qt.Key.Key_Left)
    assert library.folded() == ("m1", "removed")
    press(library, Qt.Key.Key_Right)
    assert library.folded() == ("removed",)
    press(library, Qt.Key.Key_Return)
    assert library.folded() == ("m1", "removed")
    qtbot.mouseClick(library.viewport(), Qt.MouseButton.LeftButton, pos=library.visualRect(row(library, "m1")).center())
    assert library.folded() == ("removed",)
    library.set_folded(["all"])
    assert not library.isExpanded(row(library, "all"))


def test_items_are_dragged_onto_matters_alone(library):
    filled = heard(library.matter_filled)
    model = library._items
    mime = model.mimeData([model.item_index(A.id), model.item_index(A.id, "m1"), model.item_index(S.id)])
    copy = Qt.DropAction.CopyAction
    for group in ("all", "removed"):
        assert not model.dropMimeData(mime, copy, -1, -1, model.group_index(group))
    assert not model.flags(model.group_index("m1")) & Qt.ItemFlag.ItemIsDragEnabled
    assert model.flags(model.item_index(A.id)) & Qt.ItemFlag.ItemIsDragEnabled
    assert model.flags(model.group_index("m2")) & Qt.ItemFlag.ItemIsDropEnabled
    assert model.dropMimeData(mime, copy, -1, -1, model.group_index("m2"))
    assert model.dropMimeData(mime, copy, 1, 0, model.item_index(L.id, "m1")), "between the cards of a matter"
    assert filled == [("m2", [A.id, S.id]), ("m1", [A.id, S.id])]


def test_several_items_are_chosen_and_asked_for_at_once(library, qtbot):
    attached, removed = heard(library.items_attached), heard(library.items_removed)
    library.setCurrentIndex(row(library, "all", A.id))
    press(library, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert library.chosen() == [A.id, L.id]
    library.ask(library.items_attached)
    press(library, Qt.Key.Key_Delete)
    assert (attached, removed) == ([[A.id, L.id]], [[A.id, L.id]])
    library.ask_of_one(library.version_wanted)
    library.setCurrentIndex(row(library, "m1"))
    assert library.chosen() == [A.id, L.id], "a matter means what it holds"


def test_delete_means_what_the_place_says(library):
    told = {
        name: heard(getattr(library, name))
        for name in ("items_removed", "items_forgotten", "matter_emptied", "matter_removed", "reading_forgotten")
    }
    for index in (row(library, "m1", L.id), row(library, "m2"), row(library, "removed", OLD.id), row(library, "all")):
        library.setCurrentIndex(index)
        press(library, Qt.Key.Key_Backspace)
        press(library, Qt.Key.Key_Delete)
    assert told == {
        "items_removed": [],
        "items_forgotten": [[OLD.id]],
        "matter_emptied": [("m1", [L.id])],
        "matter_removed": ["m2"],
        "reading_forgotten": [],
    }


def test_menus_offer_what_can_be_done_there(sidebar, library):
    library.setCurrentIndex(row(library, "m1", L.id))
    assert entries(library.menu()) == [
        *("Show its text", "Attach to the question", "Put into a matter", "Take out of “Smith v. Jones”", "Export…"),
        *("Remove from the library", "Forget this reading…", "Delete for good…"),
    ]
    sidebar.set_originals({L.id: "changed", A.id: "missing"})
    assert "Read the new version" in entries(library.menu())
    library.setCurrentIndex(row(library, "all", A.id))
    assert "Read the new version" not in entries(library.menu())
    library.setCurrentIndex(row(library, "removed", OLD.id))
    assert entries(library.menu()) == ["Show its text", "Put back into the library", "Delete for good…"]
    library.setCurrentIndex(row(library, "m1"))
    assert entries(library.menu()) == [
        *("Attach 2 documents to the question", "Rename", "New matter…", "Export 2 documents…"),
        "Delete the matter; its documents stay",
    ]
    library.setCurrentIndex(row(library, "m2"))
    assert not library.menu().actions()[0].isEnabled()
    library.setCurrentIndex(row(library, "removed"))
    assert entries(library.menu()) == ["Put 1 document back into the library", "Delete 1 document for good…"]


def test_the_menu_of_matters_ticks_those_that_hold_everything_chosen(library):
    filled, emptied, made = heard(library.matter_filled), heard(library.matter_emptied), heard(library.matter_made)
    library.setCurrentIndex(row(library, "all", A.id))
    empty, smith, _, new = library.matters_menu().actions()
    assert [(one.text(), one.isChecked()) for one in (empty, smith)] == [("Empty", False), ("Smith v. Jones", True)]
    for action in (empty, smith, new):
        action.trigger()
    assert (filled, emptied, made) == ([("m2", [A.id])], [("m1", [A.id])], [[A.id]])


def test_a_matter_is_renamed_in_place(library, qtbot):
    library.edit_matter("m1")
    editor = library.findChild(QLineEdit)
    assert (editor.text(), editor.accessibleName()) == ("Smith v. Jones", "New name of the matter")
    editor.setText(" Smith  and Jones ")
    with qtbot.waitSignal(library.matter_renamed) as renamed:
        qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert renamed.args == ["m1", "Smith and Jones"]
    model = library._items
    assert not model.setData(model.group_index("m1"), "  ")
    assert not model.setData(model.item_index(A.id), "other")


def test_the_choice_outlives_a_new_list_in_its_group(sidebar, library):
    library.choose(A.id, "m1")
    sidebar.set_items([S, A], [SMITH], [])
    assert (library.group(), library.chosen()) == ("m1", [A.id])
    sidebar.set_items([S, A])
    assert (library.group(), library.chosen()) == ("all", [A.id])


def test_a_card_says_how_its_original_stands_with_sign_and_words(sidebar, library):
    sidebar.set_items([*samples.ITEMS, samples.item("New letter.docx", succeeds=L.id)], [SMITH])
    sidebar.set_originals({A.id: "changed", L.id: "changed", S.id: "missing"})
    told = row(library, "all", A.id).data(Qt.ItemDataRole.AccessibleTextRole)
    assert told.startswith("Share Purchase Agreement.pdf, changed on disk, 412 pages")
    assert ", older version, " in row(library, "m1", L.id).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "original not found" in row(library, "all", S.id).data(Qt.ItemDataRole.ToolTipRole)
    assert "Matters: Smith v. Jones" in row(library, "all", A.id).data(Qt.ItemDataRole.ToolTipRole)


def test_places_in_texts_are_listed_counted_and_chosen(sidebar, qtbot):
    sidebar.search.setText("liability")
    sidebar.set_found_texts(samples.FOUND_TEXTS)
    view = sidebar.found_texts
    rows = [view.model().index(place, 0) for place in range(view.model().rowCount())]
    assert [one.data(Qt.ItemDataRole.AccessibleTextRole) for one in rows] == [
        f"{A.name}, p. 214 · 9. Limits, the aggregate liability of",
        f"{A.name}, Annex.pdf, p. 3, no liability",
        f"{L.name}, Cap, at 101 · the other words stand elsewhere in it, some of it",
    ]
    assert sidebar._counted.text() == "42+ places in 2 documents · 2 documents not searched yet"
    clicked, wanted = heard(sidebar.place_clicked), heard(sidebar.more_wanted)
    view.setCurrentIndex(rows[1])
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert clicked == [samples.at("3", file="Annex.pdf", unit="page")]
    assert sidebar.more.isVisible()
    sidebar.more.click()
    assert wanted == ["liability"]
    sidebar.search.clear()
    assert not view.isVisible()
    assert view.model().rowCount() == 0


def test_down_goes_from_the_search_to_the_places_when_no_name_holds_the_words(sidebar, qtbot):
    sidebar.search.setText("liability")
    sidebar.set_found_texts(samples.FOUND_TEXTS)
    sidebar.focus_search()
    qtbot.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.found_texts.currentIndex().row() == 0


def test_how_far_the_search_is_prepared_is_said(sidebar):
    assert not sidebar._preparing.isVisible()
    sidebar.set_preparing(0.42)
    assert (sidebar._preparing.text(), sidebar._preparing.isVisible()) == ("Preparing the search: 42 %", True)
    sidebar.set_preparing(None)
    assert not sidebar._preparing.isVisible()


def test_an_excerpt_is_two_lines_with_the_words_in_bold():
    layout = excerpt("😀 the liability of " + "words " * 40, [(6, 15)], QFont(), 160)
    assert layout.lineCount() == 2
    (made,) = layout.formats()
    assert (made.start, made.length) == (7, 9), "in UTF-16"
    assert made.format.fontWeight() == QFont.Weight.Bold


def test_everything_has_a_name_and_can_be_reached(sidebar):
    named = (sidebar.library, sidebar.found_texts, sidebar.new_matter, sidebar.more)
    assert all(widget.accessibleName() or widget.text() for widget in named)
    assert all(widget.focusPolicy() & Qt.FocusPolicy.TabFocus for widget in named)


def test_a_menu_opens_where_the_key_was_pressed(library, monkeypatch):
    opened = []
    monkeypatch.setattr("PySide6.QtWidgets.QMenu.popup", lambda menu, point: opened.append(entries(menu)))
    library.setCurrentIndex(row(library, "m1", A.id))
    library.customContextMenuRequested.emit(library.visualRect(row(library, "m1", A.id)).center())
    library.customContextMenuRequested.emit(QPoint(5, 10_000))
    library.show_matters_menu()
    assert opened[0][0] == "Show its text"
    assert opened[1] == ["Empty", "Smith v. Jones", "New matter…"]


def test_what_changed_is_told_with_links_to_both_versions(qtbot, monkeypatch):
    monkeypatch.setattr(changes_page, "AT_ONCE", 2)
    page = ChangesPage(OLD, A, samples.CHANGES)
    qtbot.addWidget(page)
    text = page.text()
    assert "1 passage changed, 1 passage added, 1 passage removed (p. 4; p. 5; p. 6)" in text
    assert "− The rent is 400 <a>." in text
    assert "+ The rent is 500 <a>." in text
    assert "Cats" not in text
    assert page.links() == ["new:0", "old:0", "new:1"]
    clicked = heard(page.place_clicked)
    page.follow("old:0")
    page.more_button.click()
    assert "− Cats may stay." in page.text()
    assert not page.more_button.isVisibleTo(page)
    page.follow("old:2")
    assert clicked == [samples.at("3"), samples.at("6")]


def test_the_words_that_changed_are_marked_and_nothing_is_taken_for_markup():
    assert marked("The <b>rent</b> is 400", "The <b>rent</b> is 500") == (
        "The &lt;b&gt;rent&lt;/b&gt; is <s>400</s>",
        "The &lt;b&gt;rent&lt;/b&gt; is <b>500</b>",
    )
    assert marked("租金为四百元每月支付一次的约定", "租金为五百元每月支付一次的约定") == (
        "租金为<s>四</s>百元每月支付一次的约定",
        "租金为<b>五</b>百元每月支付一次的约定",
    )
    assert marked("No dogs.", "No dogs. Cats may.") == ("No dogs.", "No dogs.<b> Cats may.</b>")
    assert marked("", "new & more") == ("", "new &amp; more")
    long = "x " * 3000
    assert marked(long, long + "y") == (long, long + "y")


def test_an_export_is_asked_for_as_text_or_as_copies(qtbot):
    for original, expected in ((False, "text"), (True, "original")):
        dialog = ExportDialog(2)
        qtbot.addWidget(dialog)
        assert dialog.windowTitle() == "Export 2 documents"
        dialog.original.setChecked(original)
        with qtbot.waitSignal(dialog.chosen) as chosen:
            dialog.go_button.click()
        assert chosen.args == [expected]
