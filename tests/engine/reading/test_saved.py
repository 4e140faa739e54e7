"""What stays of a text that was read in segments: in memory, on disk, through edits, restarts and forgetting."""

import pytest
import torch
from asking import Asking, asked, codes, kept

from engine.memory.rows import SegmentRows
from engine.protocol import Forget, Found, Readings, Sampling

LONGER = Sampling(max_tokens=12)


@pytest.fixture
def ask(desk, monkeypatch):
    return Asking(desk, monkeypatch)


@pytest.fixture
def book(ask):
    return ask.book


def listed(ask, folder=None):
    return ask.desk.run(Readings(ask.desk.id(), folder)).result


def paragraphs(ask, count=12):
    return [ask.desk.made_up_text(60, seed).replace("\n", " ") for seed in range(1, count + 1)]


def test_nothing_is_written_when_nothing_may_be(ask, book, tmp_path):
    for settings in ({}, {"coverage": True}, {"mode": "whole"}):
        ask([book, "What is it about?"], save=False, folder=str(tmp_path / "other"), **settings)
        ask.read([book], save=False, **settings)
    assert not (tmp_path / "other").exists()
    assert ask.files("*") == []
    # Nor is anything opened that is there
    ask.read([book])
    ask.closed()
    usage = ask([book, "What is it about?"], save=False).usage
    assert (usage.reused, usage.reopened, usage.read) == (0, 0, usage.prompt)


def test_opened_again_it_reads_nothing_and_answers_the_same(ask, book):
    sizes = ask.sizes([book])
    ask.read([book])
    open_ = ask([book, "What is it about?"], sampling=LONGER)
    rows = [stored(ask, segment) for segment in segments(ask, book)]
    ask.closed()
    before = ask.computed
    done = ask([book, "What is it about?"], sampling=LONGER)
    usage = done.usage
    assert (usage.reused, usage.reopened, usage.unread) == (sum(sizes), sum(sizes), 0)
    assert usage.read == usage.prompt - sum(sizes)
    assert ask.computed - before <= usage.read * (usage.asked + 1) + usage.written
    assert done.result == open_.result
    assert [use.score for use in done.usage.segments] == [use.score for use in open_.usage.segments]
    for one, other in zip(rows, [stored(ask, segment) for segment in segments(ask, book)], strict=True):
        assert torch.equal(one.keys, other.keys)
        assert torch.equal(one.values, other.values)


def segments(ask, *documents):
    reader = ask.desk.worker._model.reader
    return reader.cut(ask.desk.talk(list(documents)), ask._reading({}), lambda done, total: None)[1]


def stored(ask, segment) -> SegmentRows:
    return ask.desk.worker._model.reader.kept(ask._reading({})).find(segment, "model")


def test_what_came_from_disk_is_told_when_it_came(ask, book):
    ask.read([book])
    [saved] = listed(ask).readings
    ask.closed()
    assert ask([book, "What is it about?"]).usage.reopened == sum(ask.sizes([book]))
    [opened] = listed(ask).readings
    assert opened.id == saved.id
    assert opened.opens is None  # it is open
    second = ask([book, "Who wrote it?"]).usage
    assert (second.reused, second.reopened) == (sum(ask.sizes([book])), 0)
    ask.closed()
    # What opening took is what it took then, not a look at what is open
    took = listed(ask).readings[0].opens
    assert took > saved.opens  # which was reckoned from its size


def test_what_is_listed(ask, book):
    assert listed(ask).readings == ()
    ask.read([book])
    found = listed(ask)
    [saved] = found.readings
    assert (saved.documents, saved.mode, saved.tokens) == ((book.sha256,), "parallel", 770)
    assert saved.bytes == found.bytes == sum(file.stat().st_size for file in ask.files())
    assert found.folder == str(ask.folder)
    assert len(ask.files()) == len(ask.sizes([book]))
    assert (saved.precision, saved.fingerprint) == ("fp32", ask.desk.loaded.fingerprint)


def test_another_folder_and_what_the_choice_of_one_changes(ask, book, tmp_path):
    other = str(tmp_path / "elsewhere")
    ask.read([book], folder=other)
    assert ask.files() == []
    assert len(listed(ask, other).readings) == 1
    assert ask.desk.run(Forget(ask.desk.id(), (book.sha256,), other)).result.readings == 1
    assert listed(ask, other).readings == ()
    assert not list((tmp_path / "elsewhere").rglob("*.safetensors"))


