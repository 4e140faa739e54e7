"""What the window says of a long text before, while and after it is read and asked, and of what is kept of it."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QPushButton

from app.controller.estimate import ADDED, estimate
from app.models.preflight import WHAT
from engine.protocol import Answered, Delta, Done, Failed, Forget, Note, Place, Progress, SegmentUse, Usage
from tests.app.controller.conftest import loaded

NOTE = Note("read_parallel", {"tokens": "128000", "window": "8192", "segments": "64"})
TEXT = 64 * 2_000


def answered(text: str, **usage) -> Done:
    segments = tuple(
        SegmentUse(n + 1, (Place(0, n * 2000, n * 2000 + 2000),), 2_000, 2.5 - n / 64, n == 40) for n in range(64)
    )
    used = Usage(128_040, 40, 128_000, 4, mode="parallel", segments=segments, asked=64, join="consecutive", **usage)
    return Done("", "complete", used, Answered(text, (1,), None))


def test_an_estimate_says_segments_parts_and_bytes(program):
    made, settings = program.state.loaded, program.state.settings
    long = estimate([TEXT, 100], made, settings)
    assert (long.segments, long.longer, long.parts) == ((92, 1), True, 257)
    assert long.disk == ((TEXT + 92 * ADDED) * 1024, (100 + ADDED) * 1024)
    assert estimate([5_000], made, settings).segments is None
    assert estimate([5_000], made, replace(settings, reading_mode="parallel")).segments == (4,)
    whole = estimate([TEXT], made, replace(settings, reading_mode="whole", save_readings=False))
    assert (whole.segments, whole.longer, whole.disk) == (None, True, None)
    assert estimate([5_000], made, settings).disk == (5_000 * 1024,)
    own = replace(settings, segment=4000, part=250, kv="int8")
    assert estimate([TEXT], made, own) == estimate([TEXT], made, replace(own, kv="int8"))
    assert estimate([TEXT], made, own).segments == (46,)
    assert estimate([TEXT], made, own).disk == ((TEXT + 46 * ADDED) * 600,)


async def test_before_reading_a_long_text_says_how_it_will_be_read(program, until):
    card = program.controller.preflight
    program.state.reading_rate = 500.0
    program.window.dropped.emit([Path("/somewhere/Book.pdf")])
    await until(card.read_button.isEnabled, "the list")
    assert card.model.index(0, WHAT).data() == (
        "all of it, longer than the window: read in about 92 segments · 134 MB on disk · about 4 min 16 s"
    )
    assert "read in about 92 segments" in card.together.text()
    card.escape()
    program.state.set_settings(replace(program.state.settings, reading_mode="whole"))
    program.window.dropped.emit([Path("/somewhere/Book.pdf")])
    await until(lambda: "texts are read whole here" in card.why_not(), "the refusal")
    assert not card.read_button.isEnabled()
    assert card.model.index(0, WHAT).data() == "all of it"
    card.escape()


async def test_the_cards_say_what_is_in_memory_and_on_disk(program, until):
    item = await program.add()
    assert program.card(item) == "not read"
    program.controller.answers.read(program.state.conversation)
    await until(lambda: program.card(item) == "in memory · 125 MB on disk", "the card")
    await program.controller.engine.load(program.state.settings)
    assert program.card(item) == "read, opens in 1.4 s · 125 MB"
    program.engine.saved[0] = replace(program.engine.saved[0], opens=0.04)
    program.controller.readings.refresh()
    await until(lambda: program.card(item) == "read, opens at once · 125 MB", "the card")
    program.engine.saved[0] = replace(program.engine.saved[0], fingerprint="another")
    program.controller.readings.refresh()
    await until(lambda: program.card(item) == "not read by this model · 125 MB")


async def test_the_memory_of_an_engine_that_died_is_gone(program, until):
    item = await program.add()
    program.ask("Who?")
    await until(lambda: program.engine.streams, "the question")
    program.engine.answer(Delta("", "Somebody"))
    await until(lambda: program.card(item).startswith("in memory"), "the first word")
    program.controller.engine.show_state("restarting")
    program.engine.answer(Failed("", "engine_died", "exit code -9"))
    await until(program.idle, "the end")
    assert not program.state.read
    assert not program.card(item).startswith("in memory")
    assert program.last().text == "Somebody"
    program.controller.engine.show_state("down")
    assert program.state.loaded is None
    assert program.window.instruments.model.text() == "No model loaded"
    program.engine.loaded = loaded()  # by the next question
    program.controller.engine.show_state("ready")
    await until(lambda: program.state.loaded is not None, "the model")
    assert "started again" in program.window.banner.text()


async def test_a_reading_is_forgotten_once_the_person_agrees(program, until):
    item = await program.add()
    program.controller.answers.read(program.state.conversation)
    await until(lambda: program.card(item) == "in memory · 125 MB on disk")
    program.window.sidebar.reading_forgotten.emit(item)
    dialog = program.controller.readings.dialog
    assert "125 MB on the disk are deleted for good" in dialog.text()
    dialog.keep_button.click()
    assert not any(isinstance(request, Forget) for request in program.engine.sent)
    program.window.sidebar.reading_forgotten.emit(item)
    program.controller.readings.dialog.go_button.click()
    await until(lambda: program.card(item) == "not read", "the card")
    (sent,) = [request for request in program.engine.sent if isinstance(request, Forget)]
    assert sent.documents == (item,)
    assert "forgotten; 125 MB are free again" in program.window.banner.text()
    assert item not in program.state.read


async def test_it_is_said_once_that_a_text_is_read_in_segments(program, until):
    await program.add()
    program.engine.read_notes = (NOTE,)
    program.controller.answers.read(program.state.conversation)
    banner = program.window.banner
    await until(banner.isVisible, "the notice")
    labels = [button.text() for button in banner.findChildren(QPushButton)]
    assert "How texts are read…" in labels
    banner.clear()
    program.ask("Who?")
    await until(lambda: program.engine.streams)
    program.engine.answer(replace(answered("Anna."), notes=(NOTE,)))
    await until(program.idle)
    assert not banner.isVisible()
    program.ask("Who else?")
    await until(lambda: len(program.engine.streams) == 2)
    program.engine.answer(replace(answered("Bo."), notes=(NOTE, Note("not_saved_disk"))))
    await until(banner.isVisible, "the graver notice")


async def test_an_answer_says_what_it_waits_for(program, until):
    await program.add()
    program.engine.holds_reading = True
    program.controller.answers.read(program.state.conversation)
    program.ask("Who?")
    view = program.window.conversation.view(program.last().id)
    assert view.status().startswith("Waits until the documents are read")
    await until(lambda: program.engine.streams)
    program.engine.finish_reading()
    await until(lambda: view.status().startswith("Waiting for the first word"))
    program.engine.answer(Progress("", "ask", 12, 64))
    await until(lambda: view.status().startswith("Asking 12 of 64 segments"))
    assert program.window.reading_bar._label.whole() == "Asking 12 of 64 segments"
    program.engine.answer(Progress("", "write", 0, 100))
    await until(lambda: view.status().startswith("Waiting for the first word"))
    first = program.state.conversation
    program.controller.shelf.new()
    program.ask("Something else?")
    assert program.window.conversation.view(program.last().id).status().startswith("Waits for the answer in another")
    second, other = program.state.conversation, program.last().id
    await until(lambda: len(program.engine.streams) == 2)
    stream = program.engine.streams[0]
    stream.put(Done(stream.id, "complete", Usage(4, 4, 0, 1), Answered("x", (1,), None)))
    await until(lambda: not program.controller.answers.busy(first))
    assert program.window.conversation.view(other).status().startswith("Waiting for the first word")
    program.controller.shelf.open(first)
    program.controller.shelf.open(second)
    assert program.window.conversation.view(other).status().startswith("Waiting for the first word")


async def test_the_ledger_s_segments_open_their_pages(program, until):
    item = await program.add()
    program.ask("Who?")
    await until(lambda: program.engine.streams)
    program.engine.answer(Delta("", "Anna."), answered("Anna.", reopened=128_000))
    await until(program.idle)
    line = program.window.conversation.view(program.last().id).ledger()
    assert "This answer was written over segment 41 (p. 41)" in line.text()
    assert "128,000 tokens in 64 segments" in line.text()
    line._more.click()
    line.strip.cells[40].click()
    assert program.window.source.item().id == item
    assert program.window.source.page_label() == "41 (index 41)"


@pytest.mark.parametrize("gone", [True, False])
async def test_pages_of_a_document_that_is_gone_are_told_to_be(program, until, gone):
    item = await program.add()
    if gone:
        await program.services.assistant.forget(item)
    program.window.conversation.place.emit(item, 2_100, 2_200)
    if gone:
        assert "deleted for good" in program.window.banner.text()
    else:
        assert program.window.source.page_label() == "2 (index 2)"
