"""Texts that are read whole: several in memory under one budget, on disk, and forgotten."""

import os
from pathlib import Path

import pytest
from asking import Asking, codes, noted

from engine.memory.store import layout
from engine.protocol import Conversation, Forget, Generate, Readings, ReadingSettings, Sampling, Text, Turn

QUESTION = "What is it about?"
LONGER = Sampling(max_tokens=12)


@pytest.fixture
def ask(desk, monkeypatch):
    asking = Asking(desk, monkeypatch)
    asking.settings = {"mode": "whole"}
    return asking


@pytest.fixture
def chains(desk):
    return desk.worker._model.chains


@pytest.fixture
def tales(desk):
    """Five of some 680 tokens: each leaves room for an answer, and no two fit the window."""
    return [desk.document(desk.made_up_text(530, seed), f"tale {seed}.txt") for seed in range(21, 26)]


@pytest.fixture
def right(ask, tales):
    """The answer to the first, read in one go."""
    done = ask([tales[0], QUESTION], sampling=LONGER, save=False)
    ask.desk.forget()
    return done.result


def listed(ask):
    return ask.desk.run(Readings(ask.desk.id())).result.readings


def test_conversations_that_take_turns_read_nothing_again(ask, tales):
    first, second = ([tale, QUESTION] for tale in tales[:2])
    one = ask(first, save=False)
    other = ask(second, save=False)
    assert other.usage.reused < 40
    for question in ("Who wrote it?", "And when?"):
        one = ask(first, one.result.text, question, save=False)
        assert one.usage.read < 60
        other = ask(second, other.result.text, question, save=False)
        assert other.usage.read < 60
        first = [*first[:1], QUESTION]


def test_the_one_used_longest_ago_goes_first(ask, tales, chains, monkeypatch):
    monkeypatch.setattr(chains, "budget", 2 * 1024 * ask.desk.loaded.kv_token)
    for number in (0, 1, 2, 0, 3):
        ask([tales[number], QUESTION], save=False)
    assert len(chains._chains) == 3  # two beside the one in use
    assert chains.bytes() <= 3 * 1024 * ask.desk.loaded.kv_token
    for number in (3, 0, 2):
        assert ask([tales[number], "Who wrote it?"], save=False).usage.read < 40
    again = ask([tales[1], "Who wrote it?"], save=False).usage
    assert again.reused < 40


def test_without_a_budget_there_is_one(ask, tales, chains, monkeypatch):
    monkeypatch.setattr(chains, "budget", 0)
    for tale in tales[:3]:
        ask([tale, QUESTION], save=False)
    assert len(chains._chains) == 1
    assert ask([tales[2], "Who wrote it?"], save=False).usage.read < 40
    assert ask([tales[0], "Who wrote it?"], save=False).usage.reused < 40


def test_a_short_chain_is_written_over(ask, tales, chains):
    ask("Hello", save=False)
    ask([ask.note, QUESTION], save=False)
    assert len(chains._chains) == 1
    # A question on its own costs a long text nothing
    ask([tales[0], QUESTION], save=False)
    ask("Hello", save=False)
    assert ask([tales[0], "Who wrote it?"], save=False).usage.read < 40


def test_memory_that_is_given_back_leaves_the_one_in_use(ask, tales, chains):
    for tale in tales[:3]:
        ask([tale, QUESTION], save=False)
    ask.desk.worker.recover()
    assert len(chains._chains) == 1
    assert ask([tales[2], "Who wrote it?"], save=False).usage.read < 40
    assert ask([tales[0], "Who wrote it?"], save=False).usage.reused < 40


def test_nothing_is_written_when_nothing_may_be(ask, tales):
    ask.read([tales[0]], save=False)
    ask([tales[0], QUESTION], save=False)
    ask("Hello")  # no documents, no reading
    assert ask.files("*") == []
    ask([tales[0], QUESTION])
    ask.closed()
    usage = ask([tales[0], QUESTION], save=False).usage
    assert (usage.reused, usage.reopened) == (0, 0)


