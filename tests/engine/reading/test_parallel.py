"""Texts longer than the window: when they are read in segments, what that costs, and what the person may choose."""

import pytest
from asking import Asking, asked, codes, kept, noted
from msgspec.structs import replace

from engine.protocol import Delta, Failed, Progress, Sampling
from engine.reading import parallel

LONG = "and then again whatever came of it in the end "


@pytest.fixture
def ask(desk, monkeypatch):
    return Asking(desk, monkeypatch)


@pytest.fixture
def book(ask):
    return ask.book


@pytest.fixture
def sizes(ask, book):
    """Of the book's segments, in tokens."""
    return ask.sizes([book])


def test_a_text_that_fits_is_read_whole_and_a_longer_one_in_segments(ask, book):
    whole = ask([ask.note, "What is it about?"])
    assert (whole.usage.mode, whole.usage.segments, whole.usage.join, whole.notes) == ("whole", (), None, ())
    done = ask([book, "What is it about?"])
    assert done.usage.mode == "parallel"
    told = noted(done, "read_parallel")
    assert (told["segments"], told["window"]) == (str(len(done.usage.segments)), "1024")
    assert {event.stage for event in ask.events(Progress)} == {"read", "ask"}
    assert "".join(event.text for event in ask.events(Delta)) == done.result.text


def test_what_the_person_chose_is_done(ask, book):
    short = ask([ask.note, "What is it about?"], mode="parallel")
    assert (short.usage.mode, codes(short)) == ("parallel", [])
    refused = ask([book, "What is it about?"], mode="whole", sampling=Sampling())
    assert (refused.code, refused.available) == ("too_long", 1024)
    assert ask.read([book], mode="whole").code == "too_long"
    assert ask.read([ask.note], mode="parallel").usage.mode == "parallel"


def test_a_conversation_without_documents_has_no_segments(ask):
    for settings in ({}, {"mode": "parallel"}, {"coverage": True}):
        done = ask("What is it about?", **settings)
        assert (done.usage.mode, done.usage.asked) == ("whole", 0)


def test_segments_are_the_whole_text_once(ask, book, sizes):
    done = ask([book, "What is it about?"])
    places = [place for use in done.usage.segments for place in use.places]
    assert [place.start for place in places] == [0, *(place.end for place in places[:-1])]
    assert places[-1].end == len(ask.desk.made_up_text(600))
    assert sum(use.tokens for use in done.usage.segments) == 770
    progress = ask.events(Progress)
    assert ask.progress("read")[-1] == sum(sizes)
    assert progress[-1].done == progress[-1].total == len(places)


def test_every_segment_is_asked(ask, book, sizes):
    done = ask([book, "What is it about?"])
    usage = done.usage
    assert usage.asked == len(usage.segments) > 10
    assert asked(done) == [*range(1, usage.asked + 1)]
    assert (usage.read, usage.reused, usage.unread, usage.written) == (usage.prompt, 0, 0, 5)
    assert 1 <= len(kept(done)) <= 2
    best = min(usage.segments, key=lambda use: use.score)
    assert best.kept
    assert [use.rows for use in usage.segments if use.kept] == [sizes[number - 1] for number in kept(done)]
    assert {use.rows for use in usage.segments if not use.kept} == {0}


def test_a_second_question_reads_no_token_of_the_text(ask, book, sizes):
    ask([book, "What is it about?"])
    before = ask.computed
    done = ask([book, "Who wrote it?"])
    usage = done.usage
    assert usage.read == done.usage.prompt - sum(sizes) < 40
    assert (usage.reused, usage.unread, usage.reopened) == (sum(sizes), 0, 0)
    # The question before each segment, once more for the answer, and what was written but for the last
    assert ask.computed - before <= usage.read * (usage.asked + 1) + usage.written - 1


def test_a_follow_up_reads_only_the_conversation(ask, book, sizes):
    first = ask([book, "What is it about?"])
    before = ask.computed
    done = ask([book, "What is it about?"], first.result.text, "And then?")
    usage = done.usage
    assert usage.read == done.usage.prompt - sum(sizes) < 80
    assert usage.asked == len(usage.segments)
    assert ask.computed - before <= usage.read * (usage.asked + 1) + usage.written


