"""Reading in parallel, saved readings and coverage, as the services ask for them and keep what comes of them."""

from pathlib import Path

import msgspec
import pytest

from app.data.conversation import FoundPart
from app.data.ledger import Ledger, LedgerPlace, LedgerSegment
from app.data.settings import Settings
from app.services.conversations import Conversations
from app.services.database import Database
from app.services.schema import STEPS
from engine.client import RequestFailed
from engine.protocol import (
    Delta,
    Done,
    Forget,
    Forgotten,
    Found,
    Generate,
    Listed,
    Note,
    Place,
    Read,
    Readings,
    ReadingSettings,
    SegmentUse,
    Usage,
)

ALL = Settings(
    model="m", reading_mode="parallel", segment=1000, overlap=32, join="reread", keep=2, asked=9, kept_rows=0.5,
    calibrate=True, kv="int8", part=256, save_readings=False, readings_quota=7,
)  # fmt: skip


async def test_every_request_says_how_to_read_as_the_settings_say_then(assistant, conversations, engine, add):
    one = conversations.new()
    item = await add("text")
    conversations.set_pending(one.id, (item.id,))
    await assistant.read(one.id).wait()
    assistant.settings = ALL
    await assistant.ask(one.id, "Who?", (item.id,)).wait()
    read, asked = (request for request in engine.sent if isinstance(request, Read | Generate))
    assert read.reading == ReadingSettings()
    assert asked.reading == ReadingSettings(
        *("parallel", 1000, 32, "reread", 2, 9, 0.5, True, "int8", False, 256, None, False, None, 7),
    )
    assert len(engine.loads) == 1


async def test_coverage_belongs_to_its_question_alone(assistant, conversations, engine):
    one = conversations.new()
    first = assistant.ask(one.id, "List every number", coverage=True, part_question="What is the number?")
    await first.wait()
    await assistant.regenerate(one.id, first.message.id, coverage=True, part_question=" ").wait()
    await assistant.ask(one.id, "Who?").wait()
    told = [(request.reading.coverage, request.reading.part_question) for request in engine.asked()]
    assert told == [(True, "What is the number?"), (True, " "), (False, None)]


async def test_what_is_found_comes_through_and_is_kept(assistant, conversations, engine, database, add):
    one = conversations.new()
    item = await add("The number is 7.")
    found = [
        Found("", 0, 2, Place(0, 0, 10), "no", 0.9, False, False),
        Found("", 1, 2, Place(0, 10, 16), "7", 0.2, True, True),
    ]
    states = []

    def answer(request, stream) -> None:
        for event in found:
            stream.put(msgspec.structs.replace(event, id=request.id))
        stream.put(Delta(request.id, "7"))
        stream.put(Done(request.id, "complete", Usage(20, 20, 0, 1, mode="coverage", asked=2)))

    engine.answer = answer
    answering = assistant.ask(one.id, "List every number", (item.id,), coverage=True)
    heard = []
    async for event in answering:
        heard.append(type(event))
        states.append((len(answering.message.found), answering.message.state))
    assert heard == [Found, Found, Delta, Done]
    assert states[-1] == (2, "answered")
    kept = Conversations(Database(database.path)).messages(one.id)[1]
    assert kept == answering.message
    assert kept.found == (
        FoundPart(0, 2, item.id, 0, 10, "no", 0.9, False, False, "iv", "iv"),
        FoundPart(1, 2, item.id, 10, 16, "7", 0.2, True, True, "iv", "iv"),
    )
    assert (kept.ledger.mode, kept.ledger.asked) == ("coverage", 2)


async def test_what_was_found_before_a_stop_is_kept(assistant, conversations, engine, add, monkeypatch):
    monkeypatch.setattr("app.services.answer.KEPT_EVERY", 0.0)
    one = conversations.new()
    item = await add("text")
    found = Found("", 0, 9, Place(0, 0, 4), "7", 0.2, True, True)
    engine.answer = lambda request, stream: stream.put(msgspec.structs.replace(found, id=request.id))
    answering = assistant.ask(one.id, "List every number", (item.id,), coverage=True)
    async for event in answering:
        if isinstance(event, Found):
            assert (answering.message.state, len(conversations.messages(one.id)[1].found)) == ("waiting", 1)
            answering.cancel()
    kept = conversations.messages(one.id)[1]
    assert (kept.state, [part.text for part in kept.found]) == ("stopped", ["7"])