def test_opened_again_it_reads_only_the_question(ask, tales, right):
    read = ask.read([tales[0]]).usage
    assert len(ask.files()) == 1
    [saved] = listed(ask)
    assert (saved.documents, saved.mode) == ((tales[0].sha256,), "whole")
    assert saved.tokens <= read.prompt
    open_ = ask([tales[0], QUESTION], sampling=LONGER)
    ask.closed()
    before = ask.computed
    done = ask([tales[0], QUESTION], sampling=LONGER)
    assert done.usage.reopened == done.usage.reused == saved.tokens
    assert done.usage.read < 40
    assert ask.computed - before == done.usage.read + done.usage.written - 1
    assert done.result == open_.result == right
    assert listed(ask)[0].opens > 0
    second = ask([tales[0], "Who wrote it?"]).usage
    assert (second.reopened, second.read < 40) == (0, True)


def test_what_was_read_goes_on_from_disk(ask, tales, chains, monkeypatch):
    """What no longer fits the memory is opened, not read."""
    monkeypatch.setattr(chains, "budget", 0)
    for tale in tales[:3]:
        ask([tale, QUESTION])
    for tale in tales[:3]:
        usage = ask([tale, "Who wrote it?"]).usage
        assert usage.reopened > 650
        assert usage.read < 40
    assert len(ask.files()) == 3


def test_a_longer_conversation_opens_what_it_begins_with(ask, tales):
    ask([tales[0], QUESTION])
    ask.closed()
    done = ask([tales[0], QUESTION], "About much.", "And then?")
    assert done.usage.reopened > 650
    assert done.usage.read < 80


def test_a_document_added_reads_only_itself(ask):
    ask([ask.note, QUESTION])
    ask.closed()
    both = ask([ask.note, ask.desk.document(ask.desk.made_up_text(100, 9), "more.txt"), QUESTION]).usage
    assert both.reopened > 130
    assert both.read < 200
    assert sorted(len(saved.documents) for saved in listed(ask)) == [1, 2]


def test_an_unfinished_reading_is_not_saved(ask, tales):
    ask.stop_when(lambda: max(ask.progress("read"), default=0) > 300)
    done = ask.read([tales[0]])
    ask.go_on()
    assert (done.finish, done.usage.unread > 0) == ("cancelled", True)
    assert ask.files("*") == []
    part = ask([tales[0], QUESTION], only_read=True).usage
    assert (part.reused, part.read < 40) == (done.usage.read, True)
    assert ask.files("*") == []
    assert ask([tales[0], QUESTION]).usage.unread == 0
    assert len(ask.files()) == 1


