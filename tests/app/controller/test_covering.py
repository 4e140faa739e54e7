"""Questions that ask for all of a long text: offered, taken, declined, forced, shown while they run, kept."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton

from app.services.coverage import singular
from engine.protocol import Answered, Delta, Done, Found, Place, Progress, Usage

ALL = "List every magic number of the book."
ONE = "Who signed the letter of Book.pdf?"


def found(part: int, text: str, certain: bool = True) -> Found:
    return Found("", part, 256, Place(0, part * 500, part * 500 + 500), text, 0.2 if certain else 0.8, True, certain)


def answered(text: str) -> Done:
    usage = Usage(128_040, 40, 128_000, 4, mode="coverage", asked=256)
    return Done("", "complete", usage, Answered(text, (1,), None))


async def test_a_question_for_everything_is_offered_before_it_is_asked(program, until):
    await program.add()
    program.ask(ALL)
    panel = program.window.composer.every_part
    assert panel.offering()
    assert program.window.composer.text() == ALL
    assert "about 256 parts" in panel._about.text()
    assert (
        panel.part_question() == "What is the magic number of the book mentioned in the text?" or panel.part_question()
    )
    assert not program.engine.streams
    panel.likeliest_button.click()
    await until(lambda: program.engine.streams, "the question")
    assert not program.engine.asked().reading.coverage
    assert program.last().state == "waiting"


async def test_taken_it_asks_every_part_what_the_person_wrote(program, until):
    await program.add()
    program.ask(ALL)
    panel = program.window.composer.every_part
    panel._field.setText("Which magic number does the text name?")
    panel.go_button.click()
    await until(lambda: program.engine.streams, "the question")
    reading = program.engine.asked().reading
    assert reading.coverage
    assert reading.part_question == "Which magic number does the text name?"


async def test_a_question_for_one_thing_and_a_short_text_are_just_asked(program, until, texts):
    await program.add()
    program.ask(ONE)
    await until(lambda: program.engine.streams, "the question")
    assert not program.engine.asked().reading.coverage
    texts["Note.pdf"] = 1
    program.engine.answer(answered("Anna."))
    await until(program.idle)
    program.controller.shelf.new()
    await program.add("Note.pdf")
    program.ask(ALL)
    assert not program.window.composer.every_part.isVisible()
    await until(lambda: len(program.engine.streams) == 2, "the question about a note")


async def test_without_documents_nothing_is_offered(program, until):
    program.ask(ALL)
    assert not program.window.composer.every_part.offering()
    await until(lambda: program.engine.streams, "the question")


async def test_the_switch_forces_any_question(program, until):
    await program.add()
    program.window.actions_by_name["every_part"].trigger()
    program.ask(ONE)
    await until(lambda: program.engine.streams, "the question")
    assert program.engine.asked().reading.coverage
    assert program.engine.asked().reading.part_question
    assert not program.window.actions_by_name["every_part"].isChecked()


@pytest.fixture
async def covering(program, until):
    """Every part is being gone over; the message's id."""
    item = await program.add()
    program.ask(ALL)
    program.window.composer.every_part.go_button.click()
    await until(lambda: program.engine.streams, "the question")
    program.engine.answer(
        Progress("", "ask", 30, 256, rate=2.0, left=113.0), found(3, "4417"), found(9, "guess", False)
    )
    await until(lambda: program.controller.answers._answers[program.state.conversation].message.found[1:])
    await until(lambda: program.window.reading_bar.isVisible())
    return item, program.last().id


async def test_findings_stream_in_with_their_pages_and_are_kept(program, until, covering):
    item, message = covering
    view = program.window.conversation.view(message)
    assert program.window.reading_bar._label.whole() == "Going over part 31 of 256"
    await until(view.findings)
    await until(lambda: view.findings().uncertain.count())
    assert [row.text() for row in view.findings().certain.rows()] == ["4417"]
    assert view.status().startswith("Going over part 31 of 256 · ")
    assert program.card(item).startswith("in memory")
    page = next(button for button in view.findings().findChildren(QPushButton) if button.text() == "p. 1")
    page.click()
    assert program.window.source.item().id == item
    assert program.window.source.page_label() == "1 (index 1)"
    assert len(program.window.source.document._page.extraSelections()) == 1
    program.engine.answer(found(200, "8023"), Delta("", "Two: 4417 and 8023."), answered("Two: 4417 and 8023."))
    await until(program.idle)
    assert [one.text for one in program.last().found] == ["4417", "guess", "8023"]
    assert program.last().ledger.mode == "coverage"
    await until(lambda: not program.window.reading_bar.isVisible())
    conversation = program.state.conversation
    program.controller.shelf.new()
    program.controller.shelf.open(conversation)
    again = program.window.conversation.view(message).findings()
    assert [row.text() for row in again.certain.rows()] == ["4417", "8023"]


async def test_a_conversation_that_is_left_and_opened_shows_what_it_waits_for(program, until, covering):
    _, message = covering
    conversation = program.state.conversation
    program.controller.shelf.new()
    program.engine.answer(Progress("", "ask", 60, 256), found(70, "7340"))
    await until(lambda: len(program.controller.answers._answers[conversation].message.found) == 3)
    program.controller.shelf.open(conversation)
    view = program.window.conversation.view(message)
    await until(lambda: view.status().startswith("Going over part 61 of 256 · "))


async def test_a_second_offer_says_how_long_it_takes(program, until, covering):
    program.engine.answer(answered("None."))
    await until(program.idle)
    program.ask(ALL)
    assert "takes about 2 min 8 s" in program.window.composer.every_part._about.text()


async def test_an_answer_over_every_part_is_written_again_over_every_part(program, until, covering):
    program.engine.answer(answered("None."))
    await until(program.idle)
    program.controller.answers.regenerate_last()
    await until(lambda: len(program.engine.streams) == 2)
    assert program.engine.asked().reading.coverage
    assert program.engine.asked().reading.part_question


async def test_a_question_to_every_part_is_put_to_every_part_in_other_words(program, until, covering):
    program.engine.answer(answered("None."))
    await until(program.idle)
    first = program.services.conversations.messages(program.state.conversation)[0]
    program.controller.answers.edit(first.id, "List every date.")
    await until(lambda: len(program.engine.streams) == 2)
    assert program.engine.asked().reading.coverage
    assert program.engine.asked().reading.part_question == singular("List every date.")
    program.engine.answer(answered("None."))
    await until(program.idle)
    program.ask("What is it about?")
    await until(lambda: len(program.engine.streams) == 3)
    last = program.services.conversations.messages(program.state.conversation)[-2]
    program.engine.answer(Done("", "complete", Usage(10, 10, 0, 1), Answered("A tower.", (1,), None)))
    await until(program.idle)
    program.controller.answers.edit(last.id, "Who wrote it?")
    await until(lambda: len(program.engine.streams) == 4)
    assert not program.engine.asked().reading.coverage


async def test_reading_whole_still_offers_where_there_are_many_parts(program, until, texts):
    texts["Paper.pdf"] = 4
    await program.add("Paper.pdf")
    program.state.set_settings(replace(program.state.settings, reading_mode="whole"))
    program.ask(ALL)
    assert program.window.composer.every_part.offering()
