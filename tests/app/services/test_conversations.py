"""Conversations are kept as they happen, found again, and come back when they were removed."""

import time
import uuid

import pytest

from app.data.conversation import Failure, Message
from app.data.ledger import Ledger, LedgerDocument
from app.services.conversations import Conversations
from app.services.database import Database


def say(conversations: Conversations, conversation: str, text: str, role: str = "user", **more) -> Message:
    message = Message(uuid.uuid4().hex, conversation, role, text, time.time(), **more)
    conversations.add(message)
    return message


def texts(conversations: Conversations, conversation: str) -> list[str]:
    return [message.text for message in conversations.messages(conversation)]


def test_everything_comes_back_as_it_was(conversations, database):
    one = conversations.new()
    ledger = Ledger(
        (LedgerDocument("d", "a.pdf", "d", 100, 0, 2),), *(100, 90, 10, 5, 0, 0, "stop", 1.5, 700.0, 40.0, "M", "f"),
        *("bf16", "int8", "cpu", 8192, {"full": 30}, 0.0, 7, ("only_read",)),
    )  # fmt: skip
    say(conversations, one.id, "What?", documents=("d", "e"))
    say(conversations, one.id, "This.", "assistant", ledger=ledger)
    say(conversations, one.id, "", "assistant", state="failed", failure=Failure("too_long", "a.pdf", 9, 8, "no"))
    conversations.save_draft(one.id, "half a")
    conversations.set_pending(one.id, ("e",))
    again = Conversations(Database(database.path))
    assert again.messages(one.id) == conversations.messages(one.id)
    assert again.messages(one.id)[1].ledger == ledger
    assert again.get(one.id).draft == "half a"
    assert again.get(one.id).pending == ("e",)


def test_the_first_question_names_the_conversation_once(conversations):
    one = conversations.new()
    say(conversations, one.id, "What is\nthe penalty " + "for " * 30)
    say(conversations, one.id, "And then?")
    title = conversations.get(one.id).title
    assert title.startswith("What is the penalty for")
    assert len(title) <= 60
    conversations.rename(one.id, " Penalties ")
    assert conversations.get(one.id).title == "Penalties"


def test_asking_empties_the_draft_in_one_step(conversations):
    one = conversations.new()
    conversations.save_draft(one.id, "What?")
    conversations.set_pending(one.id, ("d",))
    question = Message("q", one.id, "user", "What?", 1.0, ("d",))
    with pytest.raises(KeyError):
        conversations.ask(question, Message("a", "nowhere", "assistant", "", 1.0, state="waiting"))
    assert conversations.get(one.id).draft == "What?"
    assert not conversations.messages(one.id)
    conversations.ask(question, Message("a", one.id, "assistant", "", 1.0, state="waiting"))
    assert (conversations.get(one.id).draft, conversations.get(one.id).pending) == ("", ())


def test_the_one_used_last_is_first(conversations):
    first, second = conversations.new(), conversations.new()
    say(conversations, first.id, "again")
    assert [one.id for one in conversations.list()] == [first.id, second.id]


def test_a_removed_conversation_comes_back_and_a_forgotten_one_does_not(conversations, database):
    one = conversations.new()
    say(conversations, one.id, "a secret word")
    conversations.remove(one.id)
    assert not conversations.list()
    assert not conversations.search("secret")
    conversations.restore(one.id)
    assert conversations.list()
    assert conversations.search("secret")
    conversations.forget(one.id)
    assert not database.rows("SELECT 1 FROM messages")
    assert not database.rows("SELECT 1 FROM words WHERE words MATCH 'secret'")
    with pytest.raises(KeyError):
        conversations.get(one.id)


def test_what_came_after_a_message_is_taken_out_and_brought_back(conversations):
    one = conversations.new()
    first = say(conversations, one.id, "one")
    for text in ("two", "three"):
        say(conversations, one.id, text, "assistant")
    removed = conversations.remove_after(first.id)
    assert texts(conversations, one.id) == ["one"]
    say(conversations, one.id, "other")
    since = conversations.restore_messages(removed)
    assert texts(conversations, one.id) == ["one", "two", "three"]
    conversations.restore_messages(since)
    assert texts(conversations, one.id) == ["one", "other"]