@pytest.mark.parametrize("where", [3, 30, "rows", -1, "cut"])
def test_a_damaged_reading_is_read_again(ask, tales, right, where):
    ask.read([tales[0]])
    ask.closed()
    [path] = ask.files()
    if where == "cut":
        os.truncate(path, path.stat().st_size // 2)
    else:
        data = bytearray(path.read_bytes())
        data[len(data) // 2 if where == "rows" else where] ^= 1
        path.write_bytes(data)
    done = ask([tales[0], QUESTION], sampling=LONGER)
    assert done.result == right
    assert noted(done, "reading_damaged") == {"segments": "1"}
    assert (done.usage.reopened, done.usage.reused, done.usage.read) == (0, 0, done.usage.prompt)
    ask.closed()
    again = ask([tales[0], QUESTION], sampling=LONGER)
    assert (again.result, codes(again), again.usage.reopened > 650) == (right, [], True)


def test_rows_as_bytes_are_a_chain_and_a_reading_of_their_own(ask, tales, chains):
    one = ask([tales[0], QUESTION], sampling=LONGER)
    assert (one.usage.kv, one.usage.reused) == ("model", 0)
    held = chains.current.bytes()
    other = ask([tales[0], QUESTION], sampling=LONGER, kv="int8")
    assert (other.usage.kv, other.usage.reused) == ("int8", 0), "rows of the other form are not taken for these"
    assert chains.current.bytes() < held
    assert len(listed(ask)) == 2
    again = ask([tales[0], QUESTION], sampling=LONGER, kv="int8")
    assert again.usage.read < 40
    chains.forget(None)
    opened = ask([tales[0], QUESTION], sampling=LONGER, kv="int8")
    assert opened.usage.reopened > 500
    assert opened.result.tokens == other.result.tokens


def test_a_quota_that_is_too_small_and_one_that_just_suffices(ask, tales, right):
    done = ask([tales[0], QUESTION], sampling=LONGER, quota=100_000)
    assert done.result == right
    told = noted(done, "not_saved_full")
    assert told["quota"] == "100000"
    assert ask.files("*") == []
    # What is told to be needed is enough
    needed = int(told["needed"])
    assert codes(ask([tales[0], QUESTION], quota=needed + 5_000)) == []
    assert ask.files()[0].stat().st_size <= needed + 5_000
    assert needed == listed(ask)[0].tokens * ask.desk.loaded.kv_token


def test_a_full_disk(ask, tales, right, monkeypatch):
    def fails(file, where, tensors):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(layout, "write", fails)
    done = ask([tales[0], QUESTION], sampling=LONGER)
    assert done.result == right
    assert noted(done, "not_saved_disk") == {}
    assert ask.files("*") == []
    monkeypatch.undo()
    assert codes(ask([tales[0], QUESTION])) == []
    assert len(ask.files()) == 1


def test_forgetting_a_document_takes_its_chain(ask, tales, chains):
    for tale in tales[:2]:
        ask([tale, QUESTION])
    forgotten = ask.desk.run(Forget(ask.desk.id(), (tales[0].sha256,))).result
    assert (forgotten.readings, forgotten.bytes > 0) == (1, True)
    assert [saved.documents for saved in listed(ask)] == [(tales[1].sha256,)]
    assert all(tales[0].sha256 not in chain.documents for chain in chains._chains)
    assert ask([tales[1], "Who wrote it?"]).usage.read < 40
    again = ask([tales[0], QUESTION]).usage
    assert (again.reused < 40, again.reopened) == (True, 0)


def test_forgetting_all_leaves_nothing(ask, tales, chains):
    for tale in tales[:2]:
        ask([tale, QUESTION])
    assert ask.desk.run(Forget(ask.desk.id())).result.readings == 2
    assert (chains.bytes(), ask.files("*")) == (0, [])
    assert ask([tales[1], QUESTION]).usage.reused == 0


def test_a_chain_of_two_documents_goes_with_either(ask):
    more = ask.desk.document(ask.desk.made_up_text(100, 9), "more.txt")
    ask([ask.note, more, QUESTION])
    ask.desk.run(Forget(ask.desk.id(), (more.sha256,)))
    assert ask.files("*") == []
    assert ask([ask.note, QUESTION]).usage.reused == 0


def test_a_new_worker_opens_it(ask, tales, right, tiny_model, monkeypatch):
    ask.read([tales[0]])
    folder: Path = ask.desk.texts.parent
    other = Asking(type(ask.desk)(folder, tiny_model, piece=64, threads=1), monkeypatch)
    done = other([tales[0], QUESTION], sampling=LONGER)
    assert done.usage.reopened > 650
    assert done.result == right
    narrow = Asking(type(ask.desk)(folder, tiny_model, piece=64, threads=1, precision="bf16"), monkeypatch)
    usage = narrow([tales[0], QUESTION]).usage
    assert (usage.reused, usage.reopened) == (0, 0)


def test_a_whole_reading_is_none_in_segments_nor_the_reverse(ask, tales):
    ask.read([tales[0]], mode="parallel")
    assert ask([tales[0], QUESTION], mode="whole").usage.reused < 40
    ask.desk.forget()
    ask.read([tales[0]], mode="whole")
    assert ask([tales[0], QUESTION], mode="parallel").usage.reused == 0


def test_conversations_over_the_same_text_do_not_write_it_in_turn(ask, tales, monkeypatch):
    written = []
    write = layout.write
    monkeypatch.setattr(layout, "write", lambda *about: written.append(about) or write(*about))
    other = Turn("system", (Text("Be kind."),))
    for _ in range(3):
        ask([tales[0], QUESTION])
        talk = ask.desk.talk([tales[0], QUESTION])
        kind = Conversation((other, *talk.turns), talk.began)
        done = ask.desk.run(
            Generate(ask.desk.id(), kind, Sampling(max_tokens=3), reading=ReadingSettings(mode="whole"))
        )
        assert done.usage.mode == "whole"
    assert len(written) == 2
    assert len(ask.files()) == 1
    # Forgotten and read again, it is kept again
    ask.desk.forget()
    ask([tales[0], QUESTION])
    assert len(ask.files()) == 1


def test_a_reading_that_is_found_damaged_is_kept_anew(ask, tales, chains, monkeypatch):
    monkeypatch.setattr(chains, "budget", 0)
    for tale in tales[:2]:
        ask([tale, QUESTION])
    for path in ask.files():
        os.truncate(path, 1000)
    assert codes(ask([tales[0], QUESTION])) == ["reading_damaged"]
    [path] = [path for path in ask.files() if path.stat().st_size > 1000]
    assert path.stat().st_size > 650 * ask.desk.loaded.kv_token
