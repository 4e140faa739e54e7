"""The main job in the real window with the real engine: drop, read, ask, stop, edit, and an engine that is killed."""

import os
import signal
from pathlib import Path

import pytest
from msgspec.structs import replace

from app.application import Application
from app.data.settings import Settings
from app.services.settings import SettingsStore
from tests.data.make_book import ANSWER, FACT, LICENCE, QUESTION, make_book


@pytest.fixture
def book(tmp_path: Path) -> Path:
    path = tmp_path / "The Archive Book.pdf"
    make_book(path)
    return path


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "note.txt"
    path.write_text("The ferry to the island leaves at a quarter past nine from the northern pier.\n" * 3)
    return path


async def drop(program: Application, until, *paths: Path) -> None:
    """Drop, accept the list, and wait until all of it is read."""
    window, preflight = program.window, program.controller.preflight
    window.dropped.emit(list(paths))
    await until(preflight.read_button.isEnabled, what="the list of what was dropped")
    preflight.read_button.click()
    ids = {row.item.id for row in preflight.rows()}
    await until(lambda: ids <= program.state.read, seconds=300, what="the end of reading")


async def ask(program: Application, until, question: str):
    """Ask and wait for the whole answer; its message."""
    program.window.composer.set_text(question)
    program.window.composer.ask()
    await until(lambda: not busy(program), seconds=300, what="the answer")
    return program.services.conversations.messages(program.state.conversation)[-1]


def busy(program: Application) -> bool:
    return program.controller.answers.busy(program.state.conversation)


async def test_a_dropped_book_is_read_in_full_and_answered_from(program, until, book):
    await drop(program, until, book)
    first = await ask(program, until, QUESTION)
    assert ANSWER in first.text
    assert first.state == "answered"
    (document,) = first.ledger.documents
    assert document.name == book.name
    assert document.tokens > 2000
    # the drop had read it: the question alone was new
    assert first.ledger.reused >= document.tokens
    assert first.ledger.read < 100
    assert first.ledger.unread == first.ledger.evicted == 0
    second = await ask(program, until, "And which room does that key open?")
    assert second.ledger.read < 100
    assert second.ledger.reused > first.ledger.reused


async def test_a_killed_engine_is_said_and_comes_back(program, until, note):
    await drop(program, until, note)
    window = program.window
    window.composer.set_text("Tell the whole story of the ferry and of the island, as long as you can.")
    window.composer.ask()
    await until(lambda: busy(program) and last(program).text, what="the first words")
    os.kill(program.services.engine.pid, signal.SIGKILL)
    await until(lambda: not busy(program), what="the end of the answer")
    ended = last(program)
    assert ended.state == "failed"
    assert ended.failure.code == "engine_died"
    assert ended.text, "what had been written was lost"
    await until(lambda: "started again" in window.banner.text(), what="the banner")
    again = await ask(program, until, "When does the ferry leave?")
    assert again.state == "answered"
    assert again.ledger.reused == again.ledger.reopened, "nothing is in the memory of a new engine"
    assert again.text


async def test_stopping_a_reading_keeps_what_was_read(program, until, tmp_path, monkeypatch):
    # three pieces: the last is not yet begun when the first has been read
    book = tmp_path / "book.txt"
    book.write_text("\n\n".join((*2 * [LICENCE.read_text(encoding="utf-8")], FACT)), encoding="utf-8")
    window, preflight, bar = program.window, program.controller.preflight, program.window.reading_bar
    show, stopped = bar.show_progress, []

    def stop(*arguments, **options):
        """At once: a busy computer may have read all of it before anyone looks again."""
        show(*arguments, **options)
        if bar.value() > 0.4 and not stopped:
            stopped.append(bar.value())
            bar.cancelled.emit()

    monkeypatch.setattr(bar, "show_progress", stop)
    window.dropped.emit([book])
    await until(preflight.read_button.isEnabled, what="the list of what was dropped")
    preflight.read_button.click()
    await until(lambda: stopped and bar.isHidden(), seconds=300, what="the end of reading")
    assert not program.state.read
    answer = await ask(program, until, QUESTION)
    assert ANSWER in answer.text
    assert answer.ledger.reused > 0
    assert answer.ledger.read + answer.ledger.reused == answer.ledger.prompt


