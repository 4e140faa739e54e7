"""A question is sent when it is meant to be, and never by the Return that confirms a candidate."""

from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QToolButton

from app.views.composer import Composer
from tests.app.views import gallery


@pytest.fixture
def composer(qtbot):
    made = Composer()
    qtbot.addWidget(made)
    made.resize(600, 120)
    with qtbot.waitExposed(made):
        made.show()
    made.asked_questions = []
    made.asked.connect(made.asked_questions.append)
    return made


def field(composer):
    return composer.focusProxy()


def compose(composer, preedit, commit=""):
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QCoreApplication.sendEvent(field(composer), event)


def test_return_asks_and_empties_the_field(composer, qtbot):
    qtbot.keyClicks(field(composer), "  Which clauses?  ")
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.asked_questions == ["Which clauses?"]
    assert composer.text() == ""


def test_shift_and_return_breaks_the_line(composer, qtbot):
    qtbot.keyClicks(field(composer), "one")
    qtbot.keyClick(field(composer), Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field(composer), "two")
    assert composer.text() == "one\ntwo"
    assert composer.asked_questions == []


def test_return_breaks_the_line_where_control_return_was_chosen(composer, qtbot):
    composer.set_enter_sends(False)
    qtbot.keyClicks(field(composer), "one")
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.asked_questions == []
    qtbot.keyClick(field(composer), Qt.Key.Key_Enter, Qt.KeyboardModifier.ControlModifier)
    assert composer.asked_questions == ["one"]


def test_return_that_confirms_a_candidate_never_asks(composer, qtbot):
    compose(composer, "nihao")
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    compose(composer, "", "你好")
    # some systems deliver the confirming Return only now
    event_loop_has_not_run_yet = field(composer).composing
    field(composer).keyPressEvent(_return())
    assert event_loop_has_not_run_yet
    assert composer.asked_questions == []
    assert composer.text() == "你好"
    qtbot.waitUntil(lambda: not field(composer).composing)
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.asked_questions == ["你好"]


def test_nothing_is_asked_while_composing_by_button_or_shortcut(composer):
    composer.set_text("text")
    compose(composer, "ni")
    composer.ask()
    assert composer.asked_questions == []


def test_a_composition_that_is_left_does_not_block_the_next_return(composer, qtbot):
    composer.set_text("text")
    compose(composer, "ni")
    compose(composer, "")
    qtbot.waitUntil(lambda: not field(composer).composing)
    composer.ask()
    assert composer.asked_questions == ["text"]


def _return():
    return QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier)


def test_busy_turns_the_button_into_stop(composer, qtbot):
    composer.set_text("text")
    composer.set_busy(True)
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.asked_questions == []
    with qtbot.waitSignal(composer.stopped):
        composer._button.click()


def test_a_reason_keeps_the_question_and_is_shown(composer, qtbot):
    composer.set_text("text")
    composer.set_enabled_reason("No model is chosen.")
    qtbot.keyClick(field(composer), Qt.Key.Key_Return)
    assert composer.asked_questions == []
    assert composer.text() == "text"
    assert not composer._button.isEnabled()
    composer.set_enabled_reason(None)
    composer.ask()
    assert composer.asked_questions == ["text"]


def test_drafts_are_offered_for_saving(composer, qtbot):
    with qtbot.waitSignal(composer.draft_changed) as saved:
        qtbot.keyClicks(field(composer), "draft")
    assert saved.args == ["draft"]
    composer.set_text("another")
    with qtbot.assertNotEmitted(composer.draft_changed):
        composer.flush_draft()


def test_the_field_grows_to_eight_lines(composer):
    heights = []
    for lines in (1, 4, 8, 20):
        composer.set_text("\n".join("x" * lines))
        heights.append(field(composer).height())
    assert heights[0] < heights[1] < heights[2] == heights[3]


def test_chips_say_what_is_read_and_can_be_removed(composer, qtbot):
    composer.set_attachments([(gallery.AGREEMENT, None), (gallery.SERVICE, 0.63)])
    removes = composer.findChildren(QToolButton)
    names = [button.accessibleName() for button in removes]
    assert "Remove Share Purchase Agreement.pdf" in names
    chips = {chip.item.name: chip for chip in composer._chips._chips.values()}
    assert "63 %" in chips["payments-service/"].accessibleName()
    composer.set_attachments([(gallery.AGREEMENT, None), (gallery.SERVICE, 0.64)])
    assert {chip.item.name: chip for chip in composer._chips._chips.values()} == chips
    with qtbot.waitSignal(composer.attachment_removed) as removed:
        removes[names.index("Remove Share Purchase Agreement.pdf")].click()
    assert removed.args == [gallery.AGREEMENT.id]


def test_pasted_files_are_files_and_pasted_text_is_text(composer, qtbot, tmp_path):
    files = QMimeData()
    files.setUrls([QUrl.fromLocalFile(str(tmp_path))])
    with qtbot.waitSignal(composer.files_pasted) as pasted:
        field(composer).insertFromMimeData(files)
    assert pasted.args == [[Path(tmp_path)]]
    words = QMimeData()
    words.setText("words")
    field(composer).insertFromMimeData(words)
    assert composer.text() == "words"