def test_only_what_was_read_counts_what_is_on_disk(ask, book):
    sizes = ask.sizes([book])
    ask.stop_when(lambda: max(ask.progress("read"), default=0) >= sum(sizes[:3]))
    ask.read([book])
    ask.go_on()
    ask.closed()
    done = ask([book, "What is it about?"], only_read=True)
    assert asked(done) == [1, 2, 3]
    assert (done.usage.reused, done.usage.reopened) == (sum(sizes[:3]), sum(sizes[:3]))
    assert done.usage.unread == sum(sizes[3:])


def test_an_edit_reads_only_what_it_touches(ask):
    written = paragraphs(ask)
    first = ask.desk.document("\n\n".join(written))
    ask.read([first])
    before = {segment.key for segment in segments(ask, first)}
    written[6] = "A new beginning. " + written[6]
    edited = ask.desk.document("\n\n".join(written))
    fresh = [segment for segment in segments(ask, edited) if segment.key not in before]
    assert 1 <= len(fresh) <= 3
    usage = ask([edited, "What is it about?"]).usage
    sizes = ask.sizes([edited])
    assert usage.read - (usage.prompt - sum(sizes)) == sum(len(segment.ids) for segment in fresh)
    assert usage.reused == sum(sizes) - sum(len(segment.ids) for segment in fresh) > 0.6 * sum(sizes)


def test_a_document_more_or_less_reads_nothing_else(ask, book):
    ask([book, "What is it about?"])
    both = ask([book, "What is it about?"], "So.", [ask.tale, "And this?"]).usage
    added = ask.sizes([ask.tale])
    assert both.read == sum(added) + both.prompt - sum(ask.sizes([book, ask.tale]))
    assert both.reused == sum(ask.sizes([book]))
    for documents in ([ask.tale], [book], [ask.tale, book]):
        fewer = ask([*documents, "And now?"]).usage
        assert fewer.read == fewer.prompt - sum(ask.sizes(documents)) < 40
    ask.closed()
    alone = ask([ask.tale, "And now?"]).usage
    assert alone.reopened == sum(added)


def test_forgetting_a_document_takes_all_of_it(ask, book):
    ask([book, ask.tale, "What is it about?"])
    ask([ask.tale, "What is it about?"])
    keys = {segment.key for segment in segments(ask, book)}
    held = ask.desk.worker._model.reader.bytes()
    forgotten = ask.desk.run(Forget(ask.desk.id(), (book.sha256,))).result
    assert forgotten.readings == 1  # of both together; the other's own stays
    assert forgotten.bytes > 0
    reader = ask.desk.worker._model.reader
    assert 0 < reader.bytes() < held
    assert all(reader.pool.get(key, "model") is None for key in keys)
    assert [saved.documents for saved in listed(ask).readings] == [(ask.tale.sha256,)]
    assert len(ask.files()) == len(ask.sizes([ask.tale]))
    tale = ask([ask.tale, "Who wrote it?"]).usage
    assert tale.read < 40
    again = ask([book, "What is it about?"]).usage
    assert (again.reused, again.read) == (0, again.prompt)


def test_forgetting_what_is_open_takes_its_file(ask, book):
    ask.read([book])
    ask.closed()
    ask([book, "What is it about?"])  # mapped
    ask.desk.run(Forget(ask.desk.id(), (book.sha256,)))
    assert ask.files("*") == []
    usage = ask([book, "What is it about?"]).usage
    assert (usage.reused, usage.read) == (0, usage.prompt)


def test_short_documents_share_a_segment_and_go_together(ask):
    other = ask.desk.document(ask.desk.made_up_text(20, seed=11), "other.txt")
    third = ask.desk.document(ask.desk.made_up_text(20, seed=12), "third.txt")
    settings = {"mode": "parallel", "segment": 500}
    assert len(ask([other, third, "What?"], **settings).usage.segments) == 1
    ask.desk.run(Forget(ask.desk.id(), (third.sha256,)))
    assert ask.files("*") == []
    assert ask.desk.worker._model.reader.bytes() == 0
    assert ask([other, "What?"], **settings).usage.reused == 0


def test_a_reading_in_full_precision_is_taken_in_as_bytes(ask, book):
    ask.read([book], kv="model")
    ask.closed()
    before = ask.computed
    done = ask([book, "What is it about?"], kv="int8")
    assert "reading_int8" in codes(done)
    assert (done.usage.kv, done.usage.reused) == ("int8", sum(ask.sizes([book])))
    assert ask.computed - before <= done.usage.read * (done.usage.asked + 1) + done.usage.written
    assert kept(done)
    # It is said once: from now on they are in memory
    assert "reading_int8" not in codes(ask([book, "Who wrote it?"], kv="int8"))


