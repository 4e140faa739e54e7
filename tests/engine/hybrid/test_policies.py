"""The hybrid with a policy, as everybody uses it: what is told, continued, read again, refused and never saved."""

import pytest
from msgspec.structs import replace

from engine.protocol import (
    Answered,
    Done,
    Eviction,
    Evidence,
    Expect,
    Failed,
    Generate,
    Plan,
    Readings,
    ReadingSettings,
    Sampling,
)
from engine.reading.eviction import guard
from engine.weights import load
from tests.engine.conftest import write_tokenizer

HOW = Eviction("blocks", rows=512)
SAMPLING = Sampling(max_tokens=12)
QUESTION = "What is it about?"


@pytest.fixture(scope="module")
def _hybrid(make_desk, checkpoint):
    model = checkpoint(vocab_size=640, sparse_config={"dense_len": 512})
    write_tokenizer(model.path)
    return make_desk(model.path, piece=128, threads=1)


@pytest.fixture
def hybrid(_hybrid):
    _hybrid.forget()
    return _hybrid


@pytest.fixture
def book(hybrid):
    return hybrid.document(hybrid.made_up_text(1200))


def ask(desk, *turns, sampling=SAMPLING, **reading) -> Done | Failed:
    return desk.run(Generate(desk.id(), desk.talk(*turns), sampling, reading=ReadingSettings(**reading)))


@pytest.mark.parametrize("prompt", ["auto", "end"])
def test_usage_tells_what_is_kept_and_where_something_is_gone(prompt, hybrid, book):
    how = replace(HOW, prompt=prompt)
    done = ask(hybrid, [book, QUESTION], eviction=how)
    usage, pruned = done.usage, done.usage.pruned
    assert (pruned.how, pruned.budget) == (how, 512)
    assert pruned.rows + pruned.forgotten == usage.prompt + usage.written - 1
    assert pruned.forgotten % 16 == 0
    assert usage.evicted == pruned.forgotten > 900
    assert 512 - 16 < pruned.rows - usage.written + 1 <= 512
    assert sum(part.share * part.tokens for part in pruned.parts) > 0.9 * pruned.forgotten
    assert {note.code for note in done.notes} == {"not_saved_pruned"}
    assert hybrid.run(Readings(hybrid.id())).result.readings == ()
    told = hybrid.worker.gauges(None)
    assert (told.rows, told.forgotten) == (pruned.rows, pruned.forgotten)
    assert told.window_used == pruned.rows + pruned.forgotten


def test_nothing_is_forgotten_of_what_fits(hybrid):
    note = hybrid.document(hybrid.made_up_text(150), "note.txt")
    plain = ask(hybrid, [note, QUESTION], save=False)
    done = ask(hybrid, [note, QUESTION], eviction=HOW, save=False)
    assert done.result.text == plain.result.text
    assert (done.usage.pruned.forgotten, done.usage.pruned.parts) == (0, ())


def test_a_chat_goes_on_and_an_edit_reads_again(hybrid, book):
    first = ask(hybrid, [book, QUESTION], eviction=HOW)
    turns = [book, QUESTION], first.result.text, "And when?"
    expected = hybrid.run(Expect(hybrid.id(), hybrid.talk(*turns), ReadingSettings(eviction=HOW))).result
    second = ask(hybrid, *turns, eviction=HOW)
    assert expected.reused == second.usage.reused >= first.usage.prompt
    assert second.usage.read < 60
    assert second.usage.pruned.forgotten > first.usage.pruned.forgotten
    edited = [book, "Who wrote it?"]
    expected = hybrid.run(Expect(hybrid.id(), hybrid.talk(edited), ReadingSettings(eviction=HOW))).result
    assert (expected.reused, expected.read) == (0, expected.prompt)
    done = ask(hybrid, edited, eviction=HOW)
    assert (done.usage.reused, done.usage.read) == (0, done.usage.prompt)
    hybrid.forget()
    assert done.result.tokens == ask(hybrid, edited, eviction=HOW).result.tokens


def test_what_was_read_otherwise_is_never_mixed_in(hybrid, book):
    plain = ask(hybrid, [book, QUESTION])
    done = ask(hybrid, [book, QUESTION], eviction=HOW)
    assert (done.usage.reused, done.usage.reopened) == (0, 0)
    other = ask(hybrid, [book, QUESTION], eviction=replace(HOW, prompt="end"))
    assert other.usage.reused == 0
    again = ask(hybrid, [book, QUESTION])
    assert again.usage.reused > 1000
    assert again.usage.pruned is None
    assert again.result == plain.result


