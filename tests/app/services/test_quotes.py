"""Quotes of answers: looked for when an answer has ended, kept with it, and given up when nobody waits."""

import asyncio
import threading
from pathlib import Path

import pytest

from app.data.quote import Excerpt
from app.services import quotes as quotes_module
from app.services.quotes import Quotes, Stopped
from app.services.quotes.folding import Folded

TEXT = "The Tenant shall pay the rent in advance. The Landlord shall repair the roof within 30 days."
TOLD = "It says “The Tenant shall pay the rent in advance”, and “the Landlord eats cake on every second day”."


@pytest.fixture
async def asked(assistant, conversations, engine, add, fake):
    """Ask with a document, and wait for the quotes of the answer."""
    item = await add(TEXT)

    async def ask(*pieces: str):
        engine.answer = fake.says(*pieces)
        answer = assistant.ask(conversations.new().id, "What?", (item.id,))
        await answer.checked()
        return answer

    return ask


async def test_an_answers_quotes_are_kept_with_it(asked, conversations):
    answer = await asked(TOLD[:20], TOLD[20:])
    assert [(one.verdict, one.kind) for one in answer.message.quotes] == [("exact", "quote"), ("missing", "quote")]
    place = answer.message.quotes[0].places[0]
    assert (place.label, TEXT[place.start : place.end]) == ("iv", "The Tenant shall pay the rent in advance")
    assert conversations.message(answer.message.id) == answer.message


async def test_the_answer_is_there_before_its_quotes(assistant, conversations, engine, add, fake, monkeypatch):
    go_on = threading.Event()
    real = Folded.__init__

    def waits(self, text, look=lambda: None):
        go_on.wait(30)
        real(self, text, look)

    monkeypatch.setattr(Folded, "__init__", waits)
    item = await add(TEXT)
    engine.answer = fake.says(TOLD)
    answer = assistant.ask(conversations.new().id, "What?", (item.id,))
    await answer.wait()
    assert (answer.message.state, answer.message.quotes) == ("answered", ())
    assert conversations.message(answer.message.id).state == "answered"
    go_on.set()
    assert len(await answer.checked()) == 2


async def test_a_stopped_answer_has_quotes_and_a_failed_one_none(assistant, conversations, engine, add, fake):
    item = await add(TEXT)
    engine.answer = fake.begins(TOLD)
    answer = assistant.ask(conversations.new().id, "What?", (item.id,))
    await engine.heard.wait()
    answer.cancel()
    assert len(await answer.checked()) == 2
    assert answer.message.state == "stopped"
    engine.answer = fake.fails("internal", TOLD)
    answer = assistant.ask(conversations.new().id, "What?", (item.id,))
    assert await answer.checked() == ()


async def test_a_new_answer_has_quotes_of_its_own(asked, assistant, engine, fake):
    old = await asked(TOLD)
    engine.answer = fake.says("Yes: “The Landlord shall repair the roof”.")
    new = assistant.regenerate(old.question.conversation, old.message.id)
    (one,) = await new.checked()
    assert one.verdict == "exact"
    edited = assistant.edit(old.question.conversation, old.question.id, "Who?")
    assert await edited.checked() == (one,)


async def test_without_documents_nothing_is_said_of_quotes(assistant, conversations, engine, fake):
    engine.answer = fake.says(TOLD)
    assert await assistant.ask(conversations.new().id, "What?").checked() == ()


async def test_earlier_documents_of_the_conversation_count(asked, assistant, engine):
    first = await asked(TOLD)
    second = assistant.ask(first.question.conversation, "And?")
    assert [one.verdict for one in await second.checked()] == ["exact", "missing"]


async def test_a_text_that_is_gone_says_nothing(add, library):
    item = await add(TEXT)
    Path(item.path).unlink()
    assert await Quotes(library).find(TOLD, [item]) == ()
    library.forget(item.id)
    assert await Quotes(library).find(TOLD, [item]) == ()


async def test_closing_ends_the_search(assistant, conversations, engine, add, fake, monkeypatch):
    begun, ended = threading.Event(), threading.Event()

    def endless(answer, sources, look):
        begun.set()
        try:
            while True:
                look()
        except Stopped:
            ended.set()
            raise

    monkeypatch.setattr(quotes_module, "quotes_of", endless)
    item = await add(TEXT)
    engine.answer = fake.says(TOLD)
    answer = assistant.ask(conversations.new().id, "What?", (item.id,))
    assert await asyncio.to_thread(begun.wait, 30)
    await assistant.close()
    assert await asyncio.to_thread(ended.wait, 30)
    assert conversations.message(answer.message.id).text == TOLD
    assert await answer.checked() == ()


async def test_what_goes_wrong_in_the_search_is_told(assistant, conversations, engine, add, fake, monkeypatch):
    def breaks(answer, sources, look):
        raise ZeroDivisionError

    monkeypatch.setattr(quotes_module, "quotes_of", breaks)
    item = await add(TEXT)
    engine.answer = fake.says(TOLD)
    answer = assistant.ask(conversations.new().id, "What?", (item.id,))
    with pytest.raises(ZeroDivisionError):
        await answer.checked()
    assert answer.message.state == "answered"


async def test_letters_of_a_text_are_made_once_and_not_for_ever(add, library, monkeypatch):
    folded = []
    real = Folded.__init__

    def counted(self, text, look=lambda: None):
        if len(text) > 60:
            folded.append(text[:8])
        real(self, text, look)

    monkeypatch.setattr(Folded, "__init__", counted)
    monkeypatch.setattr(quotes_module, "HELD", 200)
    first, second, third = [await add(f"{n} {TEXT}", f"{n}.pdf") for n in range(3)]
    quotes = Quotes(library)
    for items in ([first], [first], [first, second], [third], [first]):
        await quotes.find("“The Tenant shall pay”", items)
    assert folded == ["0 The Te", "1 The Te", "2 The Te", "0 The Te"]


async def test_a_place_with_its_surroundings(add, library, asked):
    answer = await asked(TOLD)
    place = answer.message.quotes[0].places[0]
    said = Excerpt(
        "", "The Tenant shall pay the rent in advance", ". The Landlord shall repair the roof within 30 days."
    )
    assert Quotes(library).excerpt(place) == said
    item = await add("x " * 400 + "so it\nis " + "y " * 400)
    quotes = Quotes(library)
    (one,) = await quotes.find("“so it is y y y y y”", [item])
    excerpt = quotes.excerpt(one.places[0])
    assert excerpt.text == "so it is y y y y y"
    assert excerpt.before.startswith("…")
    assert excerpt.after.endswith("…")
    library.forget(item.id)
    with pytest.raises(KeyError):
        Quotes(library).excerpt(one.places[0])
