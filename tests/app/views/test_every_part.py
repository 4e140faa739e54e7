"""Going over every part of a text: offered in the composer, or forced by its switch."""

import pytest
from PySide6.QtCore import Qt

from app.views import announce
from app.views.forget_dialog import ForgetDialog
from app.views.reading_bar import ReadingBar

QUESTION = "List every magic number."
PART = "What is the magic number mentioned in the text?"


@pytest.fixture
def composer(window):
    return window.composer


@pytest.fixture
def asked(composer):
    heard = []
    composer.asked.connect(lambda question: heard.append(("plain", question)))
    composer.asked_likeliest.connect(lambda question: heard.append(("likeliest", question)))
    composer.asked_every_part.connect(lambda question, part: heard.append(("every", question, part)))
    return heard


def test_the_offer_keeps_the_question_and_lets_its_part_be_edited(composer, asked, qtbot):
    composer.offer_every_part(QUESTION, PART, 256, 240.0)
    panel = composer.every_part
    assert panel.offering()
    assert composer.text() == QUESTION
    assert panel._title.text() == "This asks for all of the text. Go over every part?"
    assert panel._about.text().startswith("Each of about 256 parts is asked by itself, which takes about 4 min. What")
    assert panel._field.text() == PART
    panel._field.setText("Which number is named?")
    qtbot.keyClick(panel._field, Qt.Key.Key_Return)
    assert asked == [("every", QUESTION, "Which number is named?")]
    assert composer.text() == ""
    assert not panel.isVisible()


def test_the_offer_is_declined_by_its_button_and_left_by_esc(composer, asked, qtbot):
    composer.offer_every_part(QUESTION, PART, 256, None)
    composer.every_part.likeliest_button.click()
    assert asked == [("likeliest", QUESTION)]
    composer.offer_every_part(QUESTION, PART, 256, None)
    qtbot.keyClick(composer.every_part._field, Qt.Key.Key_Escape)
    assert not composer.every_part.isVisible()
    assert composer.text() == QUESTION
    assert len(asked) == 1


def test_other_words_take_the_offer_away(composer, asked, qtbot):
    composer.offer_every_part(QUESTION, PART, 256, None)
    qtbot.keyClicks(composer.focusProxy(), " Please")
    assert not composer.every_part.isVisible()
    composer.ask()
    assert asked == [("plain", f"{QUESTION} Please")]


def test_nothing_is_gone_over_while_an_answer_is_on_its_way(composer, asked):
    composer.offer_every_part(QUESTION, PART, 256, None)
    composer.set_busy(True)
    assert not composer.every_part.go_button.isEnabled()
    composer.every_part.accepted.emit()
    assert asked == []
    assert composer.text() == QUESTION


def test_the_switch_forces_it_once(window, composer, asked, qtbot):
    action = window.actions_by_name["every_part"]
    action.trigger()
    assert composer.goes_over_every_part()
    assert composer.every_part.isVisible()
    assert not composer.every_part.go_button.isVisible()
    with qtbot.waitSignal(composer.typed) as typed:
        qtbot.keyClicks(composer.focusProxy(), "Who is named?")
    assert typed.args == ["Who is named?"]
    composer.propose_part_question("Which person is named in the text?")
    assert composer.every_part._field.placeholderText() == "Which person is named in the text?"
    composer.ask()
    assert asked == [("every", "Who is named?", "")]
    assert not composer.goes_over_every_part()
    assert not action.isChecked()
    assert not composer.every_part.isVisible()


def test_what_was_written_for_the_parts_outlives_a_new_proposal(composer, asked):
    composer._switch.click()
    composer.every_part._field.setText("My own")
    composer.propose_part_question("Another")
    composer.set_text("Who?")
    composer.ask()
    assert asked == [("every", "Who?", "My own")]
    composer.propose_part_question("Too late")
    assert not composer.every_part.isVisible()


def test_asking_has_the_bar_to_itself(qtbot, monkeypatch):
    monkeypatch.setattr(announce, "politely", lambda widget, text: None)
    bar = ReadingBar()
    qtbot.addWidget(bar)
    bar.show_progress("read", 1.0, 700.0, 0.0, ["a.pdf"], segments=True)
    assert bar._label.whole() == "Reading a.pdf in full, in segments"
    bar.show_progress("ask", 12 / 64, 6.0, 8.0, ["a.pdf"], (12, 64))
    assert bar._label.whole() == "Asking 12 of 64 segments"
    assert bar.value() == pytest.approx(12 / 64)
    assert bar._figures.text() == "18 % · 8 s left"
    bar.show_progress("read", 0.5)
    assert bar.value() >= 12 / 64, "kept segments may be read once more: never back"
    bar.finish()
    bar.show_progress("parts", 30 / 256, counted=(31, 256))
    assert bar._label.whole() == "Going over part 31 of 256"


def test_forgetting_asks_once_and_says_what_it_means(qtbot):
    dialog = ForgetDialog("Book.pdf", 3 * 2**30, 184.0, ["Letter.docx"])
    qtbot.addWidget(dialog)
    assert dialog.text() == (
        "It leaves memory, and 3 GB on the disk are deleted for good. What was read together with it goes too: "
        "Letter.docx. The document and your conversations stay. The next question about it reads it again, which takes "
        "about 3 min 4 s. This cannot be undone."
    )
    assert dialog.keep_button.isDefault()
    with qtbot.assertNotEmitted(dialog.agreed):
        dialog.keep_button.click()
    other = ForgetDialog("Book.pdf", 0)
    qtbot.addWidget(other)
    assert other.text().startswith("It leaves memory; nothing of it is on the disk.")
    with qtbot.waitSignal(other.agreed):
        other.go_button.click()