@pytest.mark.full
async def test_a_question_may_be_answered_from_what_has_been_read(program, until, book):
    window, preflight = program.window, program.controller.preflight
    window.dropped.emit([book])
    await until(preflight.read_button.isEnabled, what="the list of what was dropped")
    preflight.read_button.click()
    window.composer.set_text("What is this text about?")
    window.composer.ask()
    await until(lambda: window.reading_bar.value() > 0.4, seconds=300, what="a part of the reading")
    window.reading_bar.answer_now.emit()
    await until(lambda: not busy(program) and last(program).state == "answered", seconds=300, what="the answer")
    ledger = last(program).ledger
    assert 0 < ledger.unread < ledger.prompt
    assert ledger.documents[0].unread == ledger.unread
    assert "only_read" in ledger.notes
    assert len(program.services.conversations.messages(program.state.conversation)) == 2


async def test_an_edited_question_takes_the_old_one_s_place_and_can_be_undone(program, until, note):
    await drop(program, until, note)
    await ask(program, until, "When does the ferry leave?")
    before = program.services.conversations.messages(program.state.conversation)
    program.window.conversation.edited.emit(before[0].id, "From where does the ferry leave?")
    await until(lambda: not busy(program), seconds=300, what="the answer")
    after = program.services.conversations.messages(program.state.conversation)
    assert after[0].text == "From where does the ferry leave?"
    assert len(after) == 2
    assert after[0].documents == before[0].documents
    assert after[1].ledger.read < 60, "an edit reads only what changed"
    program.window.actions_by_name["undo"].trigger()
    assert program.services.conversations.messages(program.state.conversation) == before


async def test_a_removed_document_leaves_the_conversation_and_comes_back_by_undo(program, until, note, book):
    await drop(program, until, note)
    answer = await ask(program, until, "When does the ferry leave?")
    item = answer.ledger.documents[0].id
    program.window.composer.attachment_removed.emit(item)
    after = await ask(program, until, "And from which pier?")
    assert after.ledger.documents == ()
    program.window.actions_by_name["undo"].trigger()
    assert program.services.conversations.messages(program.state.conversation)[0].documents == (item,)


async def test_settings_are_applied_for_real_and_kept(program, until, note):
    panel = program.controller.settings_panel
    program.window.actions_by_name["settings"].trigger()
    panel.applied.emit(replace(program.state.settings, precision="int8", window=2048))
    loaded = lambda: program.state.loaded  # noqa: E731 - read anew at each turn
    await until(lambda: loaded() is not None and loaded().precision == "int8", seconds=120, what="the model")
    assert loaded().window == 2048
    answer = await ask(program, until, "What is the capital of France?")
    assert answer.ledger.precision == "int8"
    assert answer.ledger.window == 2048
    kept, problem = program.services.settings.load()
    assert problem is None
    assert (kept.precision, kept.window) == ("int8", 2048)


async def test_what_is_too_long_to_be_read_whole_is_said_before_it_is_read(program, until, tmp_path):
    path = tmp_path / "long.txt"
    path.write_text("\n".join(f"Line {n} of a register of ships and their harbours." for n in range(900)))
    window, preflight = program.window, program.controller.preflight
    window.dropped.emit([path])
    await until(preflight.read_button.isEnabled, what="the list")
    assert "read in about" in preflight.together.text()
    preflight.escape()
    program.state.set_settings(replace(program.state.settings, reading_mode="whole"))
    window.dropped.emit([path])
    await until(lambda: any(row.state == "ready" for row in preflight.rows()), what="the list")
    await until(lambda: "8,192" in preflight.why_not(), what="the sentence")
    assert not preflight.read_button.isEnabled()
    preflight.escape()
    assert not program.services.library.items(), "what was not chosen is not kept"


async def test_closing_leaves_no_engine(home_with_model, until, qapp):
    made = Application(SettingsStore(home_with_model / "settings.json"), Settings(seen_first_run=True))
    made.window.show()
    made.controller.begin(None, [])
    await until(lambda: made.services.engine.pid, what="the engine")
    pid = made.services.engine.pid
    made.window.close()
    await made.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    made.window.deleteLater()


def last(program: Application):
    """The newest message, as it is kept."""
    return program.services.conversations.messages(program.state.conversation)[-1]
