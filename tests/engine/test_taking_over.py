"""The window's requests in the middle of a client's: both come to what they would alone, and nothing is lost."""

import itertools

import pytest
from msgspec.structs import replace
from taking_over import interleaved, request

from engine.protocol import (
    Conversation,
    Delta,
    Done,
    Eviction,
    Expect,
    Expected,
    Failed,
    Generate,
    Inspect,
    Progress,
    Read,
    ReadingSettings,
    Sampling,
    Selection,
    Text,
    Turn,
)
from engine.writing import Clock

SAMPLING = Sampling(max_tokens=24)
DRAWN = Sampling(temperature=1.2, seed=7, max_tokens=24)
UNSAVED = ReadingSettings(save=False)


@pytest.fixture
def tale(desk):
    """680 tokens: eleven pieces."""
    return desk.document(desk.made_up_text(530, 21), "tale.txt")


@pytest.fixture
def other(desk):
    return desk.document(desk.made_up_text(500, 22), "other.txt")


@pytest.fixture
def chains(desk):
    return desk.worker._model.chains


WAYS = {
    "dense": (UNSAVED, SAMPLING),
    "drawn": (UNSAVED, DRAWN),
    "int8": (ReadingSettings(save=False, kv="int8"), SAMPLING),
    "parallel": (ReadingSettings(save=False, mode="parallel", segment=160, overlap=8), SAMPLING),
    "coverage": (ReadingSettings(save=False, coverage=True, part=120, segment=240), SAMPLING),
    "quest": (ReadingSettings(save=False, selection=Selection("quest", budget=160, least=200)), SAMPLING),
    "streaming": (ReadingSettings(save=False, eviction=Eviction("streaming", rows=300)), SAMPLING),
    "h2o": (ReadingSettings(save=False, eviction=Eviction("h2o", rows=300)), SAMPLING),
    "snapkv": (ReadingSettings(save=False, eviction=Eviction("snapkv", rows=300)), SAMPLING),
}


def text(desk, id):
    return "".join(event.text for event in desk.events if isinstance(event, Delta) and event.id == id)


@pytest.mark.parametrize(
    ("way", "budget"),
    [(way, budget) for way in WAYS for budget in ("room", "none") if way != "coverage" or budget == "room"],
)
def test_answers_are_those_that_each_would_give_alone(desk, tale, other, chains, monkeypatch, way, budget):
    """Token for token, with room for both texts and without: then what was read goes, and is read again."""
    reading, sampling = WAYS[way]
    asked, window = desk.talk([tale, "What is it about?"]), desk.talk([other, "Who wrote it?"])
    alone = [
        desk.run(request(desk, asked, sampling, reading)),
        desk.run(request(desk, window, SAMPLING, UNSAVED, "window")),
        desk.run(request(desk, asked, SAMPLING, UNSAVED, "window")),  # the same text, asked by another
    ]
    desk.forget()
    if budget == "none":
        monkeypatch.setattr(chains, "budget", 0)
    desk.events = []
    own = request(desk, asked, sampling, reading)
    others = [
        request(desk, window, SAMPLING, UNSAVED, "window"),
        request(desk, asked, SAMPLING, UNSAVED, "window"),
    ]
    borders = (3, 9) if way == "coverage" else (3, 20)
    done, (first, second) = interleaved(desk, own, others, borders)
    assert [one.result.tokens for one in (done, first, second)] == [one.result.tokens for one in alone]
    assert (done.finish, done.result.text) == (alone[0].finish, alone[0].result.text)
    assert text(desk, own.id) == done.result.text
    usage = done.usage
    assert usage.prompt == usage.read + usage.reused + usage.unread
    assert usage.prompt == alone[0].usage.prompt
    assert usage.evicted == alone[0].usage.evicted
    if usage.mode == "whole":
        # It goes on where it was: with room for both nothing is read again
        again = desk.run(request(desk, asked, sampling, reading)).usage
        assert again.reused >= usage.prompt - 1 or way in ("streaming", "h2o", "snapkv")
        assert len(chains._chains) == 1 or budget == "room"
        assert not chains._aside


def test_reading_ahead_goes_on_as_well(desk, tale, other):
    own = Read(desk.id(), desk.talk([tale]), UNSAVED, whose="client")
    ahead = Read(desk.id(), desk.talk([other]), UNSAVED)
    expect = Expect(desk.id(), desk.talk([tale, "What is it about?"]), UNSAVED)
    done, (read, expected) = interleaved(desk, own, [ahead, expect], (2, 6))
    assert (done.finish, read.finish) == ("read", "read")
    assert done.usage.read == done.usage.prompt
    assert isinstance(expected.result, Expected)
    assert expected.result.reused == 64 * 5  # so much of it was read by then; the first border is before any piece
    for document in (tale, other):
        assert desk.run(Generate(desk.id(), desk.talk([document, "What?"]), SAMPLING, reading=UNSAVED)).usage.read < 40


