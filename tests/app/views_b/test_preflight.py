"""Before anything is read: what is listed, why reading cannot start, and the keyboard."""

import msgspec
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.data.preflight import PreflightTotal
from app.models.preflight import TOKENS, UNITS, WHAT, ToneRole
from app.views.preflight import Preflight
from tests.app.views_b import samples

READY = [row for row in samples.ROWS if row.state != "extracting"]


@pytest.fixture
def ground(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.button = QPushButton("behind", made)
    QVBoxLayout(made).addWidget(made.button)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def card(ground):
    made = Preflight(ground)
    made.begin()
    for row in READY:
        made.set_row(row)
    made.set_total(samples.TOTAL)
    return made


def cell(card, row, column, role=Qt.ItemDataRole.DisplayRole):
    return card.model.index(row, column).data(role)


def test_every_row_says_what_will_be_read(card):
    assert card.title.text() == "Read 3 items in full?"
    assert cell(card, 0, UNITS) == "412 pages (i–400)"
    assert cell(card, 0, TOKENS) == "218,340"
    assert cell(card, 0, WHAT) == "all of it"
    assert cell(card, 2, UNITS) == "1,284 files"
    assert cell(card, 1, WHAT).startswith("tracked changes were read as accepted: 14 deletions left out")
    assert cell(card, 2, WHAT).startswith("612 left out: ignored by git 540, ")
    assert cell(card, 2, WHAT, ToneRole) == "warn"
    assert cell(card, 3, WHAT, ToneRole) == "bad"
    assert cell(card, 3, TOKENS) == "?"
    assert card.together.text() == (
        "Together 618,204 tokens · window 1,048,576 · needs 23.1 of 32 GB · "
        "first word after about 2 min 20 s, then seconds"
    )
    assert card.read_button.isEnabled()


def test_reading_waits_for_what_is_being_opened(card):
    card.set_row(samples.ROWS[3])
    assert card.why_not() == "1 item is still being opened."
    assert not card.read_button.isEnabled()
    assert card.read_button.accessibleDescription() == card.why_not()
    assert cell(card, 4, WHAT) == "opening: 12 of 38"
    card.set_row(msgspec.structs.replace(samples.ROWS[3], state="counting", item=samples.LETTER))
    assert cell(card, 4, WHAT) == "counting tokens…"
    card.model.toggle(4)
    assert card.why_not() == "", "what is left out holds nothing up"


def test_too_long_says_needed_and_available_and_what_to_do(card, qtbot):
    card.set_total(PreflightTotal(9_000, 8_192, fits=False))
    assert card.why_not().startswith("This is 9,000 tokens and the window holds 8,192. Nothing is cut, and texts")
    assert not card.read_button.isEnabled()
    with qtbot.waitSignal(card.settings_asked):
        card.settings_button.click()
    card.set_total(PreflightTotal(8_000, 8_192, needed=9, memory=5, fits=False))
    assert card.why_not().startswith("This needs more memory than is free.")
    card.set_total(samples.TOTAL)
    assert card.settings_button.isHidden()


def test_a_total_that_was_of_other_tokens_starts_nothing(card):
    card.set_row(msgspec.structs.replace(READY[0], tokens=9_000_000))
    assert card.why_not() == "Working out what this needs…"
    card.set_total(samples.TOTAL)
    assert card.why_not() == ""
    card.set_row(msgspec.structs.replace(READY[0], tokens=9_000_000, seconds=2.0))
    assert card.why_not() == ""


def test_what_is_longer_than_the_window_is_read_in_segments(card):
    row = msgspec.structs.replace(READY[0], segments=110, longer=True, disk=5 * 2**30, seconds=184.0)
    card.set_row(row)
    assert cell(card, 0, WHAT) == (
        "all of it, longer than the window: read in about 110 segments · 5 GB on disk · about 3 min 4 s"
    )
    assert cell(card, 0, WHAT, ToneRole) == "ink"
    card.set_row(msgspec.structs.replace(READY[1], segments=1, disk=2**20, seconds=4.2))
    assert cell(card, 1, WHAT).startswith("all of it, read in 1 segment · 1 MB on disk · about 4 s; tracked changes")
    card.set_total(msgspec.structs.replace(samples.TOTAL, window=8_192, segments=310, disk=9 * 2**30, quota=20 * 2**30))
    assert card.why_not() == ""
    assert card.read_button.isEnabled()
    assert "read in about 310 segments" in card.together.text()
    assert "keeps 9 GB on disk" in card.together.text()
    card.set_total(msgspec.structs.replace(samples.TOTAL, segments=310, disk=9 * 2**30, quota=2 * 2**30))
    assert "too large to be kept on disk: 9 GB of 2 GB" in card.together.text()


def test_space_toggles_arrows_move_return_reads(card, qtbot):
    toggled = []
    card.toggled.connect(lambda *pair: toggled.append(pair))
    table = card.table
    assert table.hasFocus() or card.window().focusWidget() is table
    table.selectRow(0)
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert toggled == [("2", False)]
    assert card.title.text() == "Read 2 items in full?"
    qtbot.keyClick(table, Qt.Key.Key_Space)
    assert toggled[-1] == ("2", True)
    with qtbot.waitSignal(card.accepted):
        qtbot.keyClick(table, Qt.Key.Key_Return)
    assert card.isHidden()


def test_return_does_nothing_while_reading_cannot_start(card, qtbot):
    accepted = []
    card.accepted.connect(lambda: accepted.append(True))
    card.set_row(samples.ROWS[3])
    qtbot.keyClick(card.table, Qt.Key.Key_Return)
    assert not accepted
    assert card.isVisible()


def test_a_refused_item_stays_out(card, qtbot):
    card.table.selectRow(3)
    qtbot.keyClick(card.table, Qt.Key.Key_Space)
    assert card.title.text() == "Read 3 items in full?"
    for row in range(3):
        card.model.toggle(row)
    assert card.why_not() == "Nothing is chosen to be read."


def test_the_list_of_what_is_left_out_opens_and_closes_by_key(card, qtbot):
    card.table.selectRow(2)
    qtbot.keyClick(card.table, Qt.Key.Key_Right)
    assert card.pages.currentIndex() == 1
    assert card.list_title.text() == "Left out of payments-service/: 612"
    assert card.left_out.rowCount() == 612
    qtbot.keyClick(card.list, Qt.Key.Key_Escape)
    assert card.pages.currentIndex() == 0
    assert card.isVisible()


def test_the_list_opens_by_its_link(card, qtbot):
    table = card.table
    option_index = card.model.index(2, WHAT)
    area = table.visualRect(option_index)
    link = next(
        QPoint(x, y)
        for y in range(area.top(), area.bottom(), 3)
        for x in range(area.left(), area.right(), 3)
        if table._link(QPoint(x, y)) is not None
    )
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=link)
    assert card.pages.currentIndex() == 1