def test_an_edited_question_is_undone(conversations):
    one = conversations.new()
    first = say(conversations, one.id, "one")
    say(conversations, one.id, "two", "assistant")
    removed = conversations.remove_from(first.id)
    say(conversations, one.id, "edited")
    conversations.restore_messages(removed)
    assert texts(conversations, one.id) == ["one", "two"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("违约金", True),  # longer than a trigram
        ("合同", True),  # shorter than one
        ("第十二条 违约", True),
        ("penalty", True),
        ("PENALTY clause", True),
        ("cl", True),
        ("clause penal", True),
        ('"', False),
        ("100%", True),
        ("10_%", False),
        ("penalty nowhere", False),
        ("* OR (", False),
        ("  ", False),
    ],
)
def test_search_finds_words_of_every_script_and_never_trips(conversations, words, found):
    one = conversations.new()
    say(conversations, one.id, "Start")
    say(conversations, one.id, "合同第十二条规定的违约金。 The Penalty clause says 100%.", "assistant")
    assert bool(conversations.search(words)) is found


def test_what_is_found_shows_where(conversations):
    one = conversations.new()
    say(conversations, one.id, "Lease")
    say(conversations, one.id, "before " * 30 + "the deposit is 300" + " after" * 30, "assistant")
    (found,) = conversations.search("deposit")
    assert found.title == "Lease"
    assert "the deposit is 300" in found.snippet
    assert found.snippet.startswith("…")
    assert found.snippet.endswith("…")
    assert conversations.search("lease")[0].snippet == "Lease"


def test_taken_out_and_changed_words_are_not_found(conversations):
    one = conversations.new()
    first = say(conversations, one.id, "one")
    second = say(conversations, one.id, "an early draft", "assistant")
    conversations.update(Message(second.id, one.id, "assistant", "the final words", 1.0))
    assert not conversations.search("early")
    assert conversations.search("final")
    conversations.remove_after(first.id)
    assert not conversations.search("final")


def test_an_answer_cut_short_by_the_programs_end_is_stopped(conversations):
    one = conversations.new()
    say(conversations, one.id, "half an ans", "assistant", state="writing")
    assert conversations.settle() == 1
    assert conversations.messages(one.id)[0].state == "stopped"
    assert conversations.messages(one.id)[0].text == "half an ans"


def test_an_item_leaves_a_conversation_and_comes_back_to_its_places(conversations):
    one = conversations.new()
    first = say(conversations, one.id, "one", documents=("d", "e"))
    second = say(conversations, one.id, "two", documents=("f",))
    conversations.set_pending(one.id, ("g", "d"))
    detached = conversations.detach(one.id, "d")
    assert conversations.message(first.id).documents == ("e",)
    assert conversations.message(second.id).documents == ("f",)
    assert conversations.get(one.id).pending == ("g",)
    conversations.attach_again(detached)
    assert conversations.message(first.id).documents == ("d", "e")
    assert conversations.get(one.id).pending == ("g", "d")


def test_the_rate_of_the_last_long_reading_by_the_same_model(conversations):
    conversation = conversations.new()

    def answered(n, **values):
        known = {
            "documents": (), "prompt": 2000, "read": 2000, "reused": 0, "written": 5, "unread": 0, "evicted": 0,
            "finish": "complete", "first_token": 1.0, "reading_rate": 100.0, "writing_rate": 9.0, "model": "m",
            "fingerprint": "f1", "precision": "int8", "writing": "x", "device": "d", "window": 8192, "layers": {},
            "temperature": 0.0, "seed": None,
        }  # fmt: skip
        ledger = Ledger(**known | values)
        conversations.add(Message(f"m{n}", conversation.id, "assistant", "x", float(n), ledger=ledger))

    assert conversations.reading_rate("f1", "int8") is None
    answered(1, reading_rate=300.0)
    answered(2, reading_rate=500.0, fingerprint="f2")
    answered(3, reading_rate=900.0, read=20)
    answered(4, reading_rate=None)
    assert conversations.reading_rate("f1", "int8") == 300.0
    assert conversations.reading_rate("f1", "bf16") is None
    assert conversations.writing_rate("f1", "int8") is None
    answered(5, writing_rate=40.0, written=20)
    assert conversations.writing_rate("f1", "int8") == 40.0
