"""Questions become requests, events become messages, and nothing that was written is lost."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from app.data import evidence
from app.data.conversation import Failure
from app.data.quote import QuotePlace
from app.data.settings import Settings
from app.services.problem import DatabaseProblem, ModelMissing
from engine.client import EngineBusy, RequestFailed
from engine.protocol import (
    Count,
    Delta,
    Document,
    Done,
    Evidence,
    Failed,
    Generate,
    Label,
    ModelSettings,
    Passage,
    Place,
    Plan,
    Planned,
    Read,
    Text,
    Turn,
    Usage,
)


def kept(conversations, conversation: str) -> list[tuple[str, str, str]]:
    return [(one.role, one.text, one.state) for one in conversations.messages(conversation)]


async def test_a_question_is_answered_and_kept(assistant, conversations, engine, fake):
    one = conversations.new()
    engine.answer = fake.says("Hel", "lo", usage=Usage(12, 9, 3, 2, writing="int8", precision="bf16", window=4096))
    answer = assistant.ask(one.id, "Who?")
    assert kept(conversations, one.id) == [("user", "Who?", "answered"), ("assistant", "", "waiting")]
    events = [event async for event in answer]
    assert [type(event) for event in events] == [Delta, Delta, Done]
    assert kept(conversations, one.id) == [("user", "Who?", "answered"), ("assistant", "Hello", "answered")]
    ledger = conversations.messages(one.id)[1].ledger
    assert (ledger.prompt, ledger.read, ledger.reused, ledger.written) == (12, 9, 3, 2)
    assert (ledger.model, ledger.precision, ledger.writing, ledger.device) == (
        *("Test model", "bf16", "int8", "Test processor"),
    )
    assert (ledger.temperature, ledger.seed, ledger.finish, ledger.window) == (0.5, 7, "stop", 4096)
    assert ledger.first_token == answer.waited > 0
    assert answer.message == conversations.messages(one.id)[1]


async def test_evidence_is_kept_with_the_answer(assistant, conversations, engine, add):
    one = conversations.new()
    item = await add("The rent is 900. It is paid monthly.")
    told = Evidence("", 0, 5, (Passage(Place(0, 0, 16), 0.6), Passage(Place(0, 17, 36), 0.3)), "heads")
    counts = []

    def answer(request, stream) -> None:
        stream.put(Delta(request.id, "Hello"))
        for start in (0, 6):
            stream.put(msgspec.structs.replace(told, id=request.id, start=start, end=start + 5))
        stream.put(Done(request.id, "cancelled", Usage(1, 1, 0, 1)))

    engine.answer = answer
    asked = assistant.ask(one.id, "Who?", (item.id,))
    async for event in asked:
        if isinstance(event, Evidence):
            counts.append(len(asked.message.evidence))
    assert counts[-1] == 2
    passages = tuple(
        evidence.Passage(QuotePlace(item.id, start, end, item.first_label, item.unit), score)
        for start, end, score in ((0, 16, 0.6), (17, 36, 0.3))
    )
    expected = tuple(evidence.SentenceEvidence(start, start + 5, passages, "heads") for start in (0, 6))
    kept_message = conversations.messages(one.id)[1]
    assert (kept_message.state, kept_message.evidence) == ("stopped", expected)
    assert asked.message == kept_message


async def test_the_model_is_loaded_once_and_as_the_settings_say(assistant, conversations, engine):
    one = conversations.new()
    for _ in range(2):
        await assistant.ask(one.id, "Who?").wait()
    assert engine.loads == [ModelSettings("/models/m")]
    settings = Settings(model="n", precision="int8", window=2048, device="cpu", threads=2, piece=64, extension="yarn")
    await assistant.load(settings)
    assert engine.loads[1] == ModelSettings("/models/n", "int8", 2048, "cpu", 2, 64, "yarn")
    assert assistant.settings is settings


async def test_documents_come_first_in_the_turn_that_attached_them(assistant, conversations, engine, add):
    one = conversations.new()
    first, second = await add("text one", "a.pdf"), await add("text two", "b.pdf")
    await assistant.ask(one.id, "Who?", (first.id,)).wait()
    await assistant.ask(one.id, "And?", (second.id, first.id)).wait()
    assert engine.asked()[1].conversation.turns == (
        Turn("user", (Document(first.path, first.id, "a.pdf", "page", (Label(0, "iv"),)), Text("Who?"))),
        Turn("assistant", (Text("Hello"),)),
        Turn("user", (Document(second.path, second.id, "b.pdf", "page", (Label(0, "iv"),)), Text("And?"))),
    )
    assert {request.conversation.began for request in engine.asked()} == {one.began}
    ledger = conversations.messages(one.id)[3].ledger
    assert [(entry.name, entry.tokens) for entry in ledger.documents] == [("a.pdf", 8), ("b.pdf", 8)]


async def test_each_document_is_counted_once(assistant, conversations, engine, library, add):
    one = conversations.new()
    first = await add("text one", "a.pdf")
    await assistant.ask(one.id, "Who?", (first.id,)).wait()
    await assistant.ask(one.id, "And?").wait()
    assert len([request for request in engine.sent if isinstance(request, Count)]) == 1
    assert library.get(first.id).tokens == 8


async def test_what_is_attached_is_read_before_the_question(assistant, conversations, engine, add):
    one = conversations.new()
    item = await add("text")
    conversations.set_pending(one.id, (item.id,))
    reading = assistant.read(one.id)
    assert [type(event) for event in [event async for event in reading]] == [Done]
    document = Document(item.path, item.id, "a.pdf", "page", (Label(0, "iv"),))
    assert engine.sent[-1].conversation.turns == (Turn("user", (document,)),)
    assert reading.failure is None


async def test_reading_nothing_is_refused(assistant, conversations):
    with pytest.raises(ValueError, match="nothing to read"):
        assistant.read(conversations.new().id)


async def test_stopping_keeps_what_was_written(assistant, conversations, engine, fake):
    one = conversations.new()
    engine.answer = fake.begins("Half ", "an ")
    answer = assistant.ask(one.id, "Who?")
    async for _ in answer:
        answer.cancel()
    assert kept(conversations, one.id)[1] == ("assistant", "Half an ", "stopped")
    assert answer.message.ledger.unread == 6


async def test_stopping_before_anything_was_sent(assistant, conversations, engine):
    one = conversations.new()
    answer = assistant.ask(one.id, "Who?")
    answer.cancel()
    await answer.wait()
    assert kept(conversations, one.id)[1] == ("assistant", "", "stopped")
    assert not engine.asked()


async def test_stopping_while_the_model_is_loaded(assistant, conversations, engine, monkeypatch):
    one = conversations.new()
    loading, go_on = asyncio.Event(), asyncio.Event()
    load = engine.load

    async def slow(settings, on_progress):
        loading.set()
        await go_on.wait()
        return await load(settings, on_progress)

    monkeypatch.setattr(engine, "load", slow)
    answer = assistant.ask(one.id, "Who?")
    await loading.wait()
    answer.cancel()
    go_on.set()
    await answer.wait()
    assert answer.message.state == "stopped"


async def test_an_engine_that_dies_leaves_the_answer_so_far(assistant, conversations, engine, fake):
    one = conversations.new()
    engine.answer = fake.fails("engine_died", "Half ")
    events = [event async for event in assistant.ask(one.id, "Who?")]
    assert isinstance(events[-1], Failed)
    assert kept(conversations, one.id)[1] == ("assistant", "Half ", "failed")
    assert conversations.messages(one.id)[1].failure == Failure("engine_died", message="for the log")
    engine.answer = fake.says("Better")
    await assistant.ask(one.id, "Again?").wait()
    assert engine.asked()[1].conversation.turns[1] == Turn("assistant", (Text("Half "),))


async def test_too_long_says_how_much_and_sends_no_empty_turn_afterwards(assistant, conversations, engine, fake):
    one = conversations.new()
    engine.answer = fake.fails("too_long", needed=9000, available=4096)
    await assistant.ask(one.id, "Who?").wait()
    failure = conversations.messages(one.id)[1].failure
    assert (failure.code, failure.needed, failure.available) == ("too_long_question", 9000, 4096)
    assistant.settings = msgspec.structs.replace(assistant.settings, reading_mode="whole")
    whole = assistant.ask(conversations.new().id, "Who?")
    await whole.wait()
    assert whole.message.failure.code == "too_long"
    await assistant.ask(one.id, "Shorter?").wait()
    assert engine.asked()[-1].conversation.turns == (Turn("user", (Text("Who?"), Text("\n\nShorter?"))),)


async def test_a_model_that_is_missing_is_the_answers_failure(assistant, conversations, engine, monkeypatch):
    def missing(name: str) -> Path:
        raise ModelMissing("model_missing", subject="M", name=name)

    one = conversations.new()
    monkeypatch.setattr(assistant._models, "resolve", missing)
    assert [event async for event in assistant.ask(one.id, "Who?")] == []
    assert conversations.messages(one.id)[1].failure == Failure("model_missing", "M")
    with pytest.raises(ModelMissing):
        await assistant.load(Settings(model="m"))


async def test_an_engine_that_another_holds_is_the_answers_failure(assistant, conversations, engine, monkeypatch):
    async def busy():
        raise EngineBusy(123)

    monkeypatch.setattr(engine, "start", busy)
    one = conversations.new()
    await assistant.ask(one.id, "Who?").wait()
    assert conversations.messages(one.id)[1].failure.code == "engine_busy"


async def test_the_answer_is_kept_while_nobody_listens(assistant, conversations):
    one = conversations.new()
    answer = assistant.ask(one.id, "Who?")
    await answer.wait()
    assert kept(conversations, one.id)[1] == ("assistant", "Hello", "answered")
    assert [type(event) for event in [event async for event in answer]] == [Delta, Done]


async def test_a_growing_answer_is_kept_now_and_then(assistant, conversations, engine, fake, monkeypatch):
    monkeypatch.setattr("app.services.answer.KEPT_EVERY", 0.0)
    one = conversations.new()
    engine.answer = fake.begins("Half ", "an ")
    answer = assistant.ask(one.id, "Who?")
    heard = 0
    async for _ in answer:
        heard += 1
        if heard == 2:
            assert kept(conversations, one.id)[1] == ("assistant", "Half an ", "writing")
            answer.cancel()


async def test_the_programs_end_keeps_what_was_written(assistant, conversations, engine, fake):
    one = conversations.new()
    engine.answer = fake.begins("Half ")
    answer = assistant.ask(one.id, "Who?")
    async for _ in answer:
        await assistant.close()
    assert kept(conversations, one.id)[1] == ("assistant", "Half ", "stopped")


async def test_an_answer_that_cannot_be_kept_is_still_shown(assistant, conversations, monkeypatch):
    def full(message):
        raise DatabaseProblem("disk_full", subject="there")

    one = conversations.new()
    monkeypatch.setattr(conversations, "update", full)
    answer = assistant.ask(one.id, "Who?")
    await answer.wait()
    assert (answer.message.text, answer.message.state) == ("Hello", "answered")
    assert answer.problem.code == "disk_full"


async def test_answering_from_what_has_been_read(assistant, conversations, engine, fake, add):
    one = conversations.new()
    first, second = await add("a" * 10, "a.pdf"), await add("b" * 10, "b.pdf")
    conversations.set_pending(one.id, (first.id, second.id))
    engine.answer = fake.begins()
    reading = assistant.read(one.id)
    await engine.heard.wait()
    engine.answer = fake.says("So far", usage=Usage(30, 2, 13, 2, unread=15))
    answer = assistant.ask(one.id, "Who?", (first.id, second.id), only_read=True)
    await answer.wait()
    assert engine.cancelled == [engine.sent[0].id]
    assert isinstance(engine.sent[0], Read)
    assert [event async for event in reading][-1].finish == "cancelled"
    assert engine.asked()[0].only_read
    ledger = answer.message.ledger
    assert [entry.unread for entry in ledger.documents] == [5, 10]
    assert ledger.unread == 15
    assert ledger.notes == ("only_read",)


async def test_a_question_beside_a_reading_waits_for_it(assistant, conversations, engine, fake, add):
    one = conversations.new()
    item = await add("text")
    conversations.set_pending(one.id, (item.id,))
    engine.answer = fake.begins()
    assistant.read(one.id)
    await engine.heard.wait()
    engine.answer = fake.says("All of it")
    await assistant.ask(one.id, "Who?", (item.id,)).wait()
    assert not engine.cancelled
    assert not engine.asked()[0].only_read


async def test_a_forgotten_document_is_said_not_hidden(assistant, conversations, engine, library, add):
    one = conversations.new()
    item = await add("text")
    await assistant.ask(one.id, "Who?", (item.id,)).wait()
    library.forget(item.id)
    answer = assistant.ask(one.id, "And?")
    await answer.wait()
    assert answer.message.ledger.notes == ("forgotten_document",)
    assert engine.asked()[1].conversation.turns[0] == Turn("user", (Text("Who?"),))


async def test_regenerating_takes_the_place_of_the_old_answer(assistant, conversations, engine, fake):
    one = conversations.new()
    first = assistant.ask(one.id, "Who?")
    await first.wait()
    await assistant.ask(one.id, "And?").wait()
    engine.answer = fake.says("Other")
    answer = assistant.regenerate(one.id, first.message.id)
    await answer.wait()
    assert [text for _, text, _ in kept(conversations, one.id)] == ["Who?", "Other"]
    assert engine.asked()[-1].conversation.turns == (Turn("user", (Text("Who?"),)),)
    conversations.restore_messages(answer.removed)
    assert [text for _, text, _ in kept(conversations, one.id)] == ["Who?", "Hello", "And?", "Hello"]


async def test_regenerating_from_what_has_been_read(assistant, conversations, engine):
    one = conversations.new()
    first = assistant.ask(one.id, "Who?")
    await first.wait()
    await assistant.regenerate(one.id, first.message.id, only_read=True).wait()
    assert [request.only_read for request in engine.asked()] == [False, True]


async def test_an_edited_question_keeps_its_documents(assistant, conversations, engine, add):
    one = conversations.new()
    item = await add("text")
    first = assistant.ask(one.id, "Who?", (item.id,))
    await first.wait()
    answer = assistant.edit(one.id, first.question.id, "What?")
    await answer.wait()
    assert [text for _, text, _ in kept(conversations, one.id)] == ["What?", "Hello"]
    assert answer.question.documents == (item.id,)
    conversations.restore_messages(answer.removed)
    assert [text for _, text, _ in kept(conversations, one.id)] == ["Who?", "Hello"]


async def test_temperature_length_and_seed_are_taken_at_each_question(assistant, conversations, engine):
    one = conversations.new()
    assistant.settings = msgspec.structs.replace(assistant.settings, temperature=0.0, max_tokens=9)
    assistant.seed = 3
    await assistant.ask(one.id, "Who?").wait()
    sampling = engine.asked()[0].sampling
    assert (sampling.temperature, sampling.max_tokens, sampling.seed) == (0.0, 9, 3)
    assert len(engine.loads) == 1


async def test_counts_belong_to_the_model_that_made_them(assistant, library, engine, fake, add):
    item = await add("text")
    assert await assistant.count([item]) == [4]
    engine.next_loaded = fake.loaded("another")
    await assistant.load(Settings(model="n"))
    assert library.get(item.id).tokens is None


async def test_a_refused_plan_is_raised_and_a_good_one_returned(assistant, engine, fake):
    engine.state = "ready"
    engine.answer = fake.fails("bad_model")
    with pytest.raises(RequestFailed):
        await assistant.plan(Settings(model="m"))
    device = fake.loaded().device
    planned = Planned(1, 1, 0, 1, 1, 4, 9, 4096, 8192, 8192, True, "fp32", device)
    engine.answer = lambda request, stream: stream.put(Done(request.id, "complete", result=planned))
    assert await assistant.plan(Settings(model="m")) == planned
    assert isinstance(engine.sent[-1], Plan)


async def test_a_fault_of_ours_ends_the_answer_instead_of_leaving_it_waiting(assistant, conversations, engine, caplog):
    def broken(request: Generate, stream) -> None:
        raise TypeError("a fault")

    one = conversations.new()
    engine.answer = broken
    answer = assistant.ask(one.id, "Who?")
    await answer.wait()
    assert answer.message.state == "failed"
    assert answer.message.failure == Failure("internal", message="TypeError")
