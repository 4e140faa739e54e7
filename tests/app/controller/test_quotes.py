"""Quotes of answers in the window: they come after the answer, are opened, and walked through with Ctrl+G."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QHelpEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QToolTip

from app.data.document import Extracted, Heading, Span
from app.services import library as library_module
from engine.protocol import Answered, Delta, Done, Usage

FIRST = "1. Term\nThe lease runs for ninety-nine years from completion. It may be renewed once."
SECOND = "2. Rent\nThe rent is due on the first day of each month. It may be renewed once."
ANSWER = (
    "It says “The lease runs for ninety-nine years”, “The rent was due on the first day of each month”, "
    "“It may be renewed once” and “the roof is made of glass and of gold”."
)


@pytest.fixture
async def answered(program, until, monkeypatch):
    """A lease was asked about, and the answer quotes it; the message's id."""
    text = f"{FIRST}\n\n{SECOND}"
    spans = (Span(0, len(FIRST), 0, "i"), Span(len(FIRST) + 2, len(text), 1, "ii"))
    headings = (Heading(0, 1, "1. Term"), Heading(spans[1].start, 1, "2. Rent"))

    async def extract(source, on_progress, options=None):
        return Extracted(text, "pdf", source.name, "page", spans, headings=headings)

    monkeypatch.setattr(library_module, "extract", extract)
    await program.add("Lease.pdf")
    return await ask(program, until)


async def ask(program, until) -> str:
    ended = []
    program.controller.answers.answered.connect(ended.append)
    program.ask("What does it say?")
    await until(lambda: program.engine.streams and not program.engine.streams[-1].ended, "the question")
    program.engine.answer(Delta("", ANSWER), Done("", "complete", Usage(9, 9, 0, 4), Answered(ANSWER, (1,), None)))
    await until(lambda: ended, "its end")
    await ended[-1].checked()
    view = program.window.conversation.view(ended[-1].message.id)
    await until(lambda: view.quotes is not None, "the quotes")
    return ended[-1].message.id


def chips(program, message: str) -> list[str]:
    return [chip.text() for chip in program.window.conversation.view(message).quotes.chips()]


def marked(program) -> str:
    """What the source marks."""
    (selection,) = program.window.source.document._page.extraSelections()
    return selection.cursor.selectedText()


async def test_quotes_come_after_the_answer_are_kept_and_open_the_source(program, answered):
    shown = ["✓ p. i · 1. Term", "≈ p. ii · 2. Rent", "2× p. i, p. ii", "✗ the roof is made of glass and of go…"]
    assert chips(program, answered) == shown
    view = program.window.conversation.view(answered)
    assert "Quotes: 1 ✓ 1 ≈ 1 ✗ · 1 in several places" in view.ledger().text()
    chip = view.quotes.chip(1)
    point = chip.rect().center()
    QApplication.sendEvent(chip, QHelpEvent(QEvent.Type.ToolTip, point, chip.mapToGlobal(point)))
    assert "The rent <s>was</s> <u><b>is</b></u> due on" in chip.toolTip()
    assert "It may be renewed once. 2. Rent <span" in chip.toolTip()
    QToolTip.hideText()
    chip.click()
    assert program.window.source.page_label() == "ii (index 2)"
    assert marked(program) == "The rent is due on the first day of each month"
    conversation = program.state.conversation
    program.controller.shelf.new()
    program.controller.shelf.open(conversation)
    assert chips(program, answered) == shown


async def test_ctrl_g_walks_through_the_quotes_that_have_one_place(program, until, answered):
    do = program.window.actions_by_name
    assert do["next_quote"].shortcut() == QKeySequence("Ctrl+G")
    assert do["previous_quote"].shortcut() == QKeySequence("Ctrl+Shift+G")
    seen = []
    for name in ("next_quote", "next_quote", "next_quote", "previous_quote"):
        do[name].trigger()
        seen.append(marked(program))
    first, second = "The lease runs for ninety-nine years", "The rent is due on the first day of each month"
    assert seen == [first, second, first, second]
    view = program.window.conversation.view(answered)
    assert view.quotes.chip(1).property("shown")
    view.quotes.chip(2).menu().actions()[1].trigger()
    assert marked(program) == "It may be renewed once"
    do["next_quote"].trigger()
    assert marked(program) == first
    newer = await ask(program, until)
    do["next_quote"].trigger()
    assert program.controller.quotes._shown == (answered, 1), "it stays in the answer that is looked at"
    program.controller.quotes.open(newer, 1)
    do["previous_quote"].trigger()
    assert program.controller.quotes._shown == (newer, 0)


async def test_without_quotes_nothing_is_walked_through(program):
    program.window.actions_by_name["next_quote"].trigger()
    assert program.window.source.item() is None


async def test_a_document_that_was_deleted_for_good_has_no_passage(program, answered):
    view = program.window.conversation.view(answered)
    program.services.library.forget(program.last().quotes[0].places[0].item)
    program.services.assistant.quotes._folded.clear()
    view.excerpts_wanted.emit(answered)
    assert "<span" not in view.quotes.chip(0).toolTip()
    view.quotes.chip(0).click()
    assert program.window.source.item() is None