async def test_the_ledger_names_the_segments_and_their_pages(assistant, conversations, engine, add):
    one = conversations.new()
    first, second = await add("a" * 100, "a.pdf"), await add("b" * 100, "b.pdf")
    usage = Usage(
        *(220, 0, 215, 2), mode="parallel", asked=2, join="consecutive", kv="int8", reopened=200,
        segments=(
            SegmentUse(1, (Place(0, 0, 60),), 60, 2.5),
            SegmentUse(2, (Place(0, 60, 100), Place(1, 0, 100)), 140, 1.5, True, 70),
        ),
    )  # fmt: skip
    notes = (Note("read_parallel", {"tokens": "220", "window": "100", "segments": "2"}), Note("kv_int8"))
    engine.answer = lambda request, stream: stream.put(Done(request.id, "complete", usage, notes=notes))
    await assistant.ask(one.id, "Who?", (first.id, second.id)).wait()
    ledger = conversations.messages(one.id)[1].ledger
    assert ledger.segments == (
        LedgerSegment(1, (LedgerPlace(first.id, 0, 60, "iv", "iv"),), 60, 2.5),
        LedgerSegment(
            *(2, (LedgerPlace(first.id, 60, 100, "iv", "iv"), LedgerPlace(second.id, 0, 100, "iv", "iv"))),
            *(140, 1.5, True, 70),
        ),
    )
    assert (ledger.mode, ledger.asked, ledger.join, ledger.kv, ledger.reopened) == (
        *("parallel", 2, "consecutive", "int8", 200),
    )
    assert ledger.notes == ("read_parallel", "kv_int8")
    assert ledger.note_values == {"read_parallel": {"tokens": "220", "window": "100", "segments": "2"}}


def test_ledgers_and_messages_of_before_still_load(tmp_path: Path):
    before = tmp_path / "longread.db"
    old = Database(before, steps=STEPS[:1])
    old.changed("INSERT INTO conversations (id, title, began, updated) VALUES ('c', '', 'b', 1.0)")
    ledger = (
        b'{"documents":[],"prompt":1,"read":1,"reused":0,"written":1,"unread":0,"evicted":0,"finish":"stop",'
        b'"first_token":null,"reading_rate":null,"writing_rate":null,"model":"M","fingerprint":"f","precision":"bf16",'
        b'"writing":"int8","device":"cpu","window":8192,"layers":{},"temperature":0.0,"seed":null,"notes":["x"]}'
    )
    old.changed(
        "INSERT INTO messages (id, conversation, role, text, created, documents, state, ledger) "
        "VALUES ('m', 'c', 'assistant', 'Hello', 1.0, '[]', 'answered', ?)",
        (ledger.decode(),),
    )
    old.close()
    (message,) = Conversations(Database(before)).messages("c")
    assert (message.text, message.found) == ("Hello", ())
    assert message.ledger == msgspec.json.decode(ledger, type=Ledger)
    assert (message.ledger.mode, message.ledger.segments, message.ledger.note_values) == ("whole", (), {})


async def test_saved_readings_are_listed_where_the_settings_keep_them(assistant, engine, tmp_path):
    listed = Listed((), 0, 9, 99, str(tmp_path))
    engine.answer = lambda request, stream: stream.put(Done(request.id, "complete", result=listed))
    assert await assistant.readings() == listed
    assistant.settings = Settings(model="m", readings_folder=str(tmp_path))
    await assistant.readings()
    assert [(type(request), request.folder) for request in engine.sent] == [(Readings, None), (Readings, str(tmp_path))]
    assert engine.state == "ready"
    assert not engine.loads


async def test_an_item_forgotten_for_good_takes_its_readings_along(assistant, engine, library, add):
    item = await add("text")
    engine.answer = lambda request, stream: stream.put(Done(request.id, "complete", result=Forgotten(1, 99)))
    assert await assistant.forget(item.id) == Forgotten(1, 99)
    assert (type(engine.sent[-1]), engine.sent[-1].documents) == (Forget, (item.id,))
    with pytest.raises(KeyError):
        library.get(item.id)
    await assistant.forget_readings(None)
    assert engine.sent[-1].documents is None


async def test_readings_that_cannot_be_forgotten_are_told(assistant, engine, library, fake, add):
    item = await add("text")
    engine.answer = fake.fails("engine_died")
    with pytest.raises(RequestFailed):
        await assistant.forget(item.id)
    assert not library.items()