def test_only_what_was_read_in_full_precision_is_asked_as_bytes(ask, book):
    ask.read([book], kv="model")
    done = ask([book, "What is it about?"], kv="int8", only_read=True)
    assert done.usage.asked == len(ask.sizes([book]))
    assert (done.usage.kv, done.usage.unread) == ("int8", 0)


def test_a_reading_as_bytes_is_never_taken_for_a_full_one(ask, book):
    ask.read([book], kv="int8")
    ask.closed()
    done = ask([book, "What is it about?"], kv="model")
    assert (done.usage.kv, done.usage.reused, done.usage.read) == ("model", 0, done.usage.prompt)
    assert codes(done) == ["read_parallel"]


def test_without_a_choice_what_is_on_disk_is_used_as_it_is(ask, book):
    ask.read([book], kv="int8")
    ask.closed()
    done = ask([book, "What is it about?"])
    assert (done.usage.kv, done.usage.reopened) == ("int8", sum(ask.sizes([book])))
    assert codes(done) == ["read_parallel"]
    ask.desk.forget()
    ask.read([book], kv="model")
    ask.closed()
    assert ask([book, "What is it about?"]).usage.kv == "model"


def test_what_was_read_unsaved_is_saved_when_it_may_be(ask, book):
    ask([book, "What is it about?"], save=False)
    assert ask.files() == []
    done = ask([book, "Who wrote it?"])
    assert done.usage.read < 40
    assert len(ask.files()) == len(ask.sizes([book]))
    ask.closed()
    assert ask([book, "Who wrote it?"]).usage.reopened == sum(ask.sizes([book]))


@pytest.fixture
def beside(ask, make_desk):
    """Another worker on the same data folder, as after starting the program again: beside(model, **settings)."""

    def begin(model, **settings):
        from pathlib import Path

        folder: Path = ask.desk.texts.parent
        return type(ask.desk)(folder, model, **({"piece": 64, "threads": 1} | settings))

    return begin


def test_a_new_worker_reads_nothing(ask, book, beside, tiny_model, monkeypatch):
    first = ask([book, "What is it about?"], sampling=LONGER)
    other = Asking(beside(tiny_model), monkeypatch)
    done = other([book, "What is it about?"], sampling=LONGER)
    assert done.usage.reopened == sum(ask.sizes([book]))
    assert done.usage.read < 40
    assert done.result == first.result
    assert [use.score for use in done.usage.segments] == [use.score for use in first.usage.segments]


def test_another_precision_or_template_or_stretching_finds_nothing(
    ask, book, beside, tiny_model, tmp_path, monkeypatch
):
    ask.read([book])
    changed = tmp_path / "changed"
    changed.mkdir()
    for file in tiny_model.iterdir():
        (changed / file.name).write_bytes(file.read_bytes())
    config = changed / "tokenizer_config.json"
    config.write_text(config.read_text().replace("assistant", "assistent"))
    stretched = {"extension": "ntk", "window": 2048}
    for model, settings in ((tiny_model, {"precision": "bf16"}), (changed, {}), (tiny_model, stretched)):
        other = Asking(beside(model, **settings), monkeypatch)
        usage = other([book, "What is it about?"], mode="parallel").usage
        assert (usage.reused, usage.reopened, usage.read) == (0, 0, usage.prompt)
        assert usage.read > 770
    # All of them are kept beside each other, and each is found again
    assert len(listed(ask).readings) == 4
    ask.closed()
    assert ask([book, "What is it about?"]).usage.reopened == sum(ask.sizes([book]))


@pytest.mark.whole
@pytest.mark.full
def test_the_small_model_finds_a_number_that_was_read_before(small_model, make_desk, monkeypatch):
    desk = make_desk(small_model, precision="auto", threads=1)
    told = [f"Letter {n}. The keeper of house {n} writes that {desk.made_up_text(60, n)}" for n in range(1, 7)]
    told[3] += " The access number of the harbour gate is 58213."
    ask, letters = Asking(desk, monkeypatch), desk.document("\n\n".join(told), "letters.txt")
    ask.settings = {"mode": "parallel", "segment": 450}
    question = "What is the access number of the harbour gate?"
    done = ask([letters, question], sampling=Sampling(max_tokens=16))
    assert "58213" in done.result.text
    best = min(done.usage.segments, key=lambda use: use.score)
    assert best.kept
    ask.closed()
    again = ask([letters, question], sampling=Sampling(max_tokens=16))
    assert again.usage.reopened == sum(ask.sizes([letters]))
    assert again.usage.read < 50
    assert again.result == done.result
    every = ask([letters, question], coverage=True, part=350)
    assert any(one.certain and "58213" in one.text for one in ask.events(Found))
    assert "58213" in every.result.text
    assert every.usage.read == 0
