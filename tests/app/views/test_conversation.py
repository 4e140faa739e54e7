"""The conversation: states, ledger, links, finding, and a very long one that stays light."""

import msgspec
import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QToolButton

from app.data.conversation import Failure
from app.models.edit_words import cost
from app.views.conversation import BATCH, ConversationView
from app.views.failure import ACTIONS, FailureCard, sentence
from app.views.ledger_line import LedgerLine
from app.views.link_dialog import LinkDialog
from engine.protocol import Advice, Expected
from tests.app.views import gallery
from tests.app.views.gallery import LEDGER, message


@pytest.fixture
def conversation(qtbot):
    made = ConversationView()
    qtbot.addWidget(made)
    made.resize(800, 500)
    with qtbot.waitExposed(made):
        made.show()
    return made


def test_an_answer_is_waited_for_written_and_given(conversation, qtbot):
    waiting = message("a", "assistant", "", state="waiting")
    conversation.show_messages([message("q", "user", gallery.QUESTION)])
    conversation.add(waiting)
    view = conversation.view("a")
    assert view.status().startswith("Waiting for the first word")
    conversation.set_status("a", "Waits until the documents are read")
    assert view.status().startswith("Waits until the documents are read")
    conversation.append("a", "One **wo")
    with qtbot.waitSignal(view.reader.drawn):
        conversation.append("a", "rd**.")
    assert view.reader.toPlainText() == "One word."
    assert not view._status.isVisible()
    done = message("a", "assistant", "One **word**.", ledger=LEDGER)
    conversation.update_message(done)
    assert "Read in full: 2 documents · 269,547 tokens" in view.ledger().text()
    assert view._buttons.isVisible()


def test_the_ledger_says_what_was_not_read(qtbot):
    line = LedgerLine()
    qtbot.addWidget(line)
    line.set_ledger(LEDGER)
    assert line.text().startswith(
        "Read in full: 2 documents · 269,547 tokens, Left out: nothing, First word 0.9 s, 41 tok/s\nINT8 · window 512K"
    )
    partly = msgspec.structs.replace(LEDGER.documents[1], unread=20_000, left_out=3)
    line.set_ledger(msgspec.structs.replace(LEDGER, documents=(LEDGER.documents[0], partly), unread=20_000))
    assert "Read: 249,547 of 269,547 tokens of 2 documents" in line.text()
    assert "⚠ Not read: 20,000 tokens" in line.text()
    assert "⚠ Left out: 3 parts" in line.text()
    assert "Read in full" not in line.text()
    line.set_ledger(msgspec.structs.replace(LEDGER, finish="loop", notes=("forgotten_document", "only_read")))
    assert "⚠ Ended early: the answer had begun to repeat itself." in line.text()
    assert "⚠ A document of this conversation was deleted for good" in line.text()
    line.set_ledger(msgspec.structs.replace(LEDGER, documents=()))
    assert line.text().startswith("No documents")


def test_details_name_every_document_with_its_hash(conversation):
    conversation.show_messages([message("a", "assistant", "x", ledger=LEDGER)])
    line = conversation.view("a").ledger()
    line._more.click()
    shown = [label.text() for label in line._details.findChildren(QLabel)]
    assert any(gallery.AGREEMENT.name in text and "4f4f4f4f4f4f" in text for text in shown)
    assert "24 lightning, 8 sparse over chosen blocks" in shown


def test_stopping_says_what_is_kept(conversation):
    conversation.show_messages([message("a", "assistant", "Half", state="stopped")])
    assert conversation.view("a").status() == "Stopped. What was written is kept, and so is what was read."


@pytest.mark.parametrize("code", ACTIONS)
def test_failures_are_sentences_with_what_can_be_done(qtbot, code):
    card = FailureCard(Failure(code, subject="a.gguf", needed=2 * 2**30, available=2**30))
    qtbot.addWidget(card)
    pressed = []
    card.action.connect(pressed.append)
    for button in card.findChildren(QPushButton):
        button.click()
    assert tuple(pressed) == ACTIONS[code]


def test_numbers_of_failures_are_written_for_people():
    assert "637,204 tokens" in sentence(Failure("too_long", needed=637_204, available=524_288))
    short = Failure("out_of_memory", needed=2 * 2**30, available=2**30)
    assert "2 GB" in sentence(short)
    advised = msgspec.structs.replace(short, advice=(Advice("window", 4096), Advice("of a newer engine", 1)))
    assert "A window of 4,096 tokens would fit." in sentence(advised)


def test_a_question_is_edited_in_its_place(conversation, qtbot):
    conversation.show_messages([message("q", "user", "First"), message("a", "assistant", "x")])
    view = conversation.view("q")
    view.edit()
    view._editor.field.setPlainText("Second")
    with qtbot.waitSignal(conversation.edited) as edited:
        qtbot.keyClick(view._editor.field, Qt.Key.Key_Return)
    assert edited.args == ["q", "Second"]
    view.edit()
    qtbot.keyClick(view._editor.field, Qt.Key.Key_Escape)
    assert view._editor is None
    assert view._bubble.isVisibleTo(view)


def test_answers_are_copied_and_written_again(conversation, qtbot):
    conversation.show_messages([message("a", "assistant", "**x**")])
    conversation.copy_last_answer()
    assert QGuiApplication.clipboard().text() == "**x**"
    buttons = conversation.view("a")._buttons.findChildren(QToolButton)
    again = next(button for button in buttons if button.accessibleName() == "Write this answer again")
    with qtbot.waitSignal(conversation.regenerate) as asked:
        again.click()
    assert asked.args == ["a"]


