"""The hybrid as everybody uses it: documents, questions, edits, stops, and the program closed in between. Whatever was
in memory, an answer is the one that a fresh reading gives."""

import importlib

import msgspec
import pytest
import torch

from engine.protocol import Done, Expect, Generate, Load, Loaded, Plan, Read, Readings, ReadingSettings, Sampling
from kernels import dispatch
from tests.engine.conftest import write_tokenizer

SAMPLING = Sampling(max_tokens=12)


@pytest.fixture(scope="module")
def path(checkpoint):
    model = checkpoint(vocab_size=640, sparse_config={"dense_len": 512})
    write_tokenizer(model.path)
    return model.path


@pytest.fixture(scope="module")
def _hybrid(make_desk, path):
    return make_desk(path, piece=128, threads=1)


@pytest.fixture
def hybrid(_hybrid):
    _hybrid.forget()
    return _hybrid


@pytest.fixture
def book(hybrid):
    return hybrid.document(hybrid.made_up_text(1200))


def ask(desk, *turns, **reading) -> Done:
    request = Generate(desk.id(), desk.talk(*turns), SAMPLING, reading=ReadingSettings(**reading))
    done = desk.run(request)
    assert isinstance(done, Done), done
    usage = done.usage
    assert usage.prompt == usage.read + usage.reused + usage.unread
    return done


def anew(desk, *turns):
    """What a fresh reading answers."""
    desk.forget()
    return ask(desk, *turns, save=False).result.tokens


def closed(desk):
    """As after closing the program and opening it again."""
    desk.worker._model.forget(None)


