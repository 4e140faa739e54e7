"""The evidence of answers in the right pane: of the newest when its tab is chosen, and of any that is asked for."""

import pytest

from engine.protocol import Answered, Delta, Done, Evidence, Passage, Place, Usage

from .conftest import PAGE

ANSWER = "It says so."


@pytest.fixture
async def document(program):
    return await program.add()


async def ask(program, until, page: int, *, evidence: bool = True) -> str:
    """A question whose answer looked at a passage of that page; the answer's id."""
    ended = []
    program.controller.answers.answered.connect(ended.append)
    program.ask("What does it say?")
    await until(lambda: program.engine.streams and not program.engine.streams[-1].ended, "the question")
    start = (page - 1) * PAGE
    passage = Passage(Place(0, start, start + 40), 0.5)
    told = (Evidence("", 0, len(ANSWER), (passage,), "heads"),) if evidence else ()
    done = Done("", "complete", Usage(9, 9, 0, 4), Answered(ANSWER, (1,), None))
    program.engine.answer(Delta("", ANSWER), *told, done)
    await until(lambda: ended, "its end")
    await ended[-1].checked()
    return ended[-1].message.id


def pages(program) -> list[str]:
    return [card.open_button.text() for card in program.window.source.evidence.cards()]


async def test_the_tab_shows_the_newest_answer_that_has_any(program, until, document):
    source = program.window.source
    source.tabs["evidence"].click()
    assert pages(program) == []
    source.tabs["page"].click()
    await ask(program, until, 1)
    await ask(program, until, 2)
    await ask(program, until, 3, evidence=False)
    assert pages(program) == []
    source.tabs["evidence"].click()
    assert pages(program) == ["p. 2"]


async def test_beside_the_open_tab_every_new_answer_is_shown(program, until, document):
    program.window.source.tabs["evidence"].click()
    await ask(program, until, 1)
    assert pages(program) == ["p. 1"]
    await ask(program, until, 2)
    assert pages(program) == ["p. 2"]


async def test_one_that_was_asked_for_stays_until_there_is_a_newer_one(program, until, document):
    first = await ask(program, until, 1)
    await ask(program, until, 2)
    source = program.window.source
    program.window.conversation.evidence_wanted.emit(first)
    assert source.shows_evidence()
    source.tabs["page"].click()
    source.tabs["evidence"].click()
    assert pages(program) == ["p. 1"]
    source.tabs["page"].click()
    await ask(program, until, 3)
    source.tabs["evidence"].click()
    assert pages(program) == ["p. 3"]


async def test_another_conversation_has_its_own(program, until, document):
    await ask(program, until, 1)
    program.window.source.tabs["evidence"].click()
    program.controller.shelf.new()
    assert pages(program) == []
    program.window.source.tabs["evidence"].click()
    assert pages(program) == []