def test_reading_ahead_leaves_only_the_question(ask, book, sizes):
    done = ask.read([book])
    assert (done.finish, done.usage.mode, done.usage.unread) == ("read", "parallel", 0)
    assert done.usage.read == sum(sizes)
    again = ask.read([book])
    assert (again.usage.read, again.usage.reused) == (0, done.usage.read)
    assert ask([book, "What is it about?"]).usage.reused == done.usage.read


def test_the_same_question_again_gives_the_same_answer(ask, book, sizes):
    sampling = Sampling(max_tokens=12)
    first = ask([book, "What is it about?"], sampling=sampling)
    second = ask([book, "What is it about?"], sampling=sampling)
    assert second.result == first.result
    assert [use.kept for use in second.usage.segments] == [use.kept for use in first.usage.segments]
    scores = [(use.score, other.score) for use, other in zip(first.usage.segments, second.usage.segments, strict=True)]
    assert all(one == other for one, other in scores)


def test_asking_some_is_noted(ask, book, sizes):
    some = ask([book, "What is it about?"], asked=3)
    assert len(asked(some)) == some.usage.asked == 3
    assert noted(some, "asked_some") == {"asked": "3", "segments": str(len(sizes))}
    assert set(kept(some)) <= set(asked(some))
    assert some.usage.unread == 0
    # What the last answer was written over is asked as well: what is talked about goes on
    follow = ask([book, "Who wrote it?"], asked=3)
    assert set(kept(some)) <= set(asked(follow))
    every = ask([book, "What is it about?"], asked=len(sizes))
    assert len(asked(every)) == len(sizes)
    assert "asked_some" not in codes(every)


def test_only_what_was_read_is_asked(ask, book, sizes):
    ask.stop_when(lambda: max(ask.progress("read"), default=0) >= sum(sizes[:3]))
    assert ask.read([book]).finish == "cancelled"
    ask.go_on()
    before = ask.computed
    done = ask([book, "What is it about?"], only_read=True)
    usage = done.usage
    assert asked(done) == [1, 2, 3]
    assert (usage.reused, usage.read) == (sum(sizes[:3]), done.usage.prompt - sum(sizes))
    assert usage.unread == sum(sizes[3:])
    assert ask.computed - before <= usage.read * 4 + usage.written
    some = ask([book, "Who wrote it?"], only_read=True, asked=1)
    assert set(asked(some)) <= {1, 2, 3}
    full = ask([book, "What is it about?"])
    assert (full.usage.reused, full.usage.unread) == (sum(sizes[:3]), 0)


def test_what_was_talked_about_and_is_gone_is_not_read_for_a_question_to_some(ask, book, sizes):
    first = ask([book, "What is it about?"], save=False)
    reader = ask.desk.worker._model.reader
    reader.pool.forget(frozenset().union(*reader.desk.recent))
    done = ask([book, "Who wrote it?"], save=False, only_read=True, asked=2)
    assert (len(asked(done)), set(asked(done)) & set(kept(first))) == (2, set())
    assert done.usage.unread == sum(sizes[number - 1] for number in kept(first))


def test_an_answer_without_anything_read(ask, book, sizes):
    done = ask([book, "What is it about?"], only_read=True)
    usage = done.usage
    assert (usage.asked, kept(done), usage.reused) == (0, [], 0)
    assert usage.read == done.usage.prompt - sum(sizes)
    assert usage.unread == usage.prompt - usage.read > 770
    assert done.finish == "length"


def test_how_many_segments_an_answer_is_written_over(ask, book, sizes):
    for count in (1, 3, 4):
        done = ask([book, "What is it about?"], keep=count)
        assert len(kept(done)) == count
        best = sorted(done.usage.segments, key=lambda use: use.score)[:count]
        assert {use.number for use in best} == set(kept(done)) or count > 1
    assert codes(done) == ["read_parallel"]


@pytest.mark.parametrize("how", ["shared", "consecutive", "reread"])
def test_how_segments_are_joined(ask, book, sizes, how):
    ask.read([book])
    before = ask.computed
    done = ask([book, "What is it about?"], join=how, keep=3)
    assert (done.usage.join, len(kept(done)), done.finish) == (how, 3, "length")
    preamble = ask.preamble
    again = sum(sizes[n - 1] for n in kept(done)) - 2 * preamble if how == "reread" else 0
    through = ask.computed - before
    assert again <= through <= again + done.usage.read * (done.usage.asked + 1) + done.usage.written


