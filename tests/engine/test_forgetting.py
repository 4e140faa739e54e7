"""Requests with a policy: what is kept and told, refused, continued and never saved."""

import pytest
from asking import Asking, codes
from msgspec.structs import replace

from engine.protocol import (
    Answered,
    Eviction,
    Evidence,
    Expect,
    Failed,
    Read,
    ReadingSettings,
    Sampling,
)

QUESTION = "What is it about?"
TRI = Eviction("triattention", rows=300)
H2O = Eviction("h2o", rows=300)
SNAP = Eviction("snapkv", rows=300)
STREAM = Eviction("streaming", rows=300)
POLICIES = [TRI, H2O, SNAP, STREAM, replace(TRI, rows=None, keep=0.4)]


@pytest.fixture
def ask(desk, monkeypatch):
    asking = Asking(desk, monkeypatch)
    asking.settings = {}
    return asking


@pytest.fixture
def tale(desk):
    """680 tokens."""
    return desk.document(desk.made_up_text(530, 21), "tale.txt")


@pytest.mark.parametrize("how", POLICIES, ids=lambda how: how.policy)
def test_usage_tells_what_is_kept_and_where_something_is_gone(how, ask, tale):
    done = ask([tale, QUESTION], eviction=how, sampling=Sampling(max_tokens=12))
    usage, pruned = done.usage, done.usage.pruned
    assert pruned.how == how
    assert pruned.budget == (300 if how.rows else -(-usage.prompt * 2 // 5))
    assert pruned.rows + pruned.forgotten == usage.prompt + usage.written - 1  # the last token written is not read
    assert usage.evicted == pruned.forgotten > 300
    text = ask.desk.made_up_text(530, 21)
    assert pruned.parts
    assert pruned.parts[-1].place.end <= len(text)
    for part, after in zip(pruned.parts, pruned.parts[1:], strict=False):
        assert part.place.document == 0
        assert 0 < part.share <= 1
        assert part.place.start < part.place.end <= after.place.start
    # What is gone of the document and of the rest adds up: of the rest almost everything always stays
    gone = sum(part.tokens * part.share for part in pruned.parts)
    assert 0.9 * pruned.forgotten < gone <= pruned.forgotten + 1
    if how.policy == "streaming":
        [part] = [part for part in pruned.parts if part.share == 1]
        assert part.tokens > 300
    assert "not_saved_pruned" in codes(done)
    assert ask.files("*") == []


def test_nothing_is_forgotten_of_what_fits(ask):
    plain = ask([ask.note, QUESTION], save=False)
    for how in POLICIES[:4]:
        done = ask([ask.note, QUESTION], eviction=how, save=False)
        assert done.result.text == plain.result.text
        assert (done.usage.pruned.forgotten, done.usage.pruned.parts) == (0, ())
        assert codes(done) == codes(plain)


def test_a_chat_goes_on_and_an_edit_reads_again(ask, tale):
    first = ask([tale, QUESTION], eviction=TRI)
    second = ask([tale, QUESTION], first.result.text, "And when?", eviction=TRI)
    assert second.usage.reused >= first.usage.prompt
    assert second.usage.read < 40
    assert second.usage.pruned.forgotten > first.usage.pruned.forgotten
    edited = ask([tale, "Who wrote it?"], eviction=TRI)
    assert (edited.usage.reused, edited.usage.read) == (0, edited.usage.prompt)
    assert edited.usage.pruned.rows <= 300 + 5


def test_each_policy_has_rows_of_its_own(ask, tale):
    plain = ask([tale, QUESTION], save=False)
    for how in (TRI, STREAM, replace(TRI, mode="union")):
        assert ask([tale, QUESTION], eviction=how, save=False).usage.reused == 0
    again = ask([tale, QUESTION], save=False)
    assert again.usage.reused == again.usage.prompt - 1
    assert again.usage.pruned is None
    assert again.result == plain.result


@pytest.mark.parametrize("how", [replace(TRI, prompt="end"), SNAP], ids=lambda how: how.policy)
@pytest.mark.parametrize("closed", [False, True])
def test_what_was_read_and_saved_without_a_policy_is_taken_where_prompts_are_pruned_at_their_end(
    how, closed, ask, tale
):
    right = ask([tale, QUESTION], eviction=how, save=False)
    ask.desk.forget()
    read = ask.read([tale]).usage
    if closed:
        ask.closed()
    done = ask([tale, QUESTION], eviction=how)
    assert done.usage.reused > 600
    assert done.usage.read < 60
    assert (done.usage.reopened > 600) == closed
    assert done.result == right.result
    assert done.usage.pruned == right.usage.pruned
    if closed:
        expected = ask.desk.run(
            Expect(ask.desk.id(), ask.desk.talk([tale, "Who?"]), ReadingSettings(eviction=how))
        ).result
        assert expected.reused + expected.read == expected.prompt
        assert abs(expected.reused - read.prompt) < 40


def test_h2o_takes_nothing_that_it_did_not_see_being_read(ask, tale):
    ask.read([tale])
    done = ask([tale, QUESTION], eviction=replace(H2O, prompt="end"))
    assert (done.usage.reused, done.usage.read) == (0, done.usage.prompt)


def test_a_text_is_read_before_its_question_is_known(ask, tale):
    how = replace(SNAP, rows=200)
    right = ask([tale, QUESTION], eviction=how, save=False)
    ask.desk.forget()
    ask.read([tale], eviction=how)
    done = ask([tale, QUESTION], eviction=how)
    assert done.usage.reused > 600
    assert done.result == right.result
    assert done.usage.pruned == right.usage.pruned


def test_streaming_reads_more_than_the_window_holds(ask):
    book = ask.desk.document(ask.desk.made_up_text(1500, seed=4), "long.txt")
    done = ask([book, QUESTION], eviction=STREAM)
    assert done.usage.prompt > 1900
    assert isinstance(done.result, Answered)
    assert done.usage.pruned.rows <= 305
    assert ask.events(Evidence) or done.result.text
    other = ask([book, QUESTION], eviction=TRI)
    assert isinstance(other, Failed)
    assert (other.code, other.available) == ("too_long", 1024)
    assert ask([book, QUESTION], eviction=replace(STREAM, prompt="end")).code == "too_long"


@pytest.mark.parametrize(
    ("how", "reading", "code"),
    [
        (TRI, {"mode": "parallel"}, "evict_segments"),
        (TRI, {"coverage": True}, "evict_segments"),
        (replace(TRI, rows=100), {}, "evict_budget"),
        (replace(H2O, mode="union"), {}, "evict_mode"),
        (replace(SNAP, prompt="pieces"), {}, "evict_pieces"),
        (replace(TRI, prompt="refuse"), {}, "evict_refused"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_is_read(how, reading, code, ask, tale):
    failed = ask([tale, QUESTION], eviction=how, **reading)
    assert isinstance(failed, Failed)
    assert failed.code == code
    assert ask.computed == 0
    if code == "evict_budget":
        assert (failed.needed, failed.available) == (176, 100)
    if code == "evict_refused":
        assert failed.available == 300
        assert isinstance(ask([ask.note, QUESTION], eviction=how).result, Answered)


def test_that_nothing_was_forgotten_is_an_error(ask, tale, monkeypatch):
    monkeypatch.setattr("engine.reading.eviction.pruning.Pruning.prune", lambda self: None)
    failed = ask([tale, QUESTION], eviction=H2O)
    assert (failed.code, failed.available) == ("evict_inactive", 300)


def test_stopped_in_the_middle_it_goes_on_as_if_it_had_not_been(ask, tale):
    right = ask([tale, QUESTION], eviction=H2O, save=False)
    ask.desk.forget()
    ask.computed = 0
    ask.stop_when(lambda: ask.computed > 400)
    stopped = ask([tale, QUESTION], eviction=H2O, save=False)
    assert stopped.finish == "cancelled"
    ask.go_on()
    done = ask([tale, QUESTION], eviction=H2O, save=False)
    assert done.usage.reused > 300
    assert done.result == right.result
    assert done.usage.pruned == right.usage.pruned


def test_evidence_names_places_of_the_text_though_rows_are_others(ask, tale):
    how = replace(TRI, rows=200)
    ask([tale, QUESTION], eviction=how, sampling=Sampling(max_tokens=160))
    found = ask.events(Evidence)
    assert found
    text = len(ask.desk.made_up_text(530, 21))
    assert all(0 <= one.place.start < one.place.end <= text for event in found for one in event.passages)


def test_queries_are_measured_once_and_kept_with_the_model(ask, tale, monkeypatch):
    ask([tale, QUESTION], eviction=TRI)
    model = ask.desk.worker._model
    [file] = sorted((ask.desk.texts.parent / "calibrations").glob("*.queries.safetensors"))
    assert file.name.startswith(model.model.fingerprint)
    model._means = None
    ask.computed = 0
    ask.desk.forget()
    kept = model.means()
    assert ask.computed == 0
    file.write_bytes(b"damaged")
    model._means = None
    anew = model.means()
    assert ask.computed > 500
    assert (anew.mean - kept.mean).abs().max() < 1e-5


def test_a_read_alone_is_pruned_in_pieces(ask, tale):
    done = ask.desk.run(Read(ask.desk.id(), ask.desk.talk([tale]), ReadingSettings(eviction=TRI)))
    assert done.usage.pruned.rows == 300
    again = ask([tale, QUESTION], eviction=TRI)
    assert again.usage.reused == done.usage.prompt


def test_what_is_left_of_a_text_that_was_read_in_part_is_told_of_that_part(ask, tale):
    how = replace(TRI, rows=200)
    ask.stop_when(lambda: ask.computed > 400)
    assert ask.read([tale], eviction=how).finish == "cancelled"
    ask.go_on()
    done = ask([tale, QUESTION], eviction=how, only_read=True)
    assert done.usage.unread > 150
    assert done.usage.pruned.forgotten > 200
    gone = sum(part.tokens * part.share for part in done.usage.pruned.parts)
    assert 0.9 * done.usage.pruned.forgotten < gone <= done.usage.pruned.forgotten + 1


def test_gauges_tell_what_is_kept_and_forgotten(ask, tale):
    gauges = lambda: ask.desk.worker.gauges(None)  # noqa: E731
    ask([ask.note, QUESTION], save=False)
    assert (gauges().rows, gauges().forgotten) == (None, 0)
    for how in (TRI, STREAM):
        pruned = ask([tale, QUESTION], eviction=how, save=False).usage.pruned
        told = gauges()
        assert (told.rows, told.forgotten) == (pruned.rows, pruned.forgotten)
        assert told.window_used == pruned.rows + (pruned.forgotten if how is TRI else 0)
