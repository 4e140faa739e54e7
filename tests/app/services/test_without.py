"""The same question over a text without one passage: nothing of it is kept."""

import asyncio
from pathlib import Path

import pytest

from app.data.quote import QuotePlace
from app.services.without import Shortened, same
from engine.client import RequestFailed
from engine.protocol import Document

TEXT = "The lease ends on 3 May 2031. The rent is 2,400."


@pytest.fixture
async def answered(assistant, conversations, add, engine, fake):
    item = await add(TEXT)
    conversation = conversations.new()
    engine.answer = fake.says("On 3 May", " 2031.")
    answer = assistant.ask(conversation.id, "When does it end?", (item.id,))
    await answer.wait()
    return conversation.id, answer.message.id, item


def place(item, words="3 May 2031"):
    start = TEXT.index(words)
    return QuotePlace(item.id, start, start + len(words))


async def test_the_passage_is_not_in_what_is_asked_and_the_answer_is_compared(
    assistant, conversations, engine, answered, fake
):
    conversation, message, item = answered
    before = conversations.messages(conversation)
    texts = []

    def answer(request, stream):
        (document,) = (part for part in request.conversation.turns[-1].parts if isinstance(part, Document))
        texts.append((Path(document.path).read_text(), document.sha256, request.reading.save))
        fake.says("It is", " not said.")(request, stream)

    engine.answer = answer
    heard = []
    result = await assistant.without(conversation, message, place(item), heard.append)
    ((text, sha256, saved),) = texts
    assert text == "The lease ends on . The rent is 2,400."
    assert sha256 == fake.digest(text)
    assert not saved, "no reading of it is kept"
    assert (result.text, result.changed) == ("It is not said.", True)
    assert heard == ["It is", "It is not said."]
    assert conversations.messages(conversation) == before
    assert not list(Path(item.path).parent.glob("without-*"))


async def test_the_same_answer_is_the_same(assistant, engine, answered, fake):
    conversation, message, item = answered
    engine.answer = fake.says("on 3 May  2031.")
    result = await assistant.without(conversation, message, place(item, "2,400"), lambda text: None)
    assert result.changed is False


async def test_a_failure_leaves_nothing(assistant, engine, answered, fake):
    conversation, message, item = answered
    engine.answer = fake.fails("out_of_memory")
    with pytest.raises(RequestFailed):
        await assistant.without(conversation, message, place(item), lambda text: None)
    assert not list(Path(item.path).parent.glob("without-*"))


async def test_cancelling_ends_the_request(assistant, engine, answered, fake):
    conversation, message, item = answered
    begun = asyncio.Event()

    def answer(request, stream):
        fake.begins("It")(request, stream)
        begun.set()

    engine.answer = answer
    task = asyncio.ensure_future(assistant.without(conversation, message, place(item), lambda text: None))
    await begun.wait()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert engine.cancelled == [engine.asked()[-1].id]


async def test_pages_move_with_the_text(library, add, tmp_path):
    item = await add(TEXT)
    with Shortened.open(library, place(item), tmp_path) as shortened:
        (span,) = shortened.spans(item.id)
        assert (span.start, span.end) == (0, len(TEXT) - len("3 May 2031"))
        assert shortened.item(item.id).id == shortened.id != item.id


def test_spaces_and_case_make_no_difference():
    assert same("On  May 3.\n", "on may 3.")
    assert not same("On May 3.", "On May 4.")