def test_the_join_is_the_calibrations_unless_chosen(ask, book, sizes):
    assert ask([book, "What is it about?"]).usage.join == ask.desk.loaded.calibration.join


def test_longer_segments_are_fewer(ask, book, sizes):
    few = ask([book, "What is it about?"], segment=500)
    assert 2 <= len(few.usage.segments) < len(sizes) / 3
    assert all(use.tokens <= 500 for use in few.usage.segments)
    # Never more than leaves a quarter of the window, never less than says something
    assert max(ask.sizes([book], segment=5000)) <= 768
    assert len(ask.sizes([book], segment=1)) == len(ask.sizes([book], segment=64)) < 150
    overlaps = ask([book, "What is it about?"], overlap=32)
    assert overlaps.usage.prompt > ask([book, "What is it about?"], overlap=0).usage.prompt
    assert sum(use.tokens for use in overlaps.usage.segments) == 770


def test_a_share_of_the_rows(ask, book, sizes):
    whole = ask([book, "What is it about?"], keep=2)
    half = ask([book, "What is it about?"], keep=2, budget=0.5)
    preamble = ask.preamble
    for use in half.usage.segments:
        if use.kept:
            own = sizes[use.number - 1] - preamble
            assert use.rows == preamble + int(own * 0.5 + 0.5)
    assert half.finish == "length"
    assert half.usage.read < 40
    calibrated = ask([book, "What is it about?"], keep=2, calibrate=True)
    assert sum(use.rows for use in calibrated.usage.segments) <= sum(use.rows for use in whole.usage.segments)
    reread = ask([book, "What is it about?"], keep=2, budget=0.5, join="reread")
    assert "reread_whole" in codes(reread)
    assert [use.rows for use in reread.usage.segments if use.kept] == [sizes[n - 1] for n in kept(reread)]


def test_rows_as_bytes(ask, book, sizes):
    done = ask([book, "What is it about?"], kv="int8")
    assert (done.usage.kv, codes(done)) == ("int8", ["read_parallel"])
    taken = ask.desk.worker._model.reader.bytes()
    ask.desk.forget()
    wide = ask([book, "What is it about?"], kv="model")
    assert wide.usage.kv == "model"
    assert taken < 0.4 * ask.desk.worker._model.reader.bytes()  # of fp32


def test_bytes_when_only_they_fit_and_refused_when_nothing_does(ask, book, sizes, monkeypatch):
    kept = ask.desk.worker._model.reader.pool
    rows = sum(sizes)
    monkeypatch.setattr(kept, "budget", rows * ask.desk.loaded.kv_token_int8)
    done = ask([book, "What is it about?"], save=False)
    assert done.usage.kv == "int8"
    assert "kv_int8" in codes(done)
    ask.desk.forget()
    monkeypatch.setattr(kept, "budget", rows * ask.desk.loaded.kv_token_int8 - 1)
    for settings in ({}, {"kv": "model"}, {"coverage": True}):
        before = ask.computed
        failed = ask([book, "What is it about?"], save=False, **settings)
        assert isinstance(failed, Failed)
        assert failed.code == "out_of_memory"
        assert failed.needed > failed.available == kept.budget
        assert ask.computed == before
    assert ask.read([book], save=False).code == "out_of_memory"


def test_a_text_larger_than_the_memory_is_answered_from_disk(ask, book, sizes, monkeypatch):
    plenty = ask([book, "What is it about?"])
    ask.desk.forget()
    monkeypatch.setattr(ask.desk.worker._model.reader.pool, "budget", 100_000)
    done = ask([book, "What is it about?"], kv="model")
    assert done.result == plenty.result
    assert ask.desk.worker._model.reader.bytes() <= 100_000
    assert (done.usage.read, done.usage.reused) == (done.usage.prompt, 0)
    again = ask([book, "Who wrote it?"], kv="model")
    assert again.usage.read == again.usage.prompt - sum(sizes)


def test_a_long_conversation_leaves_room_for_fewer_segments(ask, book, sizes):
    talk = [[book, "What is it about?"]]
    for _ in range(5):
        talk += [LONG * 3, "And then?"]
    done = ask(*talk, keep=6)
    assert noted(done, "history_long") == {"kept": str(len(kept(done))), "asked": "6"}
    assert 1 <= len(kept(done)) < 6