def test_an_answer_has_evidence_of_the_text(hybrid, book):
    done = ask(hybrid, [book, QUESTION], eviction=HOW, sampling=Sampling(max_tokens=40))
    assert isinstance(done.result, Answered)
    found = [event for event in hybrid.events if isinstance(event, Evidence)]
    text = len(hybrid.made_up_text(1200))
    assert found
    assert {event.how for event in found} == {"blocks"}
    assert all(0 <= one.place.start < one.place.end <= text for event in found for one in event.passages)


def test_stopped_in_the_middle_it_goes_on_as_if_it_had_not_been(hybrid, book):
    right = ask(hybrid, [book, QUESTION], eviction=HOW)
    hybrid.forget()
    hybrid.stopped = lambda: sum(type(event).__name__ == "Progress" for event in hybrid.events) > 6
    stopped = ask(hybrid, [book, QUESTION], eviction=HOW)
    assert stopped.finish == "cancelled"
    hybrid.stopped = lambda: False
    done = ask(hybrid, [book, QUESTION], eviction=HOW)
    assert done.usage.reused == stopped.usage.read > 0
    assert done.result == right.result
    assert done.usage.pruned == right.usage.pruned


@pytest.mark.parametrize(
    ("how", "code"),
    [
        (Eviction("h2o", rows=512), "evict_sparse"),
        (Eviction("triattention"), "evict_sparse"),
        (replace(HOW, rows=100), "evict_budget"),
        (replace(HOW, mode="union"), "evict_mode"),
        (replace(HOW, prompt="refuse"), "evict_refused"),
    ],
)
def test_what_cannot_be_is_refused(how, code, hybrid, book):
    failed = ask(hybrid, [book, QUESTION], eviction=how)
    assert isinstance(failed, Failed)
    assert failed.code == code
    if code == "evict_budget":
        assert (failed.needed, failed.available) == (128, 100)


def test_that_nothing_was_forgotten_is_an_error(hybrid, book, monkeypatch):
    monkeypatch.setattr("engine.reading.eviction.pruning.Pruning.prune", lambda self: None)
    failed = ask(hybrid, [book, QUESTION], eviction=HOW)
    assert (failed.code, failed.available) == ("evict_inactive", 512)


def test_the_plan_says_what_a_policy_saves_and_which_there_are(hybrid):
    settings = hybrid.worker._model.settings
    plain = hybrid.run(Plan(hybrid.id(), settings)).result
    assert (plain.policies, plain.policy) == (("blocks",), None)
    share = replace(HOW, rows=None, keep=0.25)
    told = hybrid.run(Plan(hybrid.id(), settings, share)).result
    assert (told.kv, told.needed) == (plain.kv, plain.needed)
    rows = told.window // 4
    assert (told.policy.how, told.policy.rows, told.policy.refused) == (share, rows, "")
    assert told.policy.reading == told.policy.after < 0.35 * told.kv
    late = hybrid.run(Plan(hybrid.id(), settings, replace(share, prompt="end"))).result.policy
    assert (late.reading, late.after) == (told.kv, told.policy.after)
    refused = hybrid.run(Plan(hybrid.id(), settings, Eviction("h2o"))).result.policy
    assert (refused.refused, refused.after) == ("evict_sparse", 0)


def test_blocks_are_of_models_that_choose_them(make_desk, checkpoint):
    config = checkpoint().load().config
    assert guard.allowed(config) == ("blocks",)
    dense = replace(config, mixers=("full",) * 6, sparse=None, lightning=None)
    assert guard.allowed(dense) == ("triattention", "h2o", "snapkv", "streaming")
    assert guard.obstacle(HOW, dense, 4096) == ("evict_blocks", 0, 0)
    assert guard.allowed(replace(dense, mixers=("moba",) * 6)) == ()
    assert guard.obstacle(Eviction("h2o"), replace(dense, mixers=("nsa",) * 6), 4096) == ("evict_model", 0, 0)


def test_a_model_of_sparse_layers_alone_goes_back_to_where_it_can(checkpoint, make_desk):
    """It has no states whose copies would tell where."""
    model = checkpoint(vocab_size=640, mixer_types=["minicpm4"] * 6, sparse_config={"dense_len": 512})
    write_tokenizer(model.path)
    desk = make_desk(model.path, piece=128, threads=1)
    book = desk.document(desk.made_up_text(1200))
    ask(desk, [book, QUESTION], eviction=HOW)
    other = ask(desk, [book, "What was it about, then?"], eviction=HOW)
    desk.forget()
    assert other.result.tokens == ask(desk, [book, "What was it about, then?"], eviction=HOW).result.tokens


def test_blocks_are_for_models_all_of_whose_rows_are_chosen_so(checkpoint):
    config = load(checkpoint().path, "fp32", "cpu").config
    assert guard.allowed(config) == ("blocks",)
    assert guard.allowed(replace(config, mixers=("full", *config.mixers[1:]))) == ()