def test_a_reading_that_is_kept_is_kept_all_the_same(desk, tale, other):
    saved = ReadingSettings()
    own = request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, saved)
    window = request(desk, desk.talk([other, "What is it about?"]), SAMPLING, saved, "window")
    interleaved(desk, own, [window], (4,))
    desk.worker._model.forget(None)
    for document in (tale, other):
        done = desk.run(Generate(desk.id(), desk.talk([document, "What?"]), SAMPLING, reading=saved))
        assert done.usage.reopened > 500


def test_memory_that_the_window_needs_is_taken(desk, tale, other, chains, monkeypatch):
    """The window's first try finds no memory: the client's rows go, and are read again."""
    decoder, tries = desk.worker._model.model.decoder, []
    alone = desk.run(request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)).result.tokens
    desk.forget()
    make = decoder.make_caches

    def made(*about, **more):
        if len(tries) == 1:
            tries.append(None)
            raise MemoryError
        tries.append(None)
        return make(*about, **more)

    own = request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)
    window = request(desk, desk.talk([other, "What is it about?"]), SAMPLING, UNSAVED, "window")
    tries.append(None)
    monkeypatch.setattr(decoder, "make_caches", made)
    done, (first,) = interleaved(desk, own, [window], (20,))
    assert isinstance(first, Done)
    assert done.result.tokens == alone
    assert done.usage.reused == 0


def test_a_window_that_fails_leaves_the_client_alone(desk, tale, other):
    alone = desk.run(request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)).result.tokens
    desk.forget()
    bare = Conversation((Turn("assistant", (Text("…"),)),) * 0, "2026-03-04T05:06:07")
    own = request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)
    failing = request(desk, bare, SAMPLING, UNSAVED, "window")
    long = request(desk, desk.talk("w " * 3000), SAMPLING, UNSAVED, "window")
    done, endings = interleaved(desk, own, [failing, long], (5, 20))
    assert [ending.code for ending in endings if isinstance(ending, Failed)] == ["bad_model", "too_long"]
    assert done.result.tokens == alone


def test_a_client_that_is_cancelled_while_it_waits_ends_where_it_was(desk, tale, other):
    own = request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)
    window = request(desk, desk.talk([other, "What is it about?"]), SAMPLING, UNSAVED, "window")
    ran = []

    def border():
        ran.append(None)
        if len(ran) == 5:
            desk.worker.run(window, desk.events.append, lambda: False, lambda: None)
            desk.stopped = lambda: True

    done = desk.worker.run(own, desk.events.append, lambda: desk.stopped(), border)
    assert (done.finish, done.usage.read) == ("cancelled", 64 * 4)
    desk.stopped = lambda: False
    assert desk.run(request(desk, desk.talk([tale, "And?"]), SAMPLING, UNSAVED)).usage.reused == 64 * 4


def test_two_clients_that_take_turns_read_nothing_again(desk, tale, other):
    for document in (tale, other):
        desk.run(request(desk, desk.talk([document, "What is it about?"]), SAMPLING, UNSAVED))
    for question in ("Who wrote it?", "When?"):
        for document in (tale, other):
            usage = desk.run(request(desk, desk.talk([document, question]), SAMPLING, UNSAVED)).usage
            assert usage.reused > 500
            assert usage.read < 40


@pytest.mark.parametrize("budget", ["room", "none"])
def test_rates_are_of_the_time_in_which_a_request_was_served(desk, tale, other, chains, monkeypatch, budget):
    """Every look at this clock is a second later; the window's requests take hours, and reading again takes its own."""
    ticks, hours = itertools.count(), []
    monkeypatch.setattr("engine.generate.Clock", lambda: Clock(lambda: float(next(ticks)) + sum(hours)))
    if budget == "none":
        monkeypatch.setattr(chains, "budget", 0)
    own = request(desk, desk.talk([tale, "What is it about?"]), SAMPLING, UNSAVED)
    window = request(desk, desk.talk([other, "Who wrote it?"]), SAMPLING, UNSAVED, "window")
    alone = desk.run(own).usage
    desk.forget()
    desk.events = []
    run = desk.worker._run

    def slow(one, *about):
        hours.append(3600 * (one is not own))
        return run(one, *about)

    monkeypatch.setattr(desk.worker, "_run", slow)
    done, _ = interleaved(desk, own, [window, Inspect(desk.id()), replace(window, id=desk.id())], (3, 5, 20))
    usage, rates = done.usage, [e.rate for e in desk.events if isinstance(e, Progress) and e.id == own.id and e.rate]
    assert sum(hours) > 3600
    assert usage.written == alone.written
    assert min(rates) > 1
    assert usage.reading_rate > 1
    assert usage.writing_rate == pytest.approx(alone.writing_rate, rel=0.5)


def test_a_clock_stands_still_while_something_else_is_done():
    times = iter([0.0, 1.0, 9.0, 10.0])
    clock = Clock(lambda: next(times))
    assert clock() == 0
    with clock.aside():
        pass
    assert clock() == 2