def test_what_a_long_conversation_costs_is_said_without_a_choice_as_well(ask, book, monkeypatch):
    desk = ask.desk.worker._model.reader.desk
    monkeypatch.setattr(desk, "calibration", replace(desk.calibration, keep=2, gap=100.0))
    first = ask([book, "What is it about?"], segment=300)
    assert (len(kept(first)), codes(first)) == (2, ["read_parallel"])
    done = ask([book, "What is it about?"], LONG * 20, "And then?", segment=300)
    assert len(kept(done)) == 1
    assert noted(done, "history_long") == {"kept": "1", "asked": "2"}
    # Segments that are too large for two of them are nobody's history
    large = ask([book, "What is it about?"], segment=700, sampling=Sampling(max_tokens=256))
    assert (len(kept(large)), codes(large)) == (1, ["read_parallel"])


def test_a_conversation_that_leaves_no_room_is_refused(ask, book, sizes):
    failed = ask([book, "What is it about?"], LONG * 30, "And then?")
    assert (failed.code, failed.available) == ("too_long", 1024)
    assert failed.needed > 1024


def test_a_window_that_was_made_smaller_holds_for_segments_as_well(make_desk, tiny_model, monkeypatch):
    ask = Asking(make_desk(tiny_model, piece=64, threads=1, window=512), monkeypatch)
    assert (ask.desk.loaded.window, ask.desk.loaded.native_window) == (512, 1024)
    assert ask.desk.loaded.calibration.segment <= 384
    done = ask([ask.book, "What is it about?"], keep=8, segment=300, sampling=Sampling(repetition_penalty=1.5))
    assert done.usage.window == 512
    assert max(ask.sizes([ask.book], segment=1000)) <= 384
    rows = sum(use.rows for use in done.usage.segments)
    assert (
        rows + done.usage.read - sum(ask.sizes([ask.book], segment=300)) + done.usage.written <= 512 + ask.preamble * 3
    )
    assert noted(done, "history_long")["asked"] == "8"
    assert ask([ask.book, "What is it about?"]).usage.window == 512


class Scored:
    """Instead of the model: the first segment leads by `alone` nats for a question by itself, the second by `together`
    for one with what went before it."""

    def __init__(self, alone: float, together: float) -> None:
        self.leads, self.spans = [(alone, 0), (together, 1)], []

    def __call__(self, decoder, segments, tail, words, **more):
        self.spans.append(words[0])
        lead, best = self.leads[len(self.spans) - 1]
        return iter([3.0 - lead * (number == best) for number in range(len(segments))])


@pytest.fixture
def scored(ask, book, monkeypatch):
    def second(alone: float, together: float) -> tuple[list[int], Scored]:
        """Segments that a follow-up's answer is written over."""
        first = ask([book, "What is it about?"], keep=1)
        scores = Scored(alone, together)
        monkeypatch.setattr(parallel, "surprises", scores)
        done = ask([book, "What is it about?"], first.result.text, "And then?", keep=1)
        assert (done.usage.asked, len(asked(done))) == (len(done.usage.segments), len(done.usage.segments))
        return kept(done), scores

    return second


def test_a_question_that_stands_out_alone_is_put_without_what_went_before(scored, ask):
    gap = ask.desk.loaded.calibration.gap
    numbers, scores = scored(alone=gap * 2, together=gap * 3)
    assert (numbers, len(scores.spans)) == ([1], 1)


def test_a_question_that_fits_no_segment_better_is_put_with_what_went_before(scored, ask):
    gap = ask.desk.loaded.calibration.gap
    numbers, scores = scored(alone=gap / 2, together=gap)
    alone, together = scores.spans
    assert (numbers, alone < together <= parallel.HISTORY + alone) == ([2], True)


def test_what_went_before_counts_only_where_it_tells_segments_apart(scored, ask):
    """A question that was asked before is likely after itself, whatever the segment."""
    gap = ask.desk.loaded.calibration.gap
    numbers, scores = scored(alone=gap / 2, together=gap / 4)
    assert (numbers, len(scores.spans)) == ([1], 2)


def test_a_first_question_is_put_once(ask, book, monkeypatch):
    scores = Scored(alone=0, together=1)
    monkeypatch.setattr(parallel, "surprises", scores)
    assert kept(ask([book, "What is it about?"], keep=1)) == [1]
    assert len(scores.spans) == 1