def test_layers_say_what_they_did(hybrid, book):
    done = ask(hybrid, [book, "What is it about?"])
    pieces, tokens = -(-done.usage.prompt // 128), done.usage.written
    assert done.usage.layers == {"sparse": 3, "lightning": 3}
    assert done.usage.calls["lightning"] >= 3 * (pieces + tokens - 1)
    # Of pieces whose logits nobody wants the last layer's rows are wanted alone
    assert 0 < done.usage.calls["lightning"] - done.usage.calls["sparse"] < 2 * pieces
    assert done.usage.calls.get("dense", 0) == 0
    assert done.usage.mode == "whole"
    short = ask(hybrid, "What is it about?")
    assert (short.usage.calls["dense"], short.usage.calls.get("sparse", 0)) == (short.usage.calls["lightning"], 0)


def test_every_question_is_answered_as_if_read_anew(hybrid, book):
    first = ask(hybrid, [book, "What is it about?"])
    other = ask(hybrid, [book, "Who wrote it?"])
    assert other.usage.read < 40
    follow = ask(hybrid, [book, "What is it about?"], first.result.text, "And then?")
    assert follow.usage.read < 80
    turns = [book, "What was it about?"], "Of a tower.", "And then?"
    edited = ask(hybrid, *turns)
    assert edited.usage.read < 80
    assert first.result.tokens == anew(hybrid, [book, "What is it about?"])
    assert other.result.tokens == anew(hybrid, [book, "Who wrote it?"])
    assert edited.result.tokens == anew(hybrid, *turns)


def test_closed_and_opened_again(hybrid, book):
    first = ask(hybrid, [book, "What is it about?"])
    closed(hybrid)
    done = ask(hybrid, [book, "Who wrote it?"])
    assert done.usage.read < 40
    assert done.usage.reopened == done.usage.reused > 1000
    assert done.result.tokens == anew(hybrid, [book, "Who wrote it?"])
    assert first.result.tokens != done.result.tokens
    readings = hybrid.run(Readings(hybrid.id())).result.readings
    assert readings == ()  # forgotten with the rest


def test_reading_ahead(hybrid, book):
    read = hybrid.run(Read(hybrid.id(), hybrid.talk([book]), ReadingSettings()))
    assert read.finish == "read"
    done = ask(hybrid, [book, "What is it about?"])
    assert done.usage.reused == read.usage.prompt
    assert done.result.tokens == anew(hybrid, [book, "What is it about?"])


def test_stopped_while_reading_and_asked_again(hybrid, book):
    hybrid.stopped = lambda: sum(type(event).__name__ == "Progress" for event in hybrid.events) > 6
    request = Generate(hybrid.id(), hybrid.talk([book, "What is it about?"]), SAMPLING)
    stopped = hybrid.run(request)
    assert (stopped.finish, stopped.usage.unread > 0) == ("cancelled", True)
    hybrid.stopped = lambda: False
    done = ask(hybrid, [book, "What is it about?"])
    assert done.usage.reused == stopped.usage.read > 0
    assert done.result.tokens == anew(hybrid, [book, "What is it about?"])


def test_two_texts_in_turns(hybrid, book):
    tale = hybrid.document(hybrid.made_up_text(1100, seed=7), "tale.txt")
    ask(hybrid, [book, "What is it about?"], save=False)
    ask(hybrid, [tale, "What is it about?"], save=False)
    again = ask(hybrid, [book, "Who wrote it?"], save=False)
    assert again.usage.read < 40
    assert again.result.tokens == anew(hybrid, [book, "Who wrote it?"])


def test_a_second_document_is_read_behind_the_first(hybrid, book):
    tale = hybrid.document(hybrid.made_up_text(300, seed=7), "tale.txt")
    ask(hybrid, [book, "What is it about?"])
    both = ask(hybrid, [book, tale, "What is it about?"])
    assert both.usage.reused > 1000
    assert both.usage.read < 500
    assert both.result.tokens == anew(hybrid, [book, tale, "What is it about?"])


def test_an_edit_goes_back_to_the_nearest_copy_and_says_so_before(hybrid, book):
    def expected(*turns):
        return hybrid.run(Expect(hybrid.id(), hybrid.talk(*turns), ReadingSettings(), reworded=True)).result

    first = ask(hybrid, [book, "What is it about?"])
    turns = [book, "What is it about?"], first.result.text, "And then?"
    ask(hybrid, *turns)
    for edited in ([book, "Who?"],), (*turns[:2], "Why?"):
        before = expected(*edited)
        assert 0 < before.read < 120
        assert ask(hybrid, *edited).usage.reused == before.reused
        ask(hybrid, *turns)
    closed(hybrid)
    before = expected([book, "Who?"])
    done = ask(hybrid, [book, "Whose is it?"])
    assert (before.reused, before.reopened) == (done.usage.reused, done.usage.reopened)


@pytest.mark.parametrize("reading", [{"mode": "parallel"}, {"coverage": True}])
def test_texts_are_read_whole_whatever_is_chosen(reading, hybrid, book):
    done = ask(hybrid, [book, "What is it about?"], **reading)
    assert (done.usage.mode, [note.code for note in done.notes]) == ("whole", ["whole_only"])


def test_memory_is_told_by_its_parts(hybrid, book):
    ask(hybrid, [book, "What is it about?"])
    memory = hybrid.worker.gauges(None).memory
    states = 3 * 4 * 16 * 16 * 4
    assert memory.state >= 3 * states
    plan = hybrid.run(Plan(hybrid.id(), hybrid.worker._model.settings)).result
    assert plan.state == states
    assert plan.native_window == 4096
    assert plan.largest == 4 * 4096
    assert plan.kv == plan.window * 3 * 2 * 2 * 16 * 4


def test_attention_computed_as_it_was_chosen(hybrid, book, path):
    """Of a hybrid every kind of layer has a choice; what this computer has not is refused, and the model stays."""
    usual = hybrid.worker._model.settings
    settings = msgspec.structs.replace(usual, sparse="torch", linear="torch")
    answer = ask(hybrid, [book, "What is it about?"]).result
    try:
        assert isinstance(hybrid.run(Load(hybrid.id(), settings)), Loaded)
        plain = importlib.import_module("kernels.lightning_attention.cpu")
        assert dispatch.implementation("lightning_attention", torch.device("cpu")) is plain
        assert ask(hybrid, [book, "What is it about?"]).result.text == answer.text
        refused = hybrid.run(Load(hybrid.id(), msgspec.structs.replace(settings, linear="triton")))
        assert (refused.code, refused.message) == (
            "no_kernel",
            "lightning_attention cannot be computed by triton on this cpu; known are native, torch",
        )
        assert ask(hybrid, [book, "And more?"]).usage.written
    finally:
        hybrid.run(Load(hybrid.id(), usual))