def test_escape_cancels_and_focus_goes_back(ground, qtbot):
    ground.button.setFocus()
    card = Preflight(ground)
    card.begin()
    with qtbot.waitSignal(card.cancelled):
        qtbot.keyClick(card.table, Qt.Key.Key_Escape)
    assert card.isHidden()
    assert ground.focusWidget() is ground.button


def test_tab_stays_in_the_card(card, ground, qtbot):
    seen = set()
    for _ in range(6):
        focused = ground.focusWidget()
        assert card.isAncestorOf(focused)
        seen.add(focused)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
    assert {card.table, card.cancel_button, card.read_button} <= seen


def test_a_hundred_rows_stay_inside_the_window(card, ground):
    for number in range(100):
        card.set_row(
            samples.PreflightRow(f"more {number}", f"chapter {number}.txt", "ready", item=samples.LETTER, tokens=9)
        )
    assert card.floating.geometry().bottom() <= ground.height() + 40
    assert card.read_button.mapTo(ground, QPoint(0, card.read_button.height())).y() < ground.height()


def tools(card, row):
    card.table.selectRow(row)
    return card.tools


def test_the_chosen_items_text_is_shown_and_left_again(card, qtbot):
    with qtbot.waitSignal(card.preview_asked) as asked:
        tools(card, 0).preview_button.click()
    assert asked.args == [READY[0].key]
    card.show_preview(READY[0].item, "Page one.", ())
    assert card.pages.currentWidget() is card.preview
    assert card.preview.document.page_text() == "Page one."
    assert READY[0].name in card.preview.title.text()
    card.escape()
    assert card.pages.currentIndex() == 0
    with qtbot.waitSignal(card.preview_asked):
        qtbot.keyClick(card.table, Qt.Key.Key_P)


def test_a_password_is_asked_for_where_one_is_needed(card, qtbot):
    assert not tools(card, 0).password.isVisible()
    locked = tools(card, 3)
    assert locked.password.isVisible()
    locked.password.setText("secret")
    accepted = []
    card.accepted.connect(lambda: accepted.append(1))
    with qtbot.waitSignal(card.password_given) as given:
        qtbot.keyClick(locked.password, Qt.Key.Key_Return)
    assert given.args == [READY[3].key, "secret"]
    assert not accepted, "Return in the field opens the item, it does not begin to read"
    assert locked.password.text() == ""


def test_tracked_changes_are_read_as_the_person_says(card, qtbot):
    assert not tools(card, 0).changes_button.isVisible()
    changed = tools(card, 1)
    final, original, _ = changed.changes_button.menu().actions()
    assert final.isChecked()
    with qtbot.waitSignal(card.changes_chosen) as chosen:
        original.trigger()
    assert chosen.args == [READY[1].key, "original"]


def test_one_bar_for_all_that_is_opened(card):
    assert not card.progress.isVisible()
    card.set_row(samples.ROWS[3])
    assert card.progress.isVisible()
    assert card.progress.value() == int(1000 * (4 + 12 / 38) / 5)