def test_a_link_is_opened_only_after_its_whole_address_was_shown(conversation, qtbot):
    address = "https://example.org/a?" + "b=c&" * 100
    conversation.show_messages([message("a", "assistant", f"[here]({address})")])
    opened = []
    conversation.open_link.connect(opened.append)
    for agree in (False, True):
        conversation.view("a").reader.anchorClicked.emit(QUrl(address))
        dialog = next(each for each in conversation.window().findChildren(LinkDialog) if each.isVisible())
        assert dialog.address() == address
        assert dialog.findChild(QPlainTextEdit).toPlainText() == address
        if agree:
            next(b for b in dialog.findChildren(QPushButton) if b.text() == "Open").click()
        else:
            assert opened == []
            next(b for b in dialog.findChildren(QPushButton) if b.isDefault()).click()
    assert opened == [address]


def test_a_name_that_only_looks_like_another_is_shown_as_it_is(qtbot):
    dialog = LinkDialog("https://аpple.example/")  # a Cyrillic letter
    qtbot.addWidget(dialog)
    assert dialog.address().startswith("https://xn--")


def test_a_very_long_conversation_is_built_from_its_end(conversation, qtbot):
    many = [message(str(n), "user" if n % 2 == 0 else "assistant", f"Number {n}. " * 40) for n in range(1000)]
    conversation.show_messages(many)
    assert len(conversation._views) == BATCH
    bar = conversation._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(0)
    qtbot.waitUntil(lambda: len(conversation._views) == 2 * BATCH)
    qtbot.waitUntil(lambda: bar.value() > 0)


def test_a_pasted_book_is_shown_in_part(conversation):
    book = "word " * 50_000
    conversation.show_messages([message("q", "user", book)])
    view = conversation.view("q")
    assert len(view.reader.toPlainText()) < 2_000
    assert view._more.text() == "Show all 250,000 characters"


def test_scrolling_up_stays_where_the_person_is(conversation, qtbot):
    conversation.show_messages([message("q", "user", "x"), message("a", "assistant", "", state="writing")])
    conversation.append("a", "line\n\n" * 80)
    conversation.view("a").reader.draw()
    bar = conversation._scroll.verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0 and bar.value() == bar.maximum())
    bar.setValue(bar.maximum() // 2)
    middle, most = bar.value(), bar.maximum()
    conversation.append("a", "more\n\n" * 20)
    conversation.view("a").reader.draw()
    qtbot.waitUntil(lambda: bar.maximum() > most)
    assert bar.value() == middle
    bar.setValue(bar.maximum())
    most = bar.maximum()
    conversation.append("a", "more\n\n" * 20)
    conversation.view("a").reader.draw()
    qtbot.waitUntil(lambda: bar.maximum() > most and bar.value() == bar.maximum())


def test_words_are_found_in_all_messages_and_round_about(conversation, qtbot):
    texts = ["the first", *("nothing here" for _ in range(60)), "**the** second and the third"]
    conversation.show_messages([message(str(n), "assistant", text) for n, text in enumerate(texts)])
    conversation.find_here()
    bar = conversation.find_bar
    bar._field.setText("the")
    assert bar._count.text() == "3 of 3"
    assert conversation.view("61").reader.textCursor().selectedText() == "the"
    assert conversation.view("0") is None
    qtbot.keyClick(bar._field, Qt.Key.Key_Return)
    assert bar._count.text() == "1 of 3"
    qtbot.waitUntil(lambda: conversation.view("0") is not None)
    qtbot.waitUntil(lambda: conversation.view("0").reader.textCursor().selectedText() == "the")
    qtbot.keyClick(bar._field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar._count.text() == "3 of 3"
    bar._field.setText("no such words")
    assert bar._count.text() == "not found"
    qtbot.keyClick(bar._field, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_messages_are_read_line_by_line_with_the_keyboard(conversation, qtbot):
    conversation.show_messages([message("a", "assistant", "first\n\nsecond")])
    reader = conversation.view("a").reader
    assert reader.focusPolicy() & Qt.FocusPolicy.TabFocus
    assert reader.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
    reader.setFocus()
    qtbot.keyClick(reader, Qt.Key.Key_Down)
    assert reader.textCursor().block().text() == "second"


def test_an_editor_says_what_asking_again_costs(conversation, qtbot):
    conversation.show_messages([message("q", "user", "First"), message("a", "assistant", "x")])
    view = conversation.view("q")
    with qtbot.waitSignal(conversation.editing) as editing:
        view.edit()
    assert editing.args == ["q"]
    height = view._editor.cost.heightForWidth(400)
    conversation.show_edit_cost("q", "About 10 of 20 tokens are read again.")
    assert view._editor.cost.text() == "About 10 of 20 tokens are read again."
    assert view._editor.cost.heightForWidth(400) == height > 0, "its room was kept"
    qtbot.keyClick(view._editor.field, Qt.Key.Key_Escape)
    conversation.show_edit_cost("q", "too late")


def test_the_cost_of_an_edit_in_words():
    said = cost(Expected(120_000, 48_213, 71_787), 400.0)
    assert said == "About 48,213 of 120,000 tokens are read again, in about 2 min 1 s."
    assert cost(Expected(100, 40, 60), None) == "About 40 of 100 tokens are read again."
    opened = cost(Expected(100, 40, 60, 60), 10.0)
    assert opened == "About 40 of 100 tokens are read again, in about 4.0 s. 60 tokens are opened from disk."
    assert cost(Expected(100, 40, 60, mode="parallel", asked=7), None).endswith("The question is put to 7 segments.")
